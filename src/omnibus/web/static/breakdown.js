// @ts-check
// The table of the final scores.
import { id, make } from "./dom.js";
import { bullet } from "./sidebar.js";

/** Show how the scores came about. @param {import("./types.js").Position} position */
export function breakdown(position) {
  const head = make("tr", {}, make("td"), ...position.panels.map((panel) =>
    make("th", { scope: "col", title: panel.name }, bullet(panel), panel.winner ? "★" : "", make("div", { textContent: panel.name }))));
  const rows = position.breakdown.map(([name, entries]) =>
    make("tr", {}, make("th", { scope: "row", textContent: name }), ...entries.map((entry) => make("td", { textContent: entry }))));
  id("breakdown").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
}
