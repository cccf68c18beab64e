// The queue: its rows are dragged by their handles, and have their actions behind a button.
import { List, button, unfolding } from "./lists.js";
import { slide } from "./slide.js";

/** Milliseconds after which the queue is read again, if the player has not reported a change. */
const LATER = 150;

export class Queue extends List {
  constructor(link, element) {
    super(link, element, "queue", (values) => this.entry(values), ([count]) => {
      for (const resolve of this.readers.splice(0)) resolve(count);
    });
    this.readers = [];
  }

  get current() { return this.link.get("now/queue") ?? 0; }

  /** Reads the queue again. @returns A promise of the number of items. */
  read() {
    return new Promise((resolve) => {
      this.readers.push(resolve);
      this.ask();
    });
  }

  /**
   * Adds a patch of the library.
   *
   * @param place - "now" plays it, "next" puts it behind the one that plays; otherwise it is the last one.
   * @returns Null, or the error's code and text.
   */
  async add(patch, place) {
    const error = await this.link.requests.ask("queue/add", patch);
    if (error) return error;
    const last = await this.read(), next = Math.min(this.current + 1, last);
    if (place && next !== last) this.link.send("queue/move", { i: last }, { i: next });
    if (place === "now") {
      this.link.send("queue/select", { i: next });
      this.link.send("play", { i: 1 });
    }
    this.ask();
    return null;
  }

  /** Sends a command, and reads the queue again. */
  order(path, ...numbers) {
    this.link.send(path, ...numbers.map((i) => ({ i })));
    setTimeout(() => this.ask(), LATER);
  }

  /** Moves an item behind the one that plays. */
  moveNext(index) {
    const { current } = this;
    if (index !== current) this.order("queue/move", index, index < current ? current : current + 1);
  }

  entry([index, patch, title]) {
    const entry = document.createElement("li"), name = title || patch;
    entry.dataset.index = index;
    const handle = button("⠿", `Drag ${name}`, () => {}), select = button("", null, () => this.order("queue/select", index));
    handle.className = "handle";
    handle.title = "Drag, or press ↑ and ↓";
    select.append(Object.assign(document.createElement("bdi"), { textContent: name }));
    this.drag(entry, handle, index);
    handle.addEventListener("keydown", ({ key }) => {
      if (key === "ArrowUp") this.order("queue/move", index, index - 1);
      if (key === "ArrowDown") this.order("queue/move", index, index + 1);
    });
    const more = button("⋯", `More of ${name}`, () => {});
    entry.append(handle, select, more, unfolding(entry, more, [
      button("Play next", `Play ${name} next`, () => this.moveNext(index)),
      button("Up", `Move ${name} up`, () => this.order("queue/move", index, index - 1)),
      button("Down", `Move ${name} down`, () => this.order("queue/move", index, index + 1)),
      button("Remove", `Remove ${name}`, () => this.order("queue/remove", index))]));
    for (const each of entry.querySelectorAll("button")) each.dataset.control = "";
    return entry;
  }

  /** Lets a row be dragged to another one's place. */
  drag(entry, handle, index) {
    let wanted = index;
    const end = () => {
      entry.classList.remove("dragged");
      entry.style.removeProperty("translate");
    };
    slide(handle, {
      may: () => this.link.mayControl,
      isFree: () => true,
      begin: () => { wanted = index; entry.classList.add("dragged"); },
      move: (_, down) => {
        entry.style.translate = `0 ${down}px`;
        const { top, bottom } = entry.getBoundingClientRect(), middle = (area) => area.top + area.height / 2;
        // It takes another row's place once it covers half of that row.
        wanted = [...this.element.children].filter((each, number) => each === entry
          || middle(each.getBoundingClientRect()) < (number < index - 1 ? top : bottom)).length;
      },
      end: () => { end(); if (wanted !== index) this.order("queue/move", index, wanted); },
      cancel: end,
    });
  }

  show() {
    for (const entry of this.element.children) entry.setAttribute("aria-current", Number(entry.dataset.index) === this.current);
  }
}
