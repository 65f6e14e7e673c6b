// @ts-check
// An open table: it shows who joins and leaves without being reloaded.
import { alertTurn } from "./turn_alert.js";
import { confirmForms, id, read } from "./dom.js";
import { Connection } from "./connection.js";
import { People } from "./people.js";

const NOTICE = "omnibus notice"; // shown once, on the next page
const texts = read("texts");
const page = id("table").dataset.page;
if (location.pathname !== page) history.replaceState(null, "", page); // the answer to a form, sent before this script ran
const people = new People(() => connection, names, texts, (seat) => !!document.querySelector(`[data-presence="${seat}"][data-own]`));
const connection = new Connection(id("table").dataset.socket, () => people.greeting(), (message) => {
  if (message.type === "changed") { if (message.text) sessionStorage.setItem(NOTICE, message.text); refresh(); }
  else if (message.type === "awaited") alertTurn(message, texts);
  else people.receive(message);
});

let leaving = false; // a form has been sent: its answer is the page as it is then

function names() {
  return [...document.querySelectorAll(".seats .who")].map((who) => who.querySelector("strong")?.textContent ?? "");
}

/** Show the table as it is now; when the game has started, go to it. */
async function refresh() {
  if (leaving) return;
  const answer = await fetch(page);
  const text = await answer.text();
  if (!leaving) show(text);
}

/** @param {string} text */
function show(text) {
  const parsed = new DOMParser().parseFromString(text, "text/html");
  const next = parsed.getElementById("open-table");
  if (!next || !!parsed.getElementById("chat") !== !!id("chat")) { location.href = page; return; }
  const typing = document.activeElement?.closest("#open-table") ? document.activeElement.getAttribute("aria-label") : null;
  const name = /** @type {HTMLInputElement|null} */ (document.querySelector("#open-table [name=name]"))?.value;
  id("open-table").replaceWith(next);
  const field = /** @type {HTMLInputElement|null} */ (next.querySelector("[name=name]"));
  if (field && name) field.value = name;
  if (typing) /** @type {HTMLElement|null} */ (next.querySelector(`[aria-label="${CSS.escape(typing)}"]`))?.focus();
  people.mark();
}

document.addEventListener("click", async (event) => {
  const button = /** @type {HTMLElement} */ (event.target);
  if (!button.dataset.copy) return;
  const field = /** @type {HTMLInputElement} */ (button.previousElementSibling);
  field.select();
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value).catch(() => document.execCommand("copy"));
  else document.execCommand("copy");
  button.textContent = button.dataset.copy;
});
confirmForms();
document.addEventListener("submit", (event) => { leaving = !event.defaultPrevented; });
const notice = sessionStorage.getItem(NOTICE);
if (notice) {
  id("notice").textContent = notice;
  id("notice").hidden = false;
  sessionStorage.removeItem(NOTICE);
}
