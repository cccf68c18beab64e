// The dialogs of the page: questions before something is lost, the help, more of what plays, and a device that is not paired.
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
find("more-button").addEventListener("click", () => find("more").showModal());
// A link that is opened in this tab, or written, with the token behind its last #.
find("pair").addEventListener("submit", (event) => {
  event.preventDefault();
  location.hash = event.target.elements.code.value.trim().split("#").pop();
});
addEventListener("hashchange", () => { if (location.hash.length > 1) location.reload(); });
find("keys").replaceChildren(...KEYS.flatMap(({ shown, meaning }) => {
  const term = document.createElement("dt"), description = document.createElement("dd");
  term.append(...shown.map((key) => Object.assign(document.createElement("kbd"), { textContent: key })));
  description.textContent = meaning;
  return [term, description];
}));
