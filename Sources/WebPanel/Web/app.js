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
