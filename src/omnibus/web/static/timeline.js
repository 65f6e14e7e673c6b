// @ts-check
// The timeline: any position of the game, by slider, keys, log and address.
import * as sidebar from "./sidebar.js";
import * as board from "./board.js";
import { fill, id, pause, reducedMotion } from "./dom.js";

/** @typedef {import("./types.js").Position} Position */

const LONGEST = 9000; // ms for replaying many moves, if the eye can follow

export class Timeline {
  /** @param {(position: Position) => void} show @param {() => void} showCurrent @param {Record<string, string>} texts
   * @param {() => void} leave Called as soon as the current position is left, before an earlier one is there to be shown. */
  constructor(show, showCurrent, texts, leave = () => {}) {
    this.leave = leave;
    this.show = show;
    this.showCurrent = showCurrent;
    this.texts = texts;
    this.at = id("table").dataset.at;
    this.plies = 0;
    /** @type {number|null} */ this.seat = null;
    /** @type {number|null} The ply shown; null: the current position. */ this.ply = null;
    this.asked = 0;
    this.watching = false;
    const slider = id("slider");
    slider.addEventListener("input", () => this.go(Number(slider.value)));
    for (const [name, to] of Object.entries({ first: () => 0, previous: () => this.here - 1, next: () => this.here + 1, last: () => this.plies })) {
      id(name).addEventListener("click", () => this.go(to()));
    }
    id("log").addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const item = /** @type {HTMLElement} */ (event.target).closest("li");
      if (item) this.go(Number(item.dataset.ply));
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  get here() { return this.ply ?? this.plies; }

  /** @param {Position} position */
  update(position) {
    this.plies = position.plies;
    this.seat = position.seat;
    this.render();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowLeft: this.here - 1, ArrowRight: this.here + 1, Home: 0, End: this.plies }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(to);
  }

  /** Go to a ply; the last one is the current position. @param {number} ply */
  async go(ply) {
    const to = Math.max(0, Math.min(ply, this.plies));
    if (to === this.plies) { this.stop(); return; }
    if (this.ply === null) this.leave();
    this.ply = to;
    this.render();
    const asked = ++this.asked;
    const position = await this.position(to);
    if (position && asked === this.asked && this.ply === to) this.show(position);
  }

  /** Ask for the position at a ply. @param {number} ply @returns {Promise<Position|null>} */
  async position(ply) {
    const { ground, wide } = board.wanted();
    const seat = this.seat === null ? "" : `&seat=${this.seat}`;
    const answer = await fetch(`${this.at}${ply}?ground=${ground}&wide=${wide}${seat}`);
    return answer.ok ? answer.json() : null;
  }

  /** Go back to the current position. */
  stop() {
    this.asked += 1;
    this.ply = null;
    this.render();
    id("log").scrollTop = id("log").scrollHeight; // follow the log again
    this.showCurrent();
  }

  /** Show these plies one after the other; the last one is the current position. @param {number[]} plies */
  async watch(plies) {
    this.watching = true;
    await this.replay(plies);
    this.watching = false;
  }

  /** @param {number[]} plies */
  async replay(plies) {
    const steps = plies.slice(0, -1);
    const pace = reducedMotion.matches ? 1200 : Math.max(250, Math.min(700, LONGEST / steps.length));
    for (const ply of steps) {
      await this.go(ply);
      if (this.ply !== ply) return;
      await pause(pace);
      if (this.ply !== ply) return;
    }
    this.stop();
  }

  render() {
    const slider = id("slider");
    slider.max = String(this.plies);
    slider.value = String(this.here);
    slider.setAttribute("aria-valuetext", fill(this.texts.at_ply, { ply: this.here, plies: this.plies }));
    id("where").textContent = `${this.here} / ${this.plies}`;
    for (const name of ["first", "previous"]) id(name).disabled = this.here === 0;
    for (const name of ["next", "last"]) id(name).disabled = this.ply === null;
    const past = id("past");
    if (past) {
      past.hidden = this.ply === null;
      past.firstElementChild.textContent = fill(this.texts.at_ply, { ply: this.here, plies: this.plies });
    }
    sidebar.mark(this.ply);
    const address = new URL(location.href);
    const ply = this.ply ?? (past ? null : this.plies); // a replay begins at the start, unless its address says otherwise
    if (ply === null) address.searchParams.delete("ply");
    else address.searchParams.set("ply", String(ply));
    if (address.href !== location.href) history.replaceState(null, "", address);
  }
}

/** The ply the address asks for. @returns {number|null} */
export function requestedPly() {
  const ply = new URLSearchParams(location.search).get("ply");
  return ply !== null && /^\d+$/.test(ply) ? Number(ply) : null;
}
