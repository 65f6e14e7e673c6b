// @ts-check
// The page that replays a record: the board of a table at which there is nothing to do.
import { breakdown } from "./breakdown.js";
import * as sidebar from "./sidebar.js";
import * as board from "./board.js";
import { id, read } from "./dom.js";
import { Timeline, requestedPly } from "./timeline.js";

/** @typedef {import("./types.js").Position} Position */

const texts = read("texts");
const scene = read("scene");

/** @param {Position} position */
function render(position) {
  board.show(position);
  sidebar.panels(position, texts);
  breakdown(position);
  id("result").hidden = !position.breakdown.length;
  id("status").textContent = position.status;
  id("seen-ply").value = position.ply;
}

const requested = requestedPly();
const timeline = new Timeline(render, () => render(scene.position), texts);
board.adopt(scene.position.ground);
document.body.classList.add("over");
sidebar.updateLog(0, scene.log);
timeline.update(scene.position);
if (scene.clock) import("./clock.js").then(({ show }) => show(scene.clock, 0, [], texts));
timeline.go(requested ?? 0);
board.onReshape(reshape);
if (scene.position.wide !== board.wanted().wide) reshape();

/** Show the record in the other shape. */
async function reshape() {
  if (timeline.ply !== null) timeline.go(timeline.ply);
  scene.position = await timeline.position(timeline.plies) ?? scene.position;
  if (timeline.ply === null) render(scene.position);
}
