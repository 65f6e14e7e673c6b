// @ts-check
// The card at the end of a game: the result and its reason, the scores, and what to do next.
import * as sidebar from "./sidebar.js";
import { id } from "./dom.js";

/** @typedef {import("./types.js").Position} Position */

export class EndCard {
  constructor() {
    id("show-result").addEventListener("click", () => this.open());
    id("close-result").addEventListener("click", () => this.close());
    id("share").addEventListener("click", () => share());
  }

  /** Show the result; the card opens by itself when the game has just ended. @param {Position} position @param {boolean} ended */
  update(position, ended) {
    id("outcome").textContent = position.status;
    sidebar.breakdown(position);
    id("breakdown").parentElement.hidden = !position.breakdown.length;
    id("show-result").hidden = false;
    if (ended) this.open();
  }

  open() {
    id("result").hidden = false;
    if (!document.activeElement?.matches("input")) id("result").focus();
  }

  /** Close the card; return whether it was open. */
  close() {
    if (id("result").hidden) return false;
    id("result").hidden = true;
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
