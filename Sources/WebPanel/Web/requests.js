// Requests to the player whose outcome somebody waits for.

// The tokens below it are the link's own.
const FIRST_TOKEN = 10;

export class Requests {
  constructor(link) {
    this.link = link;
    this.waiting = [];
    this.token = FIRST_TOKEN;
  }

  /** Sends a command of session or file work. @returns A promise of null after its success, or of the error's code and text. */
  ask(path, ...values) {
    if (!this.link.isOpen) return Promise.resolve({ code: 0, text: "There is no connection to the player." });
    return new Promise((resolve) => {
      this.waiting.push({ address: `/binaural/${path}`, resolve });
      this.link.send(path, ...values);
    });
  }

  /** Whether somebody waits for the answer to this address. */
  awaits(address) { return this.waiting.some((request) => request.address === address); }

  /** Ends the oldest request of an address. */
  answer(address, error) {
    const index = this.waiting.findIndex((request) => request.address === address);
    if (index >= 0) this.waiting.splice(index, 1)[0].resolve(error);
  }

  /** Follows the progress of work. Its error comes after its end, and before other work on the same address begins and pings are answered. */
  follow(address, part) {
    const request = this.waiting.find((request) => request.address === address);
    if (part === 0 && request?.token) {
      this.answer(address, null);
    } else if (part === 1 && request) {
      request.token = this.token++;
      this.link.send("ping", { i: request.token });
    }
  }

  /** Takes the answer to a ping: work that had ended before the ping, without an error, has succeeded. */
  confirm(token) {
    const request = this.waiting.find((request) => request.token === token);
    if (request) this.answer(request.address, null);
  }

  /** Asks what an address and those below it take: { path, types, access, min, max, unit, text } for each, and the names of choices. */
  describe(path) {
    return new Promise((resolve) => {
      const rows = [], names = [];
      const listener = (event, values) => {
        if (event === "describe") {
          const [path, types, access, min, max, unit, text] = values;
          rows.push({ path, types, access, min, max, unit, text });
        } else if (event === "describe/value") {
          names.push(values[2]);
        } else if (event === "describe/end" && values[0] === path || event === "state") {
          this.link.listeners.delete(listener);
          resolve({ rows: rows.filter((row) => row.path.startsWith(path)), names });
        }
      };
      this.link.listeners.add(listener);
      this.link.send("describe", path);
    });
  }

  /** Ends all requests, since the connection was lost. */
  giveUp() { for (const { resolve } of this.waiting.splice(0)) resolve({ code: 0, text: "The connection was lost." }); }
}
