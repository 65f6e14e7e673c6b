// @ts-check
// The form that sets up a tournament: its start is chosen in the reader's own time zone.
import { id } from "./dom.js";

const MINUTE = 60_000; // ms

/** Write a time as the field for it does. @param {number} at ms */
const written = (at) => new Date(at - MINUTE * new Date(at).getTimezoneOffset()).toISOString().slice(0, 16);

const field = /** @type {HTMLInputElement} */ (id("starts-field"));
field.min = written(Date.now() + MINUTE);
field.form?.addEventListener("submit", () => {
  id("starts").value = field.value && new Date(field.value).getTime() / 1000;
});
id("schedule").hidden = false; // without this script the time would be sent as nobody's
