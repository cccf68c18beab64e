// Controls that set an address: faders, switches, choices and pads. While a finger moves one, nobody else does (touch).
import { drawSlider, slide, slideInput, within } from "./slide.js";

/**
 * Whether someone else has taken a control from a finger, as a lower level does: the player says that nobody touches it, after it has said that
 * the finger does.
 */
function isTaken({ isTouched, link, touches }) {
  return isTouched && touches.every((path) => link.touched.has(path)) && touches.some((path) => link.get(path) !== 1);
}

/** Binds a slider from 0 to 1 to an address's normalised twin. */
export class Fader {
  constructor(link, input, path, format) {
    Object.assign(this, { link, input, path, format, touches: [`touch/${path}`] });
    const row = input.closest("label");
    this.output = row.querySelector("output");
    this.isTouched = false;
    const send = (value) => link.set(`${path}/norm`, value);
    this.release = slideInput(input, {
      isUpright: row.classList.contains("upright"),
      begin: () => this.touch(true), move: send, end: () => this.touch(false), cancel: (before) => { send(before); this.touch(false); },
    });
    input.addEventListener("input", () => { drawSlider(input); send(Number(input.value)); });
    this.show();
  }

  /** Makes a slider and the text of its value in a row. */
  static in(row, link, path, format) {
    const input = Object.assign(document.createElement("input"), { type: "range", min: 0, max: 1, step: "any" });
    row.append(input, document.createElement("output"));
    return new Fader(link, input, path, format);
  }

  touch(isDown) {
    if (this.isTouched === isDown) return;
    this.isTouched = isDown;
    for (const path of this.touches) this.link.touched.delete(path);
    this.link.send(`touch/${this.path}`, isDown);
    if (!isDown) this.show();
  }

  /** Shows the player's value, unless a finger moves the slider. Without a value it cannot be moved. */
  show() {
    if (isTaken(this)) {
      this.release();
      this.isTouched = false;
    }
    const value = this.link.get(this.path), norm = this.link.get(`${this.path}/norm`);
    const text = value === undefined ? "–" : this.format(value);
    if (this.output) this.output.textContent = text;
    this.input.setAttribute("aria-valuetext", value === undefined ? "unknown" : text);
    if (!this.isTouched) this.input.value = norm ?? 0;
    drawSlider(this.input);
    this.input.disabled = !this.link.mayControl || norm === undefined;
  }
}

/** A list of names, one of which an address is set to. */
export class Choice {
  constructor(link, row, path, names) {
    Object.assign(this, { link, path });
    this.select = document.createElement("select");
    for (const name of names) this.select.add(new Option(name));
    this.select.addEventListener("change", () => link.send(path, this.select.value));
    row.append(this.select);
  }

  show() {
    this.select.value = this.link.get(this.path) ?? "";
    this.select.disabled = !this.link.mayControl;
  }
}

/** A pad for two values of a layer, the beat from left to right and the gain from bottom to top. */
export class Pad {
  constructor(link, element, path) {
    Object.assign(this, { link, element, path, touches: ["beat", "gain"].map((name) => `touch/${path}/${name}`) });
    this.knob = element.querySelector("i");
    this.isTouched = false;
    this.release = slide(element, {
      may: () => link.mayControl && this.values !== null,
      // A finger on the knob does not scroll the page, nor does a mouse.
      isFree: ({ target, pointerType }) => pointerType === "mouse" || target === this.knob,
      begin: () => { this.before = this.values; this.touch(true); },
      move: (across, down) => {
        const { width, height } = element.getBoundingClientRect(), [x, y] = this.before;
        this.send(within(x + across / width), within(y - down / height));
      },
      end: () => this.touch(false),
      cancel: () => { this.send(...this.before); this.touch(false); },
    });
    this.show();
  }

  /** The player's values from 0 to 1; null if they are not known. */
  get values() {
    const values = ["beat", "gain"].map((name) => this.link.get(`${this.path}/${name}/norm`));
    return values.includes(undefined) ? null : values;
  }

  touch(isDown) {
    this.isTouched = isDown;
    for (const path of this.touches) this.link.touched.delete(path);
    this.link.send(`touch/${this.path}/xy`, isDown);
    if (!isDown) this.show();
  }

  send(x, y) {
    this.link.send(`${this.path}/xy`, x, y);
    this.place(x, y);
  }

  show() {
    if (isTaken(this)) {
      this.release();
      this.touch(false);
    }
    if (!this.isTouched && this.values) this.place(...this.values);
  }

  place(x, y) {
    this.knob.style.left = `${x * 100}%`;
    this.knob.style.top = `${(1 - y) * 100}%`;
  }
}
