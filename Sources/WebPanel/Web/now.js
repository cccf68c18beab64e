// Now playing: title, position and playhead. The position is computed from the last report, which is sent on changes only.
import { Chapters } from "./chapters.js";
import { CourseDrawing } from "./course-drawing.js";
import { Pace } from "./pace.js";
import { drawSlider, slideInput } from "./slide.js";
import { clock } from "./time.js";

const find = (id) => document.getElementById(id);
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Milliseconds between two looks at the position: at most; at least, or it is shown with each frame; and where motion is to be reduced. */
const PAUSE = { most: 250, least: 20, still: 1000 };

export class NowPlaying {
  constructor(link) {
    this.link = link;
    this.isSeeking = false;
    this.starts = [];
    this.pending = [];
    this.chapters = new Chapters(link, find("chapters"));
    this.course = new CourseDrawing(link, this);
    const slider = find("position");
    const show = (part) => this.search(part * this.duration), end = () => this.endSearch(true);
    slideInput(slider, { begin: () => {}, move: show, end, cancel: () => this.endSearch(false) });
    slider.addEventListener("input", () => show(Number(slider.value)));
    slider.addEventListener("change", end);
    link.listen((event, values) => {
      if (event === "chapter/item") this.pending.push({ start: values[1], title: values[2] });
      if (event === "chapter/end") this.starts = this.pending.splice(0);
    });
    this.pace = new Pace(() => this.rate !== 0, () => this.tick(), () => this.pause);
  }

  /** Milliseconds in which the playhead moves by half a pixel of the screen. */
  get pause() {
    if (still.matches) return PAUSE.still;
    const pause = 500 / (this.course.speed * Math.abs(this.rate) * devicePixelRatio);
    return pause < PAUSE.least ? 0 : Math.min(pause, PAUSE.most);
  }

  get duration() { return this.link.get("now/duration") || 0; }

  /** Seconds since the last report. */
  get passed() { return (Date.now() + this.link.offset - (this.link.elapsedAt ?? Date.now())) / 1000; }

  /** Seconds of the timeline in a second. */
  get rate() { return this.link.isOpen ? this.link.get("now/rate") ?? 0 : 0; }

  /** Whether any time that is shown changes. */
  get isMoving() { return this.link.isOpen && (this.rate !== 0 || this.sleepLeft > 0); }

  /** Seconds until the sleep timer's silence; 0 if it does not run. */
  get sleepLeft() {
    const sleep = this.link.get("now/sleep") ?? 0;
    return sleep > 0 ? Math.max(0, sleep - this.passed) : 0;
  }

  get elapsed() {
    const elapsed = (this.link.get("now/elapsed") ?? 0) + this.passed * this.rate;
    return Math.max(0, this.duration ? Math.min(elapsed, this.duration) : elapsed);
  }

  /** Shows another position while somebody looks for one. */
  search(seconds) {
    this.isSeeking = true;
    this.tick(seconds);
  }

  /** Goes to the position that was looked for, or stays where it is. */
  endSearch(isFound) {
    this.isSeeking = false;
    if (isFound && this.link.mayControl && this.duration) this.link.send("position", Number(find("position").value) * this.duration);
    else this.tick();
  }

  /** Whether the item is another one than before. */
  isOther(id) {
    const isOther = id !== this.item;
    this.item = id;
    return isOther;
  }

  show() {
    const get = (path, index) => this.link.get(path, index);
    const [queueIndex, queueCount] = [get("now/queue", 0) ?? 0, get("now/queue", 1) ?? 0];
    const isKnown = this.link.version && !this.link.awaited.has("now");
    find("title").textContent = isKnown ? get("now/title") || (queueCount ? "Untitled" : "Nothing in the queue") : "Connecting …";
    const about = [get("now/artist"), get("now/album")].filter(Boolean).map((text) => `\u2068${text}\u2069`);
    find("subtitle").textContent = [...about, queueCount > 1 ? `${queueIndex} of ${queueCount}` : ""].filter(Boolean).join(" · ");
    find("empty").hidden = !isKnown || queueCount > 0;
    document.body.classList.toggle("nothing", !queueCount);
    const chapterCount = get("now/chapter", 1) ?? 0;
    find("chapter").textContent = chapterCount ? `${get("now/chapter", 0)}/${chapterCount} \u2068${get("now/chapter", 2)}\u2069` : "";
    const isPlaying = get("now/state") === "playing";
    for (const button of [find("play"), find("toggle")]) {
      button.classList.toggle("playing", isPlaying);
      button.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    }
    this.showSkips(get("preferences/skipIntervals"));
    find("position").disabled = !this.link.mayControl || !this.duration || get("position/enabled") === 0;
    this.showTitle();
    this.chapters.show();
    this.course.look();
    if (!this.pace.end) this.tick();
    this.pace.look();
  }

  showTitle() { document.title = `${this.link.get("now/title") || "Nothing"} – Binaural`; }

  tick(elapsed = this.isSeeking ? null : this.elapsed) {
    if (elapsed === null) return;
    const part = this.duration ? elapsed / this.duration : 0;
    set("elapsed", clock(elapsed));
    set("remaining", this.duration ? `−${clock(this.duration - elapsed)}` : this.link.get("now/id") ? "endless" : "");
    find("position").value = part;
    find("position").setAttribute("aria-valuetext", clock(elapsed));
    this.course.moveTo(elapsed);
    drawSlider(find("position"));
    set("next", this.next(elapsed));
  }

  /** The chapter or item that comes next, and when. */
  next(elapsed) {
    const chapter = this.starts.find(({ start }) => start > elapsed);
    return chapter ? `next: \u2068${chapter.title || "chapter"}\u2069 in ${clock(chapter.start - elapsed)}` : "";
  }

  /** The skips say by how many seconds they go. */
  showSkips(seconds) {
    if (!seconds || seconds === this.skip) return;
    this.skip = seconds;
    for (const name of ["backward", "forward"]) {
      const button = document.querySelector(`[data-press="skip/${name}"]`);
      button.querySelector("small").textContent = `${Number(seconds.toFixed(1))} s`;
      button.setAttribute("aria-label", `Skip ${name === "forward" ? "forward" : "back"} ${Number(seconds.toFixed(1))} s`);
    }
  }
}

function set(id, text) { if (find(id).textContent !== text) find(id).textContent = text; }
