// The course of what plays, drawn from the player's numbers: one parameter at a time, what has passed bright and what comes dim.
import { Axes, viewOf } from "./axes.js";
import { CourseHand } from "./course-hand.js";
import { CourseSource } from "./course-source.js";
import { text as valueText } from "./layers.js";
import { clock } from "./time.js";

/** Pixels at the sides, above the lines, and below them for the marks and the times. */
const SIDE = 10, ABOVE = 16, LANE = 18, BELOW = 36;
/** Pixels around a mark in which a tap means it, and above the lane in which it means a bookmark. */
const NEAR = 14, ABOVE_LANE = 12;
/** Pixels that the label of a time needs. */
const LABEL = 76;
/** How far the time axis can be zoomed, and the seconds that it shows at least, if there are as many. */
const ZOOM = 400, LEAST = 2;
/** The part of the drawing in which the playhead comes up again after it has left it. */
const FOLLOWED = 0.1;
/** Layers that are named beside the drawing, and those below whose lines the area is tinted. */
const NAMED = 4, TINTED = 2;
/** Colours of layers, which begin again after so many. */
const TINTS = 10;
const BANDS = [["delta", 0, 4], ["theta", 4, 8], ["alpha", 8, 13], ["beta", 13, 30], ["gamma", 30, 100]];
const NAMES = { carrier: "Pitch", gain: "Level", pan: "Balance" };
const RATES = { pulseRate: "pulses", amRate: "AM", spinRate: "spin", orbitRate: "orbit" };
/** dBFS at the bottom of the levels, and the Hz below which a rate is slow. */
const FLOOR = -72, SLOW = 2;
/** Seconds between two times that are written. */
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 604800];
const NAMESPACE = document.querySelector("svg").namespaceURI;

export class CourseDrawing {
  /** @param now - What plays: its position can be looked for, and sought. */
  constructor(link, now) {
    Object.assign(this, { link, now, course: null, axes: null, views: new Map(), bookmarks: [], position: 0, span: null });
    this.build(document.getElementById("picture"));
    this.source = new CourseSource(link, (course) => this.take(course));
    const search = {
      may: () => link.mayControl && now.duration > 0 && this.axes,
      begin: () => { this.before = this.position; },
      move: (across) => this.search(this.before + across / this.width / (this.axes.right - this.axes.left) * (this.axes.to - this.axes.from)),
      end: () => { this.label.hidden = true; now.endSearch(true); },
      cancel: () => { this.label.hidden = true; now.endSearch(false); },
    };
    this.hand = new CourseHand(this.area, this, search);
    new ResizeObserver(() => { this.render(); link.notify("course view", this.axes); }).observe(this.svg);
  }

  build(section) {
    const html = (name, id, ...content) => {
      const made = Object.assign(document.createElement(name), { id });
      made.append(...content);
      return made;
    };
    this.choice = html("select", "course-view");
    this.choice.setAttribute("aria-label", "Parameter that is drawn");
    this.choice.addEventListener("change", () => this.show(this.choice.value));
    this.legend = html("ul", "course-legend");
    this.buttons = [["−", "Zoom out", 2], ["+", "Zoom in", 0.5]].map(([sign, label, factor]) => {
      const made = html("button", factor > 1 ? "course-out" : "course-in", sign);
      made.setAttribute("aria-label", label);
      made.title = label;
      made.addEventListener("click", () => { if (this.axes) this.zoom(this.focus, (this.axes.to - this.axes.from) * factor, this.axes.x(this.focus)); });
      return made;
    });
    this.head = html("div", "course-head", this.choice, this.legend, ...this.buttons);
    this.svg = svg("svg", { id: "course-drawing", role: "img" });
    this.handles = svg("svg", { id: "handles", "aria-hidden": "true", hidden: "" });
    this.label = html("p", "course-label");
    this.label.hidden = true;
    this.label.setAttribute("aria-hidden", "true");
    this.area = html("div", "course", this.svg, this.handles, this.label);
    this.area.hidden = this.head.hidden = true;
    section.append(this.head, this.area);
  }

  get width() { return this.svg.clientWidth; }
  get height() { return this.svg.clientHeight; }

  /** Pixels by which the playhead moves in a second of the timeline. */
  get speed() { return this.axes ? this.width * (this.axes.right - this.axes.left) / (this.axes.to - this.axes.from) : 0; }

  /** The time around which the buttons zoom: the position, or the middle if that is not shown. */
  get focus() { return this.axes.shows(this.position) ? this.position : (this.axes.from + this.axes.to) / 2; }

  /** Asks for the course if it may have changed. */
  look() { this.source.look(); }

  take(course) {
    const isOther = this.item !== this.link.get("now/id") || course?.end !== this.course?.end;
    this.item = this.link.get("now/id");
    this.views = course?.layers ? viewsOf(course) : new Map();
    this.course = this.views.size ? course : null;
    if (isOther) {
      this.span = null;
      this.hand.giveUp();
    }
    this.area.hidden = this.head.hidden = !this.course;
    const options = [...this.views].map(([view, { title }]) => new Option(title, view)), isSame = options.every(({ text, value }, index) => (
      text === this.choice[index]?.text && value === this.choice[index].value));
    // A list that is open would be closed.
    if (!isSame || options.length !== this.choice.length) this.choice.replaceChildren(...options);
    this.render();
    this.link.notify("course", this.axes);
  }

  /** Draws another view, and later ones of the same kind if there are. */
  show(view) {
    this.wanted = view;
    if (view === this.view || !this.views.has(view)) return;
    this.render();
    this.link.notify("course view", this.axes);
  }

  // MARK: Drawing

  /** Draws everything, since the course, the view or the size is another one. */
  render() {
    this.axes = null;
    if (!this.course || !this.width) return;
    this.view = this.views.has(this.wanted) ? this.wanted : this.views.keys().next().value;
    this.choice.value = this.view;
    const { lines, title } = this.views.get(this.view), range = rangeOf(this.view, lines);
    this.scale = { view: this.view, ...range };
    this.setAxes();
    const { width, height } = this, [top, bottom] = [this.axes.top * height, this.axes.bottom * height];
    const y = (value) => (this.axes.y(this.view, value) * height).toFixed(2);
    this.curves = svg("g", { id: "course-lines", class: lines.length > 8 ? "many" : "" }, ...lines.flatMap((line, index) => {
      const outlines = line.pieces.map((piece) => outline(piece, y)), tint = `tint-${line.layer % TINTS}`;
      const areas = lines.length > TINTED ? [] : line.pieces.map((piece, place) => svg("path", {
        class: `area ${tint}`, fill: `url(#course-tint-${index})`, d: `${outlines[place]}V${bottom}H${piece[0]}Z`,
      }));
      return [...areas, svg("path", { class: `line ${tint}`, d: outlines.join("") })];
    }));
    this.lane = svg("g", { id: "marks" });
    this.flags = svg("g", { id: "bookmarks" });
    this.times = svg("g", { class: "times" });
    const rest = (x) => svg("rect", { x, y: 0, width: 1e4, height });
    this.edges = [rest(-1e4), rest(0)];
    this.dot = svg("circle", { r: 5 });
    this.playhead = svg("g", { id: "playhead" }, svg("path", { d: `M0 ${top - 8}V${height - BELOW + LANE}` }), this.dot);
    const { rules, values } = scale(this.view, this.axes, range, this.views.get(this.view).unit, width, height);
    const sides = ["past", "future"].map((side) => svg("g", { "clip-path": `url(#course-${side}-clip)` },
      svg("g", { class: side }, svg("use", { href: "#course-lines", "clip-path": "url(#course-window-clip)" }), svg("use", { href: "#marks" }))));
    this.svg.replaceChildren(
      svg("defs", {},
        svg("clipPath", { id: "course-window-clip" }, svg("rect", { x: SIDE, y: 0, width: Math.max(width - 2 * SIDE, 0), height })),
        ...["past", "future"].map((side, index) => svg("clipPath", { id: `course-${side}-clip` }, this.edges[index])),
        ...lines.slice(0, TINTED).map(({ layer }, index) => svg("linearGradient", {
          id: `course-tint-${index}`, class: `tint-${layer % TINTS}`, gradientUnits: "userSpaceOnUse", x1: 0, x2: 0, y1: top, y2: bottom,
        }, svg("stop", { offset: 0, "stop-opacity": 0.4 }), svg("stop", { offset: 1, "stop-opacity": 0.04 }))),
        this.curves, this.lane),
      rules, ...sides.reverse(), values, this.flags, this.times, this.playhead);
    this.svg.setAttribute("aria-label", words(title, lines, this.views.get(this.view).unit, this.course));
    this.legend.replaceChildren(...names(lines, this.course.moreLayers));
    this.place();
  }

  /**
   * Draws the lines into the middle of a square canvas.
   * @param side - Pixels.
   * @returns Whether there are any yet.
   */
  drawOn(pen, side) {
    if (!this.axes) return false;
    const { a, e } = this.curves.transform.baseVal.consolidate().matrix, scale = side / this.width;
    pen.fillStyle = getComputedStyle(document.body).backgroundColor;
    pen.fillRect(0, 0, side, side);
    pen.lineWidth = side / 128;
    for (const line of this.curves.querySelectorAll(".line")) {
      const path = new Path2D();
      path.addPath(new Path2D(line.getAttribute("d")), new DOMMatrix([a * scale, 0, 0, scale, e * scale, (side - this.height * scale) / 2]));
      pen.strokeStyle = getComputedStyle(line).stroke;
      pen.stroke(path);
    }
    return true;
  }

  setAxes() {
    const { width, height } = this, { from, to } = this.span ?? { from: 0, to: this.course.end };
    this.axes = new Axes(this.scale, { from, to, end: this.course.end },
      { left: SIDE / width, right: 1 - SIDE / width, top: ABOVE / height, bottom: 1 - BELOW / height });
  }

  /** Places what depends on the time that is shown. */
  place() {
    this.setAxes();
    const { axes, width, height, course } = this, lane = height - BELOW + LANE / 2 + 1, x = (seconds) => axes.x(seconds) * width;
    const pixels = (axes.right - axes.left) * width / (axes.to - axes.from);
    this.curves.setAttribute("transform", `translate(${axes.left * width - axes.from * pixels} 0) scale(${pixels} 1)`);
    this.lane.replaceChildren(...course.chapters.filter(([start, , over]) => axes.to >= start && axes.from <= start + (over ?? 0)).flatMap(([start, , over]) => {
      const dot = svg("circle", { cx: x(start), cy: lane, r: 3.5 });
      return over ? [svg("rect", { x: x(start), y: lane - 2, width: Math.max(over * pixels, 0), height: 4, rx: 2 }), dot] : [dot];
    }));
    this.placeBookmarks();
    this.times.replaceChildren(...times(axes, course, width, height));
    this.buttons[0].disabled = !this.span;
    this.buttons[1].disabled = axes.to - axes.from <= this.least;
    this.placed = undefined;
    this.moveTo(this.position);
  }

  placeBookmarks() {
    const { axes, width, height } = this, top = height - BELOW - 3;
    this.flags.replaceChildren(...this.bookmarks.filter((time) => axes.shows(time)).map((time) => (
      svg("path", { d: `M${(axes.x(time) * width).toFixed(2)} ${top}m-4.5 0h9v13l-4.5 -3.5l-4.5 3.5z` }))));
  }

  showBookmarks(times) {
    this.bookmarks = times;
    if (this.axes) this.placeBookmarks();
  }

  /** Moves the playhead to a position in seconds. */
  moveTo(seconds) {
    this.position = seconds;
    if (!this.axes) return;
    this.follow();
    const { axes, width, height } = this, time = Math.min(seconds, axes.end), x = (axes.x(time) * width).toFixed(1);
    if (x === this.placed) return;
    this.placed = x;
    for (const edge of this.edges) edge.setAttribute("transform", `translate(${x} 0)`);
    this.playhead.setAttribute("transform", `translate(${x} 0)`);
    this.playhead.toggleAttribute("hidden", !axes.shows(time));
    const line = this.views.get(this.view).lines.map(({ pieces }) => placeAt(pieces, time, (value) => axes.y(this.view, value))).find((y) => y !== null);
    this.dot.toggleAttribute("hidden", line === undefined);
    if (line !== undefined) this.dot.setAttribute("cy", (line * height).toFixed(1));
  }

  // MARK: The time that is shown

  get least() { return Math.max(this.course.end / ZOOM, Math.min(this.course.end, LEAST)); }

  /**
   * Shows so many seconds, with a time at that place of the drawing.
   *
   * @returns whether that changes anything.
   */
  zoom(time, seconds, place) {
    const { axes, course: { end } } = this, span = Math.min(Math.max(seconds, this.least), end);
    return this.showSpan(time - (place - axes.left) / (axes.right - axes.left) * span, span);
  }

  /** Shows what comes so many seconds later. @returns whether there is any. */
  pan(seconds) { return this.span !== null && this.showSpan(this.axes.from + seconds, this.axes.to - this.axes.from); }

  showSpan(start, span) {
    const { end } = this.course, from = Math.min(Math.max(start, 0), end - span);
    if (Math.abs(from - this.axes.from) < 1e-9 * end && Math.abs(from + span - this.axes.to) < 1e-9 * end) return false;
    this.span = span < end ? { from, to: from + span } : null;
    this.setAxes();
    this.wasShown = this.axes.shows(Math.min(this.position, end));
    this.place();
    this.link.notify("course view", this.axes);
    return true;
  }

  /** Shows a time that the zoom leaves out. */
  reveal(time) {
    if (!this.axes || this.axes.shows(time)) return;
    const span = this.axes.to - this.axes.from;
    this.showSpan(time - span / 2, span);
  }

  /** Shows the playhead again after it has left the time that is shown. */
  follow() {
    const { axes } = this, time = Math.min(this.position, axes.end), isShown = axes.shows(time), hasLeft = this.wasShown && !isShown;
    this.wasShown = isShown;
    if (!hasLeft || !this.span) return;
    const span = axes.to - axes.from;
    this.showSpan(time - span * FOLLOWED, span);
  }

  // MARK: Taps and drags

  /** Goes to a bookmark or a chapter near a tap, in pixels from the top left, or else to its time. */
  tap(x, y) {
    const { axes, width, height, now } = this;
    if (!axes || !this.link.mayControl || !now.duration) return;
    const isOnLane = y >= height - BELOW - ABOVE_LANE;
    const mark = (isOnLane ? this.nearest(this.bookmarks, x) : undefined) ?? this.nearest(this.course.chapters.map(([start]) => start), x);
    const part = (x / width - axes.left) / (axes.right - axes.left);
    if (mark !== undefined) this.link.send("position", mark);
    else if (part >= 0 && part <= 1) this.link.send("position", axes.seconds(x / width));
  }

  /** The time whose mark is near that many pixels from the left. */
  nearest(times, x) {
    const distance = (time) => Math.abs(this.axes.x(time) * this.width - x);
    const nearest = times.reduce((best, time) => (best === undefined || distance(time) < distance(best) ? time : best), undefined);
    return nearest !== undefined && distance(nearest) <= NEAR ? nearest : undefined;
  }

  search(seconds) {
    const time = Math.min(Math.max(seconds, 0), this.now.duration), chapter = this.course.chapters.findLast(([start]) => start <= time);
    this.now.search(time);
    const name = document.createElement("bdi"), x = this.axes.x(time);
    name.textContent = chapter?.[1] ?? "";
    this.label.replaceChildren(clock(time), ...(name.textContent ? [" · ", name] : []));
    this.label.hidden = false;
    // Beside the playhead, on the side that has more room.
    this.label.style.left = x < 0.5 ? `${x * 100}%` : "auto";
    this.label.style.right = x < 0.5 ? "auto" : `${(1 - x) * 100}%`;
  }
}

// MARK: Views

/** The views of a course in the order in which they are offered, with their titles, units and lines; those of layers that coincide are one. */
function viewsOf({ layers, units }) {
  const views = new Map(["beat", "carrier", "gain"].map((view) => [view, { parameters: new Set(), lines: new Map() }]));
  layers.forEach(({ name, lines }, layer) => {
    const rates = Object.keys(lines).filter((parameter) => viewOf(parameter, units[parameter]) === "beat");
    for (const [parameter, pieces] of Object.entries(lines)) {
      const key = viewOf(parameter, units[parameter]), shape = JSON.stringify(pieces);
      if (!views.has(key)) views.set(key, { parameters: new Set(), lines: new Map() });
      const view = views.get(key), title = key === "beat" && rates.length > 1 ? `${name} ${RATES[parameter] ?? parameter}` : name;
      view.unit = units[parameter];
      view.parameters.add(parameter);
      if (view.lines.has(shape)) view.lines.get(shape).names.push(title);
      else view.lines.set(shape, { names: [title], layer, pieces });
    }
  });
  return new Map([...views].filter(([, { lines }]) => lines.size).map(([view, { parameters, unit, lines }]) => (
    [view, { title: view === "beat" ? rateTitle(parameters) : NAMES[view] ?? caption(view), unit, lines: [...lines.values()] }])));
}

function rateTitle(parameters) {
  const names = [["Beat", ["beat"]], ["Pulses", ["pulseRate", "amRate"]], ["Rotation", ["spinRate", "orbitRate"]]]
    .filter(([, kinds]) => kinds.some((kind) => parameters.has(kind))).map(([name]) => name);
  return names.map((name, index) => (index ? name.toLowerCase() : name)).join(", ");
}

function caption(name) {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0].toUpperCase() + words.slice(1);
}

/** The values at the bottom and at the top of a view, with room to drag them: beats up to the alpha band, unless all are as slow as rotations. */
function rangeOf(view, lines) {
  if (view === "gain") return { low: FLOOR, high: 0 };
  let [least, most] = [Infinity, -Infinity];
  for (const { pieces } of lines) {
    for (const piece of pieces) for (let index = 1; index < piece.length; index += 2) [least, most] = [Math.min(least, piece[index]), Math.max(most, piece[index])];
  }
  if (view === "beat") {
    const isSlow = Math.max(most, -least) < SLOW, room = isSlow ? 1 : least < 0 ? 4 : BANDS[2][2];
    return { low: least < 0 ? Math.min(least * 1.35, -1) : 0, high: Math.max(most * 1.35, room) };
  }
  if (view === "carrier") {
    // At least ten semitones, so that a small step does not look large.
    const middle = Math.sqrt(least * most), spread = Math.max(most / middle * 2 ** (3 / 12), 2 ** (5 / 12));
    return { low: middle / spread, high: middle * spread };
  }
  const margin = (most - least) * 0.15 || 1;
  return { low: least - margin, high: most + margin };
}

// MARK: Shapes

function svg(name, attributes = {}, ...content) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}

function outline(piece, y) {
  let path = "";
  for (let index = 0; index < piece.length; index += 2) path += `${index ? "L" : "M"}${piece[index]} ${y(piece[index + 1])}`;
  return path;
}

/** The place of a line at a time, between its points; null where it is not drawn. */
function placeAt(pieces, time, place) {
  for (const piece of pieces) {
    if (time < piece[0] || time > piece.at(-2)) continue;
    let index = 2;
    while (index < piece.length - 2 && piece[index] < time) index += 2;
    const [start, end] = [piece[index - 2], piece[index]], part = end > start ? (time - start) / (end - start) : 1;
    const [low, high] = [place(piece[index - 1]), place(piece[index + 1])];
    return low + part * (high - low);
  }
  return null;
}

/** The bands of beats with their names at the right, or lines at round values, with the values at the left, which lie above the course. */
function scale(view, axes, { low, high }, unit, width, height) {
  const y = (value) => axes.y(view, value) * height, group = svg("g", { class: "scale" }), values = svg("g", { class: "scale" });
  const write = (text, x, place, side) => {
    const made = svg("text", { x, y: place.toFixed(1), class: side });
    made.textContent = text;
    values.append(made);
  };
  const bounds = [0, ...BANDS.map(([, , end]) => end)].filter((value) => value >= low && value < high);
  const edges = view === "beat" && bounds.length > 1 ? bounds : round(view, low, high);
  if (view === "beat") {
    BANDS.forEach(([name, start, end], index) => {
      if (end <= low || start >= high) return;
      const [top, bottom] = [y(Math.min(end, high)), y(Math.max(start, low))];
      if (index % 2) group.append(svg("rect", { x: 0, y: top, width, height: Math.max(bottom - top, 0) }));
      if (bottom - top >= 15) write(name, width - SIDE, (top + bottom) / 2 + 4, "right");
    });
  }
  let last = Infinity;
  for (const value of edges) {
    const place = y(value);
    group.append(svg("path", { d: `M0 ${place.toFixed(1)}H${width}` }));
    if (last - place < 14 || place < 12) continue;
    last = place;
    write(view === "gain" && value <= FLOOR ? "off" : `${Number(value.toPrecision(4))}${unit ? ` ${unit}` : ""}`.replace("-", "−"), SIDE, place - 3, "left");
  }
  return { rules: group, values };
}

/** Round values between two others, ascending. */
function round(view, low, high) {
  if (view === "carrier") {
    const found = [];
    for (const steps of [[1, 2, 5], [1, 1.5, 2, 3, 5, 7], [1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9]]) {
      found.length = 0;
      for (let power = 0; power < 5; power += 1) found.push(...steps.map((step) => step * 10 ** power).filter((value) => value > low && value < high));
      if (found.length > 1) break;
    }
    return found;
  }
  const wanted = (high - low) / 4, power = 10 ** Math.floor(Math.log10(wanted)), step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= wanted);
  if (view === "gain") return [-72, -60, -40, -20];
  const first = Math.ceil(low / step), count = Math.ceil(high / step) - first;
  return Array.from({ length: Math.min(Math.max(count, 0), 20) }, (_, index) => (first + index) * step);
}

function times(axes, course, width, height) {
  const pixels = (axes.right - axes.left) * width, span = axes.to - axes.from;
  const step = STEPS.find((each) => span / each * LABEL <= pixels) ?? Math.max(span / 3, STEPS.at(-1));
  const digits = step < 0.1 ? 2 : step < 1 ? 1 : 0, last = course.endless && axes.to >= axes.end ? "without end →" : course.loops && axes.to >= axes.end ? "from the start ↻" : "";
  const found = [], room = width - (last ? 2 * LABEL : SIDE);
  for (let time = Math.ceil(axes.from / step - 1e-9) * step; time <= axes.to + step * 1e-9; time += step) {
    const x = axes.x(time) * width, text = clock(time + 1e-6) + (digits ? (time % 1 + 1e-6).toFixed(digits).slice(1) : "");
    if (x > room) break;
    found.push({ x, text, side: x < LABEL / 3 ? "left" : x > width - LABEL / 3 ? "right" : "middle" });
  }
  if (last) found.push({ x: width - SIDE, text: last, side: "right" });
  return found.map(({ x, text, side }) => {
    const made = svg("text", { x: (side === "left" ? SIDE : side === "right" ? width - SIDE : x).toFixed(1), y: height - 5, class: side });
    made.textContent = text;
    return made;
  });
}

// MARK: Words

function names(lines, more) {
  const shown = lines.slice(0, NAMED), rest = lines.length - shown.length;
  return [...shown.map(({ names, layer }) => ({ text: names.slice(0, 3).join(", ") + (names.length > 3 ? ` +${names.length - 3}` : ""), tint: `tint-${layer % TINTS}` })),
    ...(rest || more ? [{ text: `+${rest + more}`, tint: "" }] : [])].map(({ text, tint }) => {
    const entry = document.createElement("li"), name = document.createElement("bdi");
    entry.className = tint;
    name.textContent = text;
    entry.append(name);
    return entry;
  });
}

/** A sentence for those who do not see the drawing: the values at the start and at the end, of the first layers. */
function words(title, lines, unit, { end, endless, chapters }) {
  const values = lines.slice(0, NAMED).map(({ names, pieces }) => {
    const [from, to] = [pieces[0][1], pieces.at(-1).at(-1)].map((value) => valueText(value <= FLOOR && unit === "dB" ? -120 : value, unit));
    return `${names.join(", ")} ${from === to ? from : `from ${from} to ${to}`}`;
  });
  const rest = lines.length - values.length, length = endless ? "without end" : clock(end);
  return `${title} over time, ${length}, ${chapters.length === 1 ? "1 chapter" : `${chapters.length} chapters`}: ${values.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`;
}
