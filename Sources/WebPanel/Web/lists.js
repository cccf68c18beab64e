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
    this.items = [];
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
    this.items = items;
    if (shape !== this.shape) {
      this.shape = shape;
      this.items = items;
      this.remake();
    }
    this.finished(values);
  }

  /** Makes all entries again. */
  remake() {
    this.element.replaceChildren(...(this.items ?? []).map((each) => this.make(each)));
    this.link.notify("list");
  }
}

export function button(text, label, action) {
  const made = document.createElement("button");
  made.textContent = text;
  if (label) made.setAttribute("aria-label", label);
  made.addEventListener("click", action);
  return made;
}

/** The actions of a row, which another button of the row shows and hides: one row at a time shows them. */
export function unfolding(row, opener, actions) {
  const box = document.createElement("div");
  box.className = "actions";
  box.hidden = true;
  box.append(...actions);
  opener.setAttribute("aria-expanded", false);
  const unfold = (isOpen) => { box.hidden = !isOpen; opener.setAttribute("aria-expanded", isOpen); };
  opener.addEventListener("click", () => {
    const isOpen = box.hidden;
    for (const other of row.parentElement.children) other.fold?.();
    unfold(isOpen);
  });
  row.fold = () => unfold(false);
  return box;
}
