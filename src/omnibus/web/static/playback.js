// @ts-check
// Shows what has happened at a table one decision after the other, slowly enough to follow, each with a caption.
import { id, make } from "./dom.js";
import { instant, pace, playSound } from "./preferences.js";

/** @typedef {import("./types.js").Position} Position */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Step} Step */

const HOLD = { slow: 1500, normal: 700, instant: 0 }; // ms for which a decision of somebody else stays
const LIMIT = { slow: 16000, normal: 9000, instant: 0 }; // ms after which everything is shown, once the reader is to decide
const ROUND = 6; // decisions of others since the reader's last: after so many it is said what they have brought
const OWN = 350; // ms for an own move: as long as its pieces take
const MANY = 12; // decisions waiting: from here on they pass faster
const DOUBLE = 300; // ms: the second click of a double click skips too, and does nothing else
const PATIENCE = 1500; // ms: a position that has not come by then is left out
const TURN = 6; // decisions of one turn that are told together
const SAID = 8; // announcements kept for screen readers
const BRIEF = 3000; // ms
const LONGER = 9000; // ms
const narrow = matchMedia("(max-width: 599px)");
/** @type {number|undefined} */
let fading;

/** Say something to screen readers, once and when they are free. @param {string} text */
export function announce(text) {
  const live = id("live");
  live.append(make("span", { textContent: `${text} ` }));
  while (live.childElementCount > SAID) live.firstElementChild.remove();
}

/** Show what was decided. On a phone, where it covers the status, it does not stay. @param {string} text */
export function caption(text, ms = BRIEF) {
  clearTimeout(fading);
  id("caption").textContent = text;
  id("caption").hidden = false;
  if (narrow.matches) fading = setTimeout(() => { id("caption").hidden = true; }, ms);
}

/** What a decision has brought about, after what the same seat decided just before it. @param {Step[]} steps @param {Step} step */
export function turn(steps, step) {
  const before = steps.filter(({ ply }) => ply < step.ply);
  const own = before.slice(before.findLastIndex(({ seat }) => seat !== step.seat) + 1);
  return [...own, step].slice(-TURN).map((each) => each.caption).join(" ");
}

/** What a playback needs from the page.
 * @typedef {object} Page
 * @property {() => Scene} scene The scene that is shown.
 * @property {(step: Step) => string} told What a decision has brought about, in words.
 * @property {(gains: string) => string} summary Who has gained what since the reader's last decision, in words.
 * @property {(next: Scene) => void} take Show another scene.
 * @property {(position: Position, step: Step) => void} hold Show an earlier position, in which there is nothing to do.
 * @property {(ply: number) => Promise<Position|null>} position Fetch an earlier position.
 * @property {() => void} freeze Offer no moves: what is shown is no longer current.
 * @property {() => boolean} away Whether the reader looks at another position. */

export class Playback {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** @type {Scene[]} */ this.queue = [];
    this.running = false;
    this.hurried = false;
    this.skipped = -DOUBLE;
    this.until = 0;
    this.deadline = Infinity;
    this.wake = () => {};
    /** What the reader has just decided, in words. */ this.own = "";
    /** How many decisions of others were told since then. */ this.told = 0;
    /** The position before them. @type {Position|null} */ this.before = null;
    /** @type {number|undefined} */ this.reviewing = undefined;
    document.addEventListener("visibilitychange", () => this.wake());
    document.addEventListener("click", (event) => this.click(event), true);
    document.addEventListener("keydown", (event) => this.key(event), true);
  }

  /** Whether something waits to be shown: then what is on the screen is not current. */
  get waiting() { return this.queue.length > 0; }

  /** Whether to wait for nothing now. */
  get instant() { return this.hurried || instant() || document.hidden || this.page.away(); }

  /** @param {Scene} scene */
  push(scene) {
    clearTimeout(this.reviewing);
    this.queue.push(scene);
    if (scene.moves.length || !scene.live) this.deadline = Math.min(this.deadline, performance.now() + LIMIT[pace()]);
    this.run();
  }

  /** Show what waits, without delay. */
  skip() {
    this.skipped = performance.now();
    this.hurried = true;
    this.wake();
  }

  /** @param {MouseEvent} event */
  click(event) {
    const here = /** @type {Element} */ (event.target).closest("#board, #caption");
    if (!here || (!this.waiting && performance.now() - this.skipped > DOUBLE)) return;
    event.stopPropagation();
    if (this.waiting) this.skip();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element} */ (event.target);
    if (!this.waiting || !["Enter", " ", "Escape"].includes(event.key) || target.closest("input, select, textarea, button, a, summary")) return;
    event.stopPropagation();
    event.preventDefault();
    this.skip();
  }

  /** The decisions of others in a scene that have not been shown. @param {Scene} next */
  unseen(next) {
    const { position } = this.page.scene();
    return next.steps.filter((step) => step.ply > position.plies && !next.own.includes(step.seat));
  }

  async run() {
    if (this.running) return;
    this.running = true;
    while (this.queue.length) {
      const next = this.queue[0];
      this.before ??= this.page.scene().position;
      const last = await this.tell(next);
      const grown = next.position.plies - this.page.scene().position.plies;
      this.queue.shift();
      this.page.take(next);
      if (last) this.say(last);
      else if (grown !== 0) this.tellOwn(grown > 0);
    }
    this.running = this.hurried = false;
    this.deadline = Infinity;
    if (this.told >= ROUND && this.page.scene().moves.length) this.reviewing = setTimeout(() => this.review(), Math.max(0, this.until - performance.now()));
  }

  /** After many decisions of others, sum up what they have brought. */
  async review() {
    const { gains } = await import("./gains.js");
    const text = this.before && !this.waiting ? gains(this.before, this.page.scene().position) : "";
    if (!text || this.page.away()) return;
    caption(this.page.summary(text), LONGER);
    announce(text);
  }

  /** After an own move, say what it was; the next decision waits until its pieces have moved. @param {boolean} played */
  tellOwn(played) {
    caption(played ? this.own : "");
    this.own = "";
    this.told = 0;
    this.before = null;
    this.keep(OWN);
  }

  /** Show the positions between this scene and the last; return the last decision, which the scene itself shows. @param {Scene} next */
  async tell(next) {
    const steps = this.unseen(next);
    const last = steps.pop();
    for (const step of steps) {
      const position = this.instant ? null : await Promise.race([this.page.position(step.ply), this.pause(PATIENCE)]);
      await this.held();
      if (position && !this.instant) this.page.hold(position, step);
      this.say(step);
    }
    if (last) await this.held();
    return last;
  }

  /** Wait until what is shown has been seen. */
  async held() {
    for (let left; (left = this.until - performance.now()) > 0 && !this.instant;) {
      this.page.freeze();
      await this.pause(left);
    }
  }

  /** Wait, unless the reader skips ahead. @param {number} ms @returns {Promise<null>} */
  pause(ms) { return new Promise((go) => { this.wake = () => go(null); setTimeout(() => go(null), ms); }); }

  /** Say what somebody else has decided, and let it stay for a while. @param {Step} step */
  say(step) {
    caption(this.page.told(step));
    announce(step.caption);
    this.told += 1;
    playSound("move");
    const usual = HOLD[pace()];
    const left = new Set(this.queue.flatMap((scene) => scene.steps).map(({ ply }) => ply).filter((ply) => ply > step.ply)).size;
    const share = (this.deadline - performance.now()) / Math.max(left, 1);
    this.keep(Math.min(usual, left > MANY ? usual * MANY / left : usual, left ? share : usual));
  }

  /** @param {number} ms */
  keep(ms) { this.until = performance.now() + Math.max(0, ms); }
}
