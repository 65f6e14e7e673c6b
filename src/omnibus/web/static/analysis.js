// @ts-check
// Where what-if boards are opened: a position is checked while it is being written.
import { confirmForms, id, read } from "./dom.js";

const PAUSE = 400; // ms without a key before the text is checked
const said = read("board-texts");
/** @type {number|undefined} */
let waiting;
let asked = 0;

/** Ask the server what is wrong with the text, and say it. */
async function check() {
  const text = id("draft").value;
  const mine = ++asked;
  if (!text.trim()) { tell("", true); return; }
  try {
    const answer = await fetch("/analysis/check", { method: "POST", body: JSON.stringify({ game: id("draft-game").value, text }) });
    if (!answer.ok || mine !== asked) return;
    const { problem } = await answer.json();
    tell(problem || said.valid_position, !problem);
  } catch { /* no connection: the form will say what is wrong */ }
}

/** @param {string} text @param {boolean} good */
function tell(text, good) {
  id("problem").textContent = text;
  id("problem").classList.toggle("good", good);
  id("draft").setAttribute("aria-invalid", String(!good));
}

for (const name of ["draft", "draft-game"])
  id(name).addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(check, PAUSE);
  });
confirmForms();
const day = new Intl.DateTimeFormat(document.documentElement.lang, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
for (const when of document.querySelectorAll("time")) when.textContent = day.format(1000 * Number(when.dataset.at));
if (id("draft").value.trim() && !id("problem").textContent) check();
