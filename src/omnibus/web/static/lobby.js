// @ts-check
// The lobby: the forms that set up tables, and the lists of your tables and of open tables, kept up to date.
import { alertTurn } from "./turn_alert.js";
import { confirmForms, id, read } from "./dom.js";
import { Connection } from "./connection.js";
import { showTimes } from "./times.js";

confirmForms();
for (const select of document.querySelectorAll(".sitter select")) {
  const name = /** @type {HTMLInputElement} */ (select.nextElementSibling);
  const fit = () => { name.hidden = !["you", "another"].includes(/** @type {HTMLSelectElement} */ (select).value); };
  select.addEventListener("change", fit);
  fit();
}
for (const friends of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".setup .with-friends"))) {
  const form = /** @type {HTMLFormElement} */ (friends.closest("form"));
  const fit = () => { friends.hidden = ![...form.querySelectorAll("select")].some((select) => select.value === "friend"); };
  form.addEventListener("change", fit);
  fit();
}

/** Show the open tables as they are now; items that have not changed stay, with what is typed there. @param {string} html */
function showOpen(html) {
  const list = id("open-list"), items = [...new DOMParser().parseFromString(html, "text/html").body.children];
  const drawn = items.map((item) => item.outerHTML);
  for (const item of [...list.children]) if (!drawn.includes(item.outerHTML)) item.remove();
  for (const [index, item] of items.entries()) {
    if (list.children[index]?.outerHTML !== drawn[index]) list.insertBefore(item, list.children[index] ?? null);
  }
  id("open-section").hidden = id("to-open").hidden = !items.length;
  if (items.length) id("to-open").parentElement.hidden = false;
}

let first = true;
showTimes();
new Connection(id("open-section") ? "/lobby/socket" : "/socket", () => [], async (message) => {
  if (message.type === "open_tables") showOpen(message.html);
  if (message.type !== "awaited") return;
  alertTurn(message, read("texts"));
  if (!id("next-table").hidden) id("next-table").parentElement.hidden = false;
  if (!first) {
    const page = new DOMParser().parseFromString(await (await fetch("/")).text(), "text/html");
    const tables = page.getElementById("mine-section");
    if (tables) id("mine-section").replaceWith(tables);
    showTimes();
  }
  first = false;
});
