// Asks the player for the course of what plays, again whenever it may have changed.
import { isSeen } from "./pace.js";

/** Milliseconds until a course that the player was too busy for is asked for again: the first time, doubled each time, and at most. */
const RETRY = { first: 1000, most: 30000 };
/** Milliseconds between two requests: another peer's fader may change the course many times a second. */
const INTERVAL = 250;
const isBusy = (status) => status === 429 || status === 503;

export class CourseSource {
  /** @param take - Gets each course; null if there is none. */
  constructor(link, take) {
    Object.assign(this, { link, take, pause: RETRY.first });
  }

  /** Asks if the course is another one than the last time, or a changed one. */
  look() {
    const { link } = this, get = (path) => link.get(path);
    // The first packets do not say all of this yet.
    if (["now", "layers"].some((topic) => link.awaited?.has(topic))) return;
    const course = `${get("now/id")} ${get("course/revision")} ${get("now/duration")}`;
    if (!link.isOpen || course === this.course) return;
    this.course = course;
    link.notify("other course");
    this.ask();
  }

  async ask() {
    clearTimeout(this.timer);
    // It is asked for again once the page is seen.
    if (!isSeen()) return void (this.course = null);
    const wait = (this.asked ?? -INTERVAL) + INTERVAL - performance.now();
    if (wait > 0) return void (this.timer = setTimeout(() => this.ask(), wait));
    this.asked = performance.now();
    // Another item may come before the course of this one.
    const wanted = this.course, id = this.link.get("now/id");
    try {
      const response = await fetch("course.json", { headers: this.link.credentials });
      const course = response.status === 200 ? await response.json() : null;
      if (wanted !== this.course) return;
      if (isBusy(response.status)) {
        this.timer = setTimeout(() => this.ask(), this.pause);
        this.pause = Math.min(this.pause * 2, RETRY.most);
        // An older course of the same item is better than none meanwhile.
        if (this.taken === id) return;
      }
      if (course) this.pause = RETRY.first;
      this.taken = course ? id : undefined;
      this.take(course);
    } catch {
      // It is asked for again once the player is connected.
      this.course = null;
    }
  }
}
