// Fingers, mouse and wheel on the drawing of the course: a drag looks for a position, two fingers and the wheel zoom, a tap goes there.
import { slide } from "./slide.js";

/** Pixels between two fingers, below which they no longer zoom. */
const CLOSEST = 24;
/** How much a wheel zooms for each pixel that it would scroll, and two fingers on a touch pad, which come as a wheel with Ctrl; the pixels of a line. */
const WHEEL = 0.002, TOUCH_PAD = 0.01, LINE = 16;

export class CourseHand {
  /**
   * @param area - Gets the pointers.
   * @param drawing - `axes`, `zoom(around, factor, to)`, `pan(seconds)`, `tap(x, y)`.
   * @param search - Moves the position: `may()`, `begin()`, `move(across)` by pixels, `end()` and `cancel()`.
   */
  constructor(area, drawing, search) {
    Object.assign(this, { area, drawing, fingers: new Map(), pinch: null });
    let isSearching = false;
    const stop = slide(area, {
      may: search.may,
      begin: () => { isSearching = this.wasMoved = true; search.begin(); },
      move: (across) => search.move(across),
      end: () => { isSearching = false; search.end(); },
      cancel: () => { isSearching = false; search.cancel(); },
    });
    /** Ends what the fingers do; they do nothing more until they are put down again. */
    this.giveUp = () => {
      stop();
      if (isSearching) search.cancel();
      isSearching = false;
      this.pinch = null;
    };
    area.addEventListener("pointerdown", (event) => {
      if (!this.fingers.size) this.wasMoved = false;
      this.fingers.set(event.pointerId, event.clientX);
      if (this.fingers.size !== 2) return;
      this.giveUp();
      this.beginPinch();
    });
    addEventListener("keydown", (event) => { if (event.key === "Escape") this.giveUp(); });
    area.addEventListener("pointermove", (event) => {
      if (!this.fingers.has(event.pointerId)) return;
      this.fingers.set(event.pointerId, event.clientX);
      if (this.pinch) this.movePinch();
    });
    for (const name of ["pointerup", "pointercancel"]) {
      // A finger that is lifted outside is lost as well.
      addEventListener(name, (event) => { if (this.fingers.delete(event.pointerId)) this.pinch = null; });
    }
    area.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    area.addEventListener("click", (event) => {
      // A mouse clicks after a drag as well.
      if (this.wasMoved) return void (this.wasMoved = false);
      const { left, top } = area.getBoundingClientRect();
      drawing.tap(event.clientX - left, event.clientY - top);
    });
  }

  get ends() {
    const [one, other] = this.fingers.values(), { left, width } = this.area.getBoundingClientRect();
    return { middle: ((one + other) / 2 - left) / width, distance: Math.max(Math.abs(one - other), CLOSEST) };
  }

  beginPinch() {
    this.wasMoved = true;
    const { middle, distance } = this.ends, { axes } = this.drawing;
    if (axes) this.pinch = { time: axes.seconds(middle), span: axes.to - axes.from, distance };
  }

  movePinch() {
    const { middle, distance } = this.ends, { time, span, distance: before } = this.pinch;
    this.drawing.zoom(time, span * before / distance, middle);
  }

  wheel(event) {
    const { axes } = this.drawing, unit = event.deltaMode === 1 ? LINE : event.deltaMode === 2 ? this.area.clientWidth : 1;
    if (!axes) return;
    const [across, down] = event.shiftKey ? [event.deltaX || event.deltaY, 0] : [event.deltaX, event.deltaY], span = axes.to - axes.from;
    const { left, width } = this.area.getBoundingClientRect(), place = (event.clientX - left) / width;
    const isDone = Math.abs(across) > Math.abs(down)
      ? this.drawing.pan(across * unit / width * span)
      : this.drawing.zoom(axes.seconds(place), span * Math.exp(down * unit * (event.ctrlKey ? TOUCH_PAD : WHEEL)), place);
    // Where nothing is left to zoom out of, the page scrolls.
    if (isDone) event.preventDefault();
  }
}
