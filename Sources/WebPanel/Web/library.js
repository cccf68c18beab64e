// The library: patches found by words of their name or title, to be played now or next, or added to the queue.
import { List, button, unfolding } from "./lists.js";
import { clock } from "./time.js";

const find = (id) => document.getElementById(id);
/** Milliseconds after the last letter. */
const PAUSE = 200;

export class LibraryList {
  constructor(link, queue, notice) {
    Object.assign(this, { queue, notice });
    this.list = new List(link, find("library"), "patch", (values) => this.entry(values), ([shown, count]) => {
      find("library-count").textContent = count === shown ? `${count} found` : `${shown} of ${count} shown: search for more words`;
    }, () => (this.isShown ? [this.words] : null));
    find("search").addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.list.ask(), PAUSE);
    });
    find("search-form").addEventListener("submit", (event) => { event.preventDefault(); this.list.ask(); });
  }

  get isShown() { return find("library").checkVisibility(); }

  /** Reads the list if it has come into view: files may have come or gone. */
  look() {
    if (this.isShown && !this.wasShown) this.list.ask();
    this.wasShown = this.isShown;
  }

  get words() { return find("search").value.trim(); }

  entry([, name, title, duration, origin]) {
    const entry = document.createElement("li"), small = document.createElement("small"), label = title || name;
    const cannotPlay = title.endsWith("(cannot be played)");
    small.textContent = [name === title ? "" : name, cannotPlay ? "" : duration ? clock(duration) : "endless", origin].filter(Boolean).join(" · ");
    const opener = button("", null, () => {});
    opener.append(Object.assign(document.createElement("bdi"), { textContent: label }), small);
    const actions = [
      ["Play now", `Play ${label} now`, "now"], ["Play next", `Play ${label} next`, "next"], ["Add", `Add ${label} to the queue`, ""],
    ];
    entry.append(opener, unfolding(entry, opener, actions.map(([text, words, place]) => {
      const action = button(text, words, () => this.add(name, label, place));
      action.dataset.control = "";
      return action;
    })));
    return entry;
  }

  async add(name, label, place) {
    const error = await this.queue.add(name, place);
    const done = { now: `Playing ${label}.`, next: `${label} plays next.` }[place] ?? `Added ${label}.`;
    this.notice(error ? error.text : done);
  }
}
