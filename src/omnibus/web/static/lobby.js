// @ts-check
// The lobby: the forms that set up tables, and the list of your tables, kept up to date.
import { alertTurn } from "./turn_alert.js";
import { confirmForms, id, read } from "./dom.js";
import { Connection } from "./connection.js";

confirmForms();
for (const select of document.querySelectorAll(".sitter select")) {
  const name = /** @type {HTMLInputElement} */ (select.nextElementSibling);
  const fit = () => { name.hidden = !["you", "another"].includes(/** @type {HTMLSelectElement} */ (select).value); };
  select.addEventListener("change", fit);
  fit();
}
for (const form of document.querySelectorAll(".setup")) {
  const friends = /** @type {HTMLElement} */ (form.querySelector(".with-friends"));
  const fit = () => { friends.hidden = ![...form.querySelectorAll("select")].some((select) => select.value === "friend"); };
  form.addEventListener("change", fit);
  fit();
}

/** Show when each table was last played at, in the reader's format. */
function show() {
  const day = new Intl.DateTimeFormat(document.documentElement.lang, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
  for (const when of document.querySelectorAll("time")) when.textContent = day.format(1000 * Number(when.dataset.at));
}

let first = true;
show();
new Connection("/socket", () => [], async (message) => {
  if (message.type !== "awaited") return;
  alertTurn(message, read("texts"));
  if (!first) {
    const page = new DOMParser().parseFromString(await (await fetch("/")).text(), "text/html");
    const tables = page.getElementById("mine-section");
    if (tables) id("mine-section").replaceWith(tables);
    show();
  }
  first = false;
});
