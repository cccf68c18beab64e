// Now playing: title, picture and playhead. The position is computed from the last report, which is sent on changes only.
import { Chapters } from "./chapters.js";
import { clock } from "./time.js";

const find = (id) => document.getElementById(id);
const dark = matchMedia("(prefers-color-scheme: dark)"), still = matchMedia("(prefers-reduced-motion: reduce)");

export class NowPlaying {
  constructor(link) {
    this.link = link;
    this.span = [0, 1];
    this.isSeeking = false;
    this.chapters = new Chapters(link, find("marks"), find("chapters"));
    const slider = find("position");
    slider.addEventListener("input", () => { this.isSeeking = true; this.tick(Number(slider.value) * this.duration); });
    slider.addEventListener("change", () => { this.isSeeking = false; this.seek(Number(slider.value)); });
    find("picture").addEventListener("click", (event) => {
      const area = find("course").getBoundingClientRect();
      const [left, right] = this.span;
      const start = this.chapters.startAt(event.clientX - area.left, area.width);
      if (start !== undefined) return void this.link.send("position", start);
      const part = ((event.clientX - area.left) / area.width - left) / (right - left);
      if (part >= 0 && part <= 1) this.seek(part);
    });
    dark.addEventListener("change", () => this.draw());
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
    const picture = `${get("now/id")} ${get("now/artwork")} ${this.duration}`;
    if (this.link.isOpen && picture !== this.picture) {
      this.picture = picture;
      this.chapters.ask();
      this.draw();
    }
  }

  async draw() {
    const width = Math.round(Math.min(Math.max(find("picture").clientWidth, 480), 1600));
    // Another item may come before the picture of this one.
    const item = this.picture;
    try {
      const response = await fetch(`picture.svg?width=${width}${dark.matches ? "&dark" : ""}`, { headers: this.link.credentials });
      const course = find("course"), image = await response.blob();
      if (item !== this.picture) return;
      if (response.status !== 200) return void (course.hidden = find("playhead").hidden = find("marks").hidden = true);
      this.span = response.headers.get("Time-Span").split(" ").map(Number);
      URL.revokeObjectURL(course.src);
      course.src = URL.createObjectURL(image);
      course.alt = `Pitches, beats and levels of ${this.link.get("now/title") || "the patch"} over time`;
      course.hidden = false;
      find("playhead").hidden = !this.duration;
      this.chapters.place(this.span, this.duration);
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
    if (!(sleep > 0) && document.activeElement !== find("sleep")) find("sleep").value = "0";
  }
}

function set(id, text) { if (find(id).textContent !== text) find(id).textContent = text; }
