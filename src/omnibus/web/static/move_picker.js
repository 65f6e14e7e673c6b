// @ts-check
// Choosing a move: by clicking parts of the board, from the list, or by typing. A click narrows the list down.
import * as board from "./board.js";
import { fill, id, make } from "./dom.js";
import { appear, hasty } from "./haste.js";

/** @typedef {import("./types.js").Move} Move */

const MANY = 8; // moves: so many become buttons in the action bar once something was clicked; more can be searched
const FEW = 4; // moves: so many are buttons from the start
const LONG = 3; // words
const WORD = /^[a-z]+$/; // like "pass"
const beside = matchMedia("(min-width: 1200px)"); // there is a sidebar, for choices that do not fit into the bar
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
    /** The part of which a reason was asked and not yet given. */ this.asked = "";
    /** @type {number|undefined} */ this.waiting = undefined;
    /** Whether the keyboard was used last: only then the focus is moved. */ this.keyed = false;
    /** Whether the focus was here when there was nothing left to choose. */ this.held = false;
    document.addEventListener("keydown", () => { this.keyed = true; }, true);
    document.addEventListener("pointerdown", () => { this.keyed = false; this.held = false; }, true);
    this.bar = id("choices").parentElement;
    beside.addEventListener("change", () => this.render());
    board.onPart((part, hit) => this.click(part, hit));
    id("confirm").addEventListener("click", (/** @type {Event} */ event) => this.confirm(event));
    id("choose-again").addEventListener("click", () => this.reset());
    id("unpick").addEventListener("click", () => this.reset());
    id("find").addEventListener("input", () => this.list());
    id("find").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== "ArrowDown") return;
      event.preventDefault();
      event.stopPropagation();
      const first = id("moves").querySelector("button");
      if (event.key === "ArrowDown") first?.focus();
      else if (id("find").value.trim() && first) this.found(first, event); // Enter without a word typed chooses nothing
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

  /** Narrow the choice down. A click that does not fit what was chosen takes its place; one that fits nothing says why,
   * and keeps what was chosen, but asks no more whether to play it. Nothing is played that was not clicked exactly, nor
   * after a change of mind, nor by a first click on a bare place: that asks first. @param {string} part @param {boolean} exact */
  click(part, exact) {
    if (!this.moves.length) return;
    if (this.pending?.parts.includes(part)) { this.showReason(""); return; }
    if (this.picked.includes(part) && !this.pending) {
      this.picked = this.picked.filter((other) => other !== part);
      this.showReason("");
      this.render();
      return;
    }
    const before = this.pending?.parts ?? this.picked;
    const kept = this.compatible(before, part);
    if (!kept) {
      if (this.pending) this.reset(false);
      this.asked = part;
      this.actions.why(part, this.picked);
      return;
    }
    const anew = this.pending !== null || kept.length < before.length;
    if (anew) this.reset(false);
    this.showReason("");
    this.picked = [...kept, part];
    const left = this.left();
    const vague = this.picked.length === 1 && part !== left[0].parts[0] && this.confirms;
    if (left.length === 1) this.choose(left[0], anew || !exact || vague);
    else this.render();
  }

  /** What of the parts that were picked goes with another one, the earlier ones first; null where no move touches it.
   * @param {string[]} picked @param {string} part */
  compatible(picked, part) {
    /** @param {string[]} parts */
    const fits = (parts) => this.moves.some((move) => parts.every((other) => move.parts.includes(other)));
    if (!fits([part])) return null;
    return picked.reduce((/** @type {string[]} */ kept, other) => (fits([...kept, other, part]) ? [...kept, other] : kept), []);
  }

  /** Play a move, or ask first: at the end of a turn, and where it may not have been meant. @param {Move} move */
  choose(move, ask = false) {
    clearTimeout(this.waiting);
    this.near = null;
    this.showReason("");
    if (!ask && (!move.ends || !this.confirms)) {
      this.picked = [];
      this.actions.play(move);
      return;
    }
    this.pending = move;
    this.render();
    appear(id("pending")); // even if it was there for another move
    id("confirm").focus();
    this.actions.preview(move);
  }

  /** Play what is chosen, unless it has only just been shown. @param {Event} event */
  confirm(event) {
    const move = this.pending;
    if (!move || hasty(event, id("pending"))) return;
    this.pending = null;
    this.picked = [];
    this.actions.play(move);
  }

  /** Give the reason that was asked for, unless something else was done meanwhile. @param {string} part @param {string} text @param {string} section */
  answer(part, text, section) {
    if (part === this.asked) this.showReason(text, section);
  }

  /** Say why something is not possible, with a link to its § in the rules. @param {string} text */
  showReason(text, section = "") {
    this.asked = "";
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

  /** Offer buttons in the action bar: for moves that are just a word, and for the others when few are left. What does not
   * fit there becomes a sheet in the sidebar; where there is none, the row is scrolled. @param {Move[]} left */
  offerChoices(left) {
    const single = left.filter(isWord);
    const rest = left.filter((move) => !isWord(move));
    const few = left.length > (this.picked.length ? MANY : FEW) ? [] : rest;
    const labels = shorten(few.map((move) => move.label));
    const box = id("choices");
    box.classList.remove("sheet");
    this.bar.prepend(box);
    box.replaceChildren(...[...few, ...single].map((move, at) =>
      this.button(move, make("button", { className: left.length === 1 ? "primary" : "", title: move.label, ariaLabel: move.label }, make("span", { textContent: labels[at] ?? move.label })))));
    const full = [box, ...box.querySelectorAll("span")].some((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 4);
    if (!full || !beside.matches) return;
    box.classList.add("sheet");
    id("offers")?.prepend(box);
  }

  /** Choose the first move of the list by Enter; if it has only just come there, ask first. @param {any} button @param {Event} event */
  found(button, event) {
    const move = this.moves.find(({ line }) => line === button.dataset.line);
    if (move) this.choose(move, hasty(event, button.parentElement));
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
