// @ts-check
// A puzzle: choose a move and confirm it; the server says whether it is right, and why.
import * as board from "./board.js";
import { MovePicker } from "./move_picker.js";
import { fill, id, make, read } from "./dom.js";
import { sayWhy } from "./why.js";

/** @typedef {import("./types.js").Move} Move */
/** @typedef {{id: string, moves: Move[], targets: import("./types.js").Piece[], position: import("./types.js").Position}} Puzzle */
/** @typedef {{line: string, label: string, share: number, error: number, solution: boolean, turn: string[], reasons: string[], doubts: string[]}} Line */
/** @typedef {{lines: Line[], themes: string[], exact: boolean, hidden: boolean}} Explanation */
/** @typedef {{solved: boolean, standing: {rating: number, streak: number, change: number}, explanation: Explanation|null, next: string|null, position: import("./types.js").Position|null}} Answer */

const texts = read("texts");
const said = id("table").dataset;
/** @type {Puzzle} */
let scene = read("scene");
let over = false;
let right = ""; // the line that solved it

/** A picker that asks before every move: an attempt counts. Afterwards the focus is back on the move. */
class PuzzlePicker extends MovePicker {
  /** The line of the move the focus returns to. */ line = "";

  /** @param {Move} move */
  choose(move) {
    this.line = move.line;
    super.choose(move, true);
  }

  reset(refocus = true) {
    if (refocus) this.line = this.pending?.line ?? /** @type {any} */ (document.activeElement)?.dataset.line ?? "";
    super.reset(refocus);
  }

  focus() {
    const buttons = [...id(id("move-picker").open ? "moves" : "choices").querySelectorAll("button")];
    const same = buttons.find((button) => button.dataset.line === this.line);
    if (same) same.focus();
    else super.focus();
  }
}

const picker = new PuzzlePicker({
  play: (move) => answer(move.line),
  why: (part, picked) => sayWhy(picker, `${said.puzzle}/why`, part, picked, scene.position.status),
  preview: () => {},
}, texts);

/** Ask the server; null when it cannot be reached. @param {string} path @param {RequestInit} [request] */
async function ask(path, request) {
  try {
    const found = await fetch(`${said.puzzle}${path}`, request);
    if (found.ok) return await found.json();
  } catch { /* no connection */ }
  return null;
}

/** Send a line, or none to see the solution. @param {string} line */
async function answer(line) {
  picker.offer([]);
  /** @type {Answer|null} */
  const found = await ask("", { method: "POST", body: JSON.stringify({ line, ...board.wanted() }) });
  if (!found) { picker.offer(scene.moves); picker.showReason(texts.unreachable); return; }
  id("rating").textContent = String(found.standing.rating);
  id("streak").textContent = String(found.standing.streak);
  const { change } = found.standing;
  if (change) id("change").textContent = `(${change > 0 ? "+" : "−"}${Math.abs(change)})`;
  say(found.solved ? said.right : line ? said.wrong : said.givenUp, found.solved ? "right" : line ? "wrong" : "");
  if (found.position) { board.show(found.position); right = line; }
  if (found.explanation) explain(found.explanation, found.next);
  else { picker.offer(scene.moves); id("counts").textContent = said.practice; }
}

/** @param {string|undefined} text @param {string} kind */
function say(text, kind) {
  id("verdict").textContent = text;
  id("verdict").className = `puzzle-text ${kind}`;
}

/** Show why the solution is best. @param {Explanation} found @param {string|null} next */
function explain(found, next) {
  over = true;
  id("status").textContent = "";
  id("show-solution").hidden = id("counts").hidden = true;
  id("better").textContent = fill(said.better ?? "", { points: lead(found.lines) });
  id("puzzle-themes").replaceChildren(...found.themes.map((theme) => make("li", { textContent: theme })));
  id("puzzle-themes").hidden = found.themes.length === 0;
  id("lines").replaceChildren(...found.lines.map(row));
  id("how").textContent = found.exact ? said.exact : found.hidden ? said.estimated : said.searched;
  id("explanation").hidden = id("see-why").hidden = false;
  const link = id("next-puzzle");
  if (link && next) { link.href = `/puzzles/${next}`; link.hidden = false; }
  if (picker.keyed) (link ?? id("verdict")).focus();
}

/** @param {Line} line */
const percentOf = (line) => Math.round(100 * line.share);

/** By how many percentage points the solution is better than every other line, going by what is shown. @param {Line[]} lines */
function lead(lines) {
  const of = (/** @type {boolean} */ solution) => lines.filter((line) => line.solution === solution).map(percentOf);
  return Math.min(...of(true)) - Math.max(...of(false));
}

/** A line that was compared; its parts are lit on the board while the pointer or the focus is on it. @param {Line} line */
function row(line) {
  const parts = scene.moves.find((move) => move.line === line.line)?.parts ?? [];
  const why = [...line.reasons.map((text) => `+ ${text}`), ...line.doubts.map((text) => `− ${text}`)];
  const label = make("td", {}, make("strong", { textContent: `${line.solution ? "✓ " : ""}${line.label}` }),
    ...(line.turn.length ? [make("small", { textContent: fill(said.then ?? "", { moves: line.turn.join(", ") }) })] : []),
    ...why.map((text) => make("small", { textContent: text })));
  const percent = make("td", { className: "share" }, fill(said.percent ?? "", { percent: percentOf(line) }),
    ...(line.error ? [make("small", { textContent: `± ${Math.max(1, Math.round(100 * line.error))}` })] : []));
  const made = make("tr", { className: line.solution ? "right" : "" }, label, percent);
  if (parts.length) made.tabIndex = 0;
  for (const sort of ["mouseenter", "focus"]) made.addEventListener(sort, () => board.touch(parts));
  for (const sort of ["mouseleave", "blur"]) made.addEventListener(sort, () => board.touch([]));
  return made;
}

/** Show the puzzle in the other shape. */
async function reshape() {
  const wanted = new URLSearchParams(Object.entries(board.wanted()).map(([name, value]) => [name, String(value)]));
  const found = await ask(`/scene?${wanted}`);
  if (!found) return;
  scene = found;
  show();
  if (!right) return;
  const again = await ask("", { method: "POST", body: JSON.stringify({ line: right, ...board.wanted() }) });
  if (again) board.show(again.position);
}

function show() {
  board.show(scene.position);
  board.setTargets(scene.targets);
  if (!over) id("status").textContent = scene.position.status;
  picker.offer(over ? [] : scene.moves);
}

id("show-solution").addEventListener("click", () => answer(""));
document.addEventListener("keydown", (event) => { if (event.key === "Escape") picker.reset(); });
board.adopt(scene.position.ground);
board.onReshape(reshape);
show();
if (scene.position.wide !== board.wanted().wide) reshape();
