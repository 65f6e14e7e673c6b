// @ts-check
import { guard } from "./dom.js";

guard();
for (const select of document.querySelectorAll(".sitter select")) {
  const name = /** @type {HTMLInputElement} */ (select.nextElementSibling);
  const fit = () => { name.hidden = !["you", "another"].includes(/** @type {HTMLSelectElement} */ (select).value); };
  select.addEventListener("change", fit);
  fit();
}
const day = new Intl.DateTimeFormat(document.documentElement.lang, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
for (const when of document.querySelectorAll("time")) when.textContent = day.format(1000 * Number(when.dataset.at));
