// The bar that never leaves: one line with what plays or what has happened, the level, pause, and the moon with the sleep timer.
import { Pace } from "./pace.js";
import { clock } from "./time.js";

const find = (id) => document.getElementById(id);
/** Milliseconds for which a sentence is shown. */
const SHOWN = 6000;
/** Milliseconds for which a removal can be taken back with one touch. */
const OFFERED = 10000;
/** Milliseconds after which a finger holds the moon. */
const HELD = 600;
/** Milliseconds between two looks at the times. */
const PAUSE = 500;
/** The choices of the sleep timer, in minutes. */
const TIMES = [["5 min", 5], ["15 min", 15], ["30 min", 30], ["45 min", 45], ["1 h", 60], ["2 h", 120], ["Off", 0]];

export class Bar {
  constructor(link, now, bedtime) {
    Object.assign(this, { link, now });
    const moon = find("moon");
    let timer, isHeld = false;
    moon.addEventListener("pointerdown", () => {
      isHeld = false;
      timer = setTimeout(() => { isHeld = true; bedtime.open(); }, HELD);
    });
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) moon.addEventListener(name, () => clearTimeout(timer));
    // A long touch would open a menu.
    moon.addEventListener("contextmenu", (event) => event.preventDefault());
    moon.addEventListener("keydown", () => { isHeld = false; });
    moon.addEventListener("click", () => { if (!isHeld) find("sleep").showModal(); });
    find("bedtime-button").addEventListener("click", () => { find("sleep").close(); bedtime.open(); });
    find("sleep-times").replaceChildren(...TIMES.map(([text, minutes]) => {
      const button = Object.assign(document.createElement("button"), { textContent: text });
      button.dataset.control = "";
      button.addEventListener("click", () => {
        link.send("sleep", minutes * 60);
        find("sleep").close();
        this.notice(minutes ? `Fades to silence in ${text}.` : "The sleep timer is off.");
      });
      return button;
    }));
    find("take-back").addEventListener("click", () => { this.clear(); this.undo(); });
    this.pace = new Pace(() => now.isMoving, () => this.tick(), () => PAUSE);
  }

  /** Shows a sentence for some seconds in the place of what plays, and keeps it in the list of notices. */
  notice(text) {
    this.say(text, SHOWN);
    this.keep(text);
  }

  /** Shows what was done, with a button that takes it back. */
  offer(text, undo) {
    this.say(text, OFFERED);
    this.undo = undo;
    find("take-back").hidden = false;
  }

  say(text, duration) {
    find("toast").textContent = text;
    find("take-back").hidden = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.clear(), duration);
  }

  clear() {
    clearTimeout(this.timer);
    find("toast").textContent = "";
    find("take-back").hidden = true;
  }

  /** Adds a sentence to the list of notices. */
  keep(text) {
    const log = find("log");
    if (log.firstChild?.textContent === text) return;
    const entry = document.createElement("li");
    entry.textContent = text;
    entry.dir = "auto";
    log.prepend(entry);
    while (log.children.length > 6) log.lastChild.remove();
  }

  /** The line while nothing has happened. */
  get line() {
    const { link, now } = this, title = link.get("now/chapter", 2) || link.get("now/title");
    if (!link.isOpen) return link.version ? "Not connected: the values are old." : "Connecting …";
    if (link.get("now/state") === "interrupted") return "JACK is away: waiting for it.";
    if (!link.get("now/id")) return "Nothing is queued.";
    const time = now.duration ? `${clock(now.elapsed)} / ${clock(now.duration)}` : clock(now.elapsed);
    return [link.role === "view" ? "Read only" : "", title ? `\u2068${title}\u2069` : "Untitled", time].filter(Boolean).join(" · ");
  }

  show() {
    this.tick();
    this.pace.look();
  }

  tick() {
    const left = this.now.sleepLeft, text = left > 0 ? clock(left) : "";
    set("line-playing", this.line);
    set("moon-left", text);
    set("sleep-left", text ? `silent in ${text}` : "");
    find("moon").classList.toggle("on", left > 0);
  }
}

function set(id, text) { if (find(id).textContent !== text) find(id).textContent = text; }
