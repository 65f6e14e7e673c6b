// @ts-check
// Where what-if boards are opened, and one's own are listed.
import { confirmForms } from "./dom.js";
import { showTimes } from "./times.js";

confirmForms();
showTimes();
