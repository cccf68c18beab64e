// The output level: a bar and a peak line for each side, from -60 to 0 dBFS.
const FLOOR = -60;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Meter {
  constructor(canvas) {
    this.canvas = canvas;
    this.last = 0;
  }

  /** At most 25 times a second; not at all while it is hidden, or if motion is to be reduced: then there is no meter. */
  take([left, right, rmsLeft, rmsRight]) {
    const now = performance.now();
    if (document.visibilityState === "hidden" || still.matches || now - this.last < 38 || !this.canvas.checkVisibility()) return;
    this.last = now;
    const { canvas } = this, context = canvas.getContext("2d"), style = getComputedStyle(canvas);
    const colour = (name) => style.getPropertyValue(name);
    context.clearRect(0, 0, canvas.width, canvas.height);
    [[left, rmsLeft], [right, rmsRight]].forEach(([peak, rms], side) => {
      const place = (level) => canvas.width * Math.min(Math.max(1 - level / FLOOR, 0), 1), top = side * 15;
      context.fillStyle = colour("--line");
      context.fillRect(0, top, canvas.width, 12);
      context.fillStyle = colour("--accent");
      context.fillRect(0, top, place(rms), 12);
      context.fillStyle = colour("--warm");
      context.fillRect(Math.max(0, place(peak) - 3), top, 3, 12);
    });
  }
}
