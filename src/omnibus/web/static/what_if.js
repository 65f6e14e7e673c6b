// @ts-check
// A what-if board: any move of anybody can be tried, and all lines stay. The server keeps them and knows the rules.
import { breakdown } from "./breakdown.js";
import * as sidebar from "./sidebar.js";
import * as board from "./board.js";
import { MovePicker } from "./move_picker.js";
import { LineTree } from "./line_tree.js";
import { confirmForms, id, read } from "./dom.js";
import { sayWhy } from "./why.js";

/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./types.js").Position} Position */
/** @typedef {import("./line_tree.js").Node} Node */
/** @typedef {{node: number, seat: number|null, chance: boolean, supposed: boolean, moves: Move[], targets: import("./types.js").Piece[], position: Position}} Scene */

const ASK = 2500; // ms between two questions whether something is new
const texts = read("texts");
const said = read("board-texts");
const address = id("table").dataset.board;
const data = read("tree-data");
/** @type {Scene} */
let scene = read("scene");
let version = data.version;
let busy = false;
/** Where to go once nothing is being played any more. @type {number|null} */
let wanted = null;
let asked = 0;

/** A picker that asks for no confirmation: everything can be taken back. */
class BoardPicker extends MovePicker {
  get confirms() { return false; }
}

const picker = new BoardPicker({
  play: (move) => play({ line: move.line }),
  why: (part, picked) => sayWhy(picker, `${address}/nodes/${scene.node}/why`, part, picked, scene.position.status),
  preview: () => {},
}, texts);
const tree = new LineTree(id("tree"), { ...said, colon: texts.colon, names: data.names }, (number) => visit(number));

/** Ask the server; what went wrong is said, and null returned. @param {string} path @param {RequestInit} [request] */
async function ask(path, request) {
  try {
    const answer = await fetch(`${address}${path}`, request);
    if (answer.status === 204) return {};
    const told = await answer.json();
    if (answer.ok) return told;
    picker.showReason(told.text ?? "", told.section ?? "");
  } catch { picker.showReason(texts.unreachable); }
  return null;
}

/** Go to a node. @param {number} number @returns {Promise<boolean>} Whether it is shown now. */
async function go(number) {
  const { ground, wide } = board.wanted();
  const mine = ++asked;
  const next = await ask(`/nodes/${number}?pictures=true&wide=${wide}&ground=${ground}`);
  if (!next || mine !== asked) return false; // gone elsewhere meanwhile
  scene = next;
  show();
  return true;
}

/** Go to a node, as soon as what is being played has been. @param {number} number */
function visit(number) {
  if (busy) wanted = number;
  else go(number);
}

/** Show the current node. */
function show() {
  const { position, node } = scene;
  board.show(position);
  board.setTargets(data.mine ? scene.targets : []);
  sidebar.panels(position, texts);
  breakdown(position);
  id("result").hidden = !position.breakdown.length;
  id("status").textContent = position.status;
  id("caption").textContent = scene.supposed ? said.supposed : "";
  id("back").disabled = node === 0;
  if (id("roll")) id("roll").hidden = !scene.chance;
  if (id("bot-move")) id("bot-move").disabled = scene.seat === null;
  if (id("remove-line")) id("remove-line").disabled = busy || node === 0;
  if (data.exports) {
    id("record").href = `${address}/nodes/${node}/record`;
    id("position").href = `${address}/nodes/${node}/position`;
    id("edit").href = `/analysis/position?board=${data.id}&node=${node}`;
  }
  picker.offer(data.mine && !busy ? scene.moves : []);
  tree.show(node);
  const here = new URL(location.href);
  if (node) here.searchParams.set("node", String(node));
  else here.searchParams.delete("node");
  history.replaceState(null, "", here);
}

/** Play one thing after the current node, and go there. @param {{line?: string, bot?: string}} what */
async function step(what) {
  const node = await ask("/nodes", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ after: scene.node, ...what }) });
  if (!node) return false;
  tree.add([node]);
  return go(node.number);
}

/** Play something, then what follows by itself: chance, and bots if they are to answer. @param {{line?: string, bot?: string}} what */
async function play(what) {
  if (busy) return;
  busy = true;
  wanted = null;
  const mine = scene.seat;
  id("caption").textContent = what.bot ? said.bot_answers : "";
  picker.offer([]);
  if (id("remove-line")) id("remove-line").disabled = true;
  let well = await step(what);
  while (well && wanted === null) {
    if (scene.chance && !id("choose-chance").checked) well = await step({});
    else if (scene.seat !== null && scene.seat !== mine && mine !== null && id("bots-answer")?.checked) {
      id("caption").textContent = said.bot_answers;
      well = await step({ bot: id("level").value });
    } else break;
  }
  busy = false;
  const wrong = [...id("reason").childNodes];
  show();
  id("reason").replaceChildren(...wrong);
  if (wanted !== null) go(wanted);
}

/** Learn what is new on the board: lines that others see at once, or that were removed. */
async function refresh() {
  if (document.hidden || busy) return;
  const answer = await fetch(`${address}?since=${version}`).catch(() => null);
  if (!answer?.ok || busy) return;
  const news = await answer.json();
  if (news.version === version) return;
  version = news.version;
  const added = news.nodes.filter((/** @type {Node} */ node) => !tree.has(node.number));
  tree.add(added);
  tree.keep(news.kept);
  if (!tree.has(scene.node)) await go(0);
  else if (added.length && id("follow")?.checked) await go(added.at(-1).number);
  else tree.show(scene.node);
}

/** @type {Record<string, () => void>} */
const clicks = {
  back: () => visit(tree.parent(scene.node)),
  roll: () => play({}),
  "bot-move": () => play({ bot: id("level").value }),
  async "remove-line"() {
    const [gone, before] = [scene.node, tree.parent(scene.node)];
    if (!await ask(`/nodes/${gone}`, { method: "DELETE" })) return;
    tree.remove(gone);
    await go(before);
  },
  async "copy-link"() {
    const button = id("copy-link");
    await navigator.clipboard.writeText(`${button.dataset.link}${location.search}`);
    button.textContent = button.dataset.copied;
  },
};
for (const name in clicks) id(name)?.addEventListener("click", clicks[name]);

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") picker.reset();
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const to = tree.next(scene.node, event.key);
  if (to === null) return;
  event.preventDefault();
  visit(to);
});
confirmForms();
board.adopt(scene.position.ground);
board.onReshape(() => go(scene.node));
tree.add(data.nodes);
show();
if (scene.position.wide !== board.wanted().wide) go(scene.node);
setInterval(refresh, ASK);
