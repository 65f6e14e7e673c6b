// @ts-check
import { guard } from "./dom.js";

guard();
for (const select of document.querySelectorAll(".sitter select")) {
  const name = /** @type {HTMLInputElement} */ (select.nextElementSibling);
  const fit = () => { name.hidden = !["you", "another"].includes(/** @type {HTMLSelectElement} */ (select).value); };
  select.addEventListener("change", fit);
  fit();
}
