// @ts-check
// How much time the players have left.
import { id, make } from "./dom.js";

/** @typedef {import("./types.js").Clock} Clock */

/** @type {Clock} */
let clock;
let since = 0;
/** @type {number[]} */
let own = [];
/** @type {Record<string, string>} */
let texts = {};
let timer = 0;
let warned = false;

/** Show clocks as they were at a moment, and count the running one down. @param {Clock} next @param {number} at @param {number[]} seats @param {Record<string, string>} words */
export function show(next, at, seats, words) {
  [clock, since, own, texts] = [next, at, seats, words];
  timer ||= setInterval(draw, 200);
  draw();
}

/** What a seat has left now; null for a bot. @param {number} seat */
function left(seat) {
  const time = clock.left[seat];
  return time === null ? null : Math.max(0, time - (seat === clock.running ? (performance.now() - since) / 1000 : 0));
}

function draw() {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#panels [data-presence]"))) {
    const seat = Number(place.dataset.presence);
    write(place.parentElement?.querySelector(".clock") ?? place.parentElement?.appendChild(makePlace()), seat);
  }
  const mine = clock.running !== null && own.includes(clock.running);
  id("own-time").hidden = !mine;
  if (mine) write(id("own-time"), clock.running);
  warn(mine && isLow(clock.running));
}

/** @param {number|null} seat */
const isLow = (seat) => seat !== null && seat === clock.running && (left(seat) ?? clock.warn) <= clock.warn;

/** Write what a seat has left. @param {HTMLElement} place @param {number|null} seat */
function write(place, seat) {
  const time = seat === null ? null : left(seat);
  const text = time === null ? "" : written(time);
  if (place.textContent !== text) place.textContent = text;
  Object.assign(place.style, { fontVariantNumeric: "tabular-nums", color: isLow(seat) ? "var(--warning)" : "" });
}

/** The place of a clock; it is drawn anew with the names of the players. */
function makePlace() {
  const place = make("span", { className: "clock", title: texts.time_left, role: "timer" });
  place.setAttribute("aria-label", texts.time_left);
  return place;
}

/** Say once that the reader's time is running out. @param {boolean} low */
function warn(low) {
  if (low && !warned) id("live").textContent = texts.time_low;
  warned = low;
}

/** Days and hours, hours and minutes, or minutes and seconds. @param {number} seconds */
function written(seconds) {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (parts[0] >= 48) return `${count(Math.floor(parts[0] / 24), "day")} ${count(parts[0] % 24, "hour")}`;
  const [first, ...rest] = parts[0] ? parts : parts.slice(1);
  return [first, ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
}

/** @param {number} number @param {string} unit */
const count = (number, unit) => new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay: "short" }).format(number);
