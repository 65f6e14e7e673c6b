// @ts-check
// Where what-if boards are opened, and one's own are listed.
import { confirmForms } from "./dom.js";

confirmForms();
const day = new Intl.DateTimeFormat(document.documentElement.lang, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
for (const when of document.querySelectorAll("time")) when.textContent = day.format(1000 * Number(when.dataset.at));
