// @ts-check
// The chat of a table: its lines, those that have not been read, and whom the reader has muted.
import { fill, id, make } from "./dom.js";

/** @typedef {import("./types.js").ChatLine} ChatLine */

const BRIEF = 20_000; // ms for which a new line is shown while the chat is out of sight

export class Chat {
  /** @param {() => import("./connection.js").Connection} connection @param {() => string[]} names @param {Record<string, string>} texts */
  constructor(connection, names, texts) {
    this.connection = connection;
    this.names = names;
    this.texts = texts;
    /** @type {ChatLine[]} */ this.lines = [];
    /** The number of the last line shown; null before the first answer. @type {number|null} */ this.known = null;
    this.visible = false;
    this.unread = 0;
    new IntersectionObserver(([chat]) => { this.visible = chat.isIntersecting; if (this.visible) this.seen(); }).observe(id("chat"));
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

  /** Show new lines while the chat is out of sight. */
  announce() {
    const fresh = this.known === null ? [] : this.lines.filter((line) => !line.own && line.number > (this.known ?? 0));
    const last = fresh.at(-1);
    this.known = Math.max(this.known ?? 0, this.lines.at(-1)?.number ?? 0);
    if (!last || this.visible) return;
    this.count(this.unread + fresh.length);
    id("chat-news").textContent = this.author(last) + this.texts.colon + last.text;
    id("chat-news").hidden = false;
    setTimeout(() => { id("chat-news").hidden = true; }, BRIEF);
  }

  /** @param {{since: number, lines: ChatLine[], muted: number[]}} message */
  show({ since, lines, muted }) {
    this.lines = [...this.lines.filter((line) => line.number <= since), ...lines];
    this.announce();
    const list = id("chat-lines");
    list.replaceChildren(...this.lines.map((line) => this.item(line)));
    list.parentElement.scrollTop = list.scrollHeight;
    const others = [...new Set([...this.lines.filter((line) => !line.own && line.name === null).map((line) => line.seat), ...muted])].sort();
    id("mutes").replaceChildren(...others.map((seat) => this.muteButton(seat, muted.includes(seat))));
  }

  /** @param {ChatLine} line */
  item(line) {
    const at = new Date(line.at * 1000);
    const clock = at.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
    return make("li", {}, make("strong", { textContent: this.author(line) }), ` ${line.text} `, make("time", { dateTime: at.toISOString(), textContent: clock }));
  }

  /** @param {number} seat @param {boolean} muted */
  muteButton(seat, muted) {
    const text = fill(muted ? this.texts.unmute : this.texts.mute, { player: this.names()[seat] });
    const button = make("button", { type: "button", className: "quiet", textContent: text });
    button.addEventListener("click", () => this.connection().act({ mute: seat }));
    return button;
  }
}
