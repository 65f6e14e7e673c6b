// @ts-check
// Tells you that it is your turn: title, icon, a sound that can be switched off, a notification if allowed.
import { id } from "./dom.js";

/** @type {string[]|null} */
let known = null;

/** @param {{tables: string[], inbox?: number}} message @param {Record<string, string>} texts */
export function alertTurn({ tables, inbox }, texts) {
  id("inbox").hidden = !inbox;
  const here = location.pathname.split("/tables/")[1] ?? "";
  const fresh = known === null ? [] : tables.filter((table) => !known?.includes(table));
  known = tables;
  document.title = (tables.length ? "● " : "") + document.title.replace(/^● /, "");
  const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
  icon.href = tables.length ? "/static/turn_alert.svg" : "/static/icon.svg";
  const next = tables.find((table) => table !== here);
  const link = id("next-table");
  if (link) {
    link.hidden = next === undefined;
    if (next !== undefined) link.href = `/tables/${next}`;
  }
  if (fresh.length && (document.hidden || fresh[0] !== here)) notify(fresh[0], texts);
}

/** @param {string} table @param {Record<string, string>} texts */
function notify(table, texts) {
  if (localStorage.getItem("omnibus sound") !== "no") import("./sounds.js").then(({ play }) => play("bell"));
  if (document.hidden && "Notification" in window && Notification.permission === "granted") {
    const note = new Notification("Omnibus", { body: texts.turn_alert, tag: table, icon: "/static/turn_alert.svg" });
    note.addEventListener("click", () => { focus(); location.href = `/tables/${table}`; });
  }
}
