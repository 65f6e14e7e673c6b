// @ts-check
// The page that replays a record: the board of a table at which there is nothing to do.
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
  id("status").textContent = position.status;
}

const requested = requestedPly();
const timeline = new Timeline(render, () => render(scene.position), texts);
board.adopt(scene.position.ground);
document.body.classList.add("over");
sidebar.updateLog(0, scene.log);
timeline.update(scene.position);
timeline.go(requested ?? 0);
