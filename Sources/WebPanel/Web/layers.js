// A strip for each layer of what plays; the table of addresses says what a layer of its kind has.
import { Fader, Pad, Choice } from "./faders.js";
import { button } from "./lists.js";

/** Captions that are not the parameter's name. */
const CAPTIONS = { gain: "Level", pan: "Balance" };
/** Parameters that are always shown; the others are behind "More". */
const FIRST = ["gain", "carrier", "beat", "pulseRate", "amRate", "spinRate", "orbitRate"];
/** Kinds of layers whose parameters depend on their effects. */
const AFFECTED = ["noise", "file", "input", "isochronic"];
/** Addresses of layers by their numbers. */
const OF_LAYER = /^layer\/\d+\//;
/** A parameter of each effect. */
const EFFECTS = ["pulseDepth", "amDepth", "spinDepth", "spinDelay", "orbitRate", "beat"];

export class Layers {
  constructor(link, list) {
    Object.assign(this, { link, list });
    this.strips = [];
    this.shape = "";
    /** What layers have, by kind; a layer that can have effects is asked by itself. */
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
  }

  async make(layers, shape) {
    const made = await Promise.all(layers.map(({ path, kind }) => this.kinds.get(kind) ?? parameters(this.link, path)));
    layers.forEach(({ kind }, index) => { if (made[index].length > 0 && !AFFECTED.includes(kind)) this.kinds.set(kind, made[index]); });
    // There may be other layers by now.
    if (shape !== this.shape) return;
    this.strips = layers.map((layer, index) => new Strip(this.link, layer, made[index]));
    this.list.replaceChildren(...this.strips.map((strip) => strip.element));
    for (const strip of this.strips) strip.show();
  }

  /** Waits for a snapshot, since another item may have other layers; it may have been sent before the item itself. */
  ask() {
    this.shape = "";
    this.isComplete = false;
    if (!this.link.awaited.has("layers")) this.link.send("subscribe", "layers", { i: 0 }, { i: 30 });
  }
}

/** What a layer has that a fader or a choice can set: its name, range and unit, in the order of the strip. */
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
  constructor(link, { path, name, kind }, parameters) {
    Object.assign(this, { link, path });
    this.element = document.createElement("div");
    this.element.className = "layer";
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", name || path);
    const title = document.createElement("h3"), label = document.createElement("span"), small = document.createElement("small");
    label.textContent = name || path;
    small.textContent = ` ${words(kind)}`;
    label.append(small);
    this.switches = ["mute", "solo"].map((each) => {
      const made = button(caption(each), null, () => link.send(`${path}/${each}`, link.get(`${path}/${each}`) !== 1));
      made.dataset.layerToggle = each;
      return made;
    });
    title.append(label, ...this.switches);
    const more = document.createElement("details"), summary = document.createElement("summary");
    summary.textContent = "More";
    more.append(summary);
    this.element.append(title);
    this.controls = parameters.map((parameter) => {
      const row = document.createElement("label");
      row.className = "fader";
      row.title = parameter.text;
      row.append(Object.assign(document.createElement("span"), { textContent: CAPTIONS[parameter.name] ?? caption(parameter.name) }));
      (FIRST.includes(parameter.name) ? this.element : more).append(row);
      const address = `${path}/${parameter.name}`;
      return parameter.names ? new Choice(link, row, address, parameter.names) : Fader.in(row, link, address, (value) => text(value, parameter.unit));
    });
    const has = (wanted) => parameters.some(({ name }) => name === wanted);
    if (has("beat") && has("gain")) more.append(this.makePad());
    const reset = button("Reset", `Reset ${name || path}`, () => link.send(`${path}/reset`, { i: 1 }));
    reset.dataset.control = "";
    more.append(reset);
    this.element.append(more);
  }

  makePad() {
    const pad = document.createElement("div"), across = document.createElement("span"), up = document.createElement("span");
    pad.className = "pad";
    // The faders beside it do the same for those who do not point.
    pad.setAttribute("aria-hidden", "true");
    across.textContent = "Beat →";
    up.textContent = "Level ↑";
    pad.append(document.createElement("i"), across, up);
    this.pad = new Pad(this.link, pad, this.path);
    return pad;
  }

  show() {
    for (const control of this.controls) control.show();
    this.pad?.show();
    for (const each of this.switches) {
      each.setAttribute("aria-pressed", this.link.get(`${this.path}/${each.dataset.layerToggle}`) === 1);
      each.disabled = !this.link.mayControl;
    }
  }
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
