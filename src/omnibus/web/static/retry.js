// @ts-check
// One's own worst moments, to be tried again: a move that loses hardly anything passes.
import * as board from "./board.js";
import { MovePicker } from "./move_picker.js";
import { fill, id, make, read } from "./dom.js";
import { sayWhy } from "./why.js";

/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./analysis_report.js").Line} Line */
/** @typedef {{ply: number, position: import("./types.js").Position, moves: Move[], targets: import("./types.js").Piece[], played: Line, lost: string, grade: string, solution: Line}} Exercise */

const texts = read("texts");
const address = id("table").dataset.at;
const plies = id("table").dataset.plies.split(" ").map(Number);
const said = id("task").dataset;
/** @type {Exercise} */
let exercise = read("exercise");
let number = 0;

/** A picker that plays at once: a try can be repeated. */
class RetryPicker extends MovePicker {
  get confirms() { return false; }
}

const picker = new RetryPicker({
  play: (move) => attempt(move),
  why: (part, picked) => sayWhy(picker, `${address}${exercise.ply}/why`, part, picked, exercise.position.status),
  preview: () => {},
}, texts);

/** Judge a move. @param {Move} move */
async function attempt(move) {
  const { keyed } = picker;
  picker.offer([]);
  id("task").textContent = said.judging;
  const answer = await fetch(`${address}${exercise.ply}`, { method: "POST", body: JSON.stringify({ line: move.line }) }).catch(() => null);
  const result = answer?.ok ? await answer.json() : { passes: false, text: texts.unreachable };
  if (result.passes) { finish(result.text, move.parts); return; }
  id("task").textContent = move.label + texts.colon + result.text;
  picker.offer(exercise.moves);
  if (keyed) picker.focus();
}

/** Show the solution, and lead on. @param {string} text @param {string[]} parts */
function finish(text, parts) {
  picker.offer([]);
  id("task").textContent = text;
  for (const name of ["show-hint", "show-solution"]) id(name).hidden = true; // there is nothing left to find
  solve(parts);
  const last = number === plies.length - 1;
  if (last) id("task").textContent += ` ${said.last}`;
  else id("next-one").focus();
}

/** @param {string[]} parts */
function solve(parts) {
  const { label, shares, then, later, reasons } = exercise.solution;
  id("solution").replaceChildren(make("p", {}, make("strong", { textContent: label }), then ? ` ${fill(id("solution").dataset.then, { lines: then })}` : ""),
    make("p", { className: "note", textContent: shares }),
    ...(later && reasons.length ? [make("p", { className: "note", textContent: later })] : []),
    make("ul", { className: "why" }, ...reasons.map((reason) => make("li", { textContent: `+ ${reason}` }))));
  id("solution").hidden = false;
  board.touch(parts);
}

/** Give a reason for the best move, or show where it begins. */
function hint() {
  const [reason] = exercise.solution.reasons;
  id("task").textContent = reason ? fill(said.hint, { reason }) : said.look;
  /** @param {string} part */
  const fits = (part) => exercise.moves.filter((move) => move.parts.includes(part)).length;
  board.touch([...exercise.solution.parts].sort((one, two) => fits(two) - fits(one)).slice(0, 1)); // the part that tells least
}

/** Go to a mistake. @param {number} to */
async function go(to) {
  const { ground, wide } = board.wanted();
  const answer = await fetch(`${address}${plies[to]}?ground=${ground}&wide=${wide}`).catch(() => null);
  if (!answer?.ok) { picker.showReason(texts.unreachable); return; }
  number = to;
  exercise = await answer.json();
  show();
}

function show() {
  const { played, grade, lost } = exercise;
  id("count").textContent = `${number + 1} / ${plies.length}`;
  id("position-status").textContent = exercise.position.status;
  id("was").textContent = `${played.label} (${grade}). ${lost}.`;
  id("solution").hidden = true;
  for (const name of ["show-hint", "show-solution"]) id(name).hidden = false;
  id("next-one").hidden = number === plies.length - 1;
  board.show(exercise.position);
  board.setTargets(exercise.targets);
  picker.offer([]);
  picker.offer(exercise.moves);
  id("task").textContent = said.task;
}

document.addEventListener("keydown", (event) => { if (event.key === "Escape") picker.reset(); });
id("show-hint").addEventListener("click", hint);
id("show-solution").addEventListener("click", () => finish("", exercise.solution.parts));
id("next-one").addEventListener("click", () => go(number + 1));
board.adopt(exercise.position.ground);
show();
board.onReshape(() => go(number));
if (exercise.position.wide !== board.wanted().wide) go(number);
