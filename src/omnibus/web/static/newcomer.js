// @ts-check
// What a newcomer is shown when a table opens: the goal of the game in one line, and the way to its tutorial.
import { id, read } from "./dom.js";
import { known, remember } from "./memory.js";

const LEARNED = "omnibus learned"; // games whose tutorial was played
const DISMISSED = "omnibus goal"; // games whose goal was closed
const { game } = id("table").dataset;

/** The tutorial was played: it is not offered any more. */
export const learned = () => remember(LEARNED, game);

/** Show the goal: after the tutorial all of it, at the first tables of a game one line, until it is closed. */
export function welcome() {
  const [goal, offer] = [id("goal"), id("offer-tutorial")];
  if (!goal) return;
  const taught = location.hash === "#goal";
  goal.hidden = !taught && (!("first" in goal.dataset) || known(DISMISSED).includes(game));
  id("goal-text").open = taught && !read("scene").decided; // one line once the game has begun
  if (offer) offer.hidden = known(LEARNED).includes(game);
  goal.querySelector("button").addEventListener("click", () => {
    goal.hidden = true;
    remember(DISMISSED, game);
    history.replaceState(null, "", location.pathname);
  });
}
