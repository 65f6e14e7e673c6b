// @ts-check
// The WebSocket to the server: it reconnects by itself, and sends unanswered requests again under the same id.
import { id } from "./dom.js";

const GIVE_UP = [4403, 4404]; // close codes: not allowed, no such table
const TOO_FAST = 4429;
const TRY_LATER = 1013; // nothing can be saved
const LONG = 30_000; // ms
const MOST = 8000; // ms between two attempts …
const MOST_LATER = 2000; // … and while nothing can be saved: afterwards the clocks of players run
const STEADY = 300; // ms; a server that can do nothing accepts a socket only to say so

export class Connection {
  /**
   * @param {string} path The path of the socket.
   * @param {() => Record<string, any>[]} greeting The messages to send whenever the socket opens.
   * @param {(message: any) => void} receive
   */
  constructor(path, greeting, receive) {
    this.path = path;
    this.greeting = greeting;
    this.receive = receive;
    /** @type {Map<string, string>} */ this.unanswered = new Map();
    /** Asked before the socket was open. */ this.question = "";
    this.wait = 250;
    this.open();
  }

  open() {
    const address = new URL(this.path, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.addEventListener("open", () => {
      setTimeout(() => { if (socket.readyState === WebSocket.OPEN) this.steady(); }, STEADY);
      for (const message of this.greeting()) socket.send(JSON.stringify(message));
      for (const text of [...this.unanswered.values(), this.question]) if (text) socket.send(text);
      this.question = "";
    });
    socket.addEventListener("message", (event) => {
      this.steady();
      const message = JSON.parse(event.data);
      if (this.unanswered.delete(message.id) && id("unsaved")) id("unsaved").hidden = true;
      this.receive(message);
    });
    socket.addEventListener("close", (event) => {
      if (GIVE_UP.includes(event.code)) { location.reload(); return; }
      this.lost(true);
      if (event.code === TRY_LATER && this.unanswered.size && id("unsaved")) id("unsaved").hidden = false;
      setTimeout(() => this.open(), event.code === TOO_FAST ? LONG * (1 + Math.random()) : this.wait * (0.5 + Math.random()));
      this.wait = Math.min(this.wait * 2, event.code === TRY_LATER ? MOST_LATER : MOST);
    });
  }

  steady() {
    this.wait = 250;
    this.lost(false);
  }

  /** @param {boolean} lost */
  lost(lost) {
    const notice = id("reconnecting");
    if (notice) notice.hidden = !lost;
  }

  /** Send a request that changes nothing; it is not repeated. @param {Record<string, any>} message */
  ask(message) {
    const text = JSON.stringify(message);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    else if (this.socket?.readyState === WebSocket.CONNECTING) this.question = text;
  }

  /** Send a request that changes something; it is repeated until there is an answer. @param {Record<string, any>} message */
  act(message) {
    const name = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
    const text = JSON.stringify({ ...message, id: name });
    this.unanswered.set(name, text);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
  }
}
