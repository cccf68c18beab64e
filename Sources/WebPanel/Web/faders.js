// Controls that set an address: faders, switches, choices and pads. While a finger is on one, nobody else moves it (touch).

/** Binds a slider from 0 to 1 to an address's normalised twin. */
export class Fader {
  constructor(link, input, path, format) {
    Object.assign(this, { link, input, path, format });
    this.output = input.closest("label")?.querySelector("output");
    this.isTouched = false;
    input.addEventListener("pointerdown", () => this.touch(true));
    for (const event of ["pointerup", "pointercancel", "lostpointercapture"]) input.addEventListener(event, () => this.touch(false));
    input.addEventListener("input", () => link.send(`${path}/norm`, Number(input.value)));
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
    this.link.send(`touch/${this.path}`, isDown);
    if (!isDown) this.show();
  }

  /** Shows the player's value, unless a finger is on the slider. */
  show() {
    const value = this.link.get(this.path), norm = this.link.get(`${this.path}/norm`);
    if (value !== undefined) {
      const text = this.format(value);
      if (this.output) this.output.textContent = text;
      this.input.setAttribute("aria-valuetext", text);
    }
    if (norm !== undefined && !this.isTouched) this.input.value = norm;
    this.input.disabled = !this.link.mayControl;
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
    Object.assign(this, { link, element, path });
    this.knob = element.querySelector("i");
    this.pointer = null;
    element.addEventListener("pointerdown", (event) => this.begin(event));
    element.addEventListener("pointermove", (event) => { if (event.pointerId === this.pointer) this.move(event); });
    for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, () => this.end());
    this.show();
  }

  begin(event) {
    if (!this.link.mayControl || this.pointer !== null) return;
    this.pointer = event.pointerId;
    this.element.setPointerCapture(event.pointerId);
    this.link.send(`touch/${this.path}/xy`, true);
    this.move(event);
  }

  move(event) {
    const area = this.element.getBoundingClientRect();
    const part = (value, size) => Math.min(Math.max(value / size, 0), 1);
    const [x, y] = [part(event.clientX - area.left, area.width), 1 - part(event.clientY - area.top, area.height)];
    this.link.send(`${this.path}/xy`, x, y);
    this.place(x, y);
  }

  end() {
    if (this.pointer === null) return;
    this.pointer = null;
    this.link.send(`touch/${this.path}/xy`, false);
    this.show();
  }

  show() {
    if (this.pointer !== null) return;
    const x = this.link.get(`${this.path}/beat/norm`), y = this.link.get(`${this.path}/gain/norm`);
    if (x !== undefined && y !== undefined) this.place(x, y);
  }

  place(x, y) {
    this.knob.style.left = `${x * 100}%`;
    this.knob.style.top = `${(1 - y) * 100}%`;
  }
}
