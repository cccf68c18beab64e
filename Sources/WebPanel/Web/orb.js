// The orb: the beat that is heard, its band, and where it is going. It breathes slowly, never at the beat.
import { Pace } from "./pace.js";
import { clock } from "./time.js";

const find = (id) => document.getElementById(id);
const BANDS = [[4, "delta"], [8, "theta"], [13, "alpha"], [30, "beta"], [Infinity, "gamma"]];
/** Breaths a minute, of which the beat is a multiple: from 4 to 6, unless the beat is slower. */
const BREATHS = { most: 6, usual: 5 };
/** Hz by which a beat differs from another one that is shown. */
const DIFFERENT = 0.05;
/** Milliseconds between two looks at where the beat is going. */
const LOOK = 500;
/** Milliseconds between two readings of the course, which another peer's fader may change many times a second. */
const PAUSE = 1500;

export class Orb {
  constructor(link, now) {
    Object.assign(this, { link, now, places: [], points: [], pending: { place: [], point: [] } });
    link.listen((event, values) => {
      for (const kind of ["place", "point"]) {
        if (event === `course/${kind}/item`) this.pending[kind].push(values);
        // Answers to questions of others come as well.
        if (event === `course/${kind}/end`) {
          this[`${kind}s`] = values[0] ? this.pending[kind].slice(-values[0]) : [];
          this.pending[kind] = [];
        }
      }
      if (event === "now/id" || event === "course/revision") this.ask();
    });
    this.pace = new Pace(() => now.rate !== 0, () => this.tick(), () => LOOK);
  }

  ask() {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.link.send("course/place/list");
      this.link.send("course/point/list");
    }, PAUSE);
  }

  /** The loudest beat that is heard: its layer, parameter and value; undefined if there is none. */
  get beat() {
    const { link } = this, layers = Array.from({ length: link.get("layer/count") ?? 0 }, (_, index) => index + 1);
    const isSoloed = layers.some((layer) => link.get(`layer/${layer}/solo`) === 1);
    const beats = layers.flatMap((layer) => {
      const gain = link.get(`layer/${layer}/gain`) ?? -120, get = (name) => link.get(`layer/${layer}/${name}`);
      const parameter = ["beat", "pulseRate"].find((name) => get(name));
      if (!parameter || get("mute") === 1 || isSoloed && get("solo") !== 1) return [];
      return [{ layer, parameter, gain, value: Math.abs(get(parameter)) }];
    });
    return beats.reduce((loudest, each) => (each.gain > (loudest?.gain ?? -Infinity) ? each : loudest), undefined);
  }

  /** Where the beat is going, in words. */
  going({ layer, parameter, value }) {
    const { elapsed } = this.now;
    const ahead = this.points.filter(([, place, number, name, , time]) =>
      place > 0 && number === layer && name === parameter && time > elapsed);
    if (!ahead.length) return "";
    const [, place, , , wanted, time] = ahead.reduce((first, each) => (each[5] < first[5] ? each : first));
    const start = this.places[place - 1]?.[2] ?? time;
    if (Math.abs(Math.abs(wanted) - value) < DIFFERENT) return "";
    return start <= elapsed ? `easing to ${written(wanted)}` : `${written(wanted)} in ${clock(start - elapsed)}`;
  }

  show() {
    this.tick();
    this.pace.look();
  }

  tick() {
    const { link } = this, { isOpen } = link, beat = isOpen ? this.beat : undefined;
    const band = beat && BANDS.find(([end]) => beat.value < end)[1];
    set("beat", beat ? written(beat.value) : "–");
    find("beat-unit").hidden = !beat;
    const words = beat ? [band, this.going(beat)] : [isOpen && link.get("layer/count") ? "no beat" : ""];
    set("band", words.filter(Boolean).join(" · "));
    document.body.dataset.band = band ?? "none";
    document.body.classList.toggle("sounds", isOpen && link.get("now/state") === "playing");
    const rate = beat ? beat.value * 60 / Math.max(1, Math.ceil(beat.value * 60 / BREATHS.most)) : BREATHS.usual;
    const period = 60 / Math.max(rate, 4);
    // Another length makes the animation jump.
    if (Math.abs(period - (this.period ?? 0)) < 1) return;
    this.period = period;
    find("orb").style.setProperty("--breath", `${period.toFixed(1)}s`);
  }
}

const written = (value) => Math.abs(value).toFixed(1);

function set(id, text) { if (find(id).textContent !== text) find(id).textContent = text; }
