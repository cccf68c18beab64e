// Who else is connected.
import { List } from "./lists.js";
import { span } from "./time.js";

export class Peers {
  constructor(link, list) {
    this.list = new List(link, list, "peer", (values) => entry(values));
  }

  ask() { this.list.ask(); }
}

function entry([, name, role, transport, seconds, isThis]) {
  const item = document.createElement("li"), small = document.createElement("small");
  const other = transport === "websocket" ? "A page on the computer" : "A program";
  item.append(isThis ? `This page${name ? ` (${name})` : ""}` : name || other, " ", small);
  small.textContent = `${role === "view" ? "read only" : role} · ${transport === "websocket" ? "page" : transport} · ${span(seconds)}`;
  return item;
}
