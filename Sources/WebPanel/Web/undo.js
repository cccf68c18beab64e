// Undo by the name of the change that it takes back, if that change was made here.

/** Milliseconds within which the player answers a change with another number of steps. */
const SOON = 2000;

export class Undo {
  constructor(link, element) {
    Object.assign(this, { link, element, names: [], depth: 0 });
    link.listen((event, values) => {
      if (event === "sent") this.note(values);
      if (event === "undo/depth") this.count(values[0]);
    });
  }

  /** Notes a change that this page has asked for. */
  note(path) {
    if (/^touch|\/list$/.test(path)) return;
    if (path === "redo") this.last = { name: null, at: performance.now() };
    const name = this.nameOf(path);
    if (name) this.last = { name, at: performance.now() };
  }

  nameOf(path) {
    const [kind, number, parameter] = path.split("/");
    if (kind === "course") return "course";
    if (path === "preset/load") return "preset";
    if (kind !== "layer") return "";
    const layer = this.link.get(`layer/${number}/name`) || `layer ${number}`;
    return parameter === "gain" ? `${layer} level` : parameter === "xy" ? layer : `${layer} ${parameter}`;
  }

  /** Takes the number of steps. A step that comes back keeps its name. */
  count(depth) {
    const isRecent = this.last && performance.now() - this.last.at < SOON;
    if (depth > this.depth && !(isRecent && this.last.name === null)) this.names[depth - 1] = isRecent ? this.last.name : "";
    this.depth = depth;
  }

  show() {
    const name = this.depth ? this.names[this.depth - 1] : "", text = name ? `Undo ${name}` : "Undo";
    if (this.element.textContent !== text) this.element.textContent = text;
  }
}
