// @ts-check
// The other people: who is here, and what they say.
import { fill, id, make } from "./dom.js";

/** @typedef {import("./types.js").Said} Said */

export class People {
  /** @param {() => import("./connection.js").Link} link @param {() => string[]} names @param {Record<string, string>} texts @param {(seat: number) => boolean} isOwn */
  constructor(link, names, texts, isOwn) {
    this.link = link;
    this.names = names;
    this.texts = texts;
    this.isOwn = isOwn;
    /** @type {(boolean|null)[]} */ this.here = [];
    /** @type {number[]} */ this.absent = [];
    /** @type {Said[]} */ this.lines = [];
    /** @type {number[]} */ this.muted = [];
    /** The last line that is known; null before the first answer. @type {number|null} */ this.known = null;
    this.seen = false;
    if (id("talk")) new IntersectionObserver(([talk]) => { this.seen = talk.isIntersecting; id("news").hidden ||= this.seen; }).observe(id("talk"));
    id("say")?.addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = id("saying").value.trim();
      if (text) link().act({ chat: text });
      id("saying").value = "";
    });
  }

  /** What to ask to hear all that was said. */
  greet() { return id("talk") ? [{ heard: this.lines.at(-1)?.number ?? 0 }] : []; }

  /** @param {any} message */
  hear(message) {
    if (message.type === "people") {
      Object.assign(this, { here: message.here, absent: message.absent });
      const watching = id("watching");
      if (watching) watching.textContent = message.watching ? fill(this.texts.watching, { number: message.watching }) : "";
      this.mark();
    } else if (message.type === "chat" && id("talk")) this.listen(message);
  }

  /** Mark who is here, wherever it is to be seen. */
  mark() {
    for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-presence]"))) {
      const seat = Number(place.dataset.presence);
      const here = this.here[seat];
      place.className = `presence${here ? " present" : ""}`;
      place.textContent = here === true ? (this.isOwn(seat) ? this.texts.you : this.texts.here) : here === false ? this.texts.away : "";
    }
  }

  /** Show what somebody has just said where the talk is not in sight. */
  point() {
    const last = this.lines.at(-1);
    const fresh = this.known !== null && last && !last.own && last.number > this.known;
    this.known = Math.max(this.known ?? 0, last?.number ?? 0);
    if (!fresh || this.seen) return;
    id("news").textContent = `${this.names()[last.seat]}: ${last.text}`;
    id("news").hidden = false;
    setTimeout(() => { id("news").hidden = true; }, 20_000);
  }

  /** @param {{since: number, lines: Said[], muted: number[]}} message */
  listen({ since, lines, muted }) {
    this.lines = [...this.lines.filter((line) => line.number <= since), ...lines];
    this.muted = muted;
    this.point();
    const said = id("said");
    const names = this.names();
    said.replaceChildren(...this.lines.map(({ seat, text, at }) => make("li", {},
      make("strong", { textContent: names[seat] }), ` ${text} `,
      make("time", { dateTime: new Date(at * 1000).toISOString(), textContent: new Date(at * 1000).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" }) }))));
    said.parentElement.scrollTop = said.scrollHeight;
    const others = [...new Set([...this.lines.filter((line) => !line.own).map((line) => line.seat), ...muted])].sort();
    id("mutes").replaceChildren(...others.map((seat) => {
      const text = fill(muted.includes(seat) ? this.texts.unmute : this.texts.mute, { player: names[seat] });
      const button = make("button", { type: "button", className: "quiet", textContent: text });
      button.addEventListener("click", () => this.link().act({ mute: seat }));
      return button;
    }));
  }
}
