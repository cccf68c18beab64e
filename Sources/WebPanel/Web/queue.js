// The queue: its rows are dragged by their handles, and have their actions behind a button.
import { List, button, unfolding } from "./lists.js";
import { slide } from "./slide.js";

/** Milliseconds after which the queue is read again, if the player has not reported a change. */
const LATER = 150;
/** The part of its width by which a row is swiped until it is removed. */
const AWAY = 0.35;

export class Queue extends List {
  /** @param removed - Is called with a sentence and a function that puts an item back, once the item was removed. */
  constructor(link, element, removed) {
    super(link, element, "queue", (values) => this.entry(values));
    this.removed = removed;
    link.listen((event, values) => { if (event === "queue/place") [this.place] = values; });
  }

  get current() { return this.link.get("now/queue") ?? 0; }

  /**
   * Adds a patch of the library.
   *
   * @param place - "now" plays it, and does not add it if the queue has it; "next" puts it behind the one that plays; otherwise it is the last one.
   * @returns Null, or the error's code and text.
   */
  async add(patch, place) {
    const [known] = place === "now" && this.items.find(([, name]) => name === patch) || [];
    const error = known ? null : await this.link.requests.ask("queue/add", patch, place ? "next" : "last");
    if (error) return error;
    if (place === "now") this.link.send("queue/play", { i: known ?? this.place });
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

  /** Removes an item, and offers to put it back. */
  remove(index, name) {
    this.order("queue/remove", index);
    this.removed(`Removed \u2068${name}\u2069.`, () => this.order("queue/restore", 1));
  }

  entry([index, patch, title]) {
    const entry = document.createElement("li"), name = title || patch;
    entry.dataset.index = index;
    const handle = button("⠿", `Drag ${name}`, () => {}), select = button("", null, () => this.order("queue/select", index));
    handle.className = "handle";
    handle.title = "Drag, or press ↑ and ↓";
    select.append(Object.assign(document.createElement("bdi"), { textContent: name }));
    this.drag(entry, handle, index);
    this.swipe(entry, select, () => this.remove(index, name));
    handle.addEventListener("keydown", ({ key }) => {
      if (key === "ArrowUp") this.order("queue/move", index, index - 1);
      if (key === "ArrowDown") this.order("queue/move", index, index + 1);
    });
    const more = button("⋯", `More of ${name}`, () => {});
    entry.append(handle, select, more, unfolding(entry, more, [
      button("Play next", `Play ${name} next`, () => this.moveNext(index)),
      button("Up", `Move ${name} up`, () => this.order("queue/move", index, index - 1)),
      button("Down", `Move ${name} down`, () => this.order("queue/move", index, index + 1)),
      button("Remove", `Remove ${name}`, () => this.remove(index, name))]));
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

  /** Lets a finger swipe a row away, to either side. */
  swipe(entry, area, remove) {
    let across = 0;
    const isFar = () => Math.abs(across) > entry.clientWidth * AWAY;
    const end = () => {
      entry.classList.remove("leaves");
      entry.style.removeProperty("translate");
    };
    slide(area, {
      may: ({ pointerType }) => pointerType === "touch" && this.link.mayControl,
      begin: () => { across = 0; },
      move: (distance) => {
        across = distance;
        entry.style.translate = `${across}px 0`;
        entry.classList.toggle("leaves", isFar());
      },
      end: () => { end(); if (isFar()) remove(); },
      cancel: end,
    });
  }

  show() {
    for (const entry of this.element.children) entry.setAttribute("aria-current", Number(entry.dataset.index) === this.current);
  }
}
