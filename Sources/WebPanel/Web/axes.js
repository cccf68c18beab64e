// Where the drawing of the course shows which time and value.

const LINEAR = { place: (value) => value, value: (place) => place };
/** Pitches are even in octaves; slow beats have more room than fast ones. The player's lines are straight on the same scales. */
const SCALES = {
  carrier: { place: (tone) => Math.log2(Math.max(tone, 1e-3)), value: (place) => 2 ** place },
  beat: { place: (beat) => Math.sign(beat) * Math.log2(1 + Math.abs(beat) / 3), value: (place) => Math.sign(place) * 3 * (2 ** Math.abs(place) - 1) },
};

/** The view in which a parameter is drawn, by its unit: the rates have that of the beat in common. */
export const viewOf = (parameter, unit) => (unit === "Hz" && parameter !== "carrier" ? "beat" : parameter);

/** The axes of a view. Places are parts of the drawing's width from the left, and of its height from the top. */
export class Axes {
  /**
   * @param view - The view whose values are drawn, `low` ones at the bottom and `high` ones at the top.
   * @param time - The seconds at the left and the right, `from` and `to`, and at the `end` of the course.
   * @param area - The edges within the drawing, as places.
   */
  constructor({ view, low, high }, time, area) {
    Object.assign(this, { view, low, high, ...time, ...area, scale: SCALES[view] ?? LINEAR });
    [this.lowPlace, this.highPlace] = [low, high].map(this.scale.place);
  }

  /** Beyond the edges for a time that is not shown. */
  x(seconds) { return this.left + (seconds - this.from) / (this.to - this.from) * (this.right - this.left); }

  seconds(x) { return within(this.from + (x - this.left) / (this.right - this.left) * (this.to - this.from), 0, this.end); }

  shows(seconds) { return seconds >= this.from && seconds <= this.to; }

  /** The place of a value; values beyond are at the edge. Undefined in another view. */
  y(view, value) {
    if (view !== this.view) return undefined;
    const part = (this.scale.place(value) - this.lowPlace) / (this.highPlace - this.lowPlace);
    return this.bottom - within(part || 0, 0, 1) * (this.bottom - this.top);
  }

  /** The value at a place. */
  value(y) {
    const part = within((this.bottom - y) / (this.bottom - this.top), 0, 1);
    return this.scale.value(this.lowPlace + part * (this.highPlace - this.lowPlace));
  }
}

const within = (value, least, most) => Math.min(Math.max(value, least), most);
