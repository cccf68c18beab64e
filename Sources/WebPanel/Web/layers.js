// A strip for each layer of what plays, with what its kind has.
import { Fader, Pad, decibels } from "./faders.js";

const NUMBER = (digits, unit) => (value) => `${value.toFixed(digits)}${unit}`;
/** The faders of a strip: address, label, text of a value. A layer has those that the player sends. */
const PARAMETERS = [
  ["gain", "Level", decibels], ["carrier", "Carrier", NUMBER(1, " Hz")], ["beat", "Beat", NUMBER(2, " Hz")],
  ["pulseRate", "Pulse rate", NUMBER(2, " Hz")], ["pan", "Balance", NUMBER(2, "")], ["width", "Width", NUMBER(2, "")],
  ["duty", "Duty", NUMBER(2, "")], ["edge", "Edge", NUMBER(3, " s")], ["decay", "Decay", NUMBER(1, " s")],
  ["delay", "Delay", NUMBER(0, " µs")], ["phase", "Phase", NUMBER(0, "°")], ["depth", "Depth", NUMBER(0, "°")],
  ["correlation", "Correlation", NUMBER(2, "")], ["attack", "Attack", NUMBER(3, " s")], ["release", "Release", NUMBER(2, " s")],
];
/** Parameters that are always shown; the others are behind "More". */
const FIRST = new Set(["gain", "carrier", "beat", "pulseRate"]);

export class Layers {
  constructor(link, list) {
    Object.assign(this, { link, list });
    this.strips = [];
    this.shape = "";
  }

  /** Makes new strips if there are other layers, and shows their values. */
  show() {
    const count = this.link.get("layer/count") ?? 0;
    const known = (path) => this.link.get(path) !== undefined;
    const shape = JSON.stringify(Array.from({ length: count }, (_, index) => {
      const path = `layer/${index + 1}`;
      return [this.link.get(`${path}/name`), this.link.get(`${path}/kind`), PARAMETERS.filter(([name]) => known(`${path}/${name}`)).map(([name]) => name)];
    }));
    if (shape !== this.shape) {
      this.shape = shape;
      this.strips = JSON.parse(shape).map(([name, kind, parameters], index) => new Strip(this.link, `layer/${index + 1}`, name, kind, parameters));
      this.list.replaceChildren(...this.strips.map((strip) => strip.element));
    }
    for (const strip of this.strips) strip.show();
  }

  /** Another item may have other layers: their values are sent again. */
  forget() {
    for (const path of [...this.link.values.keys()]) if (path.startsWith("layer/")) this.link.values.delete(path);
  }
}

class Strip {
  constructor(link, path, name, kind, parameters) {
    Object.assign(this, { link, path });
    this.element = document.createElement("div");
    this.element.className = "layer";
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", name ?? path);
    const title = document.createElement("h3");
    const label = document.createElement("span"), small = document.createElement("small");
    label.textContent = name ?? path;
    small.textContent = ` ${words(kind ?? "")}`;
    label.append(small);
    this.mute = toggle("Mute", () => link.send(`${path}/mute`, link.get(`${path}/mute`) !== 1));
    this.solo = toggle("Solo", () => link.send(`${path}/solo`, link.get(`${path}/solo`) !== 1));
    const switches = document.createElement("span");
    switches.append(this.mute, " ", this.solo);
    title.append(label, switches);
    this.element.append(title);
    const more = document.createElement("details"), summary = document.createElement("summary");
    summary.textContent = "More";
    more.append(summary);
    this.faders = PARAMETERS.filter(([name]) => parameters.includes(name)).map(([name, caption, format]) => {
      const row = document.createElement("label"), input = document.createElement("input");
      Object.assign(input, { type: "range", min: 0, max: 1, step: "any" });
      row.append(`${caption} `, document.createElement("output"), input);
      (FIRST.has(name) ? this.element : more).append(row);
      return new Fader(link, input, `${path}/${name}`, format);
    });
    if (parameters.includes("beat") && parameters.includes("gain")) {
      const pad = document.createElement("div"), caption = document.createElement("span");
      pad.className = "pad";
      // The faders beside it do the same for those who do not point.
      pad.setAttribute("aria-hidden", "true");
      caption.textContent = "beat → level ↑";
      pad.append(document.createElement("i"), caption);
      more.append(pad);
      this.pad = new Pad(link, pad, path);
    }
    const reset = document.createElement("button");
    reset.textContent = "Reset";
    reset.addEventListener("click", () => link.send(`${path}/reset`, { i: 1 }));
    more.append(reset);
    this.element.append(more);
  }

  show() {
    for (const fader of this.faders) fader.show();
    this.pad?.show();
    for (const [button, name] of [[this.mute, "mute"], [this.solo, "solo"]]) {
      button.setAttribute("aria-pressed", this.link.get(`${this.path}/${name}`) === 1);
      button.disabled = !this.link.mayControl;
    }
  }
}

function toggle(text, action) {
  const button = document.createElement("button");
  button.textContent = text;
  button.addEventListener("click", action);
  return button;
}

const words = (kind) => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
