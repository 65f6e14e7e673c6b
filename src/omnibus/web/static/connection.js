// @ts-check
// The line to the house: it comes back by itself, and what was not answered is said again under the same id.
import { id } from "./dom.js";

const GIVE_UP = [4403, 4404];
const TOO_FAST = 4429;
const LONG = 30_000;

export class Link {
  /**
   * @param {string} path Where the socket is.
   * @param {() => Record<string, any>[]} greet What to ask whenever the line is there.
   * @param {(message: any) => void} hear
   */
  constructor(path, greet, hear) {
    this.path = path;
    this.greet = greet;
    this.hear = hear;
    /** @type {Map<string, string>} */ this.unanswered = new Map();
    this.wait = 250;
    this.open();
  }

  open() {
    const address = new URL(this.path, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.wait = 250;
      this.lost(false);
      for (const message of this.greet()) socket.send(JSON.stringify(message));
      for (const text of this.unanswered.values()) socket.send(text);
    });
    socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.id) this.unanswered.delete(message.id);
      this.hear(message);
    });
    socket.addEventListener("close", (event) => {
      if (GIVE_UP.includes(event.code)) { location.reload(); return; }
      this.lost(true);
      setTimeout(() => this.open(), event.code === TOO_FAST ? LONG * (1 + Math.random()) : this.wait);
      this.wait = Math.min(this.wait * 2, 8000);
    });
  }

  /** @param {boolean} lost */
  lost(lost) {
    const notice = id("link");
    if (notice) notice.hidden = !lost;
  }

  /** Ask something that changes nothing. @param {Record<string, any>} message */
  ask(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Ask for something to be done; it is asked again until there is an answer. @param {Record<string, any>} message */
  act(message) {
    const name = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
    const text = JSON.stringify({ ...message, id: name });
    this.unanswered.set(name, text);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
  }
}
