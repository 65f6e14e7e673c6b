// @ts-check
// Choosing a move: by clicking parts of the board, from the list, or by typing. A click narrows the list down.
import * as board from "./board.js";
import { fill, id, make } from "./dom.js";

/** @typedef {import("./types.js").Move} Move */

const MANY = 8; // moves: so many become buttons in the action bar once something was clicked; more can be searched
const FEW = 4; // moves: so many are buttons from the start
const LONG = 3; // words
const WORD = /^[a-z]+$/; // like "pass"
const MOMENT = 150; // ms: no preview for a pointer that only passes by

export class MovePicker {
  /** @param {{play: (move: Move) => void, why: (part: string, picked: string[]) => void, preview: (move: Move|null) => void}} actions
   * @param {Record<string, string>} texts */
  constructor(actions, texts) {
    this.actions = actions;
    this.texts = texts;
    /** @type {Move[]} */ this.moves = [];
    /** @type {string[]} */ this.picked = [];
    /** @type {Move|null} */ this.pending = null;
    /** The move under the pointer or the focus. @type {Move|null} */ this.near = null;
    /** @type {Move|null} */ this.under = null;
    /** @type {number|undefined} */ this.waiting = undefined;
    /** Whether the keyboard was used last: only then the focus is moved. */ this.keyed = false;
    /** Whether the focus was here when there was nothing left to choose. */ this.held = false;
    document.addEventListener("keydown", () => { this.keyed = true; }, true);
    document.addEventListener("pointerdown", () => { this.keyed = false; this.held = false; }, true);
    board.onPart((part, hit, bare) => this.click(part, hit || (bare && this.picked.length > 0)));
    id("confirm").addEventListener("click", () => this.confirm());
    id("choose-again").addEventListener("click", () => this.reset());
    id("unpick").addEventListener("click", () => this.reset());
    id("find").addEventListener("input", () => this.list());
    id("find").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== "ArrowDown") return;
      event.preventDefault();
      event.stopPropagation();
      const first = id("moves").querySelector("button");
      if (event.key === "ArrowDown") first?.focus();
      else if (id("find").value.trim()) first?.click(); // Enter without a word typed chooses nothing
    });
    id("moves").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.step(event));
    id("move-picker").open = localStorage.getItem("omnibus moves") === "open";
    id("move-picker").addEventListener("toggle", () => localStorage.setItem("omnibus moves", id("move-picker").open ? "open" : ""));
  }

  /** Unfold the list of all moves, and go there. */
  unfold() {
    id("move-picker").open = true;
    this.focusList();
  }

  get confirms() { return id("confirm-turns")?.checked ?? true; }

  /** Offer moves; none when there is nothing to choose. @param {Move[]} moves */
  offer(moves) {
    if (moves.length && String(moves.map((move) => move.line)) === String(this.moves.map((move) => move.line))) {
      this.moves = moves; // nothing new to choose from: what was chosen so far stays
      this.relight();
      if (this.shown) this.actions.preview(this.shown);
      return;
    }
    if (this.keyed && this.holds(document.activeElement)) this.held = true;
    this.moves = moves;
    id("find").value = "";
    id("move-picker").hidden = moves.length === 0;
    this.reset(false);
    if (!this.held || !moves.length) return;
    this.held = false;
    this.focus();
  }

  /** Whether an element is for choosing a move. @param {Element|null} element */
  holds(element) { return ["move-picker", "choices", "pending", "unpick"].some((name) => id(name).contains(element)); }

  focus() {
    const choice = id("choices").querySelector("button");
    if (id("move-picker").open) this.focusList();
    else (choice ?? id("move-picker-head")).focus();
  }

  focusList() {
    const find = id("find");
    if (!find.hidden) find.focus();
    else (id("moves").querySelector("button") ?? id("move-picker-head")).focus();
  }

  /** The move to preview now. */
  get shown() { return this.pending ?? this.near; }

  /** Preview the move under the pointer or the focus; null when it has left. @param {Move|null} move */
  look(move) {
    clearTimeout(this.waiting);
    this.under = move;
    if (this.pending) return;
    board.touch(move?.parts ?? []);
    if (this.near) { this.near = null; this.actions.preview(null); }
    if (move) this.waiting = setTimeout(() => { this.near = move; this.actions.preview(move); }, MOMENT);
  }

  reset(refocus = true) {
    const inside = this.holds(document.activeElement);
    clearTimeout(this.waiting);
    if (this.shown) this.actions.preview(null);
    this.pending = this.near = this.under = null;
    this.picked = [];
    this.showReason("");
    this.render();
    if (inside && refocus && this.keyed) this.focus();
  }

  /** The moves that match everything that was clicked. */
  left() {
    return this.moves.filter((move) => this.picked.every((part) => move.parts.includes(part)));
  }

  /** The parts worth clicking: after the first click, those that tell the remaining moves apart, ghosts among them.
   * @param {Move[]} left */
  open(left) {
    const parts = new Set(left.flatMap((move) => move.parts));
    if (!this.picked.length) return [...parts].filter((part) => !part.startsWith("ghost-"));
    return [...parts].filter((part) => !this.picked.includes(part) && !left.every((move) => move.parts.includes(part)));
  }

  /** Narrow the choice down. A click that fits nothing keeps the choice and says why; nothing is played that was not
   * clicked exactly, nor after a choice was begun anew, nor by a first click on a bare place: that asks first. @param {string} part @param {boolean} exact */
  click(part, exact) {
    if (!this.moves.length || this.pending?.parts.includes(part)) return;
    if (this.picked.includes(part) && !this.pending) {
      this.picked = this.picked.filter((other) => other !== part);
      this.showReason("");
      this.render();
      return;
    }
    const anew = this.pending !== null;
    const picked = anew ? [part] : [...this.picked, part];
    if (!this.moves.some((move) => picked.every((other) => move.parts.includes(other)))) {
      this.actions.why(part, this.pending ? [] : this.picked);
      return;
    }
    if (anew) this.reset(false);
    this.showReason("");
    this.picked = picked;
    const left = this.left();
    const vague = picked.length === 1 && part !== left[0].parts[0] && this.confirms;
    if (left.length === 1) this.choose(left[0], anew || !exact || vague);
    else this.render();
  }

  /** Play a move, or ask first: at the end of a turn, and where it may not have been meant. @param {Move} move */
  choose(move, ask = false) {
    clearTimeout(this.waiting);
    this.near = null;
    if (!ask && (!move.ends || !this.confirms)) {
      this.picked = [];
      this.actions.play(move);
      return;
    }
    this.pending = move;
    this.render();
    id("confirm").focus();
    this.actions.preview(move);
  }

  confirm() {
    const move = this.pending;
    if (!move) return;
    this.pending = null;
    this.picked = [];
    this.actions.play(move);
  }

  /** Say why something is not possible, with a link to its § in the rules. @param {string} text */
  showReason(text, section = "") {
    const href = `${id("table").dataset.rules}#${section.replace("§", "")}`;
    const link = make("a", { href, target: "_blank", textContent: section });
    id("reason").replaceChildren(...(section ? [`${text} (`, link, ")"] : [text]));
  }

  render() {
    const left = this.left();
    id("pending").hidden = !this.pending;
    id("pending-label").textContent = this.pending?.label ?? "";
    id("picked").hidden = id("unpick").hidden = !this.picked.length || this.pending !== null;
    id("picked").textContent = [...this.picked.map(board.label), fill(this.texts.moves_left, { number: left.length })].filter(Boolean).join(" · ");
    id("find").hidden = this.pending !== null || left.length <= MANY;
    id("move-picker-head").firstElementChild.textContent = fill(this.texts.all_moves, { number: left.length });
    this.list();
    this.offerChoices(this.pending ? [] : left);
    board.touch(this.pending?.parts ?? []);
    this.relight();
  }

  /** Light what can be clicked on the board, and what was. */
  relight() {
    if (this.pending) board.light([], this.pending.parts);
    else board.light(this.open(this.left()), this.picked);
  }

  /** List the moves that are left and match what was typed. */
  list() {
    const wanted = id("find").value.toLocaleLowerCase().split(/\s+/);
    const fits = this.left().filter((move) => {
      const text = `${move.label} ${move.line}`.toLocaleLowerCase();
      return wanted.every((/** @type {string} */ word) => text.includes(word));
    });
    id("moves").replaceChildren(...(this.pending ? [] : fits.map((move) => this.item(move))));
  }

  /** Offer buttons in the action bar: for moves that are just a word, and for the others when few are left. @param {Move[]} left */
  offerChoices(left) {
    const single = left.filter(isWord);
    const rest = left.filter((move) => !isWord(move));
    const few = left.length > (this.picked.length ? MANY : FEW) ? [] : rest;
    const labels = shorten(few.map((move) => move.label));
    const box = id("choices");
    box.classList.remove("sheet");
    box.replaceChildren(...[...few, ...single].map((move, at) =>
      this.button(move, make("button", { className: left.length === 1 ? "primary" : "", title: move.label, ariaLabel: move.label }, make("span", { textContent: labels[at] ?? move.label })))));
    box.classList.toggle("sheet", [box, ...box.querySelectorAll("span")].some((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 4));
  }

  /** @param {Move} move */
  item(move) {
    return make("li", {}, this.button(move, make("button", {}, make("span", { textContent: move.label }), make("code", { textContent: move.line }))));
  }

  /** Let a button choose a move, and show it. @param {Move} move @param {any} button */
  button(move, button) {
    button.dataset.line = move.line;
    button.addEventListener("click", () => this.choose(move));
    // Only a moving pointer asks for a preview, not one at rest where the list appears.
    button.addEventListener("mousemove", () => { if (this.under !== move) this.look(move); });
    button.addEventListener("focus", () => { if (!this.pending) board.touch(move.parts); }); // shown, but not as if chosen
    for (const sort of ["mouseleave", "blur"]) button.addEventListener(sort, () => this.look(null));
    return button;
  }

  /** Go up and down the list. @param {KeyboardEvent} event */
  step(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const buttons = [...id("moves").querySelectorAll("button")];
    const at = buttons.indexOf(/** @type {any} */ (document.activeElement)) + by;
    if (at < 0 && !id("find").hidden) id("find").focus();
    else buttons[Math.max(0, Math.min(at, buttons.length - 1))]?.focus();
  }
}

/** What tells labels apart: without the words that all of them begin or end with, long common parts, and notes. @param {string[]} labels */
export function shorten(labels) {
  const words = labels.map((label) => bare(label).split(" "));
  const most = Math.min(...words.map((found) => found.length)) - 1; // a word of each stays
  const same = (/** @type {number} */ at) => words.every((found) => found.at(at) === words[0].at(at));
  let [first, last] = [0, 0];
  while (labels.length > 1 && first < most && same(first)) first += 1;
  const name = words[0]?.slice(0, first).findLastIndex((word) => word.endsWith(":")) ?? -1;
  if (name >= 0) first = name + 1; // after the name of a card, its sentence stays whole
  else if (words.some((found) => found.slice(first).some((word) => word.endsWith(":")))) first = 0; // so does the name
  while (labels.length > 1 && first + last < most && same(-1 - last)) last += 1;
  const cut = () => words.map((found) => found.slice(first, found.length - last));
  while (first > 0 && cut().some((found) => found.join("").length < 3)) first -= 1; // a single letter says too little
  const short = without(cut()).map((found) => {
    const text = found.join(" ").replace(/\s*[,:;]$/, "");
    return text.charAt(0).toLocaleUpperCase() + text.slice(1);
  });
  return new Set(short).size === labels.length ? short : labels;
}

/** Leave out the middle that labels of equal length have in common, if it is long. @param {string[][]} labels */
function without(labels) {
  const [one] = labels;
  const differ = one?.map((_, at) => labels.some((found) => found[at] !== one[at])) ?? [];
  const from = differ.indexOf(false);
  const to = differ.indexOf(true, from);
  if (labels.some((found) => found.length !== one.length) || from < 1 || to - from < LONG) return labels;
  return labels.map((found) => [...found.slice(0, from - 1), `${found[from - 1].replace(/\s*[,:;]$/, "")},`, ...found.slice(to)]);
}

/** Whether a move is just a word like "pass", and not one with several parts to click. @param {Move} move */
const isWord = ({ line, parts }) => WORD.test(line) && parts.length < 2;

/** A label without the note in parentheses at its end. @param {string} label */
const bare = (label) => label.replace(/ \([^()]*\)$/, "");
