// @ts-check
// How a table is played back on this device: pace, traces and sounds. The settings stay in this browser.
import { id, make, reducedMotion } from "./dom.js";

/** @typedef {"slow"|"normal"|"instant"} Pace */

/** How fast the decisions of others follow each other. @returns {Pace} */
export const pace = () => /** @type {Pace} */ (localStorage.getItem("omnibus pace") ?? "normal");

/** Whether nothing is held and nothing moves: as chosen here, or as the device asks. */
export const instant = () => pace() === "instant" || reducedMotion.matches;

/** Whether the board shows what has moved. */
export const traces = () => localStorage.getItem("omnibus trace") !== "no";

/** Whether moves can be heard. */
const sounds = () => localStorage.getItem("omnibus moves sound") === "yes";

/** Play a sound, if sounds are on and the page is in sight. @param {"move"|"turn"|"end"} name */
export function playSound(name) {
  if (sounds() && !document.hidden) import("./sounds.js").then(({ play }) => play(name));
}

/** Add the settings to the menu of the table. @param {Record<string, string>} texts @param {() => void} changed */
export function offerSettings(texts, changed) {
  const select = make("select", { id: "pace" }, ...["slow", "normal", "instant"].map((value) =>
    make("option", { value, textContent: texts[`pace_${value}`] })));
  select.value = pace();
  select.addEventListener("change", () => { localStorage.setItem("omnibus pace", select.value); changed(); });
  id("table-settings").append(
    make("label", {}, `${texts.pace} `, select),
    box("trace", "omnibus trace", texts.trace, traces(), changed),
    box("moves-sound", "omnibus moves sound", texts.moves_sound, sounds(), changed));
}

/** @param {string} name @param {string} key @param {string} text @param {boolean} on @param {() => void} changed */
function box(name, key, text, on, changed) {
  const input = make("input", { type: "checkbox", id: name, checked: on });
  input.addEventListener("change", () => { localStorage.setItem(key, input.checked ? "yes" : "no"); changed(); });
  return make("label", {}, input, ` ${text}`);
}
