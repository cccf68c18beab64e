// Bedtime: a dark screen with the remaining time and four large buttons. Nothing on it makes anything louder.
import { text } from "./layers.js";
import { Pace } from "./pace.js";
import { clock } from "./time.js";

const find = (id) => document.getElementById(id);
/** Seconds that are added to the sleep timer, seconds of "Fade now", and dB of "Quieter". */
const LONGER = 900, FADE = 30, QUIETER = 3;
/** Seconds: the longest sleep timer, and the longest fade at its end. */
const LONGEST = 86400, LONGEST_FADE = 3600;
/** dB at which a level is off, and from which "Quieter" goes there. */
const OFF = -120, LOWEST = -57;
/** Milliseconds after which a finger that is held leaves it. */
const HELD = 800;
/** Milliseconds between two looks at the time that is left. */
const PAUSE = 500;

export class Bedtime {
  constructor(link, now) {
    Object.assign(this, { link, now, element: find("bedtime") });
    // Whoever has set the timer has chosen its fade, which is only told when asked for.
    link.listen((event) => {
      if (event !== "now/sleep") return;
      link.values.delete("sleep");
      link.send("sleep");
    });
    find("bedtime-longer").addEventListener("click", () => this.extend());
    find("bedtime-fade").addEventListener("click", () => link.send("master/fade", FADE));
    find("bedtime-quieter").addEventListener("click", () => this.lower());
    // Not "toggle", which would play again.
    find("bedtime-pause").addEventListener("click", () => link.send("pause", { i: 1 }));
    let timer;
    this.element.addEventListener("pointerdown", ({ target }) => {
      this.isTouched = true;
      if (!target.closest(".grid")) timer = setTimeout(() => this.element.close(), HELD);
    });
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) this.element.addEventListener(name, () => clearTimeout(timer));
    // The finger that has held the moon is lifted over a button, which it has not pressed.
    this.element.addEventListener("click", (event) => { if (event.detail && !this.isTouched) event.stopPropagation(); }, { capture: true });
    this.element.addEventListener("contextmenu", (event) => event.preventDefault());
    // A keyboard or a screen reader, which holds nothing.
    find("bedtime-leave").addEventListener("click", ({ detail }) => { if (detail === 0) this.element.close(); });
    this.element.addEventListener("close", () => {
      this.darken(false);
      clearTimeout(timer);
      this.pace.look();
      this.lock?.release();
      this.lock = null;
    });
    document.addEventListener("visibilitychange", () => this.stayAwake());
    this.pace = new Pace(() => this.element.open && now.isMoving, () => this.tick(), () => PAUSE);
  }

  open() {
    if (this.element.open) return;
    this.isTouched = false;
    this.element.showModal();
    this.darken(true);
    this.stayAwake();
    this.show();
  }

  /** Makes what the system draws around an installed page black, or as it was. */
  darken(isDark) {
    for (const meta of document.querySelectorAll("meta[name=theme-color]")) {
      meta.dataset.usual ??= meta.content;
      meta.content = isDark ? "#000000" : meta.dataset.usual;
    }
  }

  /** Keeps the screen on, where the browser grants that. */
  async stayAwake() {
    if (!this.element.open || document.visibilityState !== "visible") return;
    try {
      const lock = await navigator.wakeLock?.request("screen");
      if (this.element.open) this.lock = lock;
      else lock?.release();
    } catch {
      // The battery may be low, or the page insecure.
    }
  }

  /**
   * Puts the silence off. During the timer's fade, and where that is not known, the level could rise again: then all of the time becomes one long
   * fade from here.
   */
  extend() {
    const left = this.now.sleepLeft, isFading = left > 0 && left <= (this.link.get("sleep", 1) ?? LONGEST_FADE) + 1;
    const seconds = Math.min(left + LONGER, isFading ? LONGEST_FADE : LONGEST);
    this.link.send("sleep", seconds, ...(isFading ? [seconds] : []));
  }

  lower() {
    const gain = this.link.get("master/gain");
    if (gain === undefined || gain <= OFF) return;
    this.link.set("master/gain", gain > LOWEST ? gain - QUIETER : OFF);
  }

  show() {
    if (this.element.open) this.tick();
    this.pace.look();
  }

  tick() {
    const { link, now } = this, left = now.sleepLeft, gain = link.get("master/gain"), isPlaying = link.get("now/state") === "playing";
    set("bedtime-left", left > 0 ? clock(left) : now.duration && isPlaying ? clock(now.duration - now.elapsed) : "–");
    const state = left > 0 ? "until silence" : now.duration ? "until the end" : "endless";
    const what = !link.isOpen ? "not connected" : isPlaying ? state : "paused";
    set("bedtime-line", gain === undefined ? what : `${what} · ${text(gain, "dB")}`);
    for (const id of ["bedtime-longer", "bedtime-fade", "bedtime-quieter", "bedtime-pause"]) find(id).disabled = !link.mayControl;
    for (const id of ["bedtime-fade", "bedtime-pause"]) find(id).disabled ||= !isPlaying;
    set("bedtime-pause", isPlaying ? "Pause" : "Paused");
    this.element.classList.toggle("playing", isPlaying && link.isOpen);
  }
}

function set(id, text) { if (find(id).textContent !== text) find(id).textContent = text; }
