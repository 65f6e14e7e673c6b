// @ts-check
// Plays the end of a game: what decided it, one thing after the other, and the scores as they add up.
import { announce, caption } from "./playback.js";
import { draw, id, read } from "./dom.js";
import { instant, pace } from "./preferences.js";

/** @typedef {import("./types.js").Journey} Journey */
/** @typedef {import("./types.js").Position} Position */

const LEG = 280; // ms from one point of a route to the next
const RIDE = 3500; // ms for a whole route at most
const STAY = { slow: 2600, normal: 1300, instant: 1300 }; // ms for which a thing stays when it has been shown

export class Ending {
  /** @param {() => void} finished Called when everything has been shown, or the rest was skipped. */
  constructor(finished) {
    this.finished = finished;
    this.playing = false;
    this.wake = () => {};
    document.addEventListener("click", (event) => {
      if (this.playing && /** @type {Element} */ (event.target).closest("#board, #caption")) { event.stopPropagation(); this.stop(); }
    }, true);
    document.addEventListener("keydown", (event) => {
      if (!this.playing || !["Enter", " ", "Escape"].includes(event.key) || /** @type {Element} */ (event.target).closest("input, textarea, button, a")) return;
      event.stopPropagation();
      event.preventDefault();
      this.stop();
    }, true);
  }

  /** Show how the game ended. @param {Position} position */
  async play(position) {
    if (this.playing || !position.journeys.length) return;
    this.playing = true;
    document.body.classList.add("ending");
    const { journeys } = position;
    for (let at = 0; at < journeys.length && this.playing; at += 1) {
      cover(journeys.slice(at));
      await this.show(journeys[at], position);
      cover(journeys.slice(at + 1));
    }
    clear();
    for (const element of id("board").querySelectorAll(".known")) element.classList.remove("known");
    cover([]);
    caption("");
    document.body.classList.remove("ending");
    this.playing = false;
    this.finished();
  }

  /** Skip the rest. */
  stop() {
    this.playing = false;
    this.wake();
  }

  /** @param {Journey} journey @param {Position} position */
  async show(journey, position) {
    const name = journey.seat === null ? "" : position.panels[journey.seat].name + read("texts").colon;
    const say = (/** @type {string} */ more) => caption(`${name}${journey.caption}${more ? ` · ${more}` : ""}`);
    const goTo = begin(journey);
    say(journey.ticks[0] ?? "");
    const leg = Math.min(LEG, RIDE / Math.max(journey.points.length, 1)) * (pace() === "slow" ? 2 : 1);
    for (let at = 0; at < journey.points.length && this.playing; at += 1) {
      goTo(at, leg);
      say(journey.ticks[at] ?? "");
      if (!instant()) await this.pause(leg);
    }
    goTo(journey.points.length, 0);
    for (const part of journey.parts) for (const element of partsOf(part)) element.classList.add("known");
    say(journey.value);
    announce(id("caption").textContent);
    await this.pause(STAY[pace()]);
  }

  /** @param {number} ms */
  pause(ms) {
    return this.playing ? new Promise((go) => { this.wake = () => go(null); setTimeout(go, ms); }) : null;
  }
}

/** Cover the rows of the result that these journeys are still to explain. @param {Journey[]} left */
function cover(left) {
  const first = Math.min(...left.map(({ row }) => row ?? Infinity));
  for (const [at, row] of [...id("breakdown").querySelectorAll("tbody tr")].entries()) row.classList.toggle("covered", at >= first);
}

function clear() {
  id("board").querySelector("g.journey")?.remove();
  for (const element of id("board").querySelectorAll(".lit")) element.classList.remove("lit");
}

/** @param {string} part @returns {Element[]} */
const partsOf = (part) => id("board").querySelectorAll(`[data-part="${CSS.escape(part)}"]`);

/** Highlight the parts of a journey and prepare its route; the answer goes to a point of it. @param {Journey} journey
 * @returns {(at: number, ms: number) => void} */
function begin({ seat, symbol, points, parts }) {
  clear();
  for (const part of parts) for (const element of partsOf(part)) element.classList.add("lit");
  const group = draw("g", { class: "journey" });
  const colour = seat === null ? "var(--ink)" : `var(--seat-${seat})`;
  const route = { points: "", fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" };
  const lines = [draw("polyline", { ...route, stroke: "var(--paper)", class: "halo" }), draw("polyline", { ...route, stroke: colour, class: "route" })];
  const traveller = symbol ? draw("use", { href: `#${symbol}` }) : draw("circle", { r: 0 });
  group.append(...lines, traveller);
  id("board").querySelector("svg > g.pieces")?.after(group);
  return (at, ms) => { // the route is drawn up to where the traveller sets out
    for (const line of lines) line.setAttribute("points", points.slice(0, at).map((point) => point.join()).join(" "));
    const [x, y] = points[Math.min(at, points.length - 1)] ?? [0, 0];
    traveller.style.transition = at && ms && !instant() ? `transform ${ms}ms linear` : "none";
    traveller.style.transform = `translate(${x}px, ${y}px)`;
  };
}
