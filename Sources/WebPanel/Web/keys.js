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
    else if (found.toggle) link.flip(found.toggle);
    else link.send(found.path, { i: 1 });
  });
}
