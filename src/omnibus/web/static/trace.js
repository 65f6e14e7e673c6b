// @ts-check
// What has moved on the board since the reader's last decision: a ghost where a piece was, an arrow to where it is, and
// a ring around a piece that is new. Drawn from the pieces alone, below them.
import { traces } from "./preferences.js";
import { draw as element, id } from "./dom.js";

/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").Step} Step */

const HEAD = 11; // px: the length of an arrow head
const RINGS = [11, 30]; // px: the smallest and the largest radius of a ring
const NEAR = 8; // px: a shorter way needs no arrow
const TURNED = 6; // times its size: what looks different so near was only turned over

/** Remove the trace. */
export const clear = () => id("board").querySelector("g.trace")?.remove();

/** Draw what these steps have moved. @param {Piece[]} pieces The pieces as they lie now. @param {Step[]} steps */
export function draw(pieces, steps) {
  clear();
  const group = /** @type {SVGGElement|null} */ (id("board").querySelector("g.pieces"));
  if (!group || !traces() || !steps.length) return;
  const trace = element("g", { class: "trace" });
  group.before(trace);
  const unit = 1 / (trace.getScreenCTM()?.a || 1); // of the picture, in one pixel
  const now = new Map(pieces.map((piece) => [piece[0], piece]));
  const { moved, appeared } = joined(steps);
  for (const [name, { from, seat }] of moved) {
    const to = now.get(name);
    if (to) addMove(trace, from, to, seat, unit);
  }
  for (const [name, seat] of appeared) {
    const piece = now.get(name);
    if (piece && !moved.has(name)) addRing(trace, piece, seat, unit);
  }
}

/** Where each piece was first, and who moved it last. @param {Step[]} steps */
function joined(steps) {
  /** @type {Map<string, {from: [string, string, number, number], seat: number}>} */ const moved = new Map();
  /** @type {Map<string, number>} */ const appeared = new Map();
  for (const { seat, moved: pieces, appeared: names } of steps) {
    for (const from of pieces) moved.set(from[0], { from: moved.get(from[0])?.from ?? from, seat });
    for (const name of names) appeared.set(name, seat);
  }
  return { moved, appeared };
}

/** @param {SVGElement} trace @param {[string, string, number, number]} from @param {Piece} to @param {number} seat @param {number} unit */
function addMove(trace, [, symbol, x, y], to, seat, unit) {
  const { width, height, x: left, y: top } = extent(trace, to[1]);
  const [cx, cy] = [left + width / 2, top + height / 2];
  const [dx, dy] = [to[2] - x, to[3] - y];
  const far = Math.hypot(dx, dy);
  if (far < NEAR * unit) return; // it has come back, or nearly so
  if (symbol !== to[1] && far < TURNED * Math.max(width, height)) return;
  trace.append(shape(symbol, x, y));
  const bend = Math.min(far * .14, 40 * unit);
  const middle = [x + cx + dx / 2 + dy / far * bend, y + cy + dy / 2 - dx / far * bend];
  const end = [to[2] + cx, to[3] + cy];
  const [ux, uy] = [end[0] - middle[0], end[1] - middle[1]].map((part) => part / Math.hypot(end[0] - middle[0], end[1] - middle[1]));
  const back = Math.min(Math.min(width, height) / 2, far / 2); // the arrow ends at the edge of the piece
  const tip = [end[0] - ux * back, end[1] - uy * back];
  const [hx, hy] = [tip[0] - ux * HEAD * unit, tip[1] - uy * HEAD * unit];
  const side = HEAD * unit * .55;
  const way = `M${x + cx},${y + cy}Q${middle} ${hx},${hy}`;
  trace.append(
    element("path", { d: way, class: "halo", "stroke-width": 6 * unit }),
    element("path", { d: way, class: "way", stroke: colour(seat), "stroke-width": 3 * unit }),
    element("path", { d: `M${tip}L${hx - uy * side},${hy + ux * side}L${hx + uy * side},${hy - ux * side}Z`, fill: colour(seat), class: "head" }));
}

/** @param {SVGElement} trace @param {Piece} piece @param {number} seat @param {number} unit */
function addRing(trace, [, symbol, x, y], seat, unit) {
  const { width, height, x: left, y: top } = extent(trace, symbol);
  const r = Math.max(RINGS[0] * unit, Math.min(Math.max(width, height) / 2 + 4 * unit, RINGS[1] * unit));
  const at = { cx: x + left + width / 2, cy: y + top + height / 2, r };
  trace.append(
    element("circle", { ...at, class: "halo", "stroke-width": 6 * unit }),
    element("circle", { ...at, class: "ring", stroke: colour(seat), "stroke-width": 3 * unit }));
}

/** The size of a symbol, and where it lies around its own origin. @param {SVGElement} trace @param {string} symbol */
function extent(trace, symbol) {
  const sample = shape(symbol, 0, 0);
  trace.append(sample);
  const found = sample.getBBox();
  sample.remove();
  return found;
}

/** @param {string} symbol @param {number} x @param {number} y @returns {SVGGraphicsElement} */
function shape(symbol, x, y) {
  const use = /** @type {SVGGraphicsElement} */ (element("use", { href: `#${symbol}`, class: "ghost" }));
  use.style.transform = `translate(${x}px, ${y}px)`;
  return use;
}

/** @param {number} seat */
const colour = (seat) => `var(--seat-${seat})`;
