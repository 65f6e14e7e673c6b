// @ts-check
// Help for a first game: the goal card, the offer of the tutorial, and a tip for each new kind of decision.
import { id } from "./dom.js";

const LEARNED = "omnibus learned"; // games whose tutorial was played or declined
const game = id("table").dataset.game;
const tips = `omnibus tips ${game}`; // kinds of decisions that have been explained
/** The kind of decision that is being explained. */
let explained = "";

/** What this device remembers under a name. @param {string} name */
const known = (name) => (localStorage.getItem(name) ?? "").split(" ");

/** @param {string} name @param {string} value */
const remember = (name, value) => localStorage.setItem(name, [...new Set([...known(name), value])].join(" ").trim());

/** The tutorial was played or declined: it is not offered any more. */
export const learned = () => remember(LEARNED, game);

/** Explain a kind of decision until it has been made once. @param {[kind: string, text: string]|null} tip */
export function explain(tip) {
  const kind = tip?.[0] ?? "";
  if (explained && explained !== kind) remember(tips, explained);
  explained = kind && !known(tips).includes(kind) ? kind : "";
  id("tip").hidden = !explained;
  id("tip").lastElementChild.textContent = explained ? tip?.[1] : "";
}

/** Show what a newcomer should know when the table opens: the goal after the tutorial, or else the offer to play it. */
export function welcome() {
  const [goal, offer] = [id("goal"), id("offer-tutorial")];
  if (goal) goal.hidden = location.hash !== "#goal";
  if (offer) offer.hidden = known(LEARNED).includes(game);
  goal?.querySelector("button").addEventListener("click", () => {
    goal.hidden = true;
    history.replaceState(null, "", location.pathname);
  });
  offer?.querySelector("button").addEventListener("click", () => { offer.hidden = true; learned(); });
  id("tip-close").addEventListener("click", () => explain(null));
}
