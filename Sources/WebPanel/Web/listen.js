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
    this.takeButtons();
  }

  start() {
    this.isWanted = true;
    this.link.hear(true);
    clearInterval(this.checking);
    this.checking = setInterval(() => this.check(), 1000);
    this.wait = 500;
    // A browser lets a page play sound when that has begun at a touch.
    this.audio.play().catch(() => {});
    this.open();
  }

  stop(text = "") {
    this.isWanted = false;
    this.link.hear(false);
    clearInterval(this.checking);
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
    const title = link.get("now/title") || "Binaural", chapter = link.get("now/chapter", 2) || "";
    const shown = JSON.stringify([title, chapter, find("course-lines")?.querySelector(".line")?.getAttribute("d")]);
    if (shown !== this.shown) {
      this.shown = shown;
      const artwork = [{ src: new URL("icon.svg", location.href).href, type: "image/svg+xml", sizes: "any" }];
      session.metadata = new MediaMetadata({ title: chapter || title, artist: link.get("now/artist") || title, album: link.get("now/album") || title, artwork });
      this.drawArtwork(session.metadata);
    }
    session.playbackState = link.get("now/state") === "playing" ? "playing" : "paused";
    if (!now.duration) return session.setPositionState?.();
    session.setPositionState?.({ duration: now.duration, position: Math.min(now.elapsed, now.duration), playbackRate: link.get("rate") || 1 });
  }

  /** The course of the patch as PNG, since lock screens do not show SVG; until there is one, the icon stays. */
  async drawArtwork(metadata) {
    const canvas = document.createElement("canvas"), side = canvas.width = canvas.height = 512;
    if (!this.now.course.drawOn(canvas.getContext("2d"), side)) return;
    const drawn = await new Promise((done) => canvas.toBlob(done, "image/png"));
    if (!drawn || metadata !== navigator.mediaSession.metadata) return;
    if (this.artwork) URL.revokeObjectURL(this.artwork);
    this.artwork = URL.createObjectURL(drawn);
    metadata.artwork = [{ src: this.artwork, type: "image/png", sizes: "512x512" }];
  }
}
