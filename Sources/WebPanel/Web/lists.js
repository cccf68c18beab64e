// Lists of the player, such as the queue, which are read again when they may have changed.

export class List {
  /**
   * @param make - Makes the content of an entry from the values of its message.
   * @param finished - Gets the values of the message that ends the list.
   * @param asked - Returns the arguments of the question; null if it is not asked now.
   */
  constructor(link, element, name, make, finished = () => {}, asked = () => []) {
    Object.assign(this, { link, element, name, make, finished, asked });
    this.pending = [];
    link.listen((event, values) => {
      if (event === `${name}/item`) this.pending.push(values);
      else if (event === `${name}/end`) this.finish(values);
      else if (event === "state" && link.isOpen) this.ask();
    });
  }

  ask() {
    this.pending = [];
    const values = this.asked();
    if (values) this.link.send(`${this.name}/list`, ...values);
  }

  finish(values) {
    // Answers to an earlier question that came after the next one was asked.
    if (this.pending.length < values[0]) return;
    const items = this.pending.slice(-values[0] || this.pending.length), shape = JSON.stringify(items);
    this.pending = [];
    if (shape !== this.shape) {
      this.shape = shape;
      this.element.replaceChildren(...items.map((each) => this.make(each)));
      this.link.notify("list");
    }
    this.finished(values);
  }
}

export function button(text, label, action) {
  const made = document.createElement("button");
  made.textContent = text;
  if (label) made.setAttribute("aria-label", label);
  made.addEventListener("click", action);
  return made;
}

/** An entry of the queue: it can be dragged, and moved with the buttons. */
export function queueEntry(link, list, [index, patch, title]) {
  const entry = document.createElement("li"), name = title || patch;
  entry.dataset.index = index;
  entry.draggable = true;
  entry.append(
    button(name, null, () => link.send("queue/select", { i: index })),
    button("↑", `Move ${name} up`, () => link.send("queue/move", { i: index }, { i: index - 1 })),
    button("↓", `Move ${name} down`, () => link.send("queue/move", { i: index }, { i: index + 1 })),
    button("×", `Remove ${name}`, () => link.send("queue/remove", { i: index })));
  for (const each of entry.querySelectorAll("button")) each.dataset.control = "";
  entry.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", index));
  entry.addEventListener("dragover", (event) => event.preventDefault());
  entry.addEventListener("drop", (event) => {
    event.preventDefault();
    const from = Number(event.dataTransfer.getData("text/plain"));
    if (from) link.send("queue/move", { i: from }, { i: index });
  });
  for (const each of entry.querySelectorAll("button")) each.addEventListener("click", () => setTimeout(() => list.ask(), 150));
  return entry;
}
