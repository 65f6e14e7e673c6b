// @ts-check
// How a table is played back on this device: pace, traces and sounds. The settings stay in this browser.
import { id, reducedMotion } from "./dom.js";

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

/** Let the choice of a pace be remembered. */
export function rememberPace() {
  id("pace").value = pace();
  id("pace").addEventListener("change", () => localStorage.setItem("omnibus pace", id("pace").value));
}
