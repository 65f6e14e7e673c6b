// @ts-check
// Beside the board: players, log, tabs.
import { draw, id, make } from "./dom.js";

/** @typedef {import("./types.js").Panel} Panel */
/** @typedef {import("./types.js").Position} Position */

/** @type {[number, string][]} */
let log = [];

// What opens below the log does not hide its last line, or the one that the board shows.
new ResizeObserver(() => { if (!id("log").querySelector(".current")) id("log").scrollTop = 1e6; }).observe(id("log"));

/** @param {Position} position @param {Record<string, string>} texts */
export function panels(position, texts) {
  id("panels").replaceChildren(...position.panels.map((panel) => seat(panel, texts)));
}

/** @param {Panel} panel @param {Record<string, string>} texts */
function seat(panel, texts) {
  const notes = [panel.sitter, panel.winner ? `★ ${texts.winner}` : panel.turn ? texts.to_play : ""].filter(Boolean);
  const holdings = panel.holdings.map(([name, number]) =>
    make("div", {}, make("dt", { textContent: name }), make("dd", { textContent: number })));
  return make("li", { className: `panel${panel.turn ? " turn" : ""}` },
    bullet(panel),
    make("div", { className: "name" }, `${panel.name} `, make("small", { textContent: notes.join(" · ") }), " ", presence(panel.seat)),
    make("dl", { className: "visually-hidden" }, ...holdings)); // the board shows it
}

/** The place that shows whether somebody is online. @param {number} seat */
function presence(seat) {
  const place = make("span", { className: "presence" });
  place.dataset.presence = String(seat);
  return place;
}

/** The seat's colour and pattern. @param {Panel} panel */
export function bullet({ seat }) {
  const picture = draw("svg", { viewBox: "-20 -20 40 40", "aria-hidden": "true" });
  picture.append(draw("circle", { r: 17, fill: `url(#pattern-seat-${seat})`, stroke: "var(--edge)", "stroke-width": 3 }));
  return picture;
}

/** Add new lines to the log; return their sentences. @param {number} since @param {[number, string][]} lines */
export function updateLog(since, lines) {
  const before = log.length;
  log = [...log.filter(([ply]) => ply < since), ...lines];
  const list = id("log");
  const low = list.scrollHeight - list.scrollTop - list.clientHeight < 60 || before === 0;
  list.replaceChildren(...grouped().map(([ply, sentence, times]) => {
    const button = make("button", { textContent: times > 1 ? `${sentence} ×${times}` : sentence });
    const item = make("li", {}, button);
    item.dataset.ply = String(ply + 1);
    return item;
  }));
  if (low) list.scrollTop = list.scrollHeight;
  return lines.map(([, sentence]) => sentence);
}

/** Join equal sentences that follow each other. @returns {[number, string, number][]} */
function grouped() {
  /** @type {[number, string, number][]} */
  const found = [];
  for (const [ply, sentence] of log) {
    const last = found[found.length - 1];
    if (last && last[1] === sentence) { last[2] += 1; last[0] = ply; }
    else found.push([ply, sentence, 1]);
  }
  return found;
}

/** Mark the line of the log that the board shows. @param {number|null} ply */
export function mark(ply) {
  const list = id("log");
  for (const item of list.children) {
    item.classList.toggle("current", ply !== null && Number(item.dataset.ply) === ply);
  }
  const current = list.querySelector(".current");
  if (!current) return;
  const low = current.offsetTop + current.offsetHeight - list.clientHeight; // only the list is scrolled, never the page
  list.scrollTop = Math.max(low, Math.min(list.scrollTop, current.offsetTop));
}

/** Let tabs show their panels, by mouse or arrow keys. */
export function tabs() {
  for (const tab of all()) {
    tab.addEventListener("click", () => openTab(tab.id));
    tab.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      const next = all().at((all().indexOf(tab) + by) % all().length);
      openTab(next.id);
      next.focus();
    });
  }
}

/** @returns {any[]} */
const all = () => [...document.querySelectorAll("[role=tab]")];

/** @param {string} name The id of the tab. */
export function openTab(name) {
  for (const tab of all()) {
    tab.setAttribute("aria-selected", String(tab.id === name));
    tab.tabIndex = tab.id === name ? 0 : -1;
    id(tab.getAttribute("aria-controls")).hidden = tab.id !== name;
  }
}

/** Let a checkbox remember its state on this device. @param {string} name @param {string} key @param {(checked: boolean) => void} [apply] */
export function remember(name, key, apply = () => {}) {
  const box = id(name);
  if (!box) return;
  const stored = localStorage.getItem(key);
  if (stored) box.checked = stored === "yes";
  apply(box.checked);
  box.addEventListener("change", () => { localStorage.setItem(key, box.checked ? "yes" : "no"); apply(box.checked); });
}
