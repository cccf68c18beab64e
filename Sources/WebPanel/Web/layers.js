// The strips of the mix: one for each layer of what plays, with its level, mute and solo. Everything else that a layer of its kind has, as
// the table of addresses says, is in a sheet that its name opens.
import { Choice, Fader, Pad } from "./faders.js";
import { button } from "./lists.js";

const find = (id) => document.getElementById(id);
/** Captions that are not the parameter's name. */
const CAPTIONS = { gain: "Level", pan: "Balance" };
/** Parameters that come first in the sheet, and in the strip as numbers. */
const FIRST = ["gain", "carrier", "beat", "pulseRate", "amRate", "spinRate", "orbitRate"];
/** Parameters in Hz that are so small that a slider is too coarse for them, and the steps by which buttons change them. */
const STEPPED = ["beat", "pulseRate"], STEPS = [-1, -0.1, 0.1, 1];
/** Milliseconds within which a press continues from the one before. */
const SOON = 1000;
/** Kinds of layers whose parameters depend on their effects. */
const AFFECTED = ["noise", "file", "input", "isochronic"];
/** Addresses of layers by their numbers. */
const OF_LAYER = /^layer\/\d+\//;
/** A parameter of each effect. */
const EFFECTS = ["pulseDepth", "amDepth", "spinDepth", "spinDelay", "orbitRate", "beat"];
/** The number of layers from which strips are narrow, and the mix has a row of its own on a wide screen. */
const MANY = 6;
/** The number of colours of the course. */
const COLOURS = 10;

export class Layers {
  constructor(link, list) {
    Object.assign(this, { link, list, sheet: new Sheet(link) });
    this.strips = [];
    this.shape = "";
    /** The parameters of layers, by kind; a layer that can have effects is asked by itself. */
    this.kinds = new Map();
    // Addresses sent since the last snapshot's end, in any order: when one ends, other values are of layers or effects that are gone.
    this.sent = new Set();
    this.isComplete = false;
    link.listen((event, values) => {
      if (OF_LAYER.test(event)) this.sent.add(event);
      if (event !== "snapshot/end" || values[0] !== "layers") return;
      for (const path of [...link.values.keys()]) if (OF_LAYER.test(path) && !this.sent.has(path)) link.values.delete(path);
      this.sent.clear();
      this.isComplete = true;
    });
  }

  /** Makes new strips if there are other layers, and shows their values. */
  show() {
    const count = this.link.get("layer/count") ?? 0;
    const layers = Array.from({ length: count }, (_, index) => {
      const path = `layer/${index + 1}`;
      const effects = EFFECTS.filter((name) => this.link.get(`${path}/${name}`) !== undefined);
      return { path, name: this.link.get(`${path}/name`), kind: this.link.get(`${path}/kind`), effects };
    });
    const shape = JSON.stringify(layers);
    if (this.isComplete && shape !== this.shape && layers.every(({ kind }) => kind)) {
      this.shape = shape;
      this.make(layers, shape);
    }
    for (const strip of this.strips) strip.show();
    this.sheet.show();
  }

  async make(layers, shape) {
    const made = await Promise.all(layers.map(({ path, kind }) => this.kinds.get(kind) ?? parameters(this.link, path)));
    layers.forEach(({ kind }, index) => { if (made[index].length > 0 && !AFFECTED.includes(kind)) this.kinds.set(kind, made[index]); });
    // There may be other layers by now.
    if (shape !== this.shape) return;
    this.sheet.close();
    this.strips = layers.map((layer, index) => new Strip(this.link, { ...layer, index, parameters: made[index] }, this.sheet));
    this.list.replaceChildren(...this.strips.map((strip) => strip.element));
    document.body.classList.toggle("many", layers.length >= MANY);
    for (const strip of this.strips) strip.show();
  }

  /** Waits for a snapshot, since another item may have other layers; it may have been sent before the item itself. */
  ask() {
    this.shape = "";
    this.isComplete = false;
    if (!this.link.awaited.has("layers")) this.link.send("subscribe", "layers", { i: 0 }, { i: 30 });
  }
}

/** The parameters of a layer that a fader or a choice can set: name, range and unit, in the order of the sheet. */
async function parameters(link, path) {
  const { rows } = await link.requests.describe(path);
  const found = [];
  for (const row of rows) {
    const name = row.path.slice(path.length + 1);
    if (row.access !== "rw" || !name) continue;
    if (row.types === "f") found.push({ ...row, name });
    if (row.types === "s") found.push({ ...row, name, names: (await link.requests.describe(row.path)).names });
  }
  const rank = ({ name }) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return found.sort((one, other) => rank(one) - rank(other));
}

class Strip {
  constructor(link, layer, sheet) {
    const { path, name, kind, index, parameters } = layer;
    Object.assign(this, { link, path });
    this.element = document.createElement("div");
    this.element.className = "layer strip";
    this.element.dataset.colour = index % COLOURS;
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", name || path);
    this.name = button("", `${name || path}, ${words(kind)}: everything that it has`, () => sheet.open(layer));
    this.name.className = "name";
    this.name.setAttribute("aria-haspopup", "dialog");
    const title = document.createElement("bdi"), small = document.createElement("small");
    title.textContent = name || path;
    small.textContent = words(kind);
    this.name.append(title, small);
    const row = document.createElement("label");
    row.className = "fader upright";
    this.level = Fader.in(row, link, `${path}/gain`, (value) => text(value, "dB"));
    this.level.input.setAttribute("aria-label", `Level of ${name || path}`);
    this.numbers = document.createElement("p");
    this.shown = parameters.filter(({ name, types }) => types === "f" && name !== "gain" && FIRST.includes(name));
    this.switches = ["mute", "solo"].map((each) => {
      const address = `${path}/${each}`;
      const made = button(each[0].toUpperCase(), `${caption(each)} ${name || path}`, () => link.flip(address));
      made.dataset.layerToggle = each;
      return made;
    });
    const switches = document.createElement("div");
    switches.className = "switches";
    switches.append(...this.switches);
    this.element.append(this.name, row, this.numbers, switches);
  }

  show() {
    this.level.show();
    const known = this.shown.map(({ name, unit }) => ({ value: this.link.get(`${this.path}/${name}`), unit }))
      .filter(({ value }) => value !== undefined);
    const numbers = known.map(({ value, unit }) => text(value, unit)).join("\n");
    if (this.numbers.textContent !== numbers) this.numbers.textContent = numbers;
    for (const each of this.switches) {
      each.setAttribute("aria-pressed", this.link.get(`${this.path}/${each.dataset.layerToggle}`) === 1);
      each.disabled = !this.link.mayControl;
    }
    this.element.classList.toggle("muted", this.link.get(`${this.path}/mute`) === 1);
  }
}

/** Everything that one layer has. */
class Sheet {
  constructor(link) {
    Object.assign(this, { link, element: find("layer-sheet"), controls: [] });
    find("layer-reset").addEventListener("click", () => link.send(`${this.path}/reset`, { i: 1 }));
    this.element.addEventListener("close", () => { this.controls = []; });
  }

  open({ path, name, kind, parameters }) {
    this.path = path;
    find("layer-title").textContent = name || path;
    find("layer-reset").setAttribute("aria-label", `Reset ${name || path}`);
    const small = Object.assign(document.createElement("p"), { textContent: words(kind) });
    find("layer-content").replaceChildren(small);
    this.controls = parameters.map((parameter) => this.control(parameter));
    const has = (wanted) => parameters.some(({ name }) => name === wanted);
    if (has("beat") && has("gain")) this.controls.push(this.pad());
    this.show();
    this.element.showModal();
  }

  close() { if (this.element.open) this.element.close(); }

  control({ name, names, unit, text: help }) {
    const row = document.createElement("label"), address = `${this.path}/${name}`, title = CAPTIONS[name] ?? caption(name);
    row.className = "fader";
    row.title = help;
    row.append(Object.assign(document.createElement("span"), { textContent: title }));
    find("layer-content").append(row);
    if (names) return new Choice(this.link, row, address, names);
    const fader = Fader.in(row, this.link, address, (value) => text(value, unit));
    fader.input.setAttribute("aria-label", title);
    if (STEPPED.includes(name)) find("layer-content").append(this.steps(address, title));
    return fader;
  }

  /** Buttons that change a value in Hz by steps. */
  steps(address, title) {
    const row = document.createElement("div");
    let wanted, pressed = -SOON;
    row.className = "steps";
    for (const step of STEPS) {
      const size = Math.abs(step), label = `${title} ${step < 0 ? "lower" : "higher"} by ${size} Hz`;
      const made = button(`${step < 0 ? "−" : "+"}${size}`, label, () => {
        // The player's answer to an earlier press may come after this one.
        const isRecent = performance.now() - pressed < SOON, value = isRecent ? wanted : this.link.get(address);
        if (value === undefined) return;
        pressed = performance.now();
        wanted = Math.round((value + step) * 1000) / 1000;
        this.link.set(address, wanted);
      });
      made.dataset.control = "";
      row.append(made);
    }
    return row;
  }

  pad() {
    const pad = document.createElement("div"), across = document.createElement("span"), up = document.createElement("span");
    pad.className = "pad";
    // The faders beside it do the same for those who do not point.
    pad.setAttribute("aria-hidden", "true");
    across.textContent = "Beat →";
    up.textContent = "Level ↑";
    pad.append(document.createElement("i"), across, up);
    find("layer-content").append(pad);
    return new Pad(this.link, pad, this.path);
  }

  show() { for (const control of this.controls) control.show(); }
}

const UNITS = { degrees: "°", microseconds: " µs", Hz: " Hz", dB: " dB", s: " s" };

/** A value with its unit, in as many digits as an ear or a hand can distinguish. */
export function text(value, unit) {
  if (unit === "dB" && value <= -120) return "off";
  const digits = { degrees: 0, microseconds: 0, dB: 1, Hz: Math.abs(value) < 20 ? 2 : 1, s: value < 1 ? 3 : 1 }[unit] ?? 2;
  return `${value.toFixed(digits)}${UNITS[unit] ?? ""}`.replace("-", "−");
}

const words = (kind) => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const caption = (name) => words(name)[0].toUpperCase() + words(name).slice(1);
