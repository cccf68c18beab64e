// The chapters of what plays: marks on the picture, and a button for each below it.
import { clock } from "./time.js";

/** Pixels from a mark at which a click on the picture means the chapter's start. */
const NEAR = 14;

export class Chapters {
  constructor(link, marks, list) {
    Object.assign(this, { link, marks, list });
    this.pending = [];
    this.starts = [];
    link.listen((event, values) => {
      if (event === "chapter/item") this.pending.push({ start: values[1], title: values[2] });
      else if (event === "chapter/end") this.finish();
    });
  }

  ask() {
    this.pending = [];
    this.link.send("chapter/list");
  }

  finish() {
    const chapters = this.pending;
    this.pending = [];
    this.starts = chapters.map(({ start }) => start);
    this.marks.replaceChildren(...chapters.map(() => document.createElement("i")));
    this.list.replaceChildren(...chapters.map(({ start, title }, index) => {
      const entry = document.createElement("li"), button = document.createElement("button"), time = document.createElement("small");
      time.textContent = clock(start);
      button.append(title || `Chapter ${index + 1}`, " ", time);
      button.dataset.control = "";
      button.addEventListener("click", () => this.link.send("position", start));
      entry.append(button);
      return entry;
    }));
    this.list.hidden = chapters.length < 2;
    this.place();
    this.current = undefined;
    this.show();
  }

  /** Places the marks along the time axis, whose ends are parts of the picture's width. */
  place(span = this.span, duration = this.duration) {
    Object.assign(this, { span, duration });
    this.marks.hidden = !duration || !span || this.starts.length < 2;
    if (this.marks.hidden) return;
    const [left, right] = span;
    this.starts.forEach((start, index) => { this.marks.children[index].style.left = `${(left + start / duration * (right - left)) * 100}%`; });
  }

  /** The start of the chapter whose mark is at this place, in pixels from the picture's left; `undefined` if no mark is there. */
  startAt(place, width) {
    if (this.marks.hidden) return undefined;
    const [left, right] = this.span;
    const distance = (start) => Math.abs((left + start / this.duration * (right - left)) * width - place);
    const nearest = this.starts.reduce((best, start) => (distance(start) < distance(best) ? start : best));
    return distance(nearest) <= NEAR ? nearest : undefined;
  }

  show() {
    const current = this.link.get("now/chapter", 0);
    const shown = this.list.children[current - 1];
    // Only the row is scrolled, never the page.
    if (shown && current !== this.current) this.list.scrollTo({ left: shown.offsetLeft - this.list.offsetLeft - 48 });
    this.current = current;
    [...this.list.children].forEach(({ firstChild: button }, index) => {
      if (index + 1 === current) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  }
}
