// The connection to the player: pairing, subscriptions, reconnecting.
import { decode, encode } from "./osc.js";
import { isSeen } from "./pace.js";
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
    this.topics = new Set(topics);
    /** Whether the sound is heard here, as on a phone that is locked. */
    this.isHeard = false;
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
    for (const event of ["online", "pageshow"]) addEventListener(event, () => this.attend());
    document.addEventListener("visibilitychange", () => this.attend());
    this.keepTime();
    this.open();
  }

  /** Whether somebody sees or hears the page. */
  get isAttended() { return isSeen() || this.isHeard; }

  /** The topics to subscribe to: a page that is only heard needs to know what plays, for the lock screen; another that is not seen needs nothing. */
  get due() { return isSeen() ? [...this.topics] : this.isHeard ? ["now"] : []; }

  /** Looks whether the page is seen: if so, it gets all values again; if not, it rests. */
  attend() {
    this.keepTime();
    if (isSeen()) return this.retry();
    if (!this.isAttended) clearTimeout(this.timer);
    this.send("unsubscribe");
    if (this.isOpen) this.subscribe();
  }

  /** Notes whether the sound is heard here. */
  hear(isHeard) {
    this.isHeard = isHeard;
    if (!isSeen()) this.attend();
  }

  /** Subscribes to a topic, or no longer. */
  want(topic, isWanted) {
    if (this.topics.has(topic) === isWanted) return;
    if (isWanted) this.topics.add(topic);
    else this.topics.delete(topic);
    if (!isSeen()) return;
    if (isWanted) this.send("subscribe", topic, { i: 0 }, { i: LEASE });
    else this.send("unsubscribe", topic);
  }

  /** Runs the timer of a page that somebody attends to. */
  keepTime() {
    clearInterval(this.checking);
    if (this.isAttended) this.checking = setInterval(() => this.check(), 1000);
  }

  /** Calls back with every message and with the events "state", "refused", "ticket" and "sent", with the path. */
  listen(callback) { this.listeners.add(callback); }

  get(path, index = 0) { return this.values.get(path)?.[index]; }

  get isOpen() { return this.role !== null && this.socket?.readyState === WebSocket.OPEN; }

  get mayControl() { return this.isOpen && this.role !== "view"; }

  /** The headers of a request for something that not everybody may see. */
  get credentials() { return this.pass ? { "Binaural-Pass": this.pass } : {}; }

  send(path, ...values) {
    if (!this.isOpen) return;
    this.socket.send(encode(ROOT + path, ...values));
    this.notify("sent", path);
  }

  /** Sets a value, which counts from now on: the player answers with the one that is in effect, but only when no more come. */
  set(path, value) {
    if (!this.isOpen) return;
    this.send(path, value);
    this.values.set(path, [value]);
  }

  /** Switches something on or off. The wanted state counts at once, so that no second press is lost, until the player refuses it. */
  flip(path) {
    if (!this.isOpen) return;
    const before = this.values.get(path), isOn = before?.[0] === 1;
    this.flipped = { address: ROOT + path, path, before };
    this.values.set(path, [isOn ? 0 : 1]);
    this.send(path, !isOn);
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
    this.renewed = performance.now();
    this.notify("state");
  }

  subscribe() {
    this.changes = null;
    /** The topics whose snapshot has not been sent yet. */
    this.awaited = new Set(this.due);
    for (const topic of this.due) this.send("subscribe", topic, { i: 0 }, { i: LEASE });
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
    if (path === "error" && values[0] === this.flipped?.address) this.values.set(this.flipped.path, this.flipped.before ?? [0]);
    if (path === "progress") this.requests.follow(...values);
    if (path === "pong") this.requests.confirm(values[0]);
    // The number of a sign of life that was asked for: it answers in time again.
    if (path === "pong" && values[0] === 3 && performance.now() - this.probed < PROBE) this.slack = 1;
    this.values.set(path, values);
    if (path.startsWith("touch/") && values[0] === 1) this.touched.add(path);
    if (path === "now/elapsed") this.elapsedAt = time ?? Date.now() + this.offset;
    // A page that is not seen shows nothing, and gets all values again before it does.
    if (isSeen() || path.startsWith("describe")) this.notify(path, values);
    else this.whileHidden?.();
  }

  lost(code) {
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
    if (!this.isAttended) return;
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
    if (this.isOpen && now - this.renewed > RENEWAL) {
      this.renewed = now;
      this.send("ping", { i: 1 });
    }
    if (this.isOpen && quiet > QUIET && this.deadline === Infinity && isSeen()) {
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
