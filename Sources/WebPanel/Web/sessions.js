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
    // A name that can be taken as it is, and written over.
    find("save-patch-box").addEventListener("toggle", () => this.suggest());
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

  suggest() {
    const field = find("save-patch").elements.name;
    if (!find("save-patch-box").open || field.value) return;
    const title = (this.link.get("now/title") ?? "").replace(/[^\p{L}\p{N} -]/gu, "").trim(), date = new Date();
    field.value = `${title || "patch"} ${date.toISOString().slice(0, 10)}`;
    field.select();
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

/** Calls back with the name in a form, which is emptied and hidden once that has succeeded. */
function onSubmit(id, save) {
  find(id).addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target, field = form.elements.name, name = field.value.trim();
    // Another name may have been written meanwhile.
    if (!name || !await save(name) || field.value.trim() !== name) return;
    field.value = "";
    form.closest("details").open = false;
  });
}
