// The output level: a bar and a peak line for each side, from -60 to 0 dBFS. The player sends levels only while they are drawn.
import { isSeen } from "./pace.js";

const FLOOR = -60;
const TOPIC = "meters/50";
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Meter {
  constructor(link, canvas) {
    Object.assign(this, { link, canvas, last: 0, isShown: false });
    still.addEventListener("change", () => this.look());
  }

  /** Asks for levels while something plays and the meter is shown; if motion is to be reduced, there is none. */
  look() {
    const isShown = this.link.get("now/state") === "playing" && !still.matches && this.canvas.checkVisibility();
    this.link.want(TOPIC, isShown);
    if (this.isShown && !isShown) this.draw([FLOOR, FLOOR, FLOOR, FLOOR]);
    this.isShown = isShown;
  }

  /** At most 25 times a second. */
  take(levels) {
    const now = performance.now();
    if (!this.isShown || !isSeen() || now - this.last < 38) return;
    this.last = now;
    this.draw(levels);
  }

  draw([left, right, rmsLeft, rmsRight]) {
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
