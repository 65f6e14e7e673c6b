// @ts-check
// The line to the table: it comes back by itself, and what was not answered is said again under the same id.
import { id } from "./dom.js";

const GIVE_UP = [4403, 4404];

export class Link {
  /** @param {() => Record<string, any>} sync @param {(message: any) => void} hear */
  constructor(sync, hear) {
    this.sync = sync;
    this.hear = hear;
    /** @type {Map<string, string>} */ this.unanswered = new Map();
    this.wait = 250;
    this.open();
  }

  open() {
    const address = new URL(id("table").dataset.socket, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.wait = 250;
      id("link").hidden = true;
      socket.send(JSON.stringify(this.sync()));
      for (const text of this.unanswered.values()) socket.send(text);
    });
    socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.id) this.unanswered.delete(message.id);
      this.hear(message);
    });
    socket.addEventListener("close", (event) => {
      if (GIVE_UP.includes(event.code)) { location.reload(); return; }
      id("link").hidden = false;
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, 8000);
    });
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
