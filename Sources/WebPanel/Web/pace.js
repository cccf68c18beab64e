// What changes as time passes is shown only while the page is seen and something moves: a hidden or a paused page costs nothing.

/** Whether somebody may see the page. */
export const isSeen = () => document.visibilityState !== "hidden";

export class Pace {
  /**
   * @param isMoving - Says whether there is something that changes as time passes.
   * @param step - Shows it.
   * @param pause - Gives the milliseconds until the next step; 0 is the next frame.
   */
  constructor(isMoving, step, pause) {
    Object.assign(this, { isMoving, step, pause, end: null });
    document.addEventListener("visibilitychange", () => this.look());
  }

  /** Begins or ends the steps, if that has changed. */
  look() {
    if (!isSeen() || !this.isMoving()) {
      this.end?.();
      this.end = null;
    } else if (!this.end) {
      this.plan();
    }
  }

  plan() {
    const pause = this.pause(), next = () => { this.end = null; this.step(); this.look(); };
    if (pause > 0) {
      const timer = setTimeout(next, pause);
      this.end = () => clearTimeout(timer);
    } else {
      const frame = requestAnimationFrame(next);
      this.end = () => cancelAnimationFrame(frame);
    }
  }
}
