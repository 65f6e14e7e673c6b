// @ts-check
// What a newcomer is shown when a table opens: the goal after the tutorial, or else the offer to play it.
import { id, read } from "./dom.js";
import { known, remember } from "./memory.js";

const LEARNED = "omnibus learned"; // games whose tutorial was played or declined
const { game } = id("table").dataset;

/** The tutorial was played or declined: it is not offered any more. */
export const learned = () => remember(LEARNED, game);

/** Show the goal card or the offer; both can be dismissed. */
export function welcome() {
  const [goal, offer] = [id("goal"), id("offer-tutorial")];
  if (goal) {
    goal.hidden = location.hash !== "#goal";
    id("goal-text").open = !read("scene").decided; // one line once the game has begun
  }
  if (offer) offer.hidden = known(LEARNED).includes(game);
  goal?.querySelector("button").addEventListener("click", () => {
    goal.hidden = true;
    history.replaceState(null, "", location.pathname);
  });
  offer?.querySelector("button").addEventListener("click", () => { offer.hidden = true; learned(); });
}
