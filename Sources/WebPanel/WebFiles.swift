// swift-format-ignore-file
// Made by scripts/embed-web from the folder Web.

private let appJs = #"""
// The page: shows what the player sends, and sends what the user does.
import { Fader, decibels } from "./faders.js";
import { Layers } from "./layers.js";
import { Link } from "./link.js";
import { Listening } from "./listen.js";
import { List, button, queueEntry } from "./lists.js";
import { Meter } from "./meter.js";
import { NowPlaying } from "./now.js";

const find = (id) => document.getElementById(id);
const link = new Link(["now", "commands", "layers", "mixer", "session", "log", "meters/50"]);
const now = new NowPlaying(link);
const layers = new Layers(link, find("layers"));
const listening = new Listening(link, now);
const meter = new Meter(find("meter"));
const queue = new List(link, find("queue"), "queue", (values) => queueEntry(link, queue, values));
const presets = new List(link, find("presets"), "preset", ([index, name]) => {
  const entry = document.createElement("li");
  entry.append(
    button(name, null, () => link.send("preset/load", { i: index })),
    button("×", `Remove ${name}`, () => { link.send("preset/remove", { i: index }); setTimeout(() => presets.ask(), 150); }));
  return entry;
});
const faders = [...document.querySelectorAll("[data-fader]")].map((input) => new Fader(link, input, input.dataset.fader, decibels));

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
  element.addEventListener("click", () => { if (!isHeld) link.send(path, { i: 1 }); isHeld = false; });
  if (!hold) return;
  element.addEventListener("pointerdown", () => { timer = setTimeout(() => { isHeld = true; link.send(hold, { i: 1 }); }, 400); });
  for (const event of ["pointerup", "pointercancel", "pointerleave"]) {
    element.addEventListener(event, () => { clearTimeout(timer); if (isHeld) link.send(hold, { i: 0 }); });
  }
}

for (const [text, minutes] of [["off", 0], ["5 min", 5], ["15 min", 15], ["30 min", 30], ["45 min", 45], ["1 h", 60], ["2 h", 120]]) {
  find("sleep").add(new Option(text, minutes * 60));
}
find("sleep").addEventListener("change", ({ target }) => link.send("sleep", Number(target.value)));
for (const rate of [0.5, 0.75, 1, 1.25, 1.5, 2]) find("rate").add(new Option(`${rate}×`, rate));
find("rate").addEventListener("change", ({ target }) => link.send("rate", Number(target.value)));
find("add").addEventListener("submit", (event) => submit(event, "patch", "queue/add", queue));
find("save").addEventListener("submit", (event) => submit(event, "preset", "preset/save", presets));

function submit(event, field, path, list) {
  event.preventDefault();
  const text = event.target.elements[field].value.trim();
  if (!text) return;
  link.send(path, text);
  event.target.reset();
  setTimeout(() => list.ask(), 300);
}

addEventListener("keydown", (event) => {
  if (event.target.matches("input:not([type=range]), select, textarea") || event.ctrlKey || event.altKey || event.metaKey) return;
  // A focused button or slider has its own keys.
  if (event.target.matches("button, summary") && event.key === " ") return;
  if (event.target.matches("[type=range]") && event.key.startsWith("Arrow")) return;
  const path = { " ": "toggle", ArrowLeft: "skip/backward", ArrowRight: "skip/forward", n: "next", p: "previous", z: "undo" }[event.key];
  if (event.key === "m") link.send("master/mute", link.get("master/mute") !== 1);
  else if (path) link.send(path, { i: 1 });
  else return;
  event.preventDefault();
});

// Everything that came in one packet is shown together.
let isDue = false;
link.listen((event, values) => {
  if (event === "meter") return meter.take(values);
  if (event === "error") notice(values[2]);
  if (event === "log" && values[0]) notice(values[0]);
  if (event === "refused") {
    find("refused-text").textContent = values ?? "";
    find("refused").showModal();
  }
  if (event === "now/queue" || event === "now/id") queue.ask();
  if (event === "now/id" && now.isOther(values[0])) { layers.forget(); link.send("subscribe", "layers", { i: 0 }, { i: 30 }); presets.ask(); }
  if (!isDue) {
    isDue = true;
    requestAnimationFrame(() => { isDue = false; show(); });
  }
});

function notice(text) {
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
  for (const element of document.querySelectorAll("[data-press], [data-toggle], [data-choice], #sleep, #rate, form button, #queue button, #presets button")) {
    const path = element.dataset.press ?? element.dataset.toggle ?? element.dataset.choice ?? (element.id || "");
    element.disabled = !link.mayControl || link.get(`${path}/enabled`) === 0;
  }
  for (const element of document.querySelectorAll("[data-toggle]")) element.setAttribute("aria-pressed", link.get(element.dataset.toggle) === 1);
  for (const element of document.querySelectorAll("[data-choice]")) element.value = link.get(element.dataset.choice) ?? "off";
  const rate = link.get("rate") ?? 1;
  if (![...find("rate").options].some((option) => Number(option.value) === rate)) find("rate").add(new Option(`${rate.toFixed(2)}×`, rate));
  find("rate").value = rate;
  for (const fader of faders) fader.show();
  layers.show();
  now.show();
  listening.show();
  for (const entry of find("queue").children) entry.setAttribute("aria-current", Number(entry.dataset.index) === link.get("now/queue"));
}

setInterval(() => { if (document.visibilityState === "visible") link.send("status"); }, 5000);
link.listen((event, values) => {
  if (event === "status") find("status").textContent = `JACK ${values[0]}, ${values[1]} Hz, ${values[2]} frames, load ${values[3].toFixed(1)} %, ${values[5]} xruns`;
});

"""#

private let fadersJs = #"""
// Controls that set an address: faders, switches, choices and pads. While a finger is on one, nobody else moves it (touch).

/** Binds a slider from 0 to 1 to an address's normalised twin. */
export class Fader {
  constructor(link, input, path, format) {
    Object.assign(this, { link, input, path, format });
    this.output = input.closest("label")?.querySelector("output");
    this.isTouched = false;
    input.addEventListener("pointerdown", () => this.touch(true));
    for (const event of ["pointerup", "pointercancel", "lostpointercapture"]) input.addEventListener(event, () => this.touch(false));
    input.addEventListener("input", () => link.send(`${path}/norm`, Number(input.value)));
    this.show();
  }

  touch(isDown) {
    if (this.isTouched === isDown) return;
    this.isTouched = isDown;
    this.link.send(`touch/${this.path}`, isDown);
    if (!isDown) this.show();
  }

  /** Shows the player's value, unless a finger is on the slider. */
  show() {
    const value = this.link.get(this.path), norm = this.link.get(`${this.path}/norm`);
    if (value !== undefined) {
      const text = this.format(value);
      if (this.output) this.output.textContent = text;
      this.input.setAttribute("aria-valuetext", text);
    }
    if (norm !== undefined && !this.isTouched) this.input.value = norm;
    this.input.disabled = !this.link.mayControl;
  }
}

/** A pad for two values of a layer, the beat from left to right and the gain from bottom to top. */
export class Pad {
  constructor(link, element, path) {
    Object.assign(this, { link, element, path });
    this.knob = element.querySelector("i");
    this.pointer = null;
    element.addEventListener("pointerdown", (event) => this.begin(event));
    element.addEventListener("pointermove", (event) => { if (event.pointerId === this.pointer) this.move(event); });
    for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, () => this.end());
    this.show();
  }

  begin(event) {
    if (!this.link.mayControl || this.pointer !== null) return;
    this.pointer = event.pointerId;
    this.element.setPointerCapture(event.pointerId);
    this.link.send(`touch/${this.path}/xy`, true);
    this.move(event);
  }

  move(event) {
    const area = this.element.getBoundingClientRect();
    const part = (value, size) => Math.min(Math.max(value / size, 0), 1);
    const [x, y] = [part(event.clientX - area.left, area.width), 1 - part(event.clientY - area.top, area.height)];
    this.link.send(`${this.path}/xy`, x, y);
    this.place(x, y);
  }

  end() {
    if (this.pointer === null) return;
    this.pointer = null;
    this.link.send(`touch/${this.path}/xy`, false);
    this.show();
  }

  show() {
    if (this.pointer !== null) return;
    const x = this.link.get(`${this.path}/beat/norm`), y = this.link.get(`${this.path}/gain/norm`);
    if (x !== undefined && y !== undefined) this.place(x, y);
  }

  place(x, y) {
    this.knob.style.left = `${x * 100}%`;
    this.knob.style.top = `${(1 - y) * 100}%`;
  }
}

export const decibels = (value) => (value <= -120 ? "off" : `${value.toFixed(1)} dB`);

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
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="style.css">
<script type="module" src="app.js"></script>
</head>
<body>
<header>
  <h1>Binaural</h1>
  <p id="connection" role="status">Connecting …</p>
</header>
<main>
  <section id="now" aria-labelledby="title">
    <h2 id="title">Nothing in the queue</h2>
    <p id="subtitle"></p>
    <div id="picture">
      <img id="course" alt="" hidden>
      <div id="playhead" hidden></div>
    </div>
    <label class="seek"><span class="spoken">Position</span><input id="position" type="range" min="0" max="1" step="any" value="0"></label>
    <p class="times"><span id="elapsed">0:00</span> <span id="chapter"></span> <span id="remaining"></span></p>
    <div id="transport" role="group" aria-label="Transport">
      <button data-press="previous" aria-label="Previous" title="Previous (p)"><svg viewBox="0 0 24 24"><path d="M6 5h2v14H6zM20 5v14L9 12z"/></svg></button>
      <button data-press="skip/backward" data-hold="seek/backward" aria-label="Skip back" title="Skip back (←); hold to seek"><svg viewBox="0 0 24 24"><path d="M12 5v14L3 12zM21 5v14l-9-7z"/></svg></button>
      <button id="toggle" data-press="toggle" class="main" aria-label="Play" title="Play or pause (space)"><svg viewBox="0 0 24 24"><path class="play" d="M7 4v16l13-8z"/><path class="pause" d="M6 4h4v16H6zM14 4h4v16h-4z"/></svg></button>
      <button data-press="skip/forward" data-hold="seek/forward" aria-label="Skip forward" title="Skip forward (→); hold to seek"><svg viewBox="0 0 24 24"><path d="M12 5v14l9-7zM3 5v14l9-7z"/></svg></button>
      <button data-press="next" aria-label="Next" title="Next (n)"><svg viewBox="0 0 24 24"><path d="M16 5h2v14h-2zM4 5v14l11-7z"/></svg></button>
    </div>
    <div class="row" role="group" aria-label="Playing">
      <button data-press="stop">Stop</button>
      <button data-toggle="like">Like</button>
      <button data-toggle="bookmark">Bookmark</button>
      <button data-press="undo">Undo</button>
      <button data-press="redo">Redo</button>
    </div>
    <div class="row" role="group" aria-label="Listen on this device">
      <button id="listen" aria-pressed="false" aria-describedby="listen-hint">Listen here</button>
      <label>as <select id="format"></select></label>
      <span id="listening" role="status"></span>
      <audio id="sound" preload="none"></audio>
    </div>
    <p id="listen-hint">Plays on this device, over headphones, a second or more late. Turn its volume down first: it has a level of its own.</p>
  </section>
  <section id="master" aria-labelledby="master-title">
    <h2 id="master-title">Master</h2>
    <div class="strip">
      <label>Level <output id="master-text"></output><input data-fader="master/gain" type="range" min="0" max="1" step="any" value="0"></label>
      <button data-toggle="master/mute">Mute</button>
    </div>
    <canvas id="meter" width="600" height="28" role="img" aria-label="Output level"></canvas>
    <div class="row">
      <label>Sleep <select id="sleep"></select></label>
      <span id="sleep-left" role="status"></span>
      <label>Repeat <select data-choice="repeat"><option>off</option><option>one</option><option>all</option></select></label>
      <label>Shuffle <select data-choice="shuffle"><option>off</option><option>items</option></select></label>
      <label>Rate <select id="rate"></select></label>
    </div>
  </section>
  <section id="layer-section" aria-labelledby="layers-title">
    <h2 id="layers-title">Layers</h2>
    <div id="layers"></div>
  </section>
  <section id="queue-section" aria-labelledby="queue-title">
    <h2 id="queue-title">Queue</h2>
    <ol id="queue"></ol>
    <form id="add"><label>Add a patch <input name="patch" autocomplete="off" autocapitalize="none"></label><button>Add</button></form>
  </section>
  <section id="presets-section" aria-labelledby="presets-title">
    <h2 id="presets-title">Presets</h2>
    <ul id="presets"></ul>
    <form id="save"><label>Save as <input name="preset" autocomplete="off"></label><button>Save</button></form>
  </section>
  <section aria-labelledby="log-title">
    <h2 id="log-title">Notices</h2>
    <ul id="log" aria-live="polite"></ul>
    <p id="status"></p>
    <details>
      <summary>Help</summary>
      <p>Keys: space plays or pauses, ← and → skip, n and p go to the next and previous chapter or item, m mutes, z undoes.</p>
      <p>On plain HTTP in a network, browsers let no page keep the screen on or copy to the clipboard. A TLS proxy in front of the program, named with <code>--web-host</code>, allows it.</p>
    </details>
  </section>
</main>
<dialog id="refused" aria-labelledby="refused-title"><h2 id="refused-title">Not paired</h2><p id="refused-text"></p><p>On the computer, run <code>binaural web pair</code> and open the link that it prints.</p></dialog>
</body>
</html>

"""#

private let layersJs = #"""
// A strip for each layer of what plays, with what its kind has.
import { Fader, Pad, decibels } from "./faders.js";

const NUMBER = (digits, unit) => (value) => `${value.toFixed(digits)}${unit}`;
/** The faders of a strip: address, label, text of a value. A layer has those that the player sends. */
const PARAMETERS = [
  ["gain", "Level", decibels], ["carrier", "Carrier", NUMBER(1, " Hz")], ["beat", "Beat", NUMBER(2, " Hz")],
  ["pulseRate", "Pulse rate", NUMBER(2, " Hz")], ["pan", "Balance", NUMBER(2, "")], ["width", "Width", NUMBER(2, "")],
  ["duty", "Duty", NUMBER(2, "")], ["edge", "Edge", NUMBER(3, " s")], ["decay", "Decay", NUMBER(1, " s")],
  ["delay", "Delay", NUMBER(0, " µs")], ["phase", "Phase", NUMBER(0, "°")], ["depth", "Depth", NUMBER(0, "°")],
  ["correlation", "Correlation", NUMBER(2, "")], ["attack", "Attack", NUMBER(3, " s")], ["release", "Release", NUMBER(2, " s")],
];
/** Parameters that are always shown; the others are behind "More". */
const FIRST = new Set(["gain", "carrier", "beat", "pulseRate"]);

export class Layers {
  constructor(link, list) {
    Object.assign(this, { link, list });
    this.strips = [];
    this.shape = "";
  }

  /** Makes new strips if there are other layers, and shows their values. */
  show() {
    const count = this.link.get("layer/count") ?? 0;
    const known = (path) => this.link.get(path) !== undefined;
    const shape = JSON.stringify(Array.from({ length: count }, (_, index) => {
      const path = `layer/${index + 1}`;
      return [this.link.get(`${path}/name`), this.link.get(`${path}/kind`), PARAMETERS.filter(([name]) => known(`${path}/${name}`)).map(([name]) => name)];
    }));
    if (shape !== this.shape) {
      this.shape = shape;
      this.strips = JSON.parse(shape).map(([name, kind, parameters], index) => new Strip(this.link, `layer/${index + 1}`, name, kind, parameters));
      this.list.replaceChildren(...this.strips.map((strip) => strip.element));
    }
    for (const strip of this.strips) strip.show();
  }

  /** Another item may have other layers: their values are sent again. */
  forget() {
    for (const path of [...this.link.values.keys()]) if (path.startsWith("layer/")) this.link.values.delete(path);
  }
}

class Strip {
  constructor(link, path, name, kind, parameters) {
    Object.assign(this, { link, path });
    this.element = document.createElement("div");
    this.element.className = "layer";
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", name ?? path);
    const title = document.createElement("h3");
    const label = document.createElement("span"), small = document.createElement("small");
    label.textContent = name ?? path;
    small.textContent = ` ${words(kind ?? "")}`;
    label.append(small);
    this.mute = toggle("Mute", () => link.send(`${path}/mute`, link.get(`${path}/mute`) !== 1));
    this.solo = toggle("Solo", () => link.send(`${path}/solo`, link.get(`${path}/solo`) !== 1));
    const switches = document.createElement("span");
    switches.append(this.mute, " ", this.solo);
    title.append(label, switches);
    this.element.append(title);
    const more = document.createElement("details"), summary = document.createElement("summary");
    summary.textContent = "More";
    more.append(summary);
    this.faders = PARAMETERS.filter(([name]) => parameters.includes(name)).map(([name, caption, format]) => {
      const row = document.createElement("label"), input = document.createElement("input");
      Object.assign(input, { type: "range", min: 0, max: 1, step: "any" });
      row.append(`${caption} `, document.createElement("output"), input);
      (FIRST.has(name) ? this.element : more).append(row);
      return new Fader(link, input, `${path}/${name}`, format);
    });
    if (parameters.includes("beat") && parameters.includes("gain")) {
      const pad = document.createElement("div"), caption = document.createElement("span");
      pad.className = "pad";
      // The faders beside it do the same for those who do not point.
      pad.setAttribute("aria-hidden", "true");
      caption.textContent = "beat → level ↑";
      pad.append(document.createElement("i"), caption);
      more.append(pad);
      this.pad = new Pad(link, pad, path);
    }
    const reset = document.createElement("button");
    reset.textContent = "Reset";
    reset.addEventListener("click", () => link.send(`${path}/reset`, { i: 1 }));
    more.append(reset);
    this.element.append(more);
  }

  show() {
    for (const fader of this.faders) fader.show();
    this.pad?.show();
    for (const [button, name] of [[this.mute, "mute"], [this.solo, "solo"]]) {
      button.setAttribute("aria-pressed", this.link.get(`${this.path}/${name}`) === 1);
      button.disabled = !this.link.mayControl;
    }
  }
}

function toggle(text, action) {
  const button = document.createElement("button");
  button.textContent = text;
  button.addEventListener("click", action);
  return button;
}

const words = (kind) => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

"""#

private let linkJs = #"""
// The connection to the player: pairing, subscriptions, reconnecting.
import { decode, encode } from "./osc.js";

const ROOT = "/binaural/";
const KEY = "binaural-key";
// Seconds; the lease of a subscription, and how often it is renewed.
const LEASE = 30, RENEWAL = 8000;
// Milliseconds; without any packet for this long the values count as stale, and the connection is opened again.
const SILENCE = 12000;

export class Link {
  constructor(topics) {
    this.topics = topics;
    this.values = new Map();
    this.listeners = new Set();
    this.role = null;
    this.offset = 0;
    this.wait = 500;
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
  get credentials() {
    const key = localStorage.getItem(KEY);
    return key ? { "Binaural-Key": key } : {};
  }

  send(path, ...values) {
    if (this.isOpen) this.socket.send(encode(ROOT + path, ...values));
  }

  /** Asks for something beside OSC. */
  ask(request) {
    if (this.isOpen) this.socket.send(JSON.stringify(request));
  }

  tell(event, detail) { for (const listener of this.listeners) listener(event, detail); }

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
      if (typeof data === "string") this.entered(JSON.parse(data));
      else {
        const messages = decode(data);
        for (const message of messages) this.take(message, messages.length === 1);
      }
    };
    socket.onclose = ({ code }) => { if (socket === this.socket) this.lost(code); };
  }

  enter(socket) {
    const token = location.hash.slice(1), key = localStorage.getItem(KEY);
    if (token) socket.send(JSON.stringify({ token, name: deviceName() }));
    else if (key) socket.send(JSON.stringify({ key }));
  }

  entered(answer) {
    if (answer.ticket) return this.tell("ticket", answer.ticket);
    if (answer.error) {
      this.refusal = answer.error;
      // A used token must not hide the key that it was exchanged for.
      if (location.hash) history.replaceState(null, "", location.pathname);
      else localStorage.removeItem(KEY);
      return;
    }
    if (answer.key) localStorage.setItem(KEY, answer.key);
    if (location.hash) history.replaceState(null, "", location.pathname);
    if (this.version && this.version !== answer.version) return location.reload();
    this.version = answer.version;
    this.refusal = null;
    this.role = answer.role;
    this.wait = 500;
    this.measureClock();
    this.subscribe();
    this.renewal = setInterval(() => { this.send("ping", { i: 1 }); }, RENEWAL);
    this.tell("state");
  }

  subscribe() {
    this.changes = null;
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
    } else if (path === "expired") {
      this.subscribe();
    }
    this.values.set(path, values);
    if (path === "now/elapsed") this.elapsedAt = time ?? Date.now() + this.offset;
    this.tell(path, values);
  }

  lost(code) {
    clearInterval(this.renewal);
    const wasOpen = this.role !== null;
    this.role = null;
    if (code === 1008) this.refused = true;
    this.tell("state");
    if (code === 1008) return this.tell("refused", this.refusal);
    this.timer = setTimeout(() => this.open(), wasOpen ? 0 : this.wait);
    this.wait = Math.min(this.wait * 1.6, 5000);
  }

  check() {
    if (this.socket?.readyState <= WebSocket.OPEN && performance.now() - this.heard > SILENCE) this.retry(true);
  }

  /** Opens the connection again, at once; an open one is asked for a sign of life first. */
  retry(isDead = false) {
    if (this.refused) return;
    if (!isDead && this.socket?.readyState === WebSocket.CONNECTING) return;
    if (!isDead && this.isOpen) {
      this.send("ping", { i: 2 });
      this.subscribe();
      return;
    }
    const old = this.socket;
    this.socket = null;
    old?.close();
    clearInterval(this.renewal);
    this.role = null;
    this.tell("state");
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
// Milliseconds without a new sound, after which the stream is opened again.
const SILENCE = 8000;

export class Listening {
  constructor(link, now) {
    Object.assign(this, { link, now, audio: find("sound"), isWanted: false, wait: 500 });
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
    if (this.isWanted && performance.now() - this.asked > SILENCE) this.open();
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
    const actions = {
      play: press("play"), pause: press("pause"), nexttrack: press("next"), previoustrack: press("previous"),
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
// The queue and the presets, which are read again when they may have changed.

export class List {
  /** @param make - Makes the content of an entry from the values of its message. */
  constructor(link, element, name, make) {
    Object.assign(this, { link, element, name, make });
    this.pending = [];
    link.listen((event, values) => {
      if (event === `${name}/item`) this.pending.push(values);
      else if (event === `${name}/end`) this.finish();
      else if (event === "state" && link.isOpen) this.ask();
    });
  }

  ask() {
    this.pending = [];
    this.link.send(`${this.name}/list`);
  }

  finish() {
    const shape = JSON.stringify(this.pending);
    if (shape !== this.shape) {
      this.shape = shape;
      this.element.replaceChildren(...this.pending.map((values) => this.make(values)));
    }
    this.pending = [];
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

  /** At most 25 times a second; not at all while the page is hidden, and once a second if motion is to be reduced. */
  take([left, right, rmsLeft, rmsRight]) {
    const now = performance.now();
    if (document.visibilityState === "hidden" || now - this.last < (still.matches ? 1000 : 38)) return;
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

const find = (id) => document.getElementById(id);
const dark = matchMedia("(prefers-color-scheme: dark)");

export class NowPlaying {
  constructor(link) {
    this.link = link;
    this.span = [0, 1];
    this.isSeeking = false;
    const slider = find("position");
    slider.addEventListener("input", () => { this.isSeeking = true; this.tick(Number(slider.value) * this.duration); });
    slider.addEventListener("change", () => { this.isSeeking = false; this.seek(Number(slider.value)); });
    find("picture").addEventListener("click", (event) => {
      const area = find("course").getBoundingClientRect();
      const [left, right] = this.span;
      const part = ((event.clientX - area.left) / area.width - left) / (right - left);
      if (part >= 0 && part <= 1) this.seek(part);
    });
    dark.addEventListener("change", () => this.draw());
    const step = () => { this.tick(); requestAnimationFrame(step); };
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
    const picture = `${get("now/id")} ${get("now/artwork")} ${this.duration}`;
    if (this.link.isOpen && picture !== this.picture) {
      this.picture = picture;
      this.draw();
    }
  }

  async draw() {
    const width = Math.round(Math.min(Math.max(find("picture").clientWidth, 720), 1600));
    try {
      const response = await fetch(`picture.svg?width=${width}${dark.matches ? "&dark" : ""}`, { headers: this.link.credentials });
      const course = find("course");
      if (response.status !== 200) return void (course.hidden = find("playhead").hidden = true);
      this.span = response.headers.get("Time-Span").split(" ").map(Number);
      URL.revokeObjectURL(course.src);
      course.src = URL.createObjectURL(await response.blob());
      course.alt = `Pitches, beats and levels of ${this.link.get("now/title") || "the patch"} over time`;
      course.hidden = false;
      find("playhead").hidden = !this.duration;
    } catch {
      // The picture is drawn again once the player is connected.
      this.picture = null;
    }
  }

  tick(elapsed = this.isSeeking ? null : this.elapsed) {
    if (elapsed === null) return;
    const part = this.duration ? elapsed / this.duration : 0;
    set("elapsed", clock(elapsed));
    set("remaining", this.duration ? `−${clock(this.duration - elapsed)}` : "endless");
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

function clock(seconds) {
  const whole = Math.floor(seconds), two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

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

private let styleCss = #"""
:root {
  color-scheme: light dark;
  --paper: #fbfbfd; --card: #ffffff; --ink: #1b1d22; --soft: #565b66; --line: #d5d8df; --accent: #1f5fbf; --on-accent: #ffffff; --warm: #9a5200;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #101216; --card: #191c22; --ink: #eceef2; --soft: #a7adb9; --line: #363b46; --accent: #82b1ff; --on-accent: #10203a; --warm: #ffb86b; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.4 system-ui, sans-serif; padding: env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left); }
header { display: flex; align-items: baseline; justify-content: space-between; gap: 1rem; padding: .5rem 1rem 0; }
h1 { font-size: 1rem; margin: 0; letter-spacing: .04em; }
h2 { font-size: 1rem; margin: 0 0 .5rem; }
#now h2 { font-size: 1.35rem; margin: 0; overflow-wrap: anywhere; }
p { margin: .25rem 0; }
#connection, #subtitle, .times, #status, #listen-hint { color: var(--soft); }
main { display: grid; gap: 1rem; padding: 1rem; grid-template-columns: minmax(0, 1fr); max-width: 110rem; margin: auto; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem; min-width: 0; }
@media (min-width: 60rem) {
  main { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); align-items: start; }
  #now { grid-row: span 2; }
}
@media (min-width: 100rem) { main { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) minmax(0, 2fr); } }
.stale main { opacity: .55; }
#picture { position: relative; margin: .5rem 0; }
#course { display: block; width: 100%; border-radius: .5rem; }
#playhead { position: absolute; top: 0; bottom: 0; width: 2px; margin-left: -1px; background: var(--warm); pointer-events: none; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
input[type=range] { width: 100%; height: 2.75rem; margin: 0; accent-color: var(--accent); background: transparent; touch-action: pan-y; }
.times { display: flex; justify-content: space-between; gap: 1rem; font-variant-numeric: tabular-nums; margin-top: 0; }
button, select, input:not([type=range]) { font: inherit; color: inherit; min-height: 2.75rem; min-width: 2.75rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); padding: 0 .75rem; }
button { cursor: pointer; touch-action: manipulation; }
button[aria-pressed=true] { background: var(--accent); color: var(--on-accent); border-color: var(--accent); }
button:disabled, select:disabled, input:disabled { opacity: .4; cursor: default; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
#transport { display: flex; justify-content: center; gap: .5rem; margin: .5rem 0; }
#transport button { width: 3.5rem; height: 3.5rem; border-radius: 50%; padding: .75rem; }
#transport .main { background: var(--accent); color: var(--on-accent); border-color: var(--accent); }
#transport svg { display: block; width: 100%; height: 100%; fill: currentColor; }
#toggle .pause, #toggle.playing .play { display: none; }
#toggle.playing .pause { display: inline; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.row label { display: flex; align-items: center; gap: .4rem; }
.strip { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .25rem .5rem; align-items: end; }
.layer { border-top: 1px solid var(--line); padding: .75rem 0; }
.layer:first-child { border-top: 0; padding-top: 0; }
.layer h3 { font-size: 1rem; margin: 0; display: flex; justify-content: space-between; align-items: center; gap: .5rem; }
.layer h3 small { color: var(--soft); font-weight: normal; }
label output { float: right; color: var(--soft); font-variant-numeric: tabular-nums; }
.pad { position: relative; height: 8rem; border: 1px solid var(--line); border-radius: .5rem; touch-action: none; margin: .25rem 0; }
.pad i { position: absolute; width: 1.25rem; height: 1.25rem; margin: -.625rem; border-radius: 50%; background: var(--accent); }
.pad span { position: absolute; right: .5rem; bottom: .25rem; color: var(--soft); font-size: .85rem; }
#meter { width: 100%; height: 28px; display: block; }
#queue, #presets, #log { list-style: none; padding: 0; margin: 0 0 .5rem; }
#queue li, #presets li { display: flex; gap: .25rem; align-items: center; border-top: 1px solid var(--line); padding: .25rem 0; }
#queue li > button:first-child, #presets li > button:first-child { flex: 1; text-align: left; border: 0; min-width: 0; overflow-wrap: anywhere; }
#queue li[aria-current=true] > button:first-child { color: var(--accent); font-weight: 600; }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; }
form label { flex: 1; } form input { width: 100%; }
#log li { padding: .25rem 0; overflow-wrap: anywhere; }
dialog { border: 1px solid var(--line); border-radius: .75rem; background: var(--card); color: var(--ink); max-width: 24rem; }

"""#

/// The files of the panel by name.
enum WebFiles {
    static let all: [String: String] = [
        "app.js": appJs,
        "faders.js": fadersJs,
        "icon.svg": iconSvg,
        "index.html": indexHtml,
        "layers.js": layersJs,
        "link.js": linkJs,
        "listen.js": listenJs,
        "lists.js": listsJs,
        "meter.js": meterJs,
        "now.js": nowJs,
        "osc.js": oscJs,
        "style.css": styleCss,
    ]
}
