// @ts-check
// How much time the players have left, now or in the position that is shown, and how much each decision took.
import { fill, id, make } from "./dom.js";

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
/** What each decision took, by its ply. @type {Map<number, Clock["times"][0]>} */
let times = new Map();

/** Show clocks as they were at a moment, and count the running one down. @param {Clock} next @param {number} at @param {number[]} seats @param {Record<string, string>} words */
export function show(next, at, seats, words) {
  [clock, since, own, texts] = [next, at, seats, words];
  const first = next.times[0]?.[0] ?? Infinity; // from there on everything is told again
  times = new Map([...[...times].filter(([ply]) => ply < first), ...next.times.map((time) => /** @type {const} */ ([time[0], time]))]);
  if (!timer) {
    timer = setInterval(draw, 200);
    new MutationObserver(writeTimes).observe(id("log"), { childList: true });
  }
  draw();
  writeTimes();
}

/** What a seat has left in the position that is shown; null for a bot. @param {number} seat */
function shown(seat) {
  const { value, max } = id("slider");
  return Number(value) < Number(max) ? leftAt(seat, Number(value)) : left(seat);
}

/** What a seat has left now; null for a bot. @param {number} seat */
function left(seat) {
  const time = clock.left[seat];
  return time === null ? null : Math.max(0, time - (seat === clock.running && !clock.away[seat] ? (performance.now() - since) / 1000 : 0));
}

/** What a seat had left after so many plies. @param {number} seat @param {number} plies */
function leftAt(seat, plies) {
  const decided = [...times.values()].filter(([ply, by]) => by === seat && ply < plies);
  return decided.at(-1)?.[3] ?? (clock.left[seat] === null ? null : clock.bank);
}

/** Write beside the decisions in the log what each took. */
function writeTimes() {
  /** @type {Set<number>} */
  const told = new Set();
  for (const item of /** @type {Iterable<HTMLElement>} */ (id("log").children)) {
    const ply = Number(item.dataset.ply) - 1;
    const time = times.get(ply);
    if (!time || told.has(ply)) continue;
    told.add(ply);
    if (item.querySelector(".time")) continue;
    const text = fill(texts.time_taken, { used: written(time[2]), left: written(time[3]) });
    const place = make("small", { className: "time", textContent: ` ${text}` });
    Object.assign(place.style, { fontVariantNumeric: "tabular-nums", whiteSpace: "nowrap", opacity: ".8" });
    item.firstElementChild?.append(place);
  }
}

function draw() {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#panels [data-presence]"))) {
    const seat = Number(place.dataset.presence);
    write(place.parentElement?.querySelector(".clock") ?? place.parentElement?.appendChild(makePlace()), seat, shown(seat), vacation(seat));
  }
  const mine = clock.running !== null && own.includes(clock.running);
  const place = id("own-time");
  if (place) place.hidden = !mine;
  if (clock.running !== null && mine) write(place, clock.running, left(clock.running));
  warn(mine && isLow(clock.running));
}

/** @param {number|null} seat */
const isLow = (seat) => seat !== null && seat === clock.running && (left(seat) ?? clock.warn) <= clock.warn;

/** Write what a seat has left. @param {HTMLElement} place @param {number} seat @param {number|null} time @param {string} [note] */
function write(place, seat, time, note = "") {
  const text = [time === null ? "" : written(time), note].filter(Boolean).join(" · ");
  if (place.textContent !== text) place.textContent = text;
  Object.assign(place.style, { fontVariantNumeric: "tabular-nums", color: isLow(seat) ? "var(--warning)" : "" });
}

/** Say until when a seat is on vacation. @param {number} seat */
function vacation(seat) {
  const until = clock.away[seat];
  if (!until) return "";
  return fill(texts.on_vacation, { date: new Date(1000 * until).toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "short" }) });
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
