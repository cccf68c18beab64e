// The chapters of what plays: a button for each, below the drawing of the course.
import { clock } from "./time.js";

export class Chapters {
  constructor(link, list) {
    Object.assign(this, { link, list });
    this.pending = [];
    link.listen((event, values) => {
      if (event === "chapter/item") this.pending.push({ start: values[1], title: values[2] });
      else if (event === "chapter/end") this.finish();
      else if (event === "other course") this.ask();
    });
  }

  ask() {
    this.pending = [];
    this.link.send("chapter/list");
  }

  finish() {
    const chapters = this.pending;
    this.pending = [];
    this.list.replaceChildren(...chapters.map(({ start, title }, index) => {
      const entry = document.createElement("li"), button = document.createElement("button"), name = document.createElement("bdi");
      const time = document.createElement("small");
      name.textContent = title || `Chapter ${index + 1}`;
      time.textContent = clock(start);
      button.append(name, " ", time);
      button.dataset.control = "";
      button.addEventListener("click", () => this.link.send("position", start));
      entry.append(button);
      return entry;
    }));
    this.list.hidden = chapters.length < 2;
    this.current = undefined;
    this.show();
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
