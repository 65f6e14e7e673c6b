// @ts-check
// Help for a first game: the offer of the tutorial, the goal card, and a tip for each new kind of decision.
import { id } from "./dom.js";

/** What this device remembers under a name. @param {string} name @returns {string[]} */
const known = (name) => (localStorage.getItem(name) ?? "").split(" ").filter(Boolean);

/** @param {string} name @param {string} value */
const remember = (name, value) => localStorage.setItem(name, [...new Set([...known(name), value])].join(" "));

/** The tutorial of a game was played or declined: it is not offered any more. @param {string} game */
export const learned = (game) => remember("omnibus learned", game);
