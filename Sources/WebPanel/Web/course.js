// The chapters, cues and points of the course are dragged on its drawing, or set in numbers.
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
const VIEWS = { carrier: "carrier", beat: "beat", pulseRate: "beat", gain: "gain" };
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
  constructor(link, drawing) {
    Object.assign(this, { link, drawing, box: find("course-box"), handles: find("handles"), choice: find("course-choice"), axes: null, drag: null });
    // Those of the handles by their identities, and the text beside the one that is dragged.
    Object.assign(this, { shapes: new Map(), label: shape("text") });
    const asked = () => (this.box.open ? [] : null), finished = () => { this.reselect(); this.keepDrag(); this.show(); };
    this.places = new List(link, find("course-places"), "course/place", (values) => this.option(this.place(values)), finished, asked);
    this.points = new List(link, find("course-points"), "course/point", (values) => this.option(point(values)), finished, asked);
    link.listen((event, values) => {
      if (event === "course" || event === "course view") {
        // In another view a point is somewhere else.
        if (values?.view !== this.axes?.view) this.cancel();
        this.axes = values;
        this.show();
      }
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
      if (["course/revision", "state"].includes(event)) this.show();
    });
    this.box.addEventListener("toggle", () => { this.ask(); this.show(); });
    this.choice.addEventListener("change", () => { this.kept = identity(this.selected); this.complain(""); this.showSelected(); this.show(); });
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
    find("course").addEventListener("click", (event) => { if (this.wasHit && this.box.open) event.stopPropagation(); this.wasHit = false; }, { capture: true });
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

  // MARK: The drawing

  /** Draws the parameter of the point that was chosen, at a time at which it is seen. */
  showSelected() {
    const { selected } = this;
    if (selected?.parameter) this.drawing.show(VIEWS[selected.parameter]);
    if (selected) this.drawing.reveal(selected.time);
  }

  /** Where a handle is, in pixels from the top left of the drawing; null if the drawing does not show it. */
  spot(handle) {
    const { width, height } = this.handles.getBoundingClientRect(), { axes } = this;
    const y = handle.parameter ? axes.y(VIEWS[handle.parameter], handle.value) : axes.top;
    return y === undefined || !axes.shows(handle.time) ? null : { x: axes.x(handle.time) * width, y: y * height };
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
    // Neither a handle nor a finger beside one that is dragged moves the position.
    if (this.wasHit || this.drag) event.stopPropagation();
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
      const value = axes.value((drag.spot.y + down) / height);
      // The bottom of the levels is off.
      const isOff = drag.handle.parameter === "gain" && value <= axes.value(1);
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
