// @ts-check
// The page of an analysis: positions by curve, log and buttons, with what was played and what could be.
import * as board from "./board.js";
import { fill, id, make, pause, read } from "./dom.js";

/** @typedef {{line: string, label: string, shares: string, then: string, later: string, reasons: string[], doubts: string[], played: boolean, best: boolean, parts: string[]}} Line */
/** @typedef {{position: import("./types.js").Position, heading: string, played: string, shares: string, sign: string, grade: string, lines: Line[], note: string}} Spot */

const STAY = 1500; // ms for which a turn is shown while the game is played
const ASIDE = [0, -6, 6, -12, 12, -18, 18, -24, 24]; // how far a mark of the curve may move to be seen
const curve = id("curve");
const plies = Number(curve.dataset.plies);
const side = Number(curve.dataset.side);
/** The positions to go to: every decision, and the end. @type {HTMLElement[]} */
const stops = [...id("log").querySelectorAll("li")];
const plyOf = (/** @type {number} */ at) => Number(stops[at].dataset.ply);
let here = 0;
let asked = 0;
/** The number of the run in which the game is played; 0: it is not. */
let playing = 0;
let runs = 0;
/** The parts of the board that are marked: of the best line while one looks at the lines, else of the one played. @type {{best: string[], played: string[]}} */
let marked = { best: [], played: [] };

/** @param {Spot} spot */
function show(spot) {
  board.show(spot.position);
  id("heading").textContent = `${spot.heading} · ${spot.position.status}`;
  id("played").replaceChildren(spot.played, ...(spot.sign ? [" ", make("b", { className: "grade", textContent: `${spot.sign} ${spot.grade}` })] : []));
  id("shares").textContent = spot.shares;
  id("nothing").textContent = spot.note;
  id("lines").replaceChildren(...spot.lines.map(told));
  marked = { best: spot.lines.find((line) => line.best)?.parts ?? [], played: spot.lines.find((line) => line.played)?.parts ?? [] };
  markParts();
}

/** Mark on the board what the text beside it is about. */
const markParts = () => board.touch(id("what-now").open ? marked.best : marked.played);

/** @param {Line} line */
function told(line) {
  const { dataset } = id("what-now");
  const notes = [line.best ? dataset.best : "", line.played ? dataset.played : ""].filter(Boolean).join(", ");
  const why = [...line.reasons.map((text) => `+ ${text}`), ...line.doubts.map((text) => `− ${text}`)];
  const item = make("li", {}, make("strong", { textContent: line.label }), notes ? ` (${notes})` : "",
    make("div", { className: "note", textContent: line.shares }),
    ...(line.then ? [make("div", { textContent: fill(dataset.then, { lines: line.then }) })] : []),
    ...(line.later && why.length ? [make("div", { className: "note", textContent: line.later })] : []),
    make("ul", { className: "why" }, ...why.map((textContent) => make("li", { textContent }))));
  item.addEventListener("pointerenter", () => board.touch(line.parts));
  item.addEventListener("pointerleave", (/** @type {PointerEvent} */ event) => { if (event.pointerType === "mouse") markParts(); }); // a finger has left as soon as it has touched
  return item;
}

/** Mark where we are, on the curve and in the log. */
function mark() {
  const at = side + (1 - 2 * side) * plyOf(here) / plies;
  for (const picture of curve.querySelectorAll("svg")) {
    picture.querySelector(".cursor").setAttribute("transform", `translate(${at * picture.viewBox.baseVal.width} 0)`);
  }
  curve.setAttribute("aria-valuenow", String(here + 1));
  curve.setAttribute("aria-valuetext", `${stops[here].textContent?.trim().replace(/\s+/g, " ")} ${stops[here].dataset.shares}`);
  for (const [number, stop] of stops.entries()) stop.classList.toggle("current", number === here);
  const list = id("log"); // only the list is scrolled, never the page
  const low = stops[here].offsetTop + stops[here].offsetHeight - list.clientHeight;
  list.scrollTop = Math.max(low, Math.min(list.scrollTop, stops[here].offsetTop));
  for (const name of ["to-start", "previous-turn"]) id(name).disabled = here === 0;
  for (const name of ["next-turn", "to-end"]) id(name).disabled = here === stops.length - 1;
}

/** Go to a decision. @param {number} to */
async function go(to) {
  here = Math.max(0, Math.min(to, stops.length - 1));
  mark();
  const { ground, wide } = board.wanted();
  const number = ++asked;
  const answer = await fetch(`${id("table").dataset.at}${plyOf(here)}?ground=${ground}&wide=${wide}`).catch(() => null);
  if (!answer?.ok || number !== asked) return;
  show(await answer.json());
  const address = new URL(location.href);
  address.searchParams.set("ply", String(plyOf(here)));
  history.replaceState(null, "", address);
}

/** The next turn in a direction: moves of chance, and further decisions of a turn, are passed over. @param {1|-1} by */
function turn(by) {
  let to = here + by;
  while (to > 0 && to < stops.length - 1 && stops[to].dataset.turn === undefined) to += by;
  return to;
}

/** Say on the button what it does now. @param {number} run */
function setPlaying(run) {
  playing = run;
  id("play").textContent = run ? id("play").dataset.pause : id("play").dataset.play;
}

/** Play the game turn by turn, until its end or another click; a run that was begun later takes the place of this one. */
async function play() {
  const mine = ++runs;
  setPlaying(mine);
  if (here === stops.length - 1) await go(0);
  while (playing === mine && here < stops.length - 1) {
    await pause(STAY);
    if (playing === mine) await go(turn(1));
  }
  if (playing === mine) setPlaying(0);
}

/** @param {number} to */
function leap(to) {
  setPlaying(0);
  go(to);
}

/** Move marks that would cover each other apart, up or down. @param {SVGSVGElement} picture */
function spreadMarks(picture) {
  /** @type {[number, number][]} */ const placed = [];
  for (const disc of /** @type {NodeListOf<SVGCircleElement>} */ (picture.querySelectorAll("g:last-child > circle"))) {
    const [x, y, r] = [disc.cx, disc.cy, disc.r].map((length) => length.baseVal.value);
    const inside = (/** @type {number} */ at) => at >= r && at <= picture.viewBox.baseVal.height - r;
    const by = ASIDE.find((off) => inside(y + off) && placed.every(([left, top]) => Math.hypot(x - left, y + off - top) >= 2 * r)) ?? 0;
    placed.push([x, y + by]);
    for (const part of by ? [disc, disc.nextElementSibling] : []) part?.setAttribute("transform", `translate(0 ${by})`);
  }
}

/** The stop nearest to a ply. @param {number} ply */
const nearest = (ply) => stops.reduce((best, _, at) => (Math.abs(plyOf(at) - ply) < Math.abs(plyOf(best) - ply) ? at : best), 0);

curve.addEventListener("click", (/** @type {MouseEvent} */ event) => {
  const { left, width } = curve.getBoundingClientRect();
  leap(nearest(((event.clientX - left) / width - side) / (1 - 2 * side) * plies));
});
curve.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  const to = { ArrowLeft: here - 1, ArrowDown: here - 1, ArrowRight: here + 1, ArrowUp: here + 1, PageUp: turn(-1), PageDown: turn(1), Home: 0, End: stops.length - 1 }[event.key];
  if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  leap(to);
});
document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by) leap(turn(/** @type {1|-1} */ (by)));
});
for (const [at, stop] of stops.entries()) stop.addEventListener("click", () => leap(at));
id("to-start").addEventListener("click", () => leap(0));
id("previous-turn").addEventListener("click", () => leap(turn(-1)));
id("next-turn").addEventListener("click", () => leap(turn(1)));
id("to-end").addEventListener("click", () => leap(stops.length - 1));
id("play").addEventListener("click", () => { if (playing) setPlaying(0); else play(); });
id("what-now").addEventListener("toggle", markParts);
for (const link of document.querySelectorAll("[data-go]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    id("what-now").open = true;
    leap(nearest(Number(/** @type {HTMLElement} */ (link).dataset.go)));
    id("explore").scrollIntoView();
  });
}

/** @type {Spot} */
const first = read("spot");
here = nearest(first.position.ply);
for (const picture of curve.querySelectorAll("svg")) spreadMarks(picture);
board.adopt(first.position.ground);
show(first);
mark();
board.onReshape(() => go(here));
if (first.position.wide !== board.wanted().wide) go(here);
