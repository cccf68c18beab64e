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
new Bookmarks(link, now, notice);
const layers = new Layers(link, find("layers"));
const listening = new Listening(link, now);
const meter = new Meter(find("meter"));
new CourseEditor(link, now.course);
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
