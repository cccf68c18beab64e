// swift-format-ignore-file
// Made by scripts/embed-web from the folder Web.

private let appJs = #"""
// The page: shows what the player sends, and sends what the user does.
import { Bookmarks } from "./bookmarks.js";
import { CourseEditor } from "./course.js";
import { showHelp } from "./dialogs.js";
import { Fader } from "./faders.js";
import { handleKeys } from "./keys.js";
import { Layers, text as valueText } from "./layers.js";
import { LibraryList } from "./library.js";
import { Link } from "./link.js";
import { Listening } from "./listen.js";
import { List, queueEntry } from "./lists.js";
import { Meter } from "./meter.js";
import { NowPlaying } from "./now.js";
import { Peers } from "./peers.js";
import { Rating } from "./rating.js";
import { Sessions } from "./sessions.js";

const find = (id) => document.getElementById(id);
const link = new Link(["now", "commands", "layers", "mixer", "session", "log", "meters/50"]);
const now = new NowPlaying(link);
new Bookmarks(link, now, find("picture"), notice);
const layers = new Layers(link, find("layers"));
const listening = new Listening(link, now);
const meter = new Meter(find("meter"));
new CourseEditor(link);
const rating = new Rating(link, find("rating"));
const sessions = new Sessions(link, notice);
const peers = new Peers(link, find("peers"));
const queue = new List(link, find("queue"), "queue", (values) => queueEntry(link, queue, values));
new LibraryList(link);
handleKeys(link, showHelp);
const faders = [...document.querySelectorAll("[data-fader]")].map((input) => new Fader(link, input, input.dataset.fader, (value) => valueText(value, "dB")));

for (const element of document.querySelectorAll("[data-press]")) press(element);
for (const element of document.querySelectorAll("[data-toggle]")) {
  const path = element.dataset.toggle;
  element.addEventListener("click", () => link.send(path, element.getAttribute("aria-pressed") !== "true"));
}
for (const element of document.querySelectorAll("[data-choice]")) {
  element.addEventListener("change", () => link.send(element.dataset.choice, element.value));
}

/** A button; while it is held, one that can seek does so. */
function press(element) {
  const { press: path, hold } = element.dataset;
  let timer = null, isHeld = false;
  element.addEventListener("click", () => { if (!isHeld) link.send(path, { i: 1 }); });
  if (!hold) return;
  element.addEventListener("pointerdown", () => {
    isHeld = false;
    timer = setTimeout(() => { isHeld = true; link.send(hold, { i: 1 }); }, 400);
  });
  const release = () => {
    clearTimeout(timer);
    timer = null;
    if (isHeld) link.send(hold, { i: 0 });
  };
  for (const event of ["pointerup", "pointercancel", "pointerleave"]) element.addEventListener(event, () => { if (timer) release(); });
  // A long touch would open a menu.
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener("keydown", () => { isHeld = false; });
}

for (const [text, minutes] of [["off", 0], ["5 min", 5], ["15 min", 15], ["30 min", 30], ["45 min", 45], ["1 h", 60], ["2 h", 120]]) {
  find("sleep").add(new Option(text, minutes * 60));
}
// Shown while the timer runs; it cannot be chosen.
find("sleep").add(Object.assign(new Option("on", "on"), { hidden: true, disabled: true }));
find("sleep").addEventListener("change", ({ target }) => link.send("sleep", Number(target.value)));
for (const rate of [0.5, 0.75, 1, 1.25, 1.5, 2]) find("rate").add(new Option(`${rate}×`, rate));
find("rate").addEventListener("change", ({ target }) => link.send("rate", Number(target.value)));

// Everything that came in one packet is shown together.
let isDue = false;
link.listen((event, values) => {
  if (event === "meter") return meter.take(values);
  if (event === "error") notice(values[2]);
  // The last notice is sent again when the page connects: it may be old.
  if (event === "log" && values[0]) (link.awaited.has("log") ? keep : notice)(values[0]);
  if (event === "other version") notice(`This page is of another version than the player (${values}): close it and open it again.`);
  if (event === "session/name") sessions.list.ask();
  if (event === "refused") {
    find("refused-text").textContent = values ?? "";
    if (!find("refused").open) find("refused").showModal();
  }
  if (event === "now/queue" || event === "now/id") queue.ask();
  if (event === "now/id" && now.isOther(values[0])) { layers.ask(); sessions.presets.ask(); }
  if (!isDue) {
    isDue = true;
    requestAnimationFrame(() => { isDue = false; show(); });
  }
});

let toastTimer;

/** Shows a sentence for some seconds, and keeps it in the list of notices. */
function notice(text) {
  find("toast").textContent = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { find("toast").textContent = ""; }, 6000);
  keep(text);
}

/** Adds a sentence to the list of notices. */
function keep(text) {
  const log = find("log");
  if (log.firstChild?.textContent === text) return;
  const entry = document.createElement("li");
  entry.textContent = text;
  log.prepend(entry);
  while (log.children.length > 6) log.lastChild.remove();
}

function show() {
  document.body.classList.toggle("stale", !link.isOpen);
  find("connection").textContent = link.isOpen ? (link.role === "view" ? "Connected, read only" : "Connected") : "Not connected: trying again …";
  for (const element of document.querySelectorAll("[data-press], [data-toggle], [data-choice], [data-control], #sleep, #rate")) {
    const path = element.dataset.press ?? element.dataset.toggle ?? element.dataset.choice ?? (element.id || "");
    element.disabled = !link.mayControl || link.get(`${path}/enabled`) === 0;
  }
  // A keyboard scrolls lists by the buttons in them, unless these are disabled.
  for (const element of document.querySelectorAll("#library, #chapters, #bookmark-list")) {
    if (link.mayControl) element.removeAttribute("tabindex");
    else element.tabIndex = 0;
  }
  for (const element of document.querySelectorAll("[data-toggle]")) element.setAttribute("aria-pressed", link.get(element.dataset.toggle) === 1);
  for (const element of document.querySelectorAll("[data-choice]")) element.value = link.get(element.dataset.choice) ?? "off";
  const rate = link.get("rate") ?? 1;
  if (![...find("rate").options].some((option) => Number(option.value) === rate)) find("rate").add(new Option(`${rate.toFixed(2)}×`, rate));
  find("rate").value = rate;
  for (const fader of faders) fader.show();
  find("layer-section").hidden = !link.get("layer/count");
  layers.show();
  now.show();
  listening.show();
  rating.show();
  sessions.show();
  for (const entry of find("queue").children) entry.setAttribute("aria-current", Number(entry.dataset.index) === link.get("now/queue"));
}

function look() {
  if (document.visibilityState !== "visible" || !link.isOpen) return;
  link.send("status");
  peers.ask();
}
setInterval(look, 5000);
link.listen((event, values) => {
  if (event === "status") find("status").textContent = `JACK ${values[0]}, ${values[1]} Hz, ${values[2]} frames, load ${values[3].toFixed(1)} %, ${values[5]} ${values[5] === 1 ? "xrun" : "xruns"}`;
  if (event === "state") look();
});

"""#

private let axesJs = #"""
// Where the picture shows which time and value.

const SCALES = {
  pitch: { place: Math.log2, value: (place) => 2 ** place },
  beat: { place: (beat) => Math.sign(beat) * Math.log2(1 + Math.abs(beat) / 3), value: (place) => Math.sign(place) * 3 * (2 ** Math.abs(place) - 1) },
  level: { place: (level) => level, value: (place) => place },
};

/** The axes of a picture. Places are parts of its width, and of its height from the top. */
export class Axes {
  /**
   * @param span - Where the time axis begins and ends, as parts of the width.
   * @param text - Seconds at the end of the time axis; then for each panel its name, top, bottom, and the values there at the bottom and the top.
   */
  constructor(span, text) {
    const [end, ...panels] = text.split(";");
    [this.left, this.right] = span;
    this.end = Number(end);
    this.panels = new Map(panels.map((panel) => {
      const [name, ...numbers] = panel.split(" ");
      const [top, bottom, low, high] = numbers.map(Number);
      return [name, { top, bottom, low: SCALES[name].place(low), high: SCALES[name].place(high) }];
    }));
  }

  x(seconds) { return this.left + Math.min(Math.max(seconds / this.end, 0), 1) * (this.right - this.left); }

  seconds(x) { return Math.min(Math.max((x - this.left) / (this.right - this.left), 0), 1) * this.end; }

  /** The top of all panels. */
  get top() { return Math.min(...[...this.panels.values()].map(({ top }) => top)); }

  /** The place of a value in a panel; values beyond are at its edge. Undefined if the picture has no such panel. */
  y(panel, value) {
    const area = this.panels.get(panel);
    if (!area) return undefined;
    const part = (SCALES[panel].place(value) - area.low) / (area.high - area.low);
    return area.bottom - Math.min(Math.max(part || 0, 0), 1) * (area.bottom - area.top);
  }

  /** The value at a place in a panel. */
  value(panel, y) {
    const { top, bottom, low, high } = this.panels.get(panel);
    const part = Math.min(Math.max((bottom - y) / (bottom - top), 0), 1);
    return SCALES[panel].value(low + part * (high - low));
  }
}

"""#

private let bookmarksJs = #"""
// The bookmarks of what plays: marks at the top of the picture, which a click near them means, and buttons below it.
import { clock } from "./time.js";

const find = (id) => document.getElementById(id);
/** Pixels around a mark in which a click means it. */
const NEAR = { across: 14, down: 22 };
/** Seconds behind a bookmark in which "previous" means the one before it: more while playing, since time passes until the next press. */
const BEHIND = { playing: 3, still: 0.05 };

export class Bookmarks {
  /** @param now - What plays: its `span` and `duration` place the marks. */
  constructor(link, now, picture, notice) {
    Object.assign(this, { link, now, notice });
    this.times = [];
    this.pending = [];
    this.marks = document.createElement("div");
    this.marks.id = "bookmarks";
    picture.append(this.marks);
    picture.addEventListener("click", (event) => this.click(event), { capture: true });
    find("bookmark-previous").addEventListener("click", () => this.step(-1));
    find("bookmark-next").addEventListener("click", () => this.step(1));
    link.listen((event, values) => {
      if (event === "bookmark/item") this.pending.push(values[1]);
      else if (event === "bookmark/end") this.finish();
      // It changes when somebody sets or removes a bookmark, since that is always done at the position.
      else if (event === "bookmark" || event === "picture") this.ask();
    });
  }

  ask() {
    this.pending = [];
    this.link.send("bookmark/list");
  }

  finish() {
    this.times = this.pending;
    this.pending = [];
    const { duration, span: [left, right] } = this.now;
    this.marks.hidden = !duration;
    this.marks.replaceChildren(...this.times.map((time) => {
      const mark = document.createElement("i");
      mark.style.left = `${(left + time / duration * (right - left)) * 100}%`;
      return mark;
    }));
    this.list();
  }

  /** Makes the buttons; one that has the focus keeps it. */
  list() {
    const list = find("bookmark-list"), shape = this.times.join(" ");
    if (shape === this.shape) return;
    this.shape = shape;
    const box = find("bookmark-box"), focused = box.contains(document.activeElement) ? document.activeElement : null;
    list.replaceChildren(...this.times.map((time) => {
      const entry = document.createElement("li"), button = document.createElement("button");
      button.append(document.querySelector("[data-toggle=bookmark] svg").cloneNode(true), clock(time));
      button.setAttribute("aria-label", `Bookmark at ${clock(time)}`);
      button.dataset.control = "";
      button.dataset.time = time;
      button.addEventListener("click", () => this.link.send("position", time));
      entry.append(button);
      return entry;
    }));
    box.hidden = !this.times.length;
    if (!focused || focused.isConnected && !box.hidden) return;
    (list.querySelector(`[data-time="${focused.dataset.time}"]`) ?? list.querySelector("button") ?? document.querySelector("[data-toggle=bookmark]")).focus();
  }

  /** Goes to the previous (-1) or next (1) bookmark. */
  step(direction) {
    const { elapsed } = this.now, behind = this.link.get("now/state") === "playing" ? BEHIND.playing : BEHIND.still;
    const time = direction > 0 ? this.times.find((each) => each > elapsed + BEHIND.still) : this.times.findLast((each) => each < elapsed - behind);
    if (time === undefined) this.notice(`There is no bookmark ${direction > 0 ? "after" : "before"} the position.`);
    else this.link.send("position", time);
  }

  click(event) {
    // Chapters and points that are being edited lie above the marks.
    if (event.target.closest("#handles")) return;
    const near = [...this.marks.children].findIndex((mark) => {
      const area = mark.getBoundingClientRect();
      return Math.abs(event.clientX - (area.left + area.right) / 2) <= NEAR.across && event.clientY - area.top <= NEAR.down;
    });
    if (near < 0 || this.marks.hidden || !this.link.mayControl) return;
    event.stopPropagation();
    this.link.send("position", this.times[near]);
  }
}

"""#

private let chaptersJs = #"""
// The chapters of what plays: marks on the picture, and a button for each below it.
import { clock } from "./time.js";

/** Pixels from a mark at which a click on the picture means the chapter's start. */
const NEAR = 14;

export class Chapters {
  constructor(link, marks, list) {
    Object.assign(this, { link, marks, list });
    this.pending = [];
    this.starts = [];
    link.listen((event, values) => {
      if (event === "chapter/item") this.pending.push({ start: values[1], title: values[2] });
      else if (event === "chapter/end") this.finish();
    });
  }

  ask() {
    this.pending = [];
    this.link.send("chapter/list");
  }

  finish() {
    const chapters = this.pending;
    this.pending = [];
    this.starts = chapters.map(({ start }) => start);
    this.marks.replaceChildren(...chapters.map(() => document.createElement("i")));
    this.list.replaceChildren(...chapters.map(({ start, title }, index) => {
      const entry = document.createElement("li"), button = document.createElement("button"), time = document.createElement("small");
      time.textContent = clock(start);
      button.append(title || `Chapter ${index + 1}`, " ", time);
      button.dataset.control = "";
      button.addEventListener("click", () => this.link.send("position", start));
      entry.append(button);
      return entry;
    }));
    this.list.hidden = chapters.length < 2;
    this.place();
    this.current = undefined;
    this.show();
  }

  /** Places the marks along the time axis, whose ends are parts of the picture's width. */
  place(span = this.span, duration = this.duration) {
    Object.assign(this, { span, duration });
    this.marks.hidden = !duration || !span || this.starts.length < 2;
    if (this.marks.hidden) return;
    const [left, right] = span;
    this.starts.forEach((start, index) => { this.marks.children[index].style.left = `${(left + start / duration * (right - left)) * 100}%`; });
  }

  /** The start of the chapter whose mark is at this place, in pixels from the picture's left; `undefined` if no mark is there. */
  startAt(place, width) {
    if (this.marks.hidden) return undefined;
    const [left, right] = this.span;
    const distance = (start) => Math.abs((left + start / this.duration * (right - left)) * width - place);
    const nearest = this.starts.reduce((best, start) => (distance(start) < distance(best) ? start : best));
    return distance(nearest) <= NEAR ? nearest : undefined;
  }

  show() {
    const current = this.link.get("now/chapter", 0);
    const shown = this.list.children[current - 1];
    // Only the row is scrolled, never the page.
    if (shown && current !== this.current) this.list.scrollTo({ left: shown.offsetLeft - this.list.offsetLeft - 48 });
    this.current = current;
    [...this.list.children].forEach(({ firstChild: button }, index) => {
      if (index + 1 === current) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  }
}

"""#

private let courseJs = #"""
// The course of what plays: its chapters, cues and points are dragged on the picture, or set in numbers.
import { text as valueText } from "./layers.js";
import { List } from "./lists.js";
import { clock, seconds } from "./time.js";

const find = (id) => document.getElementById(id);
/** Pixels around a handle that belong to it. */
const REACH = 22;
/** Pixels that a finger moves before it drags. */
const SLOP = 6;
/** Pixels from a handle up to the value that is shown while it is dragged, so that a finger does not hide it. */
const ABOVE = { mouse: 12, finger: 44 };
const PANELS = { carrier: "pitch", beat: "beat", pulseRate: "beat", gain: "level" };
/** Seconds that a move takes at least and at most. */
const MOVE = { least: 0.01, most: 86400 };
/**
 * Milliseconds between two readings of the lists, since another peer's fader may change them many times a second; and until a list that was
 * refused is asked for again.
 */
const PAUSE = 200, LATER = 1500;
const LIMITED = 429;
const NAMES = { carrier: "carrier", beat: "beat", pulseRate: "pulse rate", gain: "level" };

export class CourseEditor {
  constructor(link) {
    Object.assign(this, { link, box: find("course-box"), handles: find("handles"), choice: find("course-choice"), axes: null, drag: null });
    // Those of the handles by their identities, and the text beside the one that is dragged.
    Object.assign(this, { shapes: new Map(), label: shape("text") });
    const asked = () => (this.box.open ? [] : null), finished = () => { this.reselect(); this.keepDrag(); this.show(); };
    this.places = new List(link, find("course-places"), "course/place", (values) => this.option(this.place(values)), finished, asked);
    this.points = new List(link, find("course-points"), "course/point", (values) => this.option(point(values)), finished, asked);
    link.listen((event, values) => {
      if (event === "picture") this.axes = values;
      if (event === "picture" && !values) this.cancel();
      if (event === "now/id" && values[0] !== this.item) {
        this.item = values[0];
        this.kept = undefined;
        this.cancel();
      }
      // The form shows again what the player refused.
      if (event === "error" && values[0]?.includes("/course/")) {
        if (values[1] !== LIMITED) this.shown = undefined;
        this.ask(values[1] === LIMITED ? LATER : undefined);
      }
      if (event === "course/revision") this.ask();
      if (["picture", "course/revision", "state"].includes(event)) this.show();
    });
    this.box.addEventListener("toggle", () => { this.ask(); this.show(); });
    this.choice.addEventListener("change", () => { this.kept = identity(this.selected); this.complain(""); this.show(); });
    find("course-time").addEventListener("input", () => this.complain(""));
    find("course-form").addEventListener("submit", (event) => { event.preventDefault(); this.submit(); });
    find("course-reset").addEventListener("click", () => link.send("course/reset", { i: 1 }));
    this.handles.addEventListener("pointerdown", (event) => this.begin(event));
    this.handles.addEventListener("pointermove", (event) => { if (event.pointerId === this.drag?.pointer) this.move(event); });
    this.handles.addEventListener("pointerup", (event) => { if (event.pointerId === this.drag?.pointer) this.end(); });
    for (const name of ["pointercancel", "lostpointercapture"]) {
      this.handles.addEventListener(name, (event) => { if (event.pointerId === this.drag?.pointer) this.cancel(); });
    }
    addEventListener("keydown", (event) => { if (event.key === "Escape") this.cancel(); });
    // A finger on a handle does not scroll the page: Chromium ignores the `touch-action` of shapes.
    this.handles.addEventListener("touchstart", (event) => { if (this.wasHit && event.cancelable) event.preventDefault(); }, { passive: false });
    // A mouse would select the texts around it instead, or drag those that are selected.
    this.handles.addEventListener("mousedown", (event) => event.preventDefault());
    // A click on a handle does not go to the time behind it. None follows a touch.
    find("picture").addEventListener("click", (event) => { if (this.wasHit && this.box.open) event.stopPropagation(); this.wasHit = false; }, { capture: true });
    new ResizeObserver(() => this.show()).observe(this.handles);
  }

  /** Reads the lists again, after a pause in milliseconds: at once, unless they were read just now. */
  ask(pause = (this.asked ?? -PAUSE) + PAUSE - performance.now()) {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.asked = performance.now();
      this.places.ask();
      this.points.ask();
    }, pause);
  }

  place([index, kind, start, over, title]) { return { index, kind, time: start, over, title: title || `${kind} ${index}` }; }

  option(handle) {
    const made = new Option(this.name(handle));
    made.handle = handle;
    return made;
  }

  get all() { return [...this.choice.options].map(({ handle }) => handle); }
  get placeHandles() { return [...find("course-places").children].map(({ handle }) => handle); }
  get selected() { return this.choice.selectedOptions[0]?.handle; }

  /** Selects what was selected before the lists were read again. */
  reselect() {
    const option = [...this.choice.options].find(({ handle }) => identity(handle) === this.kept);
    if (option) option.selected = true;
  }

  /** Ends a drag whose chapter or point has changed meanwhile. */
  keepDrag() {
    const dragged = this.drag?.handle;
    if (dragged && !this.all.some((handle) => identity(handle) === identity(dragged) && handle.time === dragged.time)) this.cancel();
  }

  name({ parameter, layer, place, title, time }) {
    if (!parameter) return `${title}, ${clock(time)}`;
    const where = place ? this.placeHandles[place - 1] : null;
    return `${this.link.get(`layer/${layer}/name`) ?? `Layer ${layer}`}, ${NAMES[parameter]}: ${where ? `${where.title}, ${clock(where.time)}` : "start"}`;
  }

  // MARK: The form

  show() {
    const may = this.link.mayControl, selected = this.selected, changes = this.link.get("course/revision", 1) ?? 0;
    // Layers and places may have become known after the points.
    for (const option of this.choice.options) {
      const name = this.name(option.handle);
      if (option.text !== name) option.text = name;
    }
    this.handles.toggleAttribute("hidden", !this.box.open || !this.axes);
    find("course-reset").hidden = !changes;
    find("course-reset").textContent = `Discard ${changes === 1 ? "the change" : `${changes} changes`}`;
    const value = find("course-value"), time = find("course-time");
    value.disabled = !may || !selected?.parameter;
    time.disabled = !may || !selected || selected.place === 0;
    find("course-set").disabled = find("course-reset").disabled = !may || !selected;
    find("course-unit").textContent = selected?.parameter === "gain" ? "dB, −120 is off" : selected?.parameter ? "Value in Hz" : "Value";
    find("course-when").textContent = selected?.parameter ? "Reached at" : "Begins at";
    this.kept ??= identity(selected);
    const shown = JSON.stringify(selected);
    if (shown !== this.shown) {
      this.shown = shown;
      this.complain("");
      value.value = selected?.parameter ? written(selected.value) : "";
      time.value = selected ? exactClock(selected.time) : "";
    }
    this.draw();
  }

  submit() {
    const handle = this.selected, value = find("course-value").value, text = find("course-time").value, time = seconds(text);
    if (!handle) return;
    const isMoved = text !== exactClock(handle.time), fault = isMoved ? this.fault(handle, time) : "";
    this.complain(fault);
    if (fault) return void find("course-time").focus();
    if (handle.parameter && value !== "" && Number(value) !== Number(written(handle.value))) this.set(handle, { value: Number(value) });
    if (isMoved) this.set(handle, { time });
  }

  /** Why a handle cannot be at a time in seconds; empty if it can, as far as the page knows. */
  fault({ parameter, place }, time) {
    if (Number.isNaN(time)) return "Write the time as minutes and seconds, such as 1:30.";
    const from = parameter ? this.placeHandles[place - 1] : null;
    if (from && time < from.time) return `${from.title} begins at ${exactClock(from.time)}: write a later time.`;
    if (from && time - from.time > MOVE.most) return "A move takes at most 24 hours: write an earlier time.";
    return "";
  }

  /** Shows what is wrong with the time in the form; an empty text takes it back. */
  complain(text) {
    find("course-fault").textContent = text;
    find("course-time").setAttribute("aria-invalid", text !== "");
  }

  /** Sends another value or time of a point, or another start of a chapter or cue. */
  set(handle, { value, time }) {
    if (!handle.parameter) this.link.send("course/start", { i: handle.index }, time);
    else if (value !== undefined) this.link.send("course/value", { i: handle.place }, { i: handle.layer }, handle.parameter, value);
    else this.link.send("course/over", { i: handle.place }, Math.max(time - this.placeHandles[handle.place - 1].time, MOVE.least));
  }

  // MARK: The picture

  /** Where a handle is, in pixels from the top left of the picture; null if the picture does not show it. */
  spot(handle) {
    const { width, height } = this.handles.getBoundingClientRect(), { axes } = this;
    const y = handle.parameter ? axes.y(PANELS[handle.parameter], handle.value) : axes.top;
    return y === undefined || handle.time > axes.end ? null : { x: axes.x(handle.time) * width, y: y * height };
  }

  draw() {
    const { shapes, label } = this;
    this.shapes = new Map();
    label.textContent = "";
    if (this.handles.hasAttribute("hidden")) return void this.handles.replaceChildren();
    for (const handle of this.all) {
      const isDragged = this.drag && identity(this.drag.handle) === identity(handle), at = this.spot(isDragged ? { ...handle, ...this.drag.wanted } : handle);
      if (!at) continue;
      const look = handle === this.selected ? "selected" : "";
      // Fingers that begin elsewhere scroll the page. The shapes stay the same ones: what a finger is on must not vanish under it.
      const name = identity(handle), [reach, mark] = shapes.get(name) ?? [shape("circle"), shape(handle.parameter ? "circle" : "path")];
      this.shapes.set(name, [reach, mark]);
      change(reach, { cx: at.x, cy: at.y, r: REACH, class: "reach" });
      if (handle.parameter) change(mark, { cx: at.x, cy: at.y, r: look ? 8 : 6, class: look });
      else change(mark, { d: `M${at.x} ${at.y + 4}l-8 -14h16zv${this.handles.clientHeight}`, class: `${handle.kind} ${look}` });
      if (isDragged && this.drag.wanted) {
        const isLeft = at.x < this.handles.clientWidth / 2;
        change(label, { x: at.x + (isLeft ? 14 : -14), y: Math.max(at.y - ABOVE[this.drag.from.pointerType === "touch" ? "finger" : "mouse"], 14), "text-anchor": isLeft ? "start" : "end" });
        label.textContent = this.words();
      }
    }
    const wanted = [...this.shapes.values()].flat().concat(label);
    if (wanted.length !== this.handles.children.length || wanted.some((each, index) => each !== this.handles.children[index])) {
      this.handles.replaceChildren(...wanted);
    }
  }

  words() {
    const { handle, wanted } = this.drag;
    return wanted.value === undefined ? clock(wanted.time) : valueText(wanted.value, unit(handle.parameter));
  }

  begin(event) {
    const area = this.handles.getBoundingClientRect(), near = this.nearest(event.clientX - area.left, event.clientY - area.top);
    this.wasHit = near !== null && this.link.mayControl;
    if (!this.wasHit || this.drag || event.button !== 0) return;
    this.handles.setPointerCapture(event.pointerId);
    this.kept = identity(near);
    this.reselect();
    this.drag = { pointer: event.pointerId, handle: near, from: event, spot: this.spot(near), axis: near.parameter ? null : "time", wanted: null };
    this.show();
  }

  /** The handle nearest to a place, or the selected one if that is not twice as far. */
  nearest(x, y) {
    let best = null, least = REACH;
    for (const handle of this.all) {
      const at = this.spot(handle);
      if (!at) continue;
      const distance = Math.hypot(at.x - x, at.y - y) / (handle === this.selected ? 2 : 1);
      if (distance < least) [best, least] = [handle, distance];
    }
    return best;
  }

  move({ clientX, clientY }) {
    const { drag, axes } = this, [across, down] = [clientX - drag.from.clientX, clientY - drag.from.clientY];
    if (!drag.wanted && Math.hypot(across, down) < SLOP) return;
    drag.axis ??= Math.abs(across) > Math.abs(down) && drag.handle.place ? "time" : "value";
    const { width, height } = this.handles.getBoundingClientRect();
    if (drag.axis === "time") {
      const step = axes.end > 120 ? 1 : 0.1, time = axes.seconds((drag.spot.x + across) / width);
      drag.wanted = { time: this.allowed(drag.handle, Math.round(time / step) * step, step) };
    } else {
      const panel = PANELS[drag.handle.parameter], value = axes.value(panel, (drag.spot.y + down) / height);
      // The bottom of the levels is off.
      const isOff = panel === "level" && value <= axes.value(panel, 1);
      drag.wanted = { value: isOff ? -120 : Number(rounded(value, drag.handle.parameter)) };
    }
    this.draw();
  }

  /** The time nearest to the wanted one at which a chapter or cue is between its neighbours, or a point behind its own. */
  allowed({ parameter, place, kind, index }, time, step) {
    if (parameter) return Math.max(time, this.placeHandles[place - 1].time + step);
    const beside = (other) => (this.placeHandles[other - 1]?.kind === kind ? this.placeHandles[other - 1].time : undefined);
    const [before, after] = [beside(index - 1), beside(index + 1)];
    // Cues may begin together.
    const gap = kind === "cue" ? 0 : Math.min(step, ((after ?? Infinity) - (before ?? 0)) / 2);
    return Math.min(Math.max(time, before === undefined ? 0 : before + gap), after === undefined ? this.axes.end - step : after - gap);
  }

  end() {
    const { handle, wanted } = this.drag;
    this.drag = null;
    if (wanted) this.set(handle, wanted);
    this.show();
  }

  cancel() {
    if (!this.drag) return;
    this.drag = null;
    this.show();
  }
}

const point = ([, place, layer, parameter, value, time]) => ({ place, layer, parameter, value, time });
const identity = (handle) => handle && [handle.kind, handle.index, handle.place, handle.layer, handle.parameter].join(" ");
const unit = (parameter) => (parameter === "gain" ? "dB" : "Hz");

/** A value in as many digits as a hand can tell apart. */
const rounded = (value, parameter) => value.toFixed(parameter === "gain" ? 1 : Math.abs(value) < 20 ? 2 : 1);

/** A value as it is written in the form. */
const written = (value) => String(Number(value.toFixed(3)));

/** A time that can be written again without a change; parts of a second are shown if there are any. */
function exactClock(time) {
  const hundredths = Math.round(time * 100) / 100, part = hundredths % 1;
  return clock(hundredths) + (part > 0.004 ? part.toFixed(2).slice(1) : "");
}

const shape = (name) => document.createElementNS(find("handles").namespaceURI, name);

function change(shape, attributes) { for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value); }

"""#

private let dialogsJs = #"""
// The dialogs of the page: questions before something is lost, and the help.
import { KEYS } from "./keys.js";

const find = (id) => document.getElementById(id);

/** Asks before something is lost. @returns Whether the user wants it. */
export function confirmed(text, yes) {
  const dialog = find("ask");
  find("ask-text").textContent = text;
  find("ask-yes").textContent = yes;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

export function showHelp() { if (!document.querySelector("dialog[open]")) find("help").showModal(); }

for (const element of document.querySelectorAll("[data-close]")) {
  element.addEventListener("click", () => element.closest("dialog").close(element.dataset.close));
}
find("help-button").addEventListener("click", showHelp);
find("keys").replaceChildren(...KEYS.flatMap(({ shown, meaning }) => {
  const term = document.createElement("dt"), description = document.createElement("dd");
  term.append(...shown.map((key) => Object.assign(document.createElement("kbd"), { textContent: key })));
  description.textContent = meaning;
  return [term, description];
}));

"""#

private let fadersJs = #"""
// Controls that set an address: faders, switches, choices and pads. While a finger moves one, nobody else does (touch).
import { slide, slideInput, within } from "./slide.js";

/**
 * Whether someone else has taken a control from a finger, as a lower level does: the player says that nobody touches it, after it has said that
 * the finger does.
 */
function isTaken({ isTouched, link, touches }) {
  return isTouched && touches.every((path) => link.touched.has(path)) && touches.some((path) => link.get(path) !== 1);
}

/** Binds a slider from 0 to 1 to an address's normalised twin. */
export class Fader {
  constructor(link, input, path, format) {
    Object.assign(this, { link, input, path, format, touches: [`touch/${path}`] });
    this.output = input.closest("label")?.querySelector("output");
    this.isTouched = false;
    const send = (value) => link.set(`${path}/norm`, value);
    this.release = slideInput(input, {
      begin: () => this.touch(true), move: send, end: () => this.touch(false), cancel: (before) => { send(before); this.touch(false); },
    });
    input.addEventListener("input", () => send(Number(input.value)));
    this.show();
  }

  /** Makes a slider and the text of its value in a row. */
  static in(row, link, path, format) {
    const input = Object.assign(document.createElement("input"), { type: "range", min: 0, max: 1, step: "any" });
    row.append(input, document.createElement("output"));
    return new Fader(link, input, path, format);
  }

  touch(isDown) {
    if (this.isTouched === isDown) return;
    this.isTouched = isDown;
    for (const path of this.touches) this.link.touched.delete(path);
    this.link.send(`touch/${this.path}`, isDown);
    if (!isDown) this.show();
  }

  /** Shows the player's value, unless a finger moves the slider. Without a value it cannot be moved. */
  show() {
    if (isTaken(this)) {
      this.release();
      this.isTouched = false;
    }
    const value = this.link.get(this.path), norm = this.link.get(`${this.path}/norm`);
    const text = value === undefined ? "–" : this.format(value);
    if (this.output) this.output.textContent = text;
    this.input.setAttribute("aria-valuetext", value === undefined ? "unknown" : text);
    if (!this.isTouched) this.input.value = norm ?? 0;
    this.input.disabled = !this.link.mayControl || norm === undefined;
  }
}

/** A list of names, one of which an address is set to. */
export class Choice {
  constructor(link, row, path, names) {
    Object.assign(this, { link, path });
    this.select = document.createElement("select");
    for (const name of names) this.select.add(new Option(name));
    this.select.addEventListener("change", () => link.send(path, this.select.value));
    row.append(this.select);
  }

  show() {
    this.select.value = this.link.get(this.path) ?? "";
    this.select.disabled = !this.link.mayControl;
  }
}

/** A pad for two values of a layer, the beat from left to right and the gain from bottom to top. */
export class Pad {
  constructor(link, element, path) {
    Object.assign(this, { link, element, path, touches: ["beat", "gain"].map((name) => `touch/${path}/${name}`) });
    this.knob = element.querySelector("i");
    this.isTouched = false;
    this.release = slide(element, {
      may: () => link.mayControl && this.values !== null,
      // A finger on the knob does not scroll the page, nor does a mouse.
      isFree: ({ target, pointerType }) => pointerType === "mouse" || target === this.knob,
      begin: () => { this.before = this.values; this.touch(true); },
      move: (across, down) => {
        const { width, height } = element.getBoundingClientRect(), [x, y] = this.before;
        this.send(within(x + across / width), within(y - down / height));
      },
      end: () => this.touch(false),
      cancel: () => { this.send(...this.before); this.touch(false); },
    });
    this.show();
  }

  /** The player's values from 0 to 1; null if they are not known. */
  get values() {
    const values = ["beat", "gain"].map((name) => this.link.get(`${this.path}/${name}/norm`));
    return values.includes(undefined) ? null : values;
  }

  touch(isDown) {
    this.isTouched = isDown;
    for (const path of this.touches) this.link.touched.delete(path);
    this.link.send(`touch/${this.path}/xy`, isDown);
    if (!isDown) this.show();
  }

  send(x, y) {
    this.link.send(`${this.path}/xy`, x, y);
    this.place(x, y);
  }

  show() {
    if (isTaken(this)) {
      this.release();
      this.touch(false);
    }
    if (!this.isTouched && this.values) this.place(...this.values);
  }

  place(x, y) {
    this.knob.style.left = `${x * 100}%`;
    this.knob.style.top = `${(1 - y) * 100}%`;
  }
}

"""#

private let iconSvg = #"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#16213a"/><path d="M8 32c8-24 16-24 24 0s16 24 24 0" fill="none" stroke="#7fb2ff" stroke-width="4"/><path d="M8 32c7-20 14-20 21 0s14 20 21 0" fill="none" stroke="#ffb86b" stroke-width="4"/></svg>

"""#

private let indexHtml = #"""
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Binaural</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="dark light">
<meta name="description" content="Controls a running Binaural.">
<script src="start.js"></script>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="style.css">
<script type="module" src="app.js"></script>
</head>
<body>
<header>
  <h1>Binaural</h1>
  <p id="connection" role="status">Connecting …</p>
  <button id="help-button" aria-label="Help" title="Help (?)">?</button>
</header>
<main>
  <div class="column">
    <section id="now" aria-labelledby="title">
      <h2 id="title">Nothing in the queue</h2>
      <p id="subtitle"></p>
      <div id="picture">
        <img id="course" alt="" hidden>
        <div id="marks" hidden></div>
        <div id="playhead" hidden></div>
        <svg id="handles" aria-hidden="true" hidden></svg>
      </div>
      <ul id="chapters" aria-label="Chapters" hidden></ul>
      <div id="bookmark-box" role="group" aria-label="Bookmarks" hidden>
        <button id="bookmark-previous" data-control aria-label="Previous bookmark" title="Previous bookmark">‹</button>
        <ul id="bookmark-list"></ul>
        <button id="bookmark-next" data-control aria-label="Next bookmark" title="Next bookmark">›</button>
      </div>
      <label class="seek"><span class="spoken">Position</span><input id="position" type="range" min="0" max="1" step="any" value="0"></label>
      <p class="times"><span id="elapsed">0:00</span> <span id="chapter"></span> <span id="remaining"></span></p>
      <details id="course-box">
        <summary>Edit chapters and points</summary>
        <p>Drag them on the picture: a chapter or cue to another time, a point up and down to another value, or sideways to another time at which it is reached.</p>
        <form id="course-form">
          <label>Chapter or point <select id="course-choice"><optgroup id="course-places" label="Chapters and cues"></optgroup><optgroup id="course-points" label="Points"></optgroup></select></label>
          <label><span id="course-unit">Value</span> <input id="course-value" type="number" step="any" inputmode="decimal"></label>
          <label><span id="course-when">Begins at</span> <input id="course-time" autocomplete="off" pattern="[0-9:.]+" title="Minutes and seconds, such as 1:30" aria-describedby="course-fault"></label>
          <button id="course-set">Set</button>
          <p id="course-fault" role="alert"></p>
        </form>
        <button id="course-reset" hidden>Discard the changes</button>
      </details>
      <div class="tools" role="group" aria-label="Playing">
        <button data-press="stop"><svg viewBox="0 0 24 24"><path d="M6 6h12v12H6z"/></svg>Stop</button>
        <button data-toggle="like"><svg viewBox="0 0 24 24"><path d="M12 20C5 14.5 3 12 3 8.8A4.8 4.8 0 0 1 12 6.6 4.8 4.8 0 0 1 21 8.8C21 12 19 14.5 12 20z"/></svg>Like</button>
        <button data-toggle="bookmark" title="Bookmark the position, or remove the bookmark there"><svg viewBox="0 0 24 24"><path d="M6 4h12v16l-6-4-6 4z"/></svg>Bookmark</button>
        <button data-press="undo" title="Undo (z)"><svg viewBox="0 0 24 24"><path d="M9 5 3 10.5 9 16v-3.5h6a3 3 0 0 1 0 6H8V21h7a5.5 5.5 0 0 0 0-11H9z"/></svg>Undo</button>
        <button data-press="redo" title="Redo (Shift+z)"><svg viewBox="0 0 24 24"><path d="m15 5 6 5.5L15 16v-3.5H9a3 3 0 0 0 0 6h7V21H9A5.5 5.5 0 0 1 9 10h6z"/></svg>Redo</button>
      </div>
      <div id="rating" role="group" aria-label="Rating"></div>
      <div class="listening" role="group" aria-label="Listen on this device">
        <button id="listen" aria-pressed="false" aria-describedby="listen-hint">Listen here</button>
        <label>as <select id="format"></select></label>
        <span id="listening" role="status"></span>
        <audio id="sound" preload="none"></audio>
      </div>
      <p id="listen-hint">Plays on this device, over headphones, a second or more late. Turn its volume down first: it has a level of its own.</p>
    </section>
    <section id="master" aria-labelledby="master-title">
      <h2 id="master-title">Master <button data-toggle="master/mute" title="Mute (m)">Mute</button></h2>
      <label class="fader"><span>Level</span><input data-fader="master/gain" type="range" min="0" max="1" step="any" value="0"><output></output></label>
      <canvas id="meter" width="600" height="28" role="img" aria-label="Output level"></canvas>
      <div class="choices">
        <label>Sleep <select id="sleep"></select></label>
        <label>Repeat <select data-choice="repeat"><option>off</option><option>one</option><option>all</option></select></label>
        <label>Shuffle <select data-choice="shuffle"><option>off</option><option>items</option></select></label>
        <label>Rate <select id="rate"></select></label>
      </div>
      <p id="sleep-left" role="status"></p>
    </section>
  </div>
  <div class="column">
    <section id="layer-section" aria-labelledby="layers-title">
      <h2 id="layers-title">Layers</h2>
      <div id="layers"></div>
      <form id="save-patch"><label>Keep as a new patch <input name="name" autocomplete="off" autocapitalize="none"></label><button data-control>Keep</button></form>
    </section>
  </div>
  <div class="column">
    <section id="queue-section" aria-labelledby="queue-title">
      <h2 id="queue-title">Queue</h2>
      <ol id="queue"></ol>
      <details id="library-box">
        <summary>Add from the library</summary>
        <form id="search-form" role="search"><label>Words of a name or title <input id="search" type="search" autocomplete="off" autocapitalize="none"></label></form>
        <p id="library-count" role="status"></p>
        <ul id="library" aria-label="Patches"></ul>
      </details>
    </section>
    <section id="presets-section" aria-labelledby="presets-title">
      <h2 id="presets-title">Presets</h2>
      <ul id="presets"></ul>
      <form id="save-preset"><label>Save the parameters as <input name="name" autocomplete="off"></label><button data-control>Save</button></form>
    </section>
    <section id="sessions-section" aria-labelledby="sessions-title">
      <h2 id="sessions-title">Sessions</h2>
      <p id="session-state" role="status"></p>
      <ul id="sessions"></ul>
      <form id="save-session"><label>Save the session as <input name="name" autocomplete="off"></label><button data-control>Save as</button><button id="save-now" type="button" data-control>Save</button></form>
    </section>
    <section aria-labelledby="log-title">
      <h2 id="log-title">Player</h2>
      <ul id="log" aria-label="Notices"></ul>
      <p id="status"></p>
      <h3 id="peers-title">Connected</h3>
      <ul id="peers" aria-labelledby="peers-title"></ul>
    </section>
  </div>
</main>
<footer>
  <p id="toast" role="status"></p>
  <div id="transport" role="group" aria-label="Transport">
    <button data-press="previous" aria-label="Previous" title="Previous (p)"><svg viewBox="0 0 24 24"><path d="M6 5h2v14H6zM20 5v14L9 12z"/></svg></button>
    <button data-press="skip/backward" data-hold="seek/backward" aria-label="Skip back" title="Skip back (←); hold to seek"><svg viewBox="0 0 24 24"><path d="M12 5v14L3 12zM21 5v14l-9-7z"/></svg></button>
    <button id="toggle" data-press="toggle" class="main" aria-label="Play" title="Play or pause (space)"><svg viewBox="0 0 24 24"><path class="play" d="M7 4v16l13-8z"/><path class="pause" d="M6 4h4v16H6zM14 4h4v16h-4z"/></svg></button>
    <button data-press="skip/forward" data-hold="seek/forward" aria-label="Skip forward" title="Skip forward (→); hold to seek"><svg viewBox="0 0 24 24"><path d="M12 5v14l9-7zM3 5v14l9-7z"/></svg></button>
    <button data-press="next" aria-label="Next" title="Next (n)"><svg viewBox="0 0 24 24"><path d="M16 5h2v14h-2zM4 5v14l11-7z"/></svg></button>
  </div>
</footer>
<dialog id="refused" aria-labelledby="refused-title"><h2 id="refused-title">Not paired</h2><p id="refused-text"></p><p>On the computer, run <code>binaural web pair</code> and open the link that it prints.</p></dialog>
<dialog id="ask" aria-labelledby="ask-text"><p id="ask-text"></p><div class="row"><button data-close="no">Cancel</button><button id="ask-yes" data-close="yes" class="main"></button></div></dialog>
<dialog id="help" aria-labelledby="help-title">
  <h2 id="help-title">Help</h2>
  <dl id="keys"></dl>
  <p>Hold a skip button to seek. A tap on the picture near the beginning of a chapter goes there exactly. While <em>Edit chapters and points</em> is open, chapters and points are dragged instead; <em>Keep as a new patch</em> saves the result. A fader moves by as much as your finger does along it, and nobody else moves it meanwhile.</p>
  <p>Browsers treat a page on plain HTTP in a network as insecure: it cannot keep the screen on, copy to the clipboard, or be installed as an app. A TLS proxy in front of the program allows it: give it a port with <code>--web-proxy</code>, and its name with <code>--web-host</code>.</p>
  <div class="row"><button data-close="no">Close</button></div>
</dialog>
</body>
</html>

"""#

private let keysJs = #"""
// The keyboard: what each key does, and the words for it in the help.

/** `path` is pressed; `toggle` is set to 1 or 0. */
export const KEYS = [
  { keys: [" "], shown: ["space"], meaning: "Play or pause", path: "toggle" },
  { keys: ["ArrowLeft"], shown: ["←"], meaning: "Skip back", path: "skip/backward" },
  { keys: ["ArrowRight"], shown: ["→"], meaning: "Skip forward", path: "skip/forward" },
  { keys: ["n"], shown: ["n"], meaning: "Next chapter or item", path: "next" },
  { keys: ["p"], shown: ["p"], meaning: "Previous chapter or item", path: "previous" },
  { keys: ["m"], shown: ["m"], meaning: "Mute", toggle: "master/mute" },
  { keys: ["z", "u"], shown: ["z", "u"], meaning: "Undo", path: "undo" },
  { keys: ["Z"], shown: ["Shift+z"], meaning: "Redo", path: "redo" },
  { keys: ["?"], shown: ["?"], meaning: "This help", isHelp: true },
];

/** Handles keys, except where a text is written, a dialog is open, or the focused control has its own meaning for the key. */
export function handleKeys(link, help) {
  addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (target.matches("input:not([type=range]), select, textarea")) return;
    if (target.matches("button, summary") && key === " ") return;
    if (target.matches("[type=range]") && key.startsWith("Arrow")) return;
    const found = KEYS.find(({ keys }) => keys.includes(key));
    if (!found) return;
    event.preventDefault();
    if (found.isHelp) help();
    else if (found.toggle) link.send(found.toggle, link.get(found.toggle) !== 1);
    else link.send(found.path, { i: 1 });
  });
}

"""#

private let layersJs = #"""
// A strip for each layer of what plays; the table of addresses says what a layer of its kind has.
import { Fader, Pad, Choice } from "./faders.js";
import { button } from "./lists.js";

/** Captions that are not the parameter's name. */
const CAPTIONS = { gain: "Level", pan: "Balance" };
/** Parameters that are always shown; the others are behind "More". */
const FIRST = ["gain", "carrier", "beat", "pulseRate", "amRate", "spinRate", "orbitRate"];
/** Kinds of layers whose parameters depend on their effects. */
const AFFECTED = ["noise", "file", "input", "isochronic"];
/** Addresses of layers by their numbers. */
const OF_LAYER = /^layer\/\d+\//;
/** A parameter of each effect. */
const EFFECTS = ["pulseDepth", "amDepth", "spinDepth", "spinDelay", "orbitRate", "beat"];

export class Layers {
  constructor(link, list) {
    Object.assign(this, { link, list });
    this.strips = [];
    this.shape = "";
    /** What layers have, by kind; a layer that can have effects is asked by itself. */
    this.kinds = new Map();
    // Addresses sent since the last snapshot's end, in any order: when one ends, other values are of layers or effects that are gone.
    this.sent = new Set();
    this.isComplete = false;
    link.listen((event, values) => {
      if (OF_LAYER.test(event)) this.sent.add(event);
      if (event !== "snapshot/end" || values[0] !== "layers") return;
      for (const path of [...link.values.keys()]) if (OF_LAYER.test(path) && !this.sent.has(path)) link.values.delete(path);
      this.sent.clear();
      this.isComplete = true;
    });
  }

  /** Makes new strips if there are other layers, and shows their values. */
  show() {
    const count = this.link.get("layer/count") ?? 0;
    const layers = Array.from({ length: count }, (_, index) => {
      const path = `layer/${index + 1}`;
      const effects = EFFECTS.filter((name) => this.link.get(`${path}/${name}`) !== undefined);
      return { path, name: this.link.get(`${path}/name`), kind: this.link.get(`${path}/kind`), effects };
    });
    const shape = JSON.stringify(layers);
    if (this.isComplete && shape !== this.shape && layers.every(({ kind }) => kind)) {
      this.shape = shape;
      this.make(layers, shape);
    }
    for (const strip of this.strips) strip.show();
  }

  async make(layers, shape) {
    const made = await Promise.all(layers.map(({ path, kind }) => this.kinds.get(kind) ?? parameters(this.link, path)));
    layers.forEach(({ kind }, index) => { if (made[index].length > 0 && !AFFECTED.includes(kind)) this.kinds.set(kind, made[index]); });
    // There may be other layers by now.
    if (shape !== this.shape) return;
    this.strips = layers.map((layer, index) => new Strip(this.link, layer, made[index]));
    this.list.replaceChildren(...this.strips.map((strip) => strip.element));
    for (const strip of this.strips) strip.show();
  }

  /** Waits for a snapshot, since another item may have other layers; it may have been sent before the item itself. */
  ask() {
    this.shape = "";
    this.isComplete = false;
    if (!this.link.awaited.has("layers")) this.link.send("subscribe", "layers", { i: 0 }, { i: 30 });
  }
}

/** What a layer has that a fader or a choice can set: its name, range and unit, in the order of the strip. */
async function parameters(link, path) {
  const { rows } = await link.requests.describe(path);
  const found = [];
  for (const row of rows) {
    const name = row.path.slice(path.length + 1);
    if (row.access !== "rw" || !name) continue;
    if (row.types === "f") found.push({ ...row, name });
    if (row.types === "s") found.push({ ...row, name, names: (await link.requests.describe(row.path)).names });
  }
  const rank = ({ name }) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return found.sort((one, other) => rank(one) - rank(other));
}

class Strip {
  constructor(link, { path, name, kind }, parameters) {
    Object.assign(this, { link, path });
    this.element = document.createElement("div");
    this.element.className = "layer";
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", name || path);
    const title = document.createElement("h3"), label = document.createElement("span"), small = document.createElement("small");
    label.textContent = name || path;
    small.textContent = ` ${words(kind)}`;
    label.append(small);
    this.switches = ["mute", "solo"].map((each) => {
      const made = button(caption(each), null, () => link.send(`${path}/${each}`, link.get(`${path}/${each}`) !== 1));
      made.dataset.layerToggle = each;
      return made;
    });
    title.append(label, ...this.switches);
    const more = document.createElement("details"), summary = document.createElement("summary");
    summary.textContent = "More";
    more.append(summary);
    this.element.append(title);
    this.controls = parameters.map((parameter) => {
      const row = document.createElement("label");
      row.className = "fader";
      row.title = parameter.text;
      row.append(Object.assign(document.createElement("span"), { textContent: CAPTIONS[parameter.name] ?? caption(parameter.name) }));
      (FIRST.includes(parameter.name) ? this.element : more).append(row);
      const address = `${path}/${parameter.name}`;
      return parameter.names ? new Choice(link, row, address, parameter.names) : Fader.in(row, link, address, (value) => text(value, parameter.unit));
    });
    const has = (wanted) => parameters.some(({ name }) => name === wanted);
    if (has("beat") && has("gain")) more.append(this.makePad());
    const reset = button("Reset", `Reset ${name || path}`, () => link.send(`${path}/reset`, { i: 1 }));
    reset.dataset.control = "";
    more.append(reset);
    this.element.append(more);
  }

  makePad() {
    const pad = document.createElement("div"), across = document.createElement("span"), up = document.createElement("span");
    pad.className = "pad";
    // The faders beside it do the same for those who do not point.
    pad.setAttribute("aria-hidden", "true");
    across.textContent = "Beat →";
    up.textContent = "Level ↑";
    pad.append(document.createElement("i"), across, up);
    this.pad = new Pad(this.link, pad, this.path);
    return pad;
  }

  show() {
    for (const control of this.controls) control.show();
    this.pad?.show();
    for (const each of this.switches) {
      each.setAttribute("aria-pressed", this.link.get(`${this.path}/${each.dataset.layerToggle}`) === 1);
      each.disabled = !this.link.mayControl;
    }
  }
}

const UNITS = { degrees: "°", microseconds: " µs", Hz: " Hz", dB: " dB", s: " s" };

/** A value with its unit, in as many digits as an ear or a hand can distinguish. */
export function text(value, unit) {
  if (unit === "dB" && value <= -120) return "off";
  const digits = { degrees: 0, microseconds: 0, dB: 1, Hz: Math.abs(value) < 20 ? 2 : 1, s: value < 1 ? 3 : 1 }[unit] ?? 2;
  return `${value.toFixed(digits)}${UNITS[unit] ?? ""}`.replace("-", "−");
}

const words = (kind) => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const caption = (name) => words(name)[0].toUpperCase() + words(name).slice(1);

"""#

private let libraryJs = #"""
// The library: patches found by words of their name or title, to be added to the queue.
import { List, button } from "./lists.js";
import { clock } from "./time.js";

const find = (id) => document.getElementById(id);
/** Milliseconds after the last letter. */
const PAUSE = 200;

export class LibraryList {
  constructor(link) {
    this.link = link;
    this.list = new List(link, find("library"), "patch", (values) => this.entry(values), ([shown, count]) => {
      find("library-count").textContent = count === shown ? `${count} found` : `${shown} of ${count} shown: search for more words`;
    }, () => (find("library-box").open ? [this.words] : null));
    find("search").addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.list.ask(), PAUSE);
    });
    find("search-form").addEventListener("submit", (event) => { event.preventDefault(); this.list.ask(); });
    // Files may have come or gone.
    find("library-box").addEventListener("toggle", () => this.list.ask());
  }

  get words() { return find("search").value.trim(); }

  entry([, name, title, duration, origin]) {
    const entry = document.createElement("li"), text = document.createElement("span"), small = document.createElement("small");
    const cannotPlay = title.endsWith("(cannot be played)");
    small.textContent = [name === title ? "" : name, cannotPlay ? "" : duration ? clock(duration) : "endless", origin].filter(Boolean).join(" · ");
    text.append(title || name, small);
    const add = button("Add", `Add ${title || name} to the queue`, () => this.add(name));
    add.dataset.control = "";
    entry.append(text, add);
    return entry;
  }

  async add(name) {
    const error = await this.link.requests.ask("queue/add", name);
    find("library-count").textContent = error ? error.text : `Added ${name}`;
  }
}

"""#

private let linkJs = #"""
// The connection to the player: pairing, subscriptions, reconnecting.
import { decode, encode } from "./osc.js";
import { hashOf, keyFrom, proofOf } from "./proof.js";
import { Requests } from "./requests.js";

const ROOT = "/binaural/";
const KEY = "binaural-key";
// Seconds; the lease of a subscription, and how often it is renewed.
const LEASE = 30, RENEWAL = 8000;
// Milliseconds; without any packet for this long the values count as stale, and the connection is opened again.
const SILENCE = 12000;
// While the page is looked at, a sign of life is asked for after QUIET, and awaited for PROBE. A connection that is being opened is tried again
// after CONNECTING: the system repeats its attempts at ever longer intervals.
const QUIET = 2500, PROBE = 2000, CONNECTING = 4000;
// The same after the page has come back to the front, or to the network.
const ANSWER = 1000;
// A busy machine may need longer: after each wait in vain the next one is longer by GROWTH, an attempt to connect up to LONGEST, and one for an
// answer up to MOST times as long. The longer an attempt, the later it finds a network that has come back.
const GROWTH = 1.6, LONGEST = 30000, MOST = 5;
const RELOADED = "binaural-reloaded-for";

export class Link {
  constructor(topics) {
    this.topics = topics;
    this.values = new Map();
    /** What the player has called touched since a finger of this page went there, also if it is no longer: the page may draw later than that. */
    this.touched = new Set();
    this.listeners = new Set();
    this.requests = new Requests(this);
    this.deadline = Infinity;
    this.role = null;
    this.offset = 0;
    this.wait = 500;
    // How long an attempt to connect may take, and by how much an answer may come later than usual.
    this.patience = CONNECTING;
    this.slack = 1;
    const again = () => { if (document.visibilityState !== "hidden") this.retry(); };
    for (const event of ["online", "pageshow"]) addEventListener(event, again);
    document.addEventListener("visibilitychange", again);
    setInterval(() => this.check(), 1000);
    this.open();
  }

  /** Calls back with every message and with the events "state", "refused" and "ticket". */
  listen(callback) { this.listeners.add(callback); }

  get(path, index = 0) { return this.values.get(path)?.[index]; }

  get isOpen() { return this.role !== null && this.socket?.readyState === WebSocket.OPEN; }

  get mayControl() { return this.isOpen && this.role !== "view"; }

  /** The headers of a request for something that not everybody may see. */
  get credentials() { return this.pass ? { "Binaural-Pass": this.pass } : {}; }

  send(path, ...values) {
    if (this.isOpen) this.socket.send(encode(ROOT + path, ...values));
  }

  /** Sets a value, which counts from now on: the player answers with the one that is in effect, but only when no more come. */
  set(path, value) {
    if (!this.isOpen) return;
    this.send(path, value);
    this.values.set(path, [value]);
  }

  /** Asks for something beside OSC. */
  ask(request) {
    if (this.isOpen) this.socket.send(JSON.stringify(request));
  }

  notify(event, detail) { for (const listener of this.listeners) listener(event, detail); }

  open() {
    clearTimeout(this.timer);
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/osc`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.heard = performance.now();
    socket.onopen = () => this.enter(socket);
    socket.onmessage = ({ data }) => {
      if (socket !== this.socket) return;
      this.heard = performance.now();
      this.deadline = Infinity;
      if (typeof data === "string") this.entered(JSON.parse(data));
      else {
        const messages = decode(data);
        for (const message of messages) this.take(message, messages.length === 1);
      }
    };
    socket.onclose = ({ code }) => { if (socket === this.socket) this.lost(code); };
  }

  enter(socket) {
    this.heard = performance.now();
    this.isAsking = Boolean(location.hash.slice(1) || localStorage.getItem(KEY));
    if (this.isAsking) socket.send(JSON.stringify({ challenge: true }));
  }

  /** Proves the token of the address, or else the key. */
  prove(challenge) {
    const token = location.hash.slice(1), hash = hashOf(token || localStorage.getItem(KEY) || "");
    this.derived = token ? keyFrom(hash, challenge) : null;
    const proof = proofOf(hash, challenge);
    this.socket.send(JSON.stringify(token ? { tokenProof: proof, name: deviceName() } : { keyProof: proof }));
  }

  entered(answer) {
    if (answer.ticket) return this.notify("ticket", answer.ticket);
    if (answer.challenge) return this.prove(answer.challenge);
    if (answer.error) {
      this.refusal = answer.error;
      // A used token must not hide the key that it was exchanged for.
      if (location.hash) history.replaceState(null, "", location.pathname);
      else localStorage.removeItem(KEY);
      return;
    }
    // A page on the computer itself enters without proving anything, and gets no pass.
    if (answer.pass && this.derived) localStorage.setItem(KEY, this.derived);
    this.derived = null;
    this.pass = answer.pass;
    if (location.hash) history.replaceState(null, "", location.pathname);
    if (this.version && this.version !== answer.version) {
      // Once: otherwise a page that comes from elsewhere would reload for ever.
      if (sessionStorage.getItem(RELOADED) === answer.version) return this.notify("other version", answer.version);
      sessionStorage.setItem(RELOADED, answer.version);
      return location.reload();
    }
    this.version = answer.version;
    this.refusal = null;
    this.role = answer.role;
    this.wait = 500;
    this.patience = CONNECTING;
    this.measureClock();
    this.subscribe();
    this.renewal = setInterval(() => { this.send("ping", { i: 1 }); }, RENEWAL);
    this.notify("state");
  }

  subscribe() {
    this.changes = null;
    /** The topics whose snapshot has not been sent yet. */
    this.awaited = new Set(this.topics);
    for (const topic of this.topics) this.send("subscribe", topic, { i: 0 }, { i: LEASE });
  }

  /** The difference of the two clocks, as in "clock": the player's time is this one's plus the offset. */
  measureClock() {
    this.asked = Date.now();
    this.socket.send(clockPacket(this.asked));
  }

  take({ address, values, time }, isAlone) {
    const path = address.startsWith(ROOT) ? address.slice(ROOT.length) : address;
    if (path === "clock") {
      this.offset = (values[1] + values[2]) / 2 - (this.asked + Date.now()) / 2;
    } else if (path === "alive") {
      // Each packet with a change carries the next number, one on its own the number of the last change: otherwise a packet was lost.
      const [boot, number] = values;
      const next = this.changes ? this.changes.number + (isAlone ? 0 : 1) : number;
      if (this.changes && (boot !== this.changes.boot || number > next)) this.subscribe();
      else this.changes = { boot, number };
    } else if (path === "snapshot/end") {
      this.awaited.delete(values[0]);
    } else if (path === "expired") {
      this.subscribe();
    }
    if (path === "error" && this.requests.awaits(values[0])) return this.requests.answer(values[0], { code: values[1], text: values[2] });
    if (path === "progress") this.requests.follow(...values);
    if (path === "pong") this.requests.confirm(values[0]);
    // The number of a sign of life that was asked for: it answers in time again.
    if (path === "pong" && values[0] === 3 && performance.now() - this.probed < PROBE) this.slack = 1;
    this.values.set(path, values);
    if (path.startsWith("touch/") && values[0] === 1) this.touched.add(path);
    if (path === "now/elapsed") this.elapsedAt = time ?? Date.now() + this.offset;
    this.notify(path, values);
  }

  lost(code) {
    clearInterval(this.renewal);
    const wasOpen = this.role !== null;
    this.role = null;
    this.requests.giveUp();
    // A key that arrived too late is not refused with a sentence, and is shown again.
    const isRefused = code === 1008 && (wasOpen || this.refusal || !this.isAsking);
    if (isRefused) this.refused = true;
    this.notify("state");
    if (isRefused) {
      if (wasOpen) localStorage.removeItem(KEY);
      return this.notify("refused", wasOpen ? "The key of this device was revoked." : this.refusal);
    }
    this.timer = setTimeout(() => this.open(), wasOpen ? 0 : this.wait);
    this.wait = Math.min(this.wait * GROWTH, 5000);
  }

  check() {
    const now = performance.now(), quiet = now - this.heard, state = this.socket?.readyState;
    const limit = state === WebSocket.CONNECTING ? this.patience : Math.max(this.patience, SILENCE * this.slack);
    if (state <= WebSocket.OPEN && (quiet > limit || now > this.deadline)) {
      if (this.role === null) this.patience = Math.min(this.patience * GROWTH, LONGEST);
      else this.slack = Math.min(this.slack * GROWTH, MOST);
      return this.retry(true);
    }
    if (this.isOpen && quiet > QUIET && this.deadline === Infinity && document.visibilityState !== "hidden") {
      this.probed = now;
      this.deadline = now + PROBE * this.slack;
      this.send("ping", { i: 3 });
    }
  }

  /** Opens the connection again, at once; an open one is asked for a sign of life first. */
  retry(isDead = false) {
    if (this.refused) return;
    // An attempt that has taken long may have begun without a network.
    if (!isDead && this.socket?.readyState === WebSocket.CONNECTING && performance.now() - this.heard < CONNECTING) return;
    if (!isDead && this.isOpen) {
      this.deadline = performance.now() + ANSWER * this.slack;
      this.send("ping", { i: 2 });
      this.subscribe();
      return;
    }
    const old = this.socket;
    this.socket = null;
    old?.close();
    clearInterval(this.renewal);
    this.role = null;
    this.requests.giveUp();
    this.deadline = Infinity;
    this.notify("state");
    this.open();
  }
}

function clockPacket(now) {
  const packet = encode(ROOT + "clock", 0);
  const bytes = new Uint8Array(packet.length + 4), view = new DataView(bytes.buffer);
  bytes.set(packet);
  // The type is a time tag of eight bytes instead of the float.
  bytes[packet.length - 7] = "t".charCodeAt(0);
  const seconds = now / 1000 + 2208988800;
  view.setUint32(packet.length - 4, Math.floor(seconds));
  view.setUint32(packet.length, (seconds % 1) * 2 ** 32);
  return bytes;
}

function deviceName() {
  const agent = navigator.userAgent;
  const device = ["iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux"].find((name) => agent.includes(name)) ?? "Browser";
  const browser = ["Firefox", "Edg", "Chrome", "Safari"].find((name) => agent.includes(name)) ?? "";
  return `${device} ${browser}`.trim();
}

"""#

private let listenJs = #"""
// Listening on this device: a stream of what plays, and the buttons of its lock screen and headset.

const find = (id) => document.getElementById(id);
const TYPES = { mp3: "audio/mpeg", opus: "audio/ogg; codecs=opus", flac: "audio/flac" };
const FORMAT = "binaural-format";
// Milliseconds without a new sound, after which the stream is opened again: after each time in vain they are more, up to LONGEST, since a busy
// machine may need longer.
const SILENCE = 8000, LONGEST = 30000;

export class Listening {
  constructor(link, now) {
    Object.assign(this, { link, now, audio: find("sound"), isWanted: false, wait: 500, patience: SILENCE });
    const choice = find("format");
    for (const [name, type] of Object.entries(TYPES)) if (this.audio.canPlayType(type)) choice.add(new Option(name === "opus" ? "Opus" : name.toUpperCase(), name));
    choice.value = localStorage.getItem(FORMAT) ?? "mp3";
    if (!choice.value) choice.selectedIndex = 0;
    choice.addEventListener("change", () => { localStorage.setItem(FORMAT, choice.value); if (this.isWanted) this.open(); });
    find("listen").addEventListener("click", () => this.isWanted ? this.stop() : this.start());
    for (const event of ["playing", "timeupdate"]) this.audio.addEventListener(event, () => this.heard());
    for (const event of ["error", "ended"]) this.audio.addEventListener(event, () => this.again());
    link.listen((event, values) => {
      if (event === "ticket") this.play(values);
      // A stream that was interrupted together with the connection.
      if (event === "state" && link.isOpen && this.isWanted && !this.audio.hasAttribute("src")) this.open();
    });
    setInterval(() => this.check(), 1000);
    this.takeButtons();
  }

  start() {
    this.isWanted = true;
    this.wait = 500;
    // A browser lets a page play sound when that has begun at a touch.
    this.audio.play().catch(() => {});
    this.open();
  }

  stop(text = "") {
    this.isWanted = false;
    clearTimeout(this.timer);
    this.audio.pause();
    this.audio.removeAttribute("src");
    this.audio.load();
    this.say(text);
    if (navigator.mediaSession) navigator.mediaSession.playbackState = "none";
  }

  /** Asks for a ticket, with which the stream is opened: an audio element cannot send a key. */
  open() {
    clearTimeout(this.timer);
    this.asked = performance.now();
    this.say("Connecting …");
    this.link.ask({ listen: true });
  }

  play(ticket) {
    if (!this.isWanted) return;
    this.asked = performance.now();
    this.audio.src = `listen.${find("format").value}?ticket=${ticket}`;
    this.audio.play().catch((error) => {
      if (error.name === "NotAllowedError") this.stop("The browser did not allow sound: press Listen here again.");
    });
  }

  heard() {
    if (!this.isWanted || this.audio.currentTime === 0) return;
    this.asked = performance.now();
    this.wait = 500;
    this.patience = SILENCE;
    this.say("Playing on this device.");
  }

  again() {
    if (!this.isWanted || !this.audio.hasAttribute("src")) return;
    this.audio.removeAttribute("src");
    this.say("Interrupted: trying again …");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 1.6, 5000);
  }

  check() {
    if (!this.isWanted || performance.now() - this.asked <= this.patience) return;
    if (this.link.isOpen) this.patience = Math.min(this.patience * 1.6, LONGEST);
    this.open();
  }

  say(text) {
    if (find("listening").textContent !== text) find("listening").textContent = text;
    find("listen").setAttribute("aria-pressed", this.isWanted);
    find("listen").textContent = this.isWanted ? "Stop listening" : "Listen here";
  }

  /** The buttons control the player, as those in the page do; while the player is paused, the stream is silent. */
  takeButtons() {
    if (!navigator.mediaSession) return;
    const { link } = this;
    const press = (path) => () => { link.send(path, { i: 1 }); if (this.isWanted) this.audio.play().catch(() => {}); };
    // While the player is paused, the browser takes the silent stream for playing: its button for both pauses again, and means play.
    const pause = () => press(link.get("now/state") === "playing" ? "pause" : "play")();
    const actions = {
      play: press("play"), pause, nexttrack: press("next"), previoustrack: press("previous"),
      seekforward: press("skip/forward"), seekbackward: press("skip/backward"), stop: () => this.stop(),
      seekto: ({ seekTime }) => link.send("position", seekTime),
    };
    for (const [name, action] of Object.entries(actions)) {
      // Older browsers do not know all of them.
      try { navigator.mediaSession.setActionHandler(name, action); } catch { continue; }
    }
  }

  show() {
    if (!this.isWanted || !navigator.mediaSession) return;
    const { link, now } = this, session = navigator.mediaSession;
    const title = link.get("now/title") || "Binaural", chapter = link.get("now/chapter", 2) || "", picture = find("course");
    const shown = JSON.stringify([title, chapter, picture.src]);
    if (shown !== this.shown) {
      this.shown = shown;
      const artwork = [{ src: new URL("icon.svg", location.href).href, type: "image/svg+xml", sizes: "any" }];
      session.metadata = new MediaMetadata({ title: chapter || title, artist: link.get("now/artist") || title, album: link.get("now/album") || title, artwork });
      this.drawArtwork(picture, session.metadata);
    }
    session.playbackState = link.get("now/state") === "playing" ? "playing" : "paused";
    if (!now.duration) return session.setPositionState?.();
    session.setPositionState?.({ duration: now.duration, position: Math.min(now.elapsed, now.duration), playbackRate: link.get("rate") || 1 });
  }

  /** The picture of the patch as PNG, since lock screens do not show SVG. */
  async drawArtwork(picture, metadata) {
    try {
      await picture.decode();
      const canvas = document.createElement("canvas"), side = canvas.width = canvas.height = 512;
      const height = side * picture.naturalHeight / picture.naturalWidth;
      canvas.getContext("2d").drawImage(picture, 0, (side - height) / 2, side, height);
      const drawn = await new Promise((done) => canvas.toBlob(done, "image/png"));
      if (metadata !== navigator.mediaSession.metadata) return;
      if (this.artwork) URL.revokeObjectURL(this.artwork);
      this.artwork = URL.createObjectURL(drawn);
      metadata.artwork = [{ src: this.artwork, type: "image/png", sizes: "512x512" }];
    } catch {
      // Without a picture there is the icon.
    }
  }
}

"""#

private let listsJs = #"""
// Lists of the player, such as the queue, which are read again when they may have changed.

export class List {
  /**
   * @param make - Makes the content of an entry from the values of its message.
   * @param finished - Gets the values of the message that ends the list.
   * @param asked - Returns the arguments of the question; null if it is not asked now.
   */
  constructor(link, element, name, make, finished = () => {}, asked = () => []) {
    Object.assign(this, { link, element, name, make, finished, asked });
    this.pending = [];
    link.listen((event, values) => {
      if (event === `${name}/item`) this.pending.push(values);
      else if (event === `${name}/end`) this.finish(values);
      else if (event === "state" && link.isOpen) this.ask();
    });
  }

  ask() {
    this.pending = [];
    const values = this.asked();
    if (values) this.link.send(`${this.name}/list`, ...values);
  }

  finish(values) {
    // Answers to an earlier question that came after the next one was asked.
    if (this.pending.length < values[0]) return;
    const items = this.pending.slice(-values[0] || this.pending.length), shape = JSON.stringify(items);
    this.pending = [];
    if (shape !== this.shape) {
      this.shape = shape;
      this.element.replaceChildren(...items.map((each) => this.make(each)));
      this.link.notify("list");
    }
    this.finished(values);
  }
}

export function button(text, label, action) {
  const made = document.createElement("button");
  made.textContent = text;
  if (label) made.setAttribute("aria-label", label);
  made.addEventListener("click", action);
  return made;
}

/** An entry of the queue: it can be dragged, and moved with the buttons. */
export function queueEntry(link, list, [index, patch, title]) {
  const entry = document.createElement("li"), name = title || patch;
  entry.dataset.index = index;
  entry.draggable = true;
  entry.append(
    button(name, null, () => link.send("queue/select", { i: index })),
    button("↑", `Move ${name} up`, () => link.send("queue/move", { i: index }, { i: index - 1 })),
    button("↓", `Move ${name} down`, () => link.send("queue/move", { i: index }, { i: index + 1 })),
    button("×", `Remove ${name}`, () => link.send("queue/remove", { i: index })));
  for (const each of entry.querySelectorAll("button")) each.dataset.control = "";
  entry.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", index));
  entry.addEventListener("dragover", (event) => event.preventDefault());
  entry.addEventListener("drop", (event) => {
    event.preventDefault();
    const from = Number(event.dataTransfer.getData("text/plain"));
    if (from) link.send("queue/move", { i: from }, { i: index });
  });
  for (const each of entry.querySelectorAll("button")) each.addEventListener("click", () => setTimeout(() => list.ask(), 150));
  return entry;
}

"""#

private let meterJs = #"""
// The output level: a bar and a peak line for each side, from -60 to 0 dBFS.
const FLOOR = -60;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Meter {
  constructor(canvas) {
    this.canvas = canvas;
    this.last = 0;
  }

  /** At most 25 times a second; not at all while the page is hidden, or if motion is to be reduced: then there is no meter. */
  take([left, right, rmsLeft, rmsRight]) {
    const now = performance.now();
    if (document.visibilityState === "hidden" || still.matches || now - this.last < 38) return;
    this.last = now;
    const { canvas } = this, context = canvas.getContext("2d"), style = getComputedStyle(canvas);
    const colour = (name) => style.getPropertyValue(name);
    context.clearRect(0, 0, canvas.width, canvas.height);
    [[left, rmsLeft], [right, rmsRight]].forEach(([peak, rms], side) => {
      const place = (level) => canvas.width * Math.min(Math.max(1 - level / FLOOR, 0), 1), top = side * 15;
      context.fillStyle = colour("--line");
      context.fillRect(0, top, canvas.width, 12);
      context.fillStyle = colour("--accent");
      context.fillRect(0, top, place(rms), 12);
      context.fillStyle = colour("--warm");
      context.fillRect(Math.max(0, place(peak) - 3), top, 3, 12);
    });
  }
}

"""#

private let nowJs = #"""
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

"""#

private let oscJs = #"""
// OSC 1.0 packets: encode(address, ...arguments) and decode(bytes).
const text = new TextEncoder(), words = new TextDecoder();
const NTP_TO_UNIX = 2208988800;

function padded(string) {
  const bytes = text.encode(string);
  const result = new Uint8Array((bytes.length + 4) & ~3);
  result.set(bytes);
  return result;
}

/** A number is sent as a float, { i: 3 } as an integer, a string as a string, true and false as 1 and 0. */
export function encode(address, ...values) {
  const parts = [padded(address)];
  let types = ",";
  const data = [];
  for (const value of values) {
    const field = new DataView(new ArrayBuffer(4));
    if (typeof value === "string") {
      types += "s";
      data.push(padded(value));
    } else if (typeof value === "number") {
      types += "f";
      field.setFloat32(0, value);
      data.push(new Uint8Array(field.buffer));
    } else {
      types += "i";
      field.setInt32(0, typeof value === "boolean" ? Number(value) : value.i);
      data.push(new Uint8Array(field.buffer));
    }
  }
  parts.push(padded(types), ...data);
  const packet = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let place = 0;
  for (const part of parts) {
    packet.set(part, place);
    place += part.length;
  }
  return packet;
}

/** The messages of a packet: { address, values, time }, where time is that of the bundle in milliseconds since 1970, or null. */
export function decode(buffer, time = null) {
  const bytes = new Uint8Array(buffer), view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let place = 0;
  const string = () => {
    const end = bytes.indexOf(0, place);
    const found = words.decode(bytes.subarray(place, end));
    place = (end + 4) & ~3;
    return found;
  };
  const timeTag = () => {
    const seconds = view.getUint32(place), fraction = view.getUint32(place + 4);
    place += 8;
    return seconds ? (seconds - NTP_TO_UNIX + fraction / 2 ** 32) * 1000 : null;
  };
  const address = string();
  if (address === "#bundle") {
    const tag = timeTag(), messages = [];
    while (place < bytes.length) {
      const size = view.getInt32(place);
      messages.push(...decode(bytes.subarray(place + 4, place + 4 + size), tag));
      place += 4 + size;
    }
    return messages;
  }
  const values = [];
  for (const type of string().slice(1)) {
    switch (type) {
      case "i": values.push(view.getInt32(place)); place += 4; break;
      case "f": values.push(view.getFloat32(place)); place += 4; break;
      case "h": values.push(Number(view.getBigInt64(place))); place += 8; break;
      case "t": values.push(timeTag()); break;
      case "s": values.push(string()); break;
      default: values.push(null);
    }
  }
  return [{ address, values, time }];
}

"""#

private let peersJs = #"""
// Who else is connected.
import { List } from "./lists.js";
import { span } from "./time.js";

export class Peers {
  constructor(link, list) {
    this.list = new List(link, list, "peer", (values) => entry(values));
  }

  ask() { this.list.ask(); }
}

function entry([, name, role, transport, seconds, isThis]) {
  const item = document.createElement("li"), small = document.createElement("small");
  const other = transport === "websocket" ? "A page on the computer" : "A program";
  item.append(isThis ? `This page${name ? ` (${name})` : ""}` : name || other, " ", small);
  small.textContent = `${role === "view" ? "read only" : role} · ${transport === "websocket" ? "page" : transport} · ${span(seconds)}`;
  return item;
}

"""#

private let proofJs = #"""
// Proves that the page knows its token or key without sending it: others in the network may read along, and on plain HTTP a browser has no
// crypto.subtle.

const text = (value) => new TextEncoder().encode(value);
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The first 32 bits of the fractional parts of the square or cube roots of the first primes. */
function fractions(count, power) {
  const found = [];
  for (let number = 2; found.length < count; number++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= number; divisor++) isPrime &&= number % divisor !== 0;
    // In whole numbers, since a root in floating point is not exact enough: the largest one whose power is at most number * 2 ** (32 * power).
    if (isPrime) found.push(Number(root(BigInt(number) << BigInt(32 * power), power) & 0xffffffffn));
  }
  return found;
}

function root(value, power) {
  let low = 0n, high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(power) <= value) low = middle;
    else high = middle;
  }
  return low;
}

const START = fractions(8, 2), CONSTANTS = fractions(64, 3);

/** SHA-256 (FIPS 180-4) of bytes. */
function digest(message) {
  const length = Math.ceil((message.length + 9) / 64) * 64;
  const bytes = new Uint8Array(length), view = new DataView(bytes.buffer);
  bytes.set(message);
  bytes[message.length] = 0x80;
  view.setUint32(length - 4, message.length * 8);
  const state = Uint32Array.from(START), words = new Uint32Array(64);
  const turned = (word, count) => (word >>> count) | (word << (32 - count));
  for (let start = 0; start < length; start += 64) {
    for (let index = 0; index < 64; index++) {
      if (index < 16) {
        words[index] = view.getUint32(start + index * 4);
        continue;
      }
      const early = words[index - 15], late = words[index - 2];
      words[index] = words[index - 16] + words[index - 7] + (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3))
        + (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let index = 0; index < 64; index++) {
      const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + CONSTANTS[index] + words[index]) | 0;
      const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => { state[index] += word; });
  }
  const result = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => result.setUint32(index * 4, word));
  return new Uint8Array(result.buffer);
}

/** HMAC-SHA-256 (RFC 2104) with a key of at most 64 bytes. */
function authentication(message, key) {
  const block = new Uint8Array(64);
  block.set(text(key));
  const inner = digest(Uint8Array.from([...block.map((byte) => byte ^ 0x36), ...text(message)]));
  return hex(digest(Uint8Array.from([...block.map((byte) => byte ^ 0x5c), ...inner])));
}

/** The form in which the computer keeps a token or key. */
export const hashOf = (secret) => hex(digest(text(secret)));

/** What shows that the token or key with that hash is known. */
export const proofOf = (hash, challenge) => authentication(`proof ${challenge}`, hash);

/** The key that a device gets for a token. The computer derives the same one. */
export const keyFrom = (hash, challenge) => authentication(`key ${challenge}`, hash);

"""#

private let ratingJs = #"""
// Five stars; pressing the star of the present rating takes the rating back.
export class Rating {
  constructor(link, group) {
    Object.assign(this, { link, group });
    for (let stars = 1; stars <= 5; stars += 1) {
      const button = document.createElement("button");
      button.textContent = "★";
      button.setAttribute("aria-label", `${stars} ${stars === 1 ? "star" : "stars"}`);
      button.addEventListener("click", () => link.send("rating", Math.round(link.get("rating") ?? 0) === stars ? 0 : stars));
      group.append(button);
    }
  }

  show() {
    const rating = Math.round(this.link.get("rating") ?? 0);
    [...this.group.children].forEach((button, index) => {
      button.classList.toggle("lit", index < rating);
      button.setAttribute("aria-pressed", index + 1 === rating);
      button.disabled = !this.link.mayControl || this.link.get("rating/enabled") === 0;
    });
  }
}

"""#

private let requestsJs = #"""
// Requests to the player whose outcome somebody waits for.

// The tokens below it are the link's own.
const FIRST_TOKEN = 10;

export class Requests {
  constructor(link) {
    this.link = link;
    this.waiting = [];
    this.token = FIRST_TOKEN;
  }

  /** Sends a command of session or file work. @returns A promise of null after its success, or of the error's code and text. */
  ask(path, ...values) {
    if (!this.link.isOpen) return Promise.resolve({ code: 0, text: "There is no connection to the player." });
    return new Promise((resolve) => {
      this.waiting.push({ address: `/binaural/${path}`, resolve });
      this.link.send(path, ...values);
    });
  }

  /** Whether somebody waits for the answer to this address. */
  awaits(address) { return this.waiting.some((request) => request.address === address); }

  /** Ends the oldest request of an address. */
  answer(address, error) {
    const index = this.waiting.findIndex((request) => request.address === address);
    if (index >= 0) this.waiting.splice(index, 1)[0].resolve(error);
  }

  /** Follows the progress of work. Its error comes after its end, and before other work on the same address begins and pings are answered. */
  follow(address, part) {
    const request = this.waiting.find((request) => request.address === address);
    if (part === 0 && request?.token) {
      this.answer(address, null);
    } else if (part === 1 && request) {
      request.token = this.token++;
      this.link.send("ping", { i: request.token });
    }
  }

  /** Takes the answer to a ping: work that had ended before the ping, without an error, has succeeded. */
  confirm(token) {
    const request = this.waiting.find((request) => request.token === token);
    if (request) this.answer(request.address, null);
  }

  /** Asks what an address and those below it take: { path, types, access, min, max, unit, text } for each, and the names of choices. */
  describe(path) {
    return new Promise((resolve) => {
      const rows = [], names = [];
      const listener = (event, values) => {
        if (event === "describe") {
          const [path, types, access, min, max, unit, text] = values;
          rows.push({ path, types, access, min, max, unit, text });
        } else if (event === "describe/value") {
          names.push(values[2]);
        } else if (event === "describe/end" && values[0] === path || event === "state") {
          this.link.listeners.delete(listener);
          resolve({ rows: rows.filter((row) => row.path.startsWith(path)), names });
        }
      };
      this.link.listeners.add(listener);
      this.link.send("describe", path);
    });
  }

  /** Ends all requests, since the connection was lost. */
  giveUp() { for (const { resolve } of this.waiting.splice(0)) resolve({ code: 0, text: "The connection was lost." }); }
}

"""#

private let sessionsJs = #"""
// Sessions, presets, and live edits that become a patch; asks before something is replaced.
import { confirmed } from "./dialogs.js";
import { List, button } from "./lists.js";

const find = (id) => document.getElementById(id);
/** Something of that name is there already, or the work is not possible now. */
const TAKEN = 409;

export class Sessions {
  constructor(link, notice) {
    Object.assign(this, { link, notice });
    this.list = new List(link, find("sessions"), "session", ([, name]) => this.entry(name));
    this.presets = new List(link, find("presets"), "preset", ([index, name]) => this.preset(index, name));
    this.names = new Map([["sessions", []], ["presets", []]]);
    onSubmit("save-session", (name) => this.save(name));
    onSubmit("save-preset", (name) => this.savePreset(name));
    onSubmit("save-patch", (name) => this.savePatch(name));
    find("save-now").addEventListener("click", () => this.save());
  }

  entry(name) {
    const entry = document.createElement("li"), load = button(name, null, () => this.load(name));
    load.dataset.control = "";
    entry.dataset.name = name;
    entry.append(load);
    return entry;
  }

  preset(index, name) {
    const entry = document.createElement("li");
    const load = button(name, null, () => this.link.send("preset/load", { i: index }));
    const remove = button("×", `Remove ${name}`, async () => {
      if (!await confirmed(`Remove the preset ${name}?`, "Remove")) return;
      this.link.send("preset/remove", name);
      setTimeout(() => this.presets.ask(), 150);
    });
    load.dataset.control = remove.dataset.control = "";
    entry.dataset.name = name;
    entry.append(load, remove);
    return entry;
  }

  has(list, name) { return [...list.element.children].some((entry) => entry.dataset.name === name); }

  /** Opens another session. Changes of this one are saved first; if that fails, the user decides. */
  async load(name) {
    if (name === this.link.get("session/name")) return;
    if (this.link.get("session/dirty") === 1) {
      const error = await this.link.requests.ask("session/save");
      if (error && !await confirmed(`The changes of this session are not saved, and may be lost: ${error.text}`, "Open the other")) return;
    }
    await this.carryOut("session/load", name);
  }

  async save(name) {
    const isOther = name && name !== this.link.get("session/name") && this.has(this.list, name);
    if (isOther && !await confirmed(`There is a session ${name} already.`, "Replace it")) return false;
    return this.carryOut("session/save", ...(name ? [name] : []));
  }

  async savePreset(name) {
    if (this.has(this.presets, name) && !await confirmed(`There is a preset ${name} already.`, "Replace it")) return false;
    this.link.send("preset/save", name);
    setTimeout(() => this.presets.ask(), 300);
    return true;
  }

  async savePatch(name) {
    const error = await this.link.requests.ask("patch/save", name);
    if (error?.code === TAKEN) {
      if (!await confirmed(`There is a patch ${name} already. Replace it, or take its place?`, "Replace it")) return false;
      return this.carryOut("patch/save", name, { i: 1 });
    }
    if (error) this.notice(error.text);
    else this.notice(`Saved as the patch ${name}.`);
    return !error;
  }

  /** @returns Whether it has succeeded. */
  async carryOut(path, ...values) {
    const error = await this.link.requests.ask(path, ...values);
    if (error) this.notice(error.text);
    this.list.ask();
    return !error;
  }

  show() {
    const name = this.link.get("session/name") ?? "", isDirty = this.link.get("session/dirty") === 1;
    const state = find("session-state");
    const text = name ? `${name}: ${isDirty ? "unsaved changes" : "saved"}` : "";
    if (state.textContent !== text) state.textContent = text;
    state.classList.toggle("dirty", isDirty);
    for (const entry of find("sessions").children) entry.setAttribute("aria-current", entry.dataset.name === name);
  }
}

/** Calls back with the name in a form, which is emptied once that has succeeded. */
function onSubmit(id, save) {
  find(id).addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = event.target.elements.name, name = field.value.trim();
    // Another name may have been written meanwhile.
    if (name && await save(name) && field.value.trim() === name) field.value = "";
  });
}

"""#

private let slideJs = #"""
// Moving something under a finger: by as much as the finger moves, so that a tap does nothing, and only once it clearly does not scroll the page.

/** Pixels that a finger moves before it moves anything. */
const SLOP = 8;

/**
 * @param area - Gets the pointers. Its `touch-action` lets a finger that moves up or down scroll the page.
 * @param hand - What is moved: `may()` says whether it can be; `begin()`; `move(across, down)` gets the pixels since it began; `end()`; `cancel()`
 *   puts it back. If `isFree(event)`, it may begin up or down as well.
 * @returns a function that ends a drag under way: the finger moves nothing more until it is put down again.
 */
export function slide(area, hand) {
  let drag = null;
  const finish = (event, how) => {
    if (event.pointerId !== drag?.pointer) return;
    const { hasBegun } = drag;
    drag = null;
    if (hasBegun) hand[how]();
  };
  area.addEventListener("pointerdown", (event) => {
    if (drag || event.button !== 0 || !hand.may()) return;
    drag = { pointer: event.pointerId, x: event.clientX, y: event.clientY, isFree: hand.isFree?.(event) ?? false, hasBegun: false };
    area.setPointerCapture(event.pointerId);
  });
  area.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.pointer) return;
    if (!drag.hasBegun) {
      const [across, down] = [event.clientX - drag.x, event.clientY - drag.y], distance = drag.isFree ? Math.hypot(across, down) : Math.abs(across);
      if (distance < SLOP || !drag.isFree && Math.abs(across) < Math.abs(down)) return;
      // It does not jump when it begins.
      drag.x += across * SLOP / distance;
      drag.y += down * SLOP / distance;
      drag.hasBegun = true;
      hand.begin();
    }
    hand.move(event.clientX - drag.x, event.clientY - drag.y);
  });
  area.addEventListener("pointerup", (event) => finish(event, "end"));
  for (const name of ["pointercancel", "lostpointercapture"]) area.addEventListener(name, (event) => finish(event, "cancel"));
  return () => { drag = null; };
}

/**
 * The same for a slider from 0 to 1, which is put into an element that gets the pointers in its place; keys still reach it.
 *
 * @param hand - As for `slide`, but `move` gets the slider's value.
 */
export function slideInput(input, { begin, move, end, cancel }) {
  const track = document.createElement("span");
  track.className = "track";
  input.replaceWith(track);
  track.append(input);
  let before = 0;
  return slide(track, {
    may: () => !input.disabled,
    begin: () => { before = Number(input.value); begin(); },
    move: (across) => {
      input.value = within(before + across / track.clientWidth);
      move(Number(input.value));
    },
    end,
    cancel: () => { input.value = before; cancel(before); },
  });
}

/** The value, or the nearest one from 0 to 1. */
export const within = (value) => Math.min(Math.max(value, 0), 1);

"""#

private let startJs = #"""
// Runs before the modules: if one of the page's files cannot be had, for example since the player has too many connections, the page asks for all of
// them again.
addEventListener("error", ({ target }) => {
  if (target.matches?.("script, [rel=stylesheet]")) setTimeout(() => location.reload(), 1000 + Math.random() * 2000);
}, true);

"""#

private let styleCss = #"""
:root {
  color-scheme: light dark;
  --paper: #f4f5f8; --card: #ffffff; --ink: #1b1d22; --soft: #565b66; --line: #d5d8df; --accent: #1f5fbf; --on-accent: #ffffff; --warm: #9a5200;
  --gap: 1rem;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #101216; --card: #191c22; --ink: #eceef2; --soft: #a7adb9; --line: #363b46; --accent: #82b1ff; --on-accent: #10203a; --warm: #ffb86b; }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
/* What has the focus is not behind the bar. */
html { scroll-padding-block: 1rem 6rem; }
@media (min-width: 160rem) { html { font-size: 22px; } }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--paper); color: var(--ink); font: 1rem/1.4 system-ui, sans-serif; padding: env(safe-area-inset-top) env(safe-area-inset-right) 0 env(safe-area-inset-left); }
header { display: flex; align-items: center; gap: 1rem; padding: .5rem var(--gap) 0; width: 100%; max-width: 110rem; margin: 0 auto; }
header h1 { flex: 1; }
h1 { font-size: 1rem; margin: 0; letter-spacing: .04em; }
h2 { font-size: 1rem; margin: 0 0 .5rem; }
h3 { font-size: 1rem; margin: .75rem 0 .25rem; }
#now h2 { font-size: 1.35rem; margin: 0; overflow-wrap: anywhere; }
p { margin: .25rem 0; }
p:empty { display: none; }
#connection, #subtitle, .times, #status, #session-state, #library-count, #listen-hint, small { color: var(--soft); }
small { font-size: .85rem; font-weight: normal; }
main { flex: 1; display: grid; gap: var(--gap); padding: var(--gap); grid-template-columns: minmax(0, 1fr); width: 100%; max-width: 110rem; margin: 0 auto; align-content: start; align-items: start; }
.column { display: grid; gap: var(--gap); min-width: 0; grid-template-columns: minmax(0, 1fr); }
section { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem; min-width: 0; }
@media (max-width: 30rem) { :root { --gap: .75rem; } section { padding: .75rem; } }
@media (min-width: 50rem) {
  main { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); grid-template-rows: auto 1fr; }
  .column:nth-child(2) { grid-column: 2; grid-row: 1 / span 2; }
}
@media (min-width: 100rem) {
  main { grid-template-columns: minmax(0, 4fr) minmax(0, 3fr) minmax(0, 3fr); grid-template-rows: auto; }
  .column:nth-child(2) { grid-row: 1; }
}
/* Old values are grey, and still have enough contrast to be read. */
.stale main, .stale footer { --ink: var(--soft); --accent: var(--soft); --warm: var(--soft); color: var(--soft); }
.stale #picture, .stale #meter, .stale .pad { opacity: .45; filter: grayscale(1); }
.stale #connection { color: var(--warm); font-weight: 600; }

/* Controls */
button, select, input:not([type=range]) { font: inherit; color: inherit; min-height: 2.75rem; min-width: 2.75rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); padding: 0 .75rem; }
button { cursor: pointer; touch-action: manipulation; }
button[aria-pressed=true], .main { background: var(--accent); color: var(--on-accent); border-color: var(--accent); }
button:disabled, select:disabled, input:disabled { opacity: .4; cursor: default; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
select { text-overflow: ellipsis; }
summary { min-height: 2.75rem; display: flex; align-items: center; gap: .5rem; cursor: pointer; color: var(--accent); }
summary::before { content: "▸"; }
[open] > summary::before { content: "▾"; }
summary::-webkit-details-marker { display: none; }
input[type=range] { width: 100%; min-width: 0; height: 2.75rem; margin: 0; accent-color: var(--accent); background: transparent; }
/* The pointers of a slider: a finger that moves up or down scrolls the page. */
.track { display: block; min-width: 0; touch-action: pan-y; cursor: ew-resize; }
.track input { display: block; pointer-events: none; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; justify-content: end; }
.fader { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr) 4.75rem; gap: .5rem; align-items: center; }
.fader output { text-align: right; color: var(--soft); font-variant-numeric: tabular-nums; white-space: nowrap; }
.fader select { grid-column: 2 / span 2; }
.choices { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: .5rem .75rem; margin-top: .75rem; }
.choices label { display: grid; gap: .15rem; color: var(--soft); }
.choices select { width: 100%; color: var(--ink); }
form { display: flex; gap: .5rem; align-items: end; margin-top: .5rem; }
form label { flex: 1; min-width: 0; color: var(--soft); }
form input { width: 100%; color: var(--ink); }

/* Now playing */
#picture { position: relative; margin: .5rem 0; cursor: pointer; }
#course { display: block; width: 100%; border-radius: .5rem; }
#playhead { position: absolute; top: 0; bottom: 0; width: 2px; margin-left: -1px; background: var(--warm); pointer-events: none; }
#marks { position: absolute; inset: 0; pointer-events: none; }
#bookmarks { position: absolute; inset: 0; pointer-events: none; }
#course[hidden] ~ #bookmarks { display: none; }
#bookmarks i { position: absolute; top: 0; width: .6rem; height: .8rem; margin-left: -.3rem; background: var(--accent); clip-path: polygon(0 0, 100% 0, 100% 100%, 50% 70%, 0 100%); }
#marks i { position: absolute; bottom: 0; width: 0; margin-left: -.35rem; border: .35rem solid transparent; border-top-width: 0; border-bottom: .55rem solid var(--warm); }
#handles { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: pan-y; overflow: hidden; }
#handles .reach { fill: transparent; stroke: none; }
#handles circle:not(.reach) { fill: var(--card); stroke: var(--accent); stroke-width: 3; cursor: move; }
#handles path { fill: var(--warm); stroke: var(--warm); stroke-width: 1; cursor: ew-resize; }
#handles .cue { fill: var(--card); }
#handles .selected, #handles circle.selected { fill: var(--accent); }
#handles text { fill: var(--ink); font-weight: 600; paint-order: stroke; stroke: var(--card); stroke-width: 4px; pointer-events: none; }
#course-form { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) minmax(0, 2fr) auto; margin-bottom: .5rem; }
#course-form select { width: 100%; color: var(--ink); }
#course-fault { grid-column: 1 / -1; color: var(--warm); }
input[aria-invalid=true] { border-color: var(--warm); }
@media (max-width: 40rem) { #course-form { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) auto; } #course-form label:first-child { grid-column: 1 / -1; } }
/* A row that is scrolled, or two rows where there is room. */
#chapters { list-style: none; display: flex; gap: .5rem; overflow-x: auto; padding: 3px .75rem; margin: 0 -.75rem; scrollbar-width: none; mask-image: linear-gradient(90deg, transparent, #000 .75rem, #000 calc(100% - .75rem), transparent); }
@media (min-width: 50rem) and (min-height: 40rem) { #chapters { flex-wrap: wrap; max-height: 7rem; overflow-y: auto; scrollbar-width: thin; } }
#chapters button { white-space: nowrap; }
#bookmark-box { display: flex; gap: .5rem; margin-top: .25rem; }
#bookmark-list { list-style: none; display: flex; gap: .5rem; overflow-x: auto; padding: 3px; margin: -3px 0; scrollbar-width: none; }
#bookmark-list button { display: flex; align-items: center; gap: .25rem; white-space: nowrap; font-variant-numeric: tabular-nums; }
#bookmark-list svg { width: 1rem; height: 1rem; fill: var(--accent); flex: none; }
#bookmark-box > button { font-size: 1.35rem; line-height: 1; }
#chapters [aria-current=true] { border-color: var(--accent); color: var(--accent); font-weight: 600; }
.times { display: flex; justify-content: space-between; gap: 1rem; font-variant-numeric: tabular-nums; margin-top: 0; }
.tools { display: grid; grid-template-columns: repeat(5, minmax(0, 1fr)); gap: .35rem; max-width: 28rem; margin: .5rem auto; }
.tools button { min-width: 0; display: grid; justify-items: center; gap: .15rem; padding: .4rem 0; font-size: .7rem; }
.tools svg { width: 1.35rem; height: 1.35rem; fill: currentColor; }
#rating { display: flex; justify-content: center; }
#rating button { border: 0; padding: 0; font-size: 1.5rem; line-height: 1; color: var(--line); background: none; -webkit-text-stroke: 1px var(--soft); }
#rating .lit { color: var(--warm); -webkit-text-stroke-color: var(--warm); }
#master h2 { display: flex; justify-content: space-between; align-items: center; margin: 0; }
#meter { width: 100%; height: 28px; display: block; margin-top: .25rem; border-radius: .25rem; }

.listening { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; justify-content: center; margin-top: .5rem; }
#listen-hint { font-size: .85rem; text-align: center; }

/* Layers */
.layer { border-top: 1px solid var(--line); padding: .75rem 0 .25rem; }
.layer:first-child { border-top: 0; padding-top: 0; }
.layer details[open] > button { margin-bottom: .5rem; }
.layer h3 { margin: 0; display: flex; align-items: center; gap: .5rem; }
.layer h3 span { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.pad { position: relative; height: 11rem; border: 1px solid var(--line); border-radius: .5rem; touch-action: pan-y; cursor: move; margin: .25rem 0 .75rem; background: linear-gradient(var(--line), var(--line)) center / 100% 1px no-repeat, linear-gradient(var(--line), var(--line)) center / 1px 100% no-repeat; }
.pad i { position: absolute; width: 1.75rem; height: 1.75rem; margin: -.875rem; border-radius: 50%; background: var(--accent); touch-action: none; }
.pad i::after { content: ""; position: absolute; inset: -.5rem; }
.pad span { position: absolute; right: .5rem; bottom: .25rem; color: var(--soft); font-size: .85rem; pointer-events: none; }
.pad span + span { right: auto; left: .5rem; bottom: auto; top: .25rem; }

/* Lists */
#queue, #presets, #sessions, #library, #log, #peers { list-style: none; padding: 0; margin: 0; }
main li { overflow-wrap: anywhere; }
#queue li, #presets li, #sessions li, #library li { display: flex; gap: .25rem; align-items: center; border-top: 1px solid var(--line); padding: .25rem 0; }
#queue li:first-child, #presets li:first-child, #sessions li:first-child, #library li:first-child { border-top: 0; }
#queue li > button:first-child, #presets li > button:first-child, #sessions li > button { flex: 1; text-align: left; border: 0; min-width: 0; padding: 0 .25rem; background: none; overflow-wrap: anywhere; }
li[aria-current=true] > button:first-child { color: var(--accent); font-weight: 600; }
#library { max-height: 24rem; overflow-y: auto; margin-top: .5rem; }
#library span { flex: 1; min-width: 0; display: grid; padding-left: 3px; }
#library button { margin-right: 3px; }
#log li, #peers li { padding: .25rem 0; }
.dirty { color: var(--warm); }

/* The bar with the transport stays in reach of the thumb. */
footer { position: sticky; bottom: 0; z-index: 1; background: var(--card); border-top: 1px solid var(--line); padding: .4rem .5rem calc(.4rem + env(safe-area-inset-bottom)); }
#transport { display: flex; justify-content: center; gap: .5rem; }
#transport button { width: 3.25rem; height: 3.25rem; border-radius: 50%; padding: .7rem; -webkit-touch-callout: none; user-select: none; }
#transport svg { display: block; width: 100%; height: 100%; fill: currentColor; }
#toggle .pause, #toggle.playing .play { display: none; }
#toggle.playing .pause { display: inline; }
#toast { position: absolute; bottom: 100%; left: 50%; translate: -50% -.75rem; width: max-content; max-width: min(40rem, calc(100vw - 2rem)); margin: 0; padding: .6rem 1rem; border-radius: .5rem; background: var(--ink); color: var(--paper); overflow-wrap: anywhere; }
@media (max-height: 30rem) { #transport button { width: 2.75rem; height: 2.75rem; padding: .55rem; } footer { padding-block: .25rem; } html { scroll-padding-block: .5rem 4rem; } }

dialog { border: 1px solid var(--line); border-radius: .75rem; background: var(--card); color: var(--ink); width: min(28rem, calc(100vw - 2rem)); max-height: calc(100dvh - 2rem); overflow-y: auto; }
dialog::backdrop { background: rgb(0 0 0 / .5); }
dialog .row { margin-top: 1rem; }
#keys { display: grid; grid-template-columns: auto 1fr; gap: .4rem 1rem; margin: 0 0 1rem; }
#keys dd { margin: 0; }
kbd { font: inherit; border: 1px solid var(--line); border-radius: .3rem; padding: 0 .4rem; margin-right: .25rem; }
@media (prefers-reduced-motion: reduce) { #meter { display: none; } * { scroll-behavior: auto !important; transition: none !important; animation: none !important; } }

"""#

private let timeJs = #"""
/** Seconds as minutes and seconds, or with hours. */
export function clock(seconds) {
  const whole = Math.floor(seconds), two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** A span of time in one unit. */
export function span(seconds) {
  for (const [size, unit] of [[86400, "d"], [3600, "h"], [60, "min"]]) if (seconds >= size) return `${Math.floor(seconds / size)} ${unit}`;
  return `${Math.floor(seconds)} s`;
}

/** The seconds of a text such as 90, 1:30, 1:30.5 or 1:02:03; NaN if it has another form. */
export function seconds(text) {
  const parts = text.trim().split(":");
  if (parts.length > 3 || parts.some((part) => !/^\d+(\.\d+)?$/.test(part))) return NaN;
  return parts.reduce((sum, part) => sum * 60 + Number(part), 0);
}

"""#

/// The files of the panel by name.
enum WebFiles {
    static let all: [String: String] = [
        "app.js": appJs,
        "axes.js": axesJs,
        "bookmarks.js": bookmarksJs,
        "chapters.js": chaptersJs,
        "course.js": courseJs,
        "dialogs.js": dialogsJs,
        "faders.js": fadersJs,
        "icon.svg": iconSvg,
        "index.html": indexHtml,
        "keys.js": keysJs,
        "layers.js": layersJs,
        "library.js": libraryJs,
        "link.js": linkJs,
        "listen.js": listenJs,
        "lists.js": listsJs,
        "meter.js": meterJs,
        "now.js": nowJs,
        "osc.js": oscJs,
        "peers.js": peersJs,
        "proof.js": proofJs,
        "rating.js": ratingJs,
        "requests.js": requestsJs,
        "sessions.js": sessionsJs,
        "slide.js": slideJs,
        "start.js": startJs,
        "style.css": styleCss,
        "time.js": timeJs,
    ]
}
