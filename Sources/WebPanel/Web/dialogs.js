// The dialogs of the page: questions before something is lost, and the help.
import { KEYS } from "./keys.js";

const find = (id) => document.getElementById(id);

/** Asks before something is lost. @returns Whether the user wants it. */
export function confirmed(text, yes) {
  const dialog = find("ask");
  find("ask-text").textContent = text;
  find("ask-yes").textContent = yes;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

export function showHelp() { if (!document.querySelector("dialog[open]")) find("help").showModal(); }

for (const element of document.querySelectorAll("[data-close]")) {
  element.addEventListener("click", () => element.closest("dialog").close(element.dataset.close));
}
find("help-button").addEventListener("click", showHelp);
find("keys").replaceChildren(...KEYS.flatMap(({ shown, meaning }) => {
  const term = document.createElement("dt"), description = document.createElement("dd");
  term.append(...shown.map((key) => Object.assign(document.createElement("kbd"), { textContent: key })));
  description.textContent = meaning;
  return [term, description];
}));
