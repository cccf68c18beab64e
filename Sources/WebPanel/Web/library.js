// The library: patches found by words and genre, each with its course in small, to be played now or next, or added to the queue.
import { List, button, unfolding } from "./lists.js";
import { clock } from "./time.js";

const find = (id) => document.getElementById(id);
/** Milliseconds after the last letter. */
const PAUSE = 200;
/** The size of a small course. */
const WIDTH = 72, HEIGHT = 24;
const NAMESPACE = document.querySelector("svg").namespaceURI;

export class LibraryList {
  constructor(link, queue, notice) {
    Object.assign(this, { link, queue, notice, genre: "", details: {} });
    this.list = new List(link, find("library"), "patch", (values) => this.entry(values), ([shown, count]) => {
      this.count = count === shown ? `${count} found` : `${shown} of ${count} shown: search for more words`;
      this.filter();
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
    const { isShown } = this;
    if (isShown && !this.wasShown) this.list.ask();
    this.wasShown = isShown;
    if (!isShown) this.wasRead = false;
    else if (!this.wasRead && this.link.isOpen) this.read();
  }

  get words() { return find("search").value.trim(); }

  /** Reads genres, comments and courses, which the list of names does not have. */
  async read() {
    this.wasRead = true;
    try {
      const response = await fetch("library.json", { headers: this.link.credentials });
      if (response.status !== 200) return;
      this.details = await response.json();
    } catch {
      // They are asked for again when the library is shown the next time; names and titles are there.
      this.wasRead = false;
      return;
    }
    this.offer();
    this.list.remake();
    this.filter();
  }

  /** Makes a button for each genre. */
  offer() {
    const genres = [...new Set(Object.values(this.details).map(({ genre }) => genre))].filter(Boolean).sort((one, other) => one.localeCompare(other));
    if (!genres.includes(this.genre)) this.genre = "";
    find("genres").hidden = genres.length < 2;
    find("genres").replaceChildren(...["", ...genres].map((genre) => {
      const chip = button(genre || "All", null, () => { this.genre = genre; this.filter(); });
      chip.dataset.genre = genre;
      return chip;
    }));
  }

  /** Shows the patches of the chosen genre. */
  filter() {
    for (const chip of find("genres").children) chip.setAttribute("aria-pressed", chip.dataset.genre === this.genre);
    const entries = [...find("library").children];
    for (const entry of entries) entry.hidden = this.genre !== "" && this.details[entry.dataset.name]?.genre !== this.genre;
    const text = this.genre ? `${entries.filter((entry) => !entry.hidden).length} found` : this.count ?? "";
    if (find("library-count").textContent !== text) find("library-count").textContent = text;
  }

  entry([, name, title, duration, origin]) {
    const entry = document.createElement("li"), small = document.createElement("small"), label = title || name;
    const cannotPlay = title.endsWith("(cannot be played)"), { genre, comment, sketch } = this.details[name] ?? {};
    small.textContent = [name === title ? "" : name, genre, cannotPlay ? "" : duration ? clock(duration) : "endless", origin].filter(Boolean).join(" · ");
    const opener = button("", null, () => {});
    opener.append(Object.assign(document.createElement("bdi"), { textContent: label }), small);
    if (comment) opener.append(Object.assign(document.createElement("small"), { textContent: comment, className: "comment", dir: "auto" }));
    if (sketch) opener.append(drawn(sketch));
    entry.dataset.name = name;
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

/** The course of a patch in small: its beat, or its level where it has none. */
function drawn({ parameter, values }) {
  const shape = (name, attributes) => {
    const made = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const drawing = shape("svg", { class: `sketch ${parameter === "gain" ? "level" : "beat"}`, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
  const points = values.map((value, index) => `${(index / (values.length - 1) * WIDTH).toFixed(1)} ${(HEIGHT - 2 - value / 100 * (HEIGHT - 4)).toFixed(1)}`);
  drawing.append(shape("path", { class: "ground", d: `M0 ${HEIGHT}L${points.join("L")}L${WIDTH} ${HEIGHT}Z` }), shape("path", { d: `M${points.join("L")}` }));
  return drawing;
}
