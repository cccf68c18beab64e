// Now playing: title, picture and playhead. The position is computed from the last report, which is sent on changes only.
import { Axes } from "./axes.js";
import { Chapters } from "./chapters.js";
import { slideInput } from "./slide.js";
import { clock } from "./time.js";

const find = (id) => document.getElementById(id);
const dark = matchMedia("(prefers-color-scheme: dark)"), still = matchMedia("(prefers-reduced-motion: reduce)");

/** Milliseconds until a picture that the player was too busy for is asked for again: the first time, doubled each time, and at most. */
const RETRY = { first: 1000, most: 30000 };
/** Milliseconds between two requests for a picture, which another peer's fader may change many times a second. */
const INTERVAL = 250;
/** The part of its width by which a picture may be shown wider or narrower than it was drawn: a scroll bar comes and goes. */
const TOLERANCE = 0.1;
const isBusy = (status) => status === 429 || status === 503;

export class NowPlaying {
  constructor(link) {
    this.link = link;
    this.pause = RETRY.first;
    this.span = [0, 1];
    this.isSeeking = false;
    this.chapters = new Chapters(link, find("marks"), find("chapters"));
    const slider = find("position");
    const show = (part) => { this.isSeeking = true; this.tick(part * this.duration); };
    const end = () => { this.isSeeking = false; this.seek(Number(slider.value)); };
    slideInput(slider, { begin: () => {}, move: show, end, cancel: () => { this.isSeeking = false; } });
    slider.addEventListener("input", () => show(Number(slider.value)));
    slider.addEventListener("change", end);
    link.listen((event, values) => { if (event === "now/sleep") this.showSleep(values[0] > 0); });
    find("picture").addEventListener("click", (event) => {
      const area = find("course").getBoundingClientRect();
      const [left, right] = this.span;
      const start = this.chapters.startAt(event.clientX - area.left, area.width);
      if (start !== undefined) return void this.link.send("position", start);
      const part = ((event.clientX - area.left) / area.width - left) / (right - left);
      if (part >= 0 && part <= 1) this.seek(part);
    });
    dark.addEventListener("change", () => this.draw());
    // Its texts have the right size for one width only, such as that of a phone held upright.
    new ResizeObserver(() => { if (this.picture && Math.abs(this.width / this.drawnWidth - 1) > TOLERANCE) this.draw(); }).observe(find("picture"));
    const step = (time) => {
      if (!still.matches || time - (this.ticked ?? -1000) >= 1000) {
        this.ticked = time;
        this.tick();
      }
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  /** The width in pixels for which the picture is drawn. */
  get width() { return Math.round(Math.min(Math.max(find("picture").clientWidth, 480), 1600)); }

  get duration() { return this.link.get("now/duration") || 0; }

  get elapsed() {
    const passed = (Date.now() + this.link.offset - (this.link.elapsedAt ?? Date.now())) / 1000;
    const elapsed = (this.link.get("now/elapsed") ?? 0) + (this.link.isOpen ? passed * (this.link.get("now/rate") ?? 0) : 0);
    return Math.max(0, this.duration ? Math.min(elapsed, this.duration) : elapsed);
  }

  seek(part) { if (this.link.mayControl && this.duration) this.link.send("position", part * this.duration); }

  /** Whether the item is another one than before. */
  isOther(id) {
    const isOther = id !== this.item;
    this.item = id;
    return isOther;
  }

  show() {
    const get = (path, index) => this.link.get(path, index);
    const [queueIndex, queueCount] = [get("now/queue", 0) ?? 0, get("now/queue", 1) ?? 0];
    find("title").textContent = get("now/title") || (queueCount ? "Untitled" : "Nothing in the queue");
    find("subtitle").textContent = [get("now/artist"), get("now/album"), queueCount > 1 ? `${queueIndex} of ${queueCount}` : ""].filter(Boolean).join(" · ");
    const chapterCount = get("now/chapter", 1) ?? 0;
    find("chapter").textContent = chapterCount ? `${get("now/chapter", 0)}/${chapterCount} ${get("now/chapter", 2)}` : "";
    const isPlaying = get("now/state") === "playing";
    find("toggle").classList.toggle("playing", isPlaying);
    find("toggle").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    find("position").disabled = !this.link.mayControl || !this.duration || get("position/enabled") === 0;
    document.title = `${get("now/title") || "Nothing"} – Binaural`;
    this.chapters.show();
    const picture = `${get("now/id")} ${get("now/artwork")} ${get("course/revision")} ${this.duration}`;
    if (this.link.isOpen && picture !== this.picture) {
      this.picture = picture;
      this.chapters.ask();
      this.draw();
    }
  }

  async draw() {
    clearTimeout(this.timer);
    const wait = (this.drawn ?? -INTERVAL) + INTERVAL - performance.now();
    if (wait > 0) return void (this.timer = setTimeout(() => this.draw(), wait));
    this.drawn = performance.now();
    const width = this.drawnWidth = this.width;
    // Another item may come before the picture of this one.
    const item = this.picture, id = this.link.get("now/id");
    try {
      const response = await fetch(`picture.svg?width=${width}${dark.matches ? "&dark" : ""}`, { headers: this.link.credentials });
      const course = find("course"), image = await response.blob();
      if (item !== this.picture) return;
      if (isBusy(response.status)) {
        this.timer = setTimeout(() => this.draw(), this.pause);
        this.pause = Math.min(this.pause * 2, RETRY.most);
      }
      // An older picture of the same item is better than none meanwhile.
      if (isBusy(response.status) && this.drawnItem === id) return;
      if (response.status !== 200) {
        this.drawnItem = undefined;
        course.hidden = find("playhead").hidden = find("marks").hidden = true;
        return this.link.notify("picture", null);
      }
      this.pause = RETRY.first;
      this.drawnItem = id;
      this.span = response.headers.get("Time-Span").split(" ").map(Number);
      URL.revokeObjectURL(course.src);
      course.src = URL.createObjectURL(image);
      course.alt = `Pitches, beats and levels of ${this.link.get("now/title") || "the patch"} over time`;
      course.hidden = false;
      find("playhead").hidden = !this.duration;
      this.chapters.place(this.span, this.duration);
      this.link.notify("picture", new Axes(this.span, response.headers.get("Axes")));
    } catch {
      // The picture is drawn again once the player is connected.
      this.picture = null;
    }
  }

  tick(elapsed = this.isSeeking ? null : this.elapsed) {
    if (elapsed === null) return;
    const part = this.duration ? elapsed / this.duration : 0;
    set("elapsed", clock(elapsed));
    set("remaining", this.duration ? `−${clock(this.duration - elapsed)}` : this.link.get("now/id") ? "endless" : "");
    if (!this.isSeeking) find("position").value = part;
    find("position").setAttribute("aria-valuetext", clock(elapsed));
    const [left, right] = this.span;
    find("playhead").style.left = `${(left + part * (right - left)) * 100}%`;
    const sleep = this.link.get("now/sleep") ?? 0;
    const left2 = sleep - (Date.now() + this.link.offset - (this.link.elapsedAt ?? Date.now())) / 1000;
    set("sleep-left", sleep > 0 ? `silent in ${clock(Math.max(0, left2))}` : "");
  }

  /** Shows whether the sleep timer runs: the choice of a time, which a list would show, may have been made long ago or elsewhere. */
  showSleep(isRunning) { find("sleep").value = isRunning ? "on" : "0"; }
}

function set(id, text) { if (find(id).textContent !== text) find(id).textContent = text; }
