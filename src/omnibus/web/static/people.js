// @ts-check
// The other people: who is online, and the chat.
import { fill, id } from "./dom.js";

export class People {
  /** @param {() => import("./connection.js").Connection} connection @param {() => string[]} names @param {Record<string, string>} texts @param {(seat: number) => boolean} isOwn */
  constructor(connection, names, texts, isOwn) {
    this.names = names;
    this.texts = texts;
    this.isOwn = isOwn;
    /** @type {(boolean|null)[]} */ this.here = [];
    /** @type {number[]} */ this.absent = [];
    /** The number of the last chat line that has come. */ this.heard = 0;
    /** @type {Promise<import("./chat.js").Chat>|null} */
    this.chat = id("chat") && import("./chat.js").then(({ Chat }) => new Chat(connection, names, texts)); // many tables have none
    id("chat-form")?.addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = id("chat-input").value.trim();
      if (text) connection().act({ chat: text });
      id("chat-input").value = "";
    });
  }

  /** The request for the chat lines that are missing here. */
  greeting() { return this.chat ? [{ heard: this.heard }] : []; }

  /** @param {any} message */
  receive(message) {
    if (message.type === "people") {
      Object.assign(this, { here: message.here, absent: message.absent });
      const watching = id("watching");
      if (watching) watching.textContent = message.watching ? fill(this.texts.watching, { number: message.watching }) : "";
      this.mark();
    } else if (message.type === "chat") {
      this.heard = message.lines.at(-1)?.number ?? message.since;
      this.chat?.then((chat) => chat.show(message));
    }
  }

  /** Show who is online, wherever the page has a place for it. */
  mark() {
    for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-presence]"))) {
      const seat = Number(place.dataset.presence);
      const here = this.here[seat];
      place.className = `presence${here ? " present" : ""}`;
      place.textContent = here === true ? (this.isOwn(seat) ? this.texts.you : this.texts.online) : here === false ? this.texts.away : "";
      if (this.names()[seat] === this.texts.you) place.textContent = ""; // the name says it
    }
  }
}
