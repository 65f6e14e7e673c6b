// @ts-check
// The board: a picture drawn by the game, and pieces that move on it. It knows parts, but no rules.
import { draw, id } from "./dom.js";
import { appear, hasty, repeated } from "./haste.js";

/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").Position} Position */

const MANY = 25; // parts: so many glow less
const box = id("board");
let ground = "";
/** Pieces that are shown only while their parts can be clicked. @type {Piece[]} */
let targets = [];
/** @type {Map<string, string>} Backgrounds by name. */
const grounds = new Map();

/** Take over the picture that came with the page. @param {string} name */
export function adopt(name) {
  ground = name;
  grounds.set(name, box.innerHTML);
}

/** @returns {SVGSVGElement} */
const picture = () => box.querySelector("svg");

const wide = matchMedia("(min-width: 900px) and (orientation: landscape)"); // a tall window has room for a tall board
const remember = () => { document.cookie = `omnibus_wide=${Number(wide.matches)}; path=/; max-age=31536000; samesite=lax`; };
remember(); // for the next page

/** The background this page has, and whether it wants the board in landscape. */
export const wanted = () => ({ ground, wide: wide.matches });

/** Call back when the board is wanted in the other shape. @param {() => void} callback */
export const onReshape = (callback) => wide.addEventListener("change", () => { remember(); callback(); });

/** Keep the picture of a position that may be shown later: it is sent once. @param {Position} position */
export function keep({ ground: name, svg }) {
  if (svg !== null) grounds.set(name, svg);
}

/** @param {Position} position */
export function show(position) {
  keep(position);
  if (position.ground !== ground) box.innerHTML = grounds.get(position.ground) ?? "";
  ground = position.ground;
  box.classList.remove("preview");
  lay(position.pieces);
  for (const piece of all(".mark")) piece.classList.remove("mark");
  for (const name of position.marks) box.querySelector(`[data-piece="${CSS.escape(name)}"]`)?.classList.add("mark");
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
    const element = place(have.get(piece[0]) ?? newPiece(piece[0], have.size > 0), piece);
    if (element === after) after = after.nextElementSibling;
    else group.insertBefore(element, after);
  }
  const description = picture().querySelector("desc");
  if (description) description.textContent = [...new Set(pieces.map((piece) => piece[4]))].join(". ");
}

/** Set where the moves to choose from lead. @param {Piece[]} pieces */
export function setTargets(pieces) { targets = pieces; }

/** Draw the targets of these parts, above all pieces. @param {Set<string>} parts */
function showTargets(parts) {
  picture().querySelector("g.targets")?.remove();
  const wanted = targets.filter((piece) => parts.has(partOf(piece[0])));
  if (!wanted.length) return;
  const group = draw("g", { class: "targets" });
  group.append(...wanted.map((piece) => place(newPiece(piece[0], false), piece)));
  picture().querySelector("g.pieces")?.after(group);
  spread(wanted.filter((piece) => piece[0].startsWith("ghost-")));
}

/** Let ghosts that would stand on one place stand side by side; what belongs to one part stays together. @param {Piece[]} ghosts */
function spread(ghosts) {
  for (const [name, , x, y] of ghosts) {
    const here = [...new Set(ghosts.filter((other) => other[2] === x && other[3] === y).map((other) => partOf(other[0])))];
    if (here.length < 2) continue;
    const use = /** @type {SVGUseElement} */ (picture().querySelector(`.targets [data-piece="${CSS.escape(name)}"]`));
    const off = (here.indexOf(partOf(name)) - (here.length - 1) / 2) * use.getBBox().width * .6;
    use.style.transform = `translate(${x + off}px, ${y}px)`;
  }
}

/** The part of a piece: its id up to an underscore. @param {string} name */
const partOf = (name) => name.split("_")[0];

/** @param {string} name @param {boolean} appears */
function newPiece(name, appears) {
  const element = draw("use");
  element.dataset.piece = name;
  element.dataset.part = partOf(name);
  element.append(draw("title"));
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

/** Give a class to these parts alone. @param {string} name @param {Iterable<string>} parts */
function classify(name, parts) {
  const wanted = new Set(parts);
  for (const element of all("[data-part]")) {
    const has = wanted.has(/** @type {any} */ (element).dataset.part);
    if (has === element.classList.contains(name)) continue;
    element.classList.toggle(name, has);
    if (name !== "lit") appear(element); // as something to click, or as something chosen
  }
}

/** Highlight parts: those that can be clicked, and those that were. @param {Iterable<string>} open @param {Iterable<string>} picked */
export function light(open, picked = []) {
  const lit = new Set(open);
  showTargets(lit.size ? new Set([...lit, ...picked]) : lit); // once all is chosen, the preview shows where it leads
  classify("glow", lit);
  classify("picked-part", picked);
  box.classList.toggle("many", all(".glow").length > MANY);
}

/** What a part is called, as its tooltip says. @param {string} part */
export const label = (part) => box.querySelector(`[data-part="${CSS.escape(part)}"] > title`)?.textContent ?? "";

/** Show which parts a move touches. @param {string[]} parts */
export const touch = (parts) => classify("lit", parts);

/** The parts that lie at a point, the topmost first. @param {number} x @param {number} y */
const partsAt = (x, y) => document.elementsFromPoint(x, y)
  .map((element) => element.closest("[data-part]"))
  .filter((element) => element !== null && box.contains(element));

/** @param {Element|null|undefined} element @returns {string|undefined} */
const partAt = (element) => /** @type {any} */ (element)?.dataset.part;

/** Whether a click on an element means it alone, and nothing beneath or beside it. @param {Element|null|undefined} element */
const isExact = (element) => !!element && (element.matches("[data-exact]")
  || document.getElementById(element.getAttribute("href")?.slice(1) ?? "")?.hasAttribute("data-exact") === true);

/** The nearest part that can be clicked, within reach of a finger or a pointer. @param {MouseEvent} event */
function nearest({ clientX, clientY }) {
  const reach = matchMedia("(pointer: coarse)").matches ? 36 : 24;
  const close = all(".glow").some((element) => { // looking around costs much more
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return Math.max(left - clientX, clientX - right, top - clientY, clientY - bottom) < reach;
  });
  if (!close) return undefined;
  for (let radius = 6; radius <= reach; radius += 6)
    for (let angle = 0; angle < 2 * Math.PI; angle += Math.PI / 8) {
      const near = partsAt(clientX + radius * Math.cos(angle), clientY + radius * Math.sin(angle));
      const lit = near.find((element) => element?.matches(".glow"));
      if (lit) return lit;
    }
  return undefined;
}

/** Call back with the part that was clicked: one that can be clicked under the pointer or near it, else what lies there
 * (at once if that is exact, which nobody hits by chance); and whether it was hit.
 * What has only just lit up is not taken. @param {(part: string, hit: boolean) => void} callback */
export function onPart(callback) {
  box.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    if (repeated(event)) return;
    const here = partsAt(event.clientX, event.clientY);
    const top = here.filter((element) => partAt(element) === partAt(here[0]));
    const exact = top.some(isExact);
    const lit = (exact ? top : here).find((element) => element?.matches(".glow, .picked-part"));
    const near = lit || exact ? undefined : nearest(event);
    const taken = lit ?? near;
    if (taken && hasty(event, taken)) return;
    const part = partAt(taken ?? here[0]);
    if (part) callback(part, Boolean(lit));
  });
}
