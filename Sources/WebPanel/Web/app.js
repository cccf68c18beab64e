// The page: shows what the player sends, and sends what the user does.
import { Bar } from "./bar.js";
import { Bedtime } from "./bedtime.js";
import { Bookmarks } from "./bookmarks.js";
import { CourseEditor } from "./course.js";
import { showHelp } from "./dialogs.js";
import { Fader } from "./faders.js";
import { handleKeys } from "./keys.js";
import { Layers, text as valueText } from "./layers.js";
import { LibraryList } from "./library.js";
import { Link } from "./link.js";
import { Listening } from "./listen.js";
import { Meter } from "./meter.js";
import { NowPlaying } from "./now.js";
import { Orb } from "./orb.js";
import { Pace, isSeen } from "./pace.js";
import { Peers } from "./peers.js";
import { Places } from "./places.js";
import { Queue } from "./queue.js";
import { Rating } from "./rating.js";
import { Sessions } from "./sessions.js";
import { Undo } from "./undo.js";

const find = (id) => document.getElementById(id);
const link = new Link(["now", "commands", "layers", "mixer", "session", "log"]);
const now = new NowPlaying(link);
const bedtime = new Bedtime(link, now);
const bar = new Bar(link, now, bedtime);
const notice = (text) => bar.notice(text);
new Bookmarks(link, now, notice);
const orb = new Orb(link, now);
const layers = new Layers(link, find("layers"));
const listening = new Listening(link, now);
const meter = new Meter(link, find("meter"));
new CourseEditor(link, now.course);
const rating = new Rating(link, find("rating"));
const sessions = new Sessions(link, notice);
const peers = new Peers(link, find("peers"));
const queue = new Queue(link, find("queue"), (text, undo) => bar.offer(text, undo));
const library = new LibraryList(link, queue, notice);
const undo = new Undo(link, find("undo-text"));
const places = new Places(() => { library.look(); meter.look(); look(); });
handleKeys(link, showHelp);
const faders = [...document.querySelectorAll("[data-fader]")].map((input) => new Fader(link, input, input.dataset.fader, (value) => valueText(value, "dB")));

for (const element of document.querySelectorAll("[data-press]")) press(element);
for (const element of document.querySelectorAll("[data-toggle]")) {
  element.addEventListener("click", () => link.flip(element.dataset.toggle));
}
for (const element of document.querySelectorAll("[data-choice]")) {
  element.addEventListener("change", () => link.send(element.dataset.choice, element.value));
}
find("open-library").addEventListener("click", () => { places.go("library"); find("search").focus(); });
find("play-welcome").addEventListener("click", async () => {
  const error = await queue.add("welcome", "now");
  if (error) notice(error.text);
});

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

for (const rate of [0.5, 0.75, 1, 1.25, 1.5, 2]) find("rate").add(new Option(`${rate}×`, rate));
find("rate").addEventListener("change", ({ target }) => link.send("rate", Number(target.value)));

const pace = new Pace(() => now.rate !== 0, look, () => 5000);

/** Signs of life, which change nothing that is shown. */
const SIGNS = new Set(["alive", "pong", "clock", "sent"]);

// Everything that came in one packet is shown together.
let isDue = false;
link.listen((event, values) => {
  if (event === "meter") return meter.take(values);
  if (event === "error") notice(values[2]);
  // The last notice is sent again when the page connects: it may be old.
  if (event === "log" && values[0]) bar[link.awaited.has("log") ? "keep" : "notice"](values[0]);
  if (event === "other version") notice(`This page is of another version than the player (${values}): close it and open it again.`);
  if (event === "session/name") sessions.list.ask();
  if (event === "refused") {
    find("refused-text").textContent = values ?? "";
    if (!find("refused").open) find("refused").showModal();
  }
  if (event === "now/queue" || event === "now/id") queue.ask();
  if (event === "now/id" && now.isOther(values[0])) { layers.ask(); sessions.presets.ask(); }
  if (!isDue && !SIGNS.has(event)) {
    isDue = true;
    requestAnimationFrame(() => { isDue = false; show(); });
  }
});

function show() {
  document.body.classList.toggle("stale", !link.isOpen);
  find("connection").textContent = link.isOpen ? (link.role === "view" ? "Connected, read only" : "Connected") : "Not connected: trying again …";
  for (const element of document.querySelectorAll("[data-press], [data-toggle], [data-choice], [data-control], #rate")) {
    const path = element.dataset.press ?? element.dataset.toggle ?? element.dataset.choice ?? (element.id || "");
    element.disabled = !link.mayControl || link.get(`${path}/enabled`) === 0;
  }
  // A keyboard scrolls lists by the buttons in them, unless these are disabled.
  for (const element of document.querySelectorAll("#layer-section, #chapters, #bookmark-list")) {
    if (link.mayControl) element.removeAttribute("tabindex");
    else element.tabIndex = 0;
  }
  for (const element of document.querySelectorAll("[data-toggle]")) element.setAttribute("aria-pressed", link.get(element.dataset.toggle) === 1);
  for (const element of document.querySelectorAll("[data-choice]")) element.value = link.get(element.dataset.choice) ?? "off";
  const rate = link.get("rate") ?? 1;
  if (![...find("rate").options].some((option) => Number(option.value) === rate)) find("rate").add(new Option(`${rate.toFixed(2)}×`, rate));
  find("rate").value = rate;
  for (const fader of faders) fader.show();
  bar.show();
  bedtime.show();
  orb.show();
  meter.look();
  pace.look();
  undo.show();
  find("layer-section").hidden = !link.get("layer/count");
  layers.show();
  now.show();
  listening.show();
  rating.show();
  sessions.show();
  queue.show();
}

// On the lock screen of a device that plays the sound; the tab of another page does not name what may have ended.
link.whileHidden = () => { if (listening.isWanted) { now.showTitle(); listening.show(); } };
document.addEventListener("visibilitychange", () => { if (!isSeen() && !listening.isWanted) document.title = "Binaural"; });

/** Asks for the figures that nobody is notified of, if they are shown. */
function look() {
  // An empty line is not shown itself.
  if (!isSeen() || !link.isOpen || !find("status").parentElement.checkVisibility()) return;
  link.send("status");
  peers.ask();
}
link.listen((event, values) => {
  if (event === "status") find("status").textContent = `JACK ${values[0]}, ${values[1]} Hz, ${values[2]} frames, load ${values[3].toFixed(1)} %, ${values[5]} ${values[5] === 1 ? "xrun" : "xruns"}`;
  if (event === "state" || event === "now/state") look();
  if (event === "state") library.look();
});
