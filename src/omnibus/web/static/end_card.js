// @ts-check
// The card at the end of a game: the result and its reason, the scores, and what to do next.
import { breakdown } from "./breakdown.js";
import { Ending } from "./ending.js";
import { id } from "./dom.js";
import { instant } from "./preferences.js";

/** @typedef {import("./types.js").Position} Position */

const narrow = matchMedia("(max-width: 1199px)");

export class EndCard {
  /** @param {Record<string, string>} texts @param {() => void} begin Called before the end is played. @param {() => void} done Called after it. */
  constructor(texts, begin, done) {
    this.texts = texts;
    this.begin = begin;
    this.ending = new Ending(done);
    /** @type {Position|null} */ this.position = null;
    id("show-result").addEventListener("click", () => this.open());
    id("close-result").addEventListener("click", () => this.close());
    id("watch-end").addEventListener("click", () => this.play());
    id("share").addEventListener("click", () => share());
  }

  /** Show the result, the card when it is to open, and what decided the game if it has just ended. @param {Position} position @param {boolean} ended */
  update(position, ended, open = false) {
    this.position = position;
    id("outcome").textContent = position.status;
    breakdown(position);
    id("breakdown").parentElement.hidden = !position.breakdown.length;
    id("show-result").hidden = false;
    id("watch-end").hidden = !position.journeys.length;
    if (ended && position.journeys.length && !instant()) this.play();
    else if (ended || open) this.open();
  }

  /** Play what decided the game. */
  play() {
    if (!this.position) return;
    this.begin();
    id("status").textContent = this.texts.ending;
    if (narrow.matches) id("result").hidden = true; // it would cover the board
    else this.open();
    this.ending.play(this.position);
  }

  /** Stop playing. */
  stop() { this.ending.stop(); }

  open() {
    id("result").hidden = false;
    if (!document.activeElement?.matches("input")) id("result").focus();
  }

  /** Close the card; return whether it was open. */
  close() {
    if (id("result").hidden) return false;
    id("result").hidden = true;
    sessionStorage.setItem(location.pathname, "closed"); // it stays closed when the page is loaded again
    id("show-result").focus();
    return true;
  }
}

/** Share the address of the table, or copy it where the device cannot share. */
async function share() {
  const address = location.origin + location.pathname;
  if (navigator.share) {
    await navigator.share({ title: document.title, text: id("outcome").textContent, url: address }).catch(() => {});
    return;
  }
  await navigator.clipboard?.writeText(address);
  id("share").textContent = id("share").dataset.copied;
}
