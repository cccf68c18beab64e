// The library: patches found by words of their name or title, to be added to the queue.
import { List, button } from "./lists.js";
import { clock } from "./time.js";

const find = (id) => document.getElementById(id);
/** Milliseconds after the last letter. */
const PAUSE = 200;

export class LibraryList {
  constructor(link) {
    this.link = link;
    this.list = new List(link, find("library"), "patch", (values) => this.entry(values), ([shown, count]) => {
      find("library-count").textContent = count === shown ? `${count} found` : `${shown} of ${count} shown: search for more words`;
    }, () => (find("library-box").open ? [this.words] : null));
    find("search").addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.list.ask(), PAUSE);
    });
    find("search-form").addEventListener("submit", (event) => { event.preventDefault(); this.list.ask(); });
    // Files may have come or gone.
    find("library-box").addEventListener("toggle", () => this.list.ask());
  }

  get words() { return find("search").value.trim(); }

  entry([, name, title, duration, origin]) {
    const entry = document.createElement("li"), text = document.createElement("span"), small = document.createElement("small");
    const cannotPlay = title.endsWith("(cannot be played)");
    small.textContent = [name === title ? "" : name, cannotPlay ? "" : duration ? clock(duration) : "endless", origin].filter(Boolean).join(" · ");
    text.append(title || name, small);
    const add = button("Add", `Add ${title || name} to the queue`, () => this.add(name));
    add.dataset.control = "";
    entry.append(text, add);
    return entry;
  }

  async add(name) {
    const error = await this.link.requests.ask("queue/add", name);
    find("library-count").textContent = error ? error.text : `Added ${name}`;
  }
}
