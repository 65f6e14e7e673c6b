// @ts-check
// The page of a record: the same board, and nothing to decide.
import * as aside from "./sidebar.js";
import * as board from "./board.js";
import { id, read } from "./dom.js";
import { Travel, wanted } from "./timeline.js";

/** @typedef {import("./types.js").Position} Position */

const texts = read("texts");
const scene = read("scene");

/** @param {Position} position */
function render(position) {
  board.show(position);
  aside.panels(position, texts);
  id("status").textContent = position.status;
}

const asked = wanted();
const travel = new Travel(render, () => render(scene.position), texts);
board.adopt(scene.position.ground);
document.body.classList.add("over");
aside.tell(0, scene.log);
travel.update(scene.position);
travel.go(asked ?? 0);
