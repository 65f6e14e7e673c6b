// @ts-check
// An open table: it shows who sits down and stands up without being loaded again.
import { awaited } from "./turn_alert.js";
import { guard, id, read } from "./dom.js";
import { Link } from "./connection.js";
import { People } from "./people.js";

const texts = read("texts");
const here = id("table").dataset.page;
if (location.pathname !== here) history.replaceState(null, "", here); // a form came before this script
const people = new People(() => link, names, texts, (seat) => !!document.querySelector(`[data-presence="${seat}"][data-own]`));
const link = new Link(id("table").dataset.socket, () => people.greet(), (message) => {
  if (message.type === "changed") refresh();
  else if (message.type === "awaited") awaited(message, texts);
  else people.hear(message);
});

function names() {
  return [...document.querySelectorAll(".places .who")].map((who) => who.querySelector("strong")?.textContent ?? "");
}

/** Show the table as it is now; when the game has begun, go to it. */
async function refresh() {
  const answer = await fetch(here);
  show(await answer.text());
}

/** @param {string} text */
function show(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const next = page.getElementById("gathering");
  if (!next || !!page.getElementById("talk") !== !!id("talk")) { location.href = here; return; }
  for (const shown of document.querySelectorAll(".invited")) {
    const seat = /** @type {HTMLElement} */ (shown.closest("li")).dataset.seat;
    const place = next.querySelector(`li.free[data-seat="${seat}"]`);
    if (place && !place.querySelector(".invited")) place.append(shown);
  }
  const typing = document.activeElement?.closest("#gathering") ? document.activeElement.getAttribute("aria-label") : null;
  id("gathering").replaceWith(next);
  if (typing) /** @type {HTMLElement|null} */ (next.querySelector(`[aria-label="${CSS.escape(typing)}"]`))?.focus();
  people.mark();
}

document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.action.endsWith("/invite") || event.defaultPrevented) return;
  event.preventDefault();
  const answer = await fetch(form.action, { method: "POST" });
  if (!answer.ok) { location.reload(); return; }
  show(await answer.text());
  const made = /** @type {HTMLInputElement|null} */ (document.querySelector(`li[data-seat="${form.closest("li")?.dataset.seat}"] .invited input`));
  made?.focus();
  made?.select();
});
document.addEventListener("click", async (event) => {
  const button = /** @type {HTMLElement} */ (event.target);
  if (!button.dataset.copy) return;
  const field = /** @type {HTMLInputElement} */ (button.previousElementSibling);
  field.select();
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value).catch(() => document.execCommand("copy"));
  else document.execCommand("copy");
  button.textContent = button.dataset.copy;
});
guard();
