// The bookmarks of what plays: marks on the drawing of the course, and buttons below it.
import { clock } from "./time.js";

const find = (id) => document.getElementById(id);
/** Seconds behind a bookmark in which "previous" means the one before it: more while playing, since time passes until the next press. */
const BEHIND = { playing: 3, still: 0.05 };

export class Bookmarks {
  /** @param now - What plays: its `course` shows the marks. */
  constructor(link, now, notice) {
    Object.assign(this, { link, now, notice });
    this.times = [];
    this.pending = [];
    find("bookmark-previous").addEventListener("click", () => this.step(-1));
    find("bookmark-next").addEventListener("click", () => this.step(1));
    link.listen((event, values) => {
      if (event === "bookmark/item") this.pending.push(values[1]);
      else if (event === "bookmark/end") this.finish();
      // It changes when somebody sets or removes a bookmark, since that is always done at the position.
      else if (event === "bookmark" || event === "course") this.ask();
    });
  }

  ask() {
    this.pending = [];
    this.link.send("bookmark/list");
  }

  finish() {
    this.times = this.pending;
    this.pending = [];
    this.now.course.showBookmarks(this.times);
    this.list();
  }

  /** Makes the buttons; one that has the focus keeps it. */
  list() {
    const list = find("bookmark-list"), shape = this.times.join(" ");
    if (shape === this.shape) return;
    this.shape = shape;
    const box = find("bookmark-box"), focused = box.contains(document.activeElement) ? document.activeElement : null;
    list.replaceChildren(...this.times.map((time) => {
      const entry = document.createElement("li"), button = document.createElement("button");
      button.append(document.querySelector("[data-toggle=bookmark] svg").cloneNode(true), clock(time));
      button.setAttribute("aria-label", `Bookmark at ${clock(time)}`);
      button.dataset.control = "";
      button.dataset.time = time;
      button.addEventListener("click", () => this.link.send("position", time));
      entry.append(button);
      return entry;
    }));
    box.hidden = !this.times.length;
    if (!focused || focused.isConnected && !box.hidden) return;
    (list.querySelector(`[data-time="${focused.dataset.time}"]`) ?? list.querySelector("button") ?? document.querySelector("[data-toggle=bookmark]")).focus();
  }

  /** Goes to the previous (-1) or next (1) bookmark. */
  step(direction) {
    const { elapsed } = this.now, behind = this.link.get("now/state") === "playing" ? BEHIND.playing : BEHIND.still;
    const time = direction > 0 ? this.times.find((each) => each > elapsed + BEHIND.still) : this.times.findLast((each) => each < elapsed - behind);
    if (time === undefined) this.notice(`There is no bookmark ${direction > 0 ? "after" : "before"} the position.`);
    else this.link.send("position", time);
  }
}
