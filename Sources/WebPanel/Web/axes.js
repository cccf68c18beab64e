// Where the picture shows which time and value.

const SCALES = {
  pitch: { place: Math.log2, value: (place) => 2 ** place },
  beat: { place: (beat) => Math.sign(beat) * Math.log2(1 + Math.abs(beat) / 3), value: (place) => Math.sign(place) * 3 * (2 ** Math.abs(place) - 1) },
  level: { place: (level) => level, value: (place) => place },
};

/** The axes of a picture. Places are parts of its width, and of its height from the top. */
export class Axes {
  /**
   * @param span - Where the time axis begins and ends, as parts of the width.
   * @param text - Seconds at the end of the time axis; then for each panel its name, top, bottom, and the values there at the bottom and the top.
   */
  constructor(span, text) {
    const [end, ...panels] = text.split(";");
    [this.left, this.right] = span;
    this.end = Number(end);
    this.panels = new Map(panels.map((panel) => {
      const [name, ...numbers] = panel.split(" ");
      const [top, bottom, low, high] = numbers.map(Number);
      return [name, { top, bottom, low: SCALES[name].place(low), high: SCALES[name].place(high) }];
    }));
  }

  x(seconds) { return this.left + Math.min(Math.max(seconds / this.end, 0), 1) * (this.right - this.left); }

  seconds(x) { return Math.min(Math.max((x - this.left) / (this.right - this.left), 0), 1) * this.end; }

  /** The top of all panels. */
  get top() { return Math.min(...[...this.panels.values()].map(({ top }) => top)); }

  /** The place of a value in a panel; values beyond are at its edge. Undefined if the picture has no such panel. */
  y(panel, value) {
    const area = this.panels.get(panel);
    if (!area) return undefined;
    const part = (SCALES[panel].place(value) - area.low) / (area.high - area.low);
    return area.bottom - Math.min(Math.max(part || 0, 0), 1) * (area.bottom - area.top);
  }

  /** The value at a place in a panel. */
  value(panel, y) {
    const { top, bottom, low, high } = this.panels.get(panel);
    const part = Math.min(Math.max((bottom - y) / (bottom - top), 0), 1);
    return SCALES[panel].value(low + part * (high - low));
  }
}
