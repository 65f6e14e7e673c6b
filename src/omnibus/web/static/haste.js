// @ts-check
// Haste: what has only just appeared takes no click and no key, for the hand was on its way to what was there before.
// The time of a click is when the hand made it, however late a busy page hears of it.

const MOMENT = 350; // ms
const STILL = 12; // px: two clicks so near each other, within a moment, are one double click

/** When each element appeared, in ms. @type {WeakMap<EventTarget, number>} */
const since = new WeakMap();
let last = { time: -Infinity, x: 0, y: 0 };

/** Something appears, or what is there begins to mean something else. @param {EventTarget} element */
export const appear = (element) => since.set(element, performance.now());

/** Whether an element has appeared too shortly before a click or a key. @param {Event} event @param {EventTarget} element */
export const hasty = (event, element) => event.timeStamp - (since.get(element) ?? -Infinity) < MOMENT;

/** Whether a click follows another one at the same place so fast that both are one. @param {MouseEvent} event */
export function repeated({ timeStamp, clientX, clientY }) {
  const { time, x, y } = last;
  last = { time: timeStamp, x: clientX, y: clientY };
  return timeStamp - time < MOMENT && Math.hypot(clientX - x, clientY - y) < STILL;
}

new MutationObserver((changes) => {
  for (const { type, target, addedNodes } of changes) for (const element of type === "childList" ? addedNodes : [target]) appear(element);
}).observe(document.body, { subtree: true, childList: true, attributeFilter: ["hidden", "open"] });

// The board asks by itself: there it depends on what a click would take.
document.addEventListener("click", (event) => {
  if (event.composedPath().some((element) => hasty(event, element)) && !(/** @type {Element} */ (event.target).closest("#board"))) refuse(event);
}, true);

// A key that is held down chooses nothing.
document.addEventListener("keydown", (event) => {
  if (event.repeat && (event.key === "Enter" || event.key === " ") && !(/** @type {Element} */ (event.target).matches("input, textarea"))) refuse(event);
}, true);

/** @param {Event} event */
function refuse(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}
