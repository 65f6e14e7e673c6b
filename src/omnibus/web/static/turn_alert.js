// @ts-check
// Tells you that it is your turn, or that your table in a tournament is open: title, icon, a link, a sound that can be
// switched off, a notification if allowed.
import { id } from "./dom.js";

/** @type {string[]|null} */
let known = null;

/** @param {{tables: string[], inbox?: number, opened?: string[]}} message @param {Record<string, string|undefined>} texts */
export function alertTurn({ tables, inbox, opened = [] }, texts) {
  if (id("inbox")) id("inbox").hidden = !inbox; // there is none where nobody else is
  const here = location.pathname.split("/tables/")[1] ?? "";
  const open = opened.filter((table) => table !== here);
  const waiting = [...new Set([...open, ...tables])];
  const fresh = known === null ? [] : waiting.filter((table) => !known?.includes(table));
  known = waiting;
  document.title = (waiting.length ? "● " : "") + document.title.replace(/^● /, "");
  const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
  icon.href = waiting.length ? "/static/turn_alert.svg" : "/static/icon.svg";
  showNext(waiting.find((table) => table !== here), open.length ? texts.table_open : texts.next_table);
  if (fresh.length && (document.hidden || fresh[0] !== here)) {
    notify(fresh[0], open.includes(fresh[0]) ? texts.table_open : texts.turn_alert);
  }
}

/** Link to the next table, if there is one. @param {string|undefined} table @param {string|undefined} text */
function showNext(table, text) {
  const link = id("next-table");
  if (!link) return;
  link.hidden = table === undefined;
  if (table === undefined) return;
  link.href = `/tables/${table}`;
  link.title = (link.querySelector(".word") ?? link).textContent = text;
}

/** @param {string} table @param {string|undefined} body */
function notify(table, body) {
  if (localStorage.getItem("omnibus sound") !== "no") import("./sounds.js").then(({ play }) => play("bell"));
  if (document.hidden && "Notification" in window && Notification.permission === "granted") {
    const note = new Notification("Omnibus", { body, tag: table, icon: "/static/turn_alert.svg" });
    note.addEventListener("click", () => { focus(); location.href = `/tables/${table}`; });
  }
}
