// Now playing: title, position and playhead. The position is computed from the last report, which is sent on changes only.
import { Chapters } from "./chapters.js";
import { CourseDrawing } from "./course-drawing.js";
import { slideInput } from "./slide.js";
import { clock } from "./time.js";

const find = (id) => document.getElementById(id);
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class NowPlaying {
  constructor(link) {
    this.link = link;
    this.isSeeking = false;
    this.chapters = new Chapters(link, find("chapters"));
    this.course = new CourseDrawing(link, this);
    const slider = find("position");
    const show = (part) => this.search(part * this.duration), end = () => this.endSearch(true);
    slideInput(slider, { begin: () => {}, move: show, end, cancel: () => this.endSearch(false) });
    slider.addEventListener("input", () => show(Number(slider.value)));
    slider.addEventListener("change", end);
    link.listen((event, values) => { if (event === "now/sleep") this.showSleep(values[0] > 0); });
    const step = (time) => {
      if (!still.matches || time - (this.ticked ?? -1000) >= 1000) {
        this.ticked = time;
        this.tick();
      }
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  get duration() { return this.link.get("now/duration") || 0; }

  get elapsed() {
    const passed = (Date.now() + this.link.offset - (this.link.elapsedAt ?? Date.now())) / 1000;
    const elapsed = (this.link.get("now/elapsed") ?? 0) + (this.link.isOpen ? passed * (this.link.get("now/rate") ?? 0) : 0);
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
    this.course.look();
  }

  tick(elapsed = this.isSeeking ? null : this.elapsed) {
    if (elapsed === null) return;
    const part = this.duration ? elapsed / this.duration : 0;
    set("elapsed", clock(elapsed));
    set("remaining", this.duration ? `−${clock(this.duration - elapsed)}` : this.link.get("now/id") ? "endless" : "");
    find("position").value = part;
    find("position").setAttribute("aria-valuetext", clock(elapsed));
    this.course.moveTo(elapsed);
    const sleep = this.link.get("now/sleep") ?? 0;
    const left2 = sleep - (Date.now() + this.link.offset - (this.link.elapsedAt ?? Date.now())) / 1000;
    set("sleep-left", sleep > 0 ? `silent in ${clock(Math.max(0, left2))}` : "");
  }

  /** Shows whether the sleep timer runs: the choice of a time, which a list would show, may have been made long ago or elsewhere. */
  showSleep(isRunning) { find("sleep").value = isRunning ? "on" : "0"; }
}

function set(id, text) { if (find(id).textContent !== text) find(id).textContent = text; }
