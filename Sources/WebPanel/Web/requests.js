// Requests to the player whose outcome somebody waits for.

// Milliseconds between the end of work and its error, which follows at once.
const GRACE = 150;

export class Requests {
  constructor(link) {
    this.link = link;
    this.waiting = [];
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

  /** Follows the progress of work. Its error comes after its end, and before other work on the same address begins. */
  follow(address, part) {
    const requests = this.waiting.filter((request) => request.address === address);
    if (part === 0) {
      if (requests[0]?.hasEnded) this.answer(address, null);
    } else if (part === 1 && requests[0]) {
      requests[0].hasEnded = true;
      setTimeout(() => { if (this.waiting.includes(requests[0])) this.answer(address, null); }, GRACE);
    }
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
