// @ts-check
// A tip for each new kind of decision, until it was made once.
import { id } from "./dom.js";
import { known, remember } from "./memory.js";

let shown = ""; // the kind explained now

/** @param {[kind: string, text: string]|null} tip */
export function explain(tip) {
  const name = `omnibus tips ${id("table").dataset.game}`;
  const [kind, text] = tip ?? ["", ""];
  if (shown && shown !== kind) remember(name, shown);
  shown = known(name).includes(kind) ? "" : kind;
  id("tip").hidden = !shown;
  id("tip").lastElementChild.textContent = text;
}
id("tip-close").addEventListener("click", () => explain(null));
