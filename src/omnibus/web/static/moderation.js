// @ts-check
// The page for moderators.
import { confirmForms } from "./dom.js";
import { showTimes } from "./times.js";

confirmForms();
showTimes();
