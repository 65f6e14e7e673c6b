// @ts-check
// The hint of a strong bot: its moves, how sure it is, and what is for and against them.
import * as board from "./board.js";
import { fill, id, make } from "./dom.js";

/** @typedef {import("./types.js").Idea} Idea */
/** @typedef {import("./types.js").Move} Move */

/** @param {Idea[]} ideas @param {Move[]} moves @param {(move: Move) => void} choose @param {Record<string, string>} texts */
export function showIdeas(ideas, moves, choose, texts) {
  id("bot-thinking").hidden = ideas.length > 0;
  if (!ideas.length) id("bot-thinking").textContent = texts.no_advice;
  id("ideas").replaceChildren(...ideas.map((idea) => {
    const move = moves.find((other) => other.line === idea.line);
    const button = make("button", { textContent: texts.choose_this, ariaLabel: `${texts.choose_this}: ${idea.label}` });
    button.addEventListener("click", () => { if (move) choose(move); });
    for (const sort of ["mouseenter", "focus"]) button.addEventListener(sort, () => board.touch(move?.parts ?? []));
    const sure = fill(texts.chance_to_win, { percent: Math.round(100 * idea.share) });
    return make("li", {}, make("strong", { textContent: idea.label }), ` ${sure} `, why(idea), button);
  }));
}

/** List the reasons for and against a move. @param {Idea} idea */
function why({ reasons, doubts }) {
  const lines = [...reasons.map((text) => `+ ${text}`), ...doubts.map((text) => `− ${text}`)];
  return make("ul", { className: "why" }, ...lines.map((textContent) => make("li", { textContent })));
}
