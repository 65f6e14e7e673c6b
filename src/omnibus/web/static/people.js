// @ts-check
// The other people: who is online, and the chat.
import { fill, id, make } from "./dom.js";

/** @typedef {import("./types.js").ChatLine} ChatLine */

export class People {
  /** @param {() => import("./connection.js").Connection} connection @param {() => string[]} names @param {Record<string, string>} texts @param {(seat: number) => boolean} isOwn */
  constructor(connection, names, texts, isOwn) {
    this.connection = connection;
    this.names = names;
    this.texts = texts;
    this.isOwn = isOwn;
    /** @type {(boolean|null)[]} */ this.here = [];
    /** @type {number[]} */ this.absent = [];
    /** @type {ChatLine[]} */ this.lines = [];
    /** @type {number[]} */ this.muted = [];
    /** The number of the last line shown; null before the first answer. @type {number|null} */ this.known = null;
    this.visible = false;
    this.unread = 0;
    if (id("chat")) new IntersectionObserver(([chat]) => { this.visible = chat.isIntersecting; if (this.visible) this.seen(); }).observe(id("chat"));
    id("chat-form")?.addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = id("chat-input").value.trim();
      if (text) connection().act({ chat: text });
      id("chat-input").value = "";
    });
  }

  /** The request for the chat lines that are missing here. */
  greeting() { return id("chat") ? [{ heard: this.lines.at(-1)?.number ?? 0 }] : []; }

  /** @param {any} message */
  receive(message) {
    if (message.type === "people") {
      Object.assign(this, { here: message.here, absent: message.absent });
      const watching = id("watching");
      if (watching) watching.textContent = message.watching ? fill(this.texts.watching, { number: message.watching }) : "";
      this.mark();
    } else if (message.type === "chat" && id("chat")) this.showChat(message);
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

  /** Who wrote a line, whoever has the seat now. @param {ChatLine} line */
  author(line) { return line.name === null ? this.names()[line.seat] : line.name || this.texts.author_left; }

  /** All lines have been seen. */
  seen() {
    id("chat-news").hidden = true;
    this.count(0);
  }

  /** Count the lines that came while the chat was out of sight. @param {number} unread */
  count(unread) {
    this.unread = unread;
    const badge = id("chat-badge");
    if (!badge) return;
    badge.hidden = unread === 0;
    badge.textContent = String(unread);
  }

  /** Show new chat lines while the chat is out of sight. */
  announce() {
    const fresh = this.known === null ? [] : this.lines.filter((line) => !line.own && line.number > (this.known ?? 0));
    const last = fresh.at(-1);
    this.known = Math.max(this.known ?? 0, this.lines.at(-1)?.number ?? 0);
    if (!last || this.visible) return;
    this.count(this.unread + fresh.length);
    id("chat-news").textContent = `${this.author(last)}: ${last.text}`;
    id("chat-news").hidden = false;
    setTimeout(() => { id("chat-news").hidden = true; }, 20_000);
  }

  /** @param {{since: number, lines: ChatLine[], muted: number[]}} message */
  showChat({ since, lines, muted }) {
    this.lines = [...this.lines.filter((line) => line.number <= since), ...lines];
    this.muted = muted;
    this.announce();
    const list = id("chat-lines");
    list.replaceChildren(...this.lines.map((line) => {
      const at = new Date(line.at * 1000);
      const clock = at.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
      return make("li", {}, make("strong", { textContent: this.author(line) }), ` ${line.text} `, make("time", { dateTime: at.toISOString(), textContent: clock }));
    }));
    list.parentElement.scrollTop = list.scrollHeight;
    const others = [...new Set([...this.lines.filter((line) => !line.own && line.name === null).map((line) => line.seat), ...muted])].sort();
    id("mutes").replaceChildren(...others.map((seat) => {
      const text = fill(muted.includes(seat) ? this.texts.unmute : this.texts.mute, { player: this.names()[seat] });
      const button = make("button", { type: "button", className: "quiet", textContent: text });
      button.addEventListener("click", () => this.connection().act({ mute: seat }));
      return button;
    }));
  }
}
