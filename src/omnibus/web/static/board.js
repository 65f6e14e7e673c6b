// @ts-check
// The board: a picture made by the game, and pieces that glide on it. It knows parts, and no rules.
import { id } from "./dom.js";

/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").Position} Position */

const SVG = "http://www.w3.org/2000/svg";
const box = id("board");
let ground = "";
/** @type {Map<string, string>} Pictures by the name of the ground they show. */
const grounds = new Map();

/** Take over the picture that came with the page. @param {string} name */
export function adopt(name) {
  ground = name;
  grounds.set(name, box.innerHTML);
  measure();
}

/** A picture higher than wide may be higher than the screen, so that what is on it can be read. */
function measure() {
  const { width, height } = picture().viewBox.baseVal;
  box.style.setProperty("--tall", String(height / width));
}

/** @returns {SVGSVGElement} */
const picture = () => box.querySelector("svg");

/** What lies under the pieces, as far as this page has it. */
export const known = () => ground;

/** @param {Position} position */
export function show(position) {
  if (position.svg !== null) grounds.set(position.ground, position.svg);
  if (position.ground !== ground) { box.innerHTML = grounds.get(position.ground) ?? ""; measure(); }
  ground = position.ground;
  box.classList.remove("preview");
  lay(position.pieces);
  for (const piece of all(".mark")) piece.classList.remove("mark");
  for (const name of position.marks) found("piece", name)[0]?.classList.add("mark");
}

/** @param {Piece[]} pieces */
export function preview(pieces) {
  box.classList.add("preview");
  lay(pieces);
}

/** @param {Piece[]} pieces */
function lay(pieces) {
  const group = /** @type {SVGGElement} */ (picture().querySelector("g.pieces"));
  const have = new Map([...group.children].map((element) => [/** @type {any} */ (element).dataset.piece, element]));
  const stay = new Set(pieces.map((piece) => piece[0]));
  for (const [name, element] of have) if (!stay.has(name)) element.remove();
  let after = /** @type {Element|null} */ (group.firstElementChild);
  for (const piece of pieces) {
    const element = place(have.get(piece[0]) ?? newcomer(piece[0], have.size > 0), piece);
    if (element === after) after = after.nextElementSibling;
    else group.insertBefore(element, after);
  }
  const told = picture().querySelector("desc");
  if (told) told.textContent = [...new Set(pieces.map((piece) => piece[4]))].join(". ");
}

/** @param {string} name @param {boolean} appears */
function newcomer(name, appears) {
  const element = document.createElementNS(SVG, "use");
  element.dataset.piece = name;
  element.dataset.part = name.split("_")[0];
  element.append(document.createElementNS(SVG, "title"));
  if (appears) element.classList.add("new");
  return element;
}

/** @param {Element} element @param {Piece} piece */
function place(element, [, symbol, x, y, label]) {
  const use = /** @type {SVGUseElement} */ (element);
  const to = `translate(${x}px, ${y}px)`;
  use.classList.toggle("changed", use.getAttribute("href") !== `#${symbol}` || use.style.transform !== to);
  use.setAttribute("href", `#${symbol}`);
  use.style.transform = to;
  const title = use.querySelector("title");
  if (title && title.textContent !== label) title.textContent = label;
  return use;
}

/** @param {string} selector @returns {Element[]} */
const all = (selector) => [...box.querySelectorAll(selector)];

/** @param {"part"|"piece"} kind @param {string} name */
const found = (kind, name) => all(`[data-${kind}="${CSS.escape(name)}"]`);

/** Light parts up: those that can be clicked, and those that were. @param {Iterable<string>} open @param {Iterable<string>} picked */
export function light(open, picked = []) {
  for (const element of all(".glow, .picked-part")) element.classList.remove("glow", "picked-part");
  for (const part of open) for (const element of found("part", part)) element.classList.add("glow");
  for (const part of picked) for (const element of found("part", part)) element.classList.add("picked-part");
}

/** Show which parts a move touches. @param {string[]} parts */
export function touch(parts) {
  for (const element of all(".lit")) element.classList.remove("lit");
  for (const part of parts) for (const element of found("part", part)) element.classList.add("lit");
}

/** Call back with the part that was clicked: of several on top of each other, one that can be clicked.
 * @param {(part: string, open: boolean) => void} tell */
export function onPart(tell) {
  box.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const here = document.elementsFromPoint(event.clientX, event.clientY)
      .map((element) => element.closest("[data-part]"))
      .filter((element) => element && box.contains(element));
    const lit = here.find((element) => element?.matches(".glow, .picked-part"));
    const part = /** @type {any} */ (lit ?? here[0])?.dataset.part;
    if (part) tell(part, Boolean(lit));
  });
}
