// @ts-check
// The tutorial: one step after the other, with one move that is wanted. The server plays it and what follows.
import * as board from "./board.js";
import { MovePicker } from "./move_picker.js";
import { id, pause, read, reducedMotion } from "./dom.js";
import { learned } from "./newcomer.js";

/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./types.js").Position} Position */
/** @typedef {{step: number, steps: number, text: string, otherwise: string, result: string, wanted: string[], target: string, moves: Move[], targets: import("./types.js").Piece[], position: Position}} Lesson */

const MOMENT = 900; // ms: to see what somebody did
const ROOM = 48; // px: what the pointer needs
const SMALL = 20; // px: what is smaller is hard to see
const texts = read("texts");
const address = id("table").dataset.lesson;
/** @type {Lesson} */
let scene = read("scene");

/** @param {Move} move */
const isWanted = (move) => scene.wanted.includes(move.line);

/** Whether a move is a single word like "done", which is a button. @param {Move} move */
const isWord = (move) => !move.line.includes(" ");

/** A picker that lights only what the step wants, and says so to everything else. */
class LessonPicker extends MovePicker {
  get confirms() { return false; }

  /** One part for each wanted move: the target, then the part that tells most; none where a button is offered. @param {Move[]} left */
  open(left) {
    const wanted = left.filter((move) => isWanted(move) && !isWord(move));
    if (!this.picked.length) return wanted.map((move) => scene.target || move.parts[0]);
    /** @param {string} part */
    const fits = (part) => left.filter((move) => move.parts.includes(part)).length;
    return wanted.flatMap(({ parts }) => parts.filter((part) => !this.picked.includes(part) && fits(part) < left.length)
      .sort((one, two) => fits(one) - fits(two)).slice(0, 1));
  }

  /** Take a wanted part; what was chosen stays chosen. @param {string} part */
  click(part) {
    if (this.picked.includes(part)) return;
    /** @param {string[]} parts */
    const fits = (parts) => this.moves.some((move) => isWanted(move) && parts.every((other) => move.parts.includes(other)));
    if (!fits([...this.picked, part]) && fits([part])) this.picked = []; // another way to the same end
    if (fits([...this.picked, part])) super.click(part, true);
    else if (this.moves.length) this.showReason(scene.otherwise);
  }

  /** Buttons only where the board does not tell the moves apart, and for a wanted move of a single word. @param {Move[]} left */
  offerChoices(left) {
    const stuck = this.picked.length > 0 && !this.open(left).length;
    super.offerChoices(stuck ? left : left.filter((move) => isWanted(move) && isWord(move)));
  }

  relight() {
    super.relight();
    this.tell();
    point();
    setTimeout(() => { point(); reveal(); }, 400); // pieces may still be moving
  }

  /** Say what is left to do after the first of two clicks. The text keeps its height: nothing below it moves. */
  tell() {
    if (!this.moves.length) return; // a result is shown
    const text = id("lesson-text");
    const next = this.open(this.left()).length ? texts.then_click : texts.then_choose;
    text.style.minHeight = this.picked.length ? `${text.getBoundingClientRect().height}px` : "";
    text.textContent = this.picked.length ? next : scene.text;
  }

  render() {
    super.render();
    for (const button of document.querySelectorAll("[data-line]"))
      button.classList.toggle("wanted", scene.wanted.includes(/** @type {HTMLElement} */ (button).dataset.line ?? ""));
  }
}

const picker = new LessonPicker({
  play: (move) => {
    if (isWanted(move)) play(move);
    else { picker.reset(); picker.showReason(scene.otherwise); }
  },
  why: () => picker.showReason(scene.otherwise),
  preview: () => {},
}, texts);

/** Point at what glows, from outside: from above, or from below where there is no room above. What is small gets a ring. */
function point() {
  const [pointer, ring] = [id("pointer"), id("ring")];
  const target = id("board").querySelector(".glow")?.getBoundingClientRect();
  const stage = pointer.parentElement.getBoundingClientRect();
  pointer.hidden = !target;
  ring.hidden = !target || Math.max(target.width, target.height) >= SMALL;
  if (!target) return;
  ring.style.left = `${target.left + target.width / 2 - stage.left}px`;
  ring.style.top = `${target.top + target.height / 2 - stage.top}px`;
  const { top, bottom } = ring.hidden ? target : ring.getBoundingClientRect();
  const below = top - stage.top < ROOM;
  pointer.classList.toggle("below", below);
  pointer.style.left = `${target.left + target.width / 2 - stage.left}px`;
  pointer.style.top = `${(below ? bottom : top) - stage.top}px`;
}

/** Scroll to what glows, if it is hidden below the screen or by the text above it. */
function reveal() {
  const { top, bottom } = id("pointer").getBoundingClientRect();
  const card = id("lesson-card").getBoundingClientRect();
  const above = getComputedStyle(id("lesson-card")).position === "sticky" ? card.height : 0;
  if (id("pointer").hidden || (top > above && bottom + 40 < innerHeight)) return;
  scrollBy({ top: top - (above + innerHeight) / 2, behavior: reducedMotion.matches ? "auto" : "smooth" });
}

/** Ask the server; null when it cannot be reached. @param {string} path @param {RequestInit} [request] */
async function ask(path, request) {
  try {
    const answer = await fetch(`${address}/${path}`, request);
    if (answer.ok) return await answer.json();
  } catch { /* no connection */ }
  return null;
}

/** Play a wanted move, and show what follows. @param {Move} move */
async function play(move) {
  const played = scene;
  picker.offer([]);
  id("caption").textContent = "";
  const answer = await ask(String(scene.step), { method: "POST", body: JSON.stringify({ line: move.line, ...board.wanted() }) });
  if (scene !== played) return; // gone to another step meanwhile
  if (!answer) { picker.offer(scene.moves); picker.showReason(texts.unreachable); return; }
  const told = [];
  for (const [at, frame] of answer.frames.entries()) {
    if (frame.text) told.push(frame.text);
    id("caption").textContent = told.join(" ");
    board.show(frame.position);
    if (at < answer.frames.length - 1 && !reducedMotion.matches) await pause(MOMENT);
    if (scene !== played) return;
  }
  if (!scene.result) { await go(scene.step + 1); return; }
  id("caption").textContent = "";
  say(scene.result);
  id("go-on").hidden = false;
  id("go-on").focus(); // Enter leads on
}

/** Say something in place of the step's text. @param {string} text */
function say(text) {
  id("lesson-text").textContent = text;
  picker.showReason("");
}

/** Go to a step; after the last one comes the goal of the game. @param {number} step */
async function go(step) {
  if (step > scene.steps) { finish(); return; }
  const next = await ask(`${step}?${new URLSearchParams(Object.entries(board.wanted()).map(([name, value]) => [name, String(value)]))}`);
  if (next) { scene = next; show(); return; }
  picker.showReason(texts.unreachable);
  id("go-on").hidden = picker.moves.length > 0;
}

/** Show the current step. */
function show() {
  id("lesson-end").hidden = true;
  id("lesson-card").hidden = false;
  id("go-on").hidden = true;
  id("back").hidden = scene.step === 1;
  id("progress").value = scene.step;
  id("lesson-step").textContent = `${scene.step} / ${scene.steps}`;
  board.show(scene.position);
  board.setTargets(scene.targets);
  picker.offer(scene.moves);
  say(scene.text);
  keep(scene.step);
  history.replaceState(null, "", `${address}?step=${scene.step}`);
}

/** Remember a step on this device; 0 begins anew. @param {number} step */
function keep(step) {
  document.cookie = `step=${step}; path=${address}; max-age=${step ? 31536000 : 0}; samesite=lax`;
}

/** The tutorial is over: show the goal, and offer a real game. */
function finish() {
  picker.offer([]);
  id("lesson-card").hidden = true;
  id("lesson-end").hidden = false;
  id("lesson-end").focus();
  keep(0);
  learned();
}

/** @type {Record<string, () => void>} */
const clicks = {
  "go-on"() { id("go-on").hidden = true; go(scene.step + 1); },
  back: () => go(scene.step - 1),
  skip: () => go(scene.step + 1),
  again: () => go(1),
};
for (const name in clicks) id(name).addEventListener("click", clicks[name]);
for (const form of document.forms) form.addEventListener("submit", () => learned());
document.addEventListener("keydown", (event) => { if (event.key === "Escape") picker.reset(); });
board.adopt(scene.position.ground);
addEventListener("resize", point);
board.onReshape(() => go(scene.step));
show();
if (scene.position.wide !== board.wanted().wide) go(scene.step);
