// @ts-check
// The page of a live table.
import * as aside from "./sidebar.js";
import { awaited } from "./turn_alert.js";
import * as board from "./board.js";
import { Choice } from "./move_picker.js";
import { fill, guard, id, make, pause, read, still } from "./dom.js";
import { Link } from "./connection.js";
import { People } from "./people.js";
import { Travel, wanted } from "./timeline.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Position} Position */

const PACE = 420; // ms between two decisions of others, so that the eye can follow
const texts = read("texts");
/** @type {Scene} */
let scene = read("scene");
/** @type {Scene[]} */
const coming = [];
let busy = false;
let advised = -1;
let withdrawn = false;

/** @type {Link} */
const link = new Link(
  id("table").dataset.socket,
  () => [{ sync: true, event: scene.event, ground: board.known(), seat: scene.position.seat }, ...people.greet()],
  (message) => {
    if (message.type === "awaited") awaited(message, texts);
    else if (message.type === "people" || message.type === "chat") { people.hear(message); offerBots(); }
    else if (message.type === "scene") { coming.push(message); run(); }
    else if (message.type === "error") refused(message);
    else if (message.type === "hint") advise(message);
    else if (message.type === "reason") choice.complain(reason(message));
    else if (message.type === "preview" && choice.shown?.line === message.line) board.preview(message.pieces);
  });

const choice = new Choice({
  play: (move) => { choice.offer([]); link.act({ play: move.line, event: scene.event }); },
  why: (part) => { choice.complain(texts.nothing_there); link.ask({ why: part, event: scene.event }); },
  preview: (move) => {
    if (move) link.ask({ preview: move.line, event: scene.event });
    else board.show(scene.position);
  },
}, texts);

const people = new People(() => link, () => scene.position.panels.map((panel) => panel.name), texts, (seat) => scene.own.length === 1 && scene.own[0] === seat);

const travel = new Travel(showPast, present, texts);

/** @param {{text: string, section?: string}} message */
const reason = (message) => message.text + (message.section ? ` (${message.section})` : "");

/** What was asked for is not done: offer everything again, and say why. @param {{code: string, text: string, section?: string}} message */
function refused(message) {
  if (travel.ply === null) present();
  choice.complain(reason(message));
  if (message.code === "stale") link.ask({ sync: true, event: 0, ground: board.known() });
}

/** Show what has happened, one thing after the other. */
async function run() {
  if (busy) return;
  busy = true;
  while (coming.length) {
    const next = /** @type {Scene} */ (coming.shift());
    const moved = next.event !== scene.event;
    take(next);
    if (moved && coming.length && !still.matches && !document.hidden) await pause(coming.length > 6 ? 60 : PACE);
  }
  busy = false;
}

/** @param {Scene} next */
function take(next) {
  const fresh = aside.tell(next.since, next.log);
  const news = next.since > 0 && next.event !== scene.event;
  if (next.event !== scene.event) { id("declined").hidden = !isDeclined(next); withdrawn = false; }
  scene = next;
  travel.update(next.position);
  if (travel.ply === null) present();
  if (news) id("live").textContent = fresh.slice(-12).join(" ");
}

/** Whether somebody has said no to what we proposed: it is gone, and nothing came of it. @param {Scene} next */
function isDeclined(next) {
  const [before, after] = [scene, next].map(({ position }) => position.plies + position.panels.map((panel) => panel.sitter).join());
  return !!scene.proposal?.mine && !next.proposal && !withdrawn && before === after;
}

/** Show the present. */
function present() {
  const { position } = scene;
  render(position);
  const mine = scene.live && scene.actor !== null && scene.actor === position.seat;
  id("status").classList.toggle("mine", mine);
  const theirs = scene.live && scene.own.length > 0 && scene.actor !== null && !scene.own.includes(scene.actor);
  if (theirs) id("status").prepend(make("small", { textContent: `${texts.waiting} · ` }));
  document.body.classList.toggle("over", !scene.live);
  choice.offer(coming.length ? [] : scene.moves);
  id("undo").hidden = !scene.undo;
  id("takeback").hidden = !scene.takeback;
  id("hint").hidden = !scene.hint || coming.length > 0;
  if (advised !== scene.event) id("advice").hidden = true;
  id("since").hidden = scene.decided === null || scene.decided === scene.position.plies;
  handOver();
  propose();
  offerBots();
  sessionStorage.setItem(location.pathname, String(scene.event));
}

/** Show what somebody proposes, and whether a bot plays for us. */
function propose() {
  const { proposal } = scene;
  id("proposal").hidden = !proposal;
  id("handed").hidden = !scene.handed || !scene.live;
  if (id("hand")) id("hand").hidden = scene.handed;
  if (!proposal) return;
  const text = id("proposal").firstElementChild;
  if (text.textContent !== proposal.text) text.textContent = proposal.text;
  id("agree").hidden = !proposal.asked;
  id("decline").hidden = !proposal.asked && !proposal.mine;
  id("decline").textContent = proposal.mine ? texts.withdraw : texts.decline;
}

/** Offer to let a bot play for those who have been away for too long. */
function offerBots() {
  const can = scene.live && scene.own.length > 0 && !scene.proposal;
  const absent = can ? people.absent.filter((seat) => !scene.position.panels[seat].sitter) : [];
  id("absent").replaceChildren(...absent.map((seat) => {
    const button = make("button", { textContent: fill(texts.bot_for, { player: scene.position.panels[seat].name }) });
    button.addEventListener("click", () => link.act({ propose: "bot", seat, event: scene.event }));
    return button;
  }));
}

/** @param {Position} position */
function render(position) {
  board.show(position);
  aside.panels(position, texts);
  people.mark();
  id("status").textContent = position.status;
}

/** @param {Position} position */
function showPast(position) {
  render(position);
  choice.offer([]);
  for (const name of ["undo", "takeback", "hint"]) id(name).hidden = true;
  id("handover").hidden = true;
}

/** Show what a strong bot thinks. @param {{event: number, ideas: {line: string, label: string, share: number, reasons: string[], doubts: string[]}[]}} message */
function advise({ event, ideas }) {
  if (event !== scene.event) return;
  id("thinking").hidden = ideas.length > 0;
  if (!ideas.length) id("thinking").textContent = texts.no_advice;
  id("ideas").replaceChildren(...ideas.map((idea) => {
    const move = scene.moves.find((other) => other.line === idea.line);
    const button = make("button", { textContent: texts.choose_this, ariaLabel: `${texts.choose_this}: ${idea.label}` });
    button.addEventListener("click", () => { if (move) choice.choose(move); });
    for (const sort of ["mouseenter", "focus"]) button.addEventListener(sort, () => board.touch(move?.parts ?? []));
    const sure = fill(texts.chance, { percent: Math.round(100 * idea.share) });
    return make("li", {}, make("strong", { textContent: idea.label }), ` ${sure} `, why(idea), button);
  }));
}

/** List what speaks for a move and what against it. @param {{reasons: string[], doubts: string[]}} idea */
function why({ reasons, doubts }) {
  const told = [...reasons.map((text) => `+ ${text}`), ...doubts.map((text) => `− ${text}`)];
  return make("ul", { className: "why" }, ...told.map((textContent) => make("li", { textContent })));
}

/** Several people on one device: the board is covered before it shows somebody else's side. */
function handOver() {
  const next = scene.handover;
  const name = next === null ? "" : scene.position.panels[next].name;
  const button = id("handover");
  button.hidden = next === null || scene.position.seat === null;
  button.textContent = fill(texts.hand_over, { player: name });
  id("cover").hidden = next === null || scene.position.seat !== null;
  id("cover-text").textContent = fill(texts.only_you, { player: name });
  id("cover-button").textContent = fill(texts.look_as, { player: name });
}

id("handover").addEventListener("click", () => { id("cover").hidden = false; link.ask({ look: -1, event: scene.event }); });
id("cover-button").addEventListener("click", () => { scrollTo(0, 0); link.ask({ look: scene.handover, event: scene.event }); });
id("undo").addEventListener("click", () => link.act({ undo: true, event: scene.event }));
id("takeback").addEventListener("click", () => link.act({ propose: "undo", event: scene.event }));
id("agree").addEventListener("click", () => link.act({ agree: true, event: scene.event }));
id("decline").addEventListener("click", () => { withdrawn = true; link.act({ agree: false, event: scene.event }); });
id("take-back").addEventListener("click", () => link.act({ hand: "" }));
id("hand")?.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  link.act({ hand: id("hand").firstElementChild.value });
});
id("hint").addEventListener("click", () => {
  advised = scene.event;
  id("advice").hidden = false;
  id("thinking").hidden = false;
  id("thinking").textContent = texts.thinking;
  id("ideas").replaceChildren();
  link.ask({ hint: true, event: scene.event });
});
id("now").addEventListener("click", () => travel.stop());
id("since").addEventListener("click", () => travel.watch(scene.decided ?? 0));
id("board").addEventListener("click", () => { if (travel.watching) travel.stop(); });
document.addEventListener("keydown", (event) => {
  const typing = /** @type {HTMLElement} */ (event.target).matches("input, select, textarea");
  if (event.key === "Escape") { if (travel.ply !== null) travel.stop(); else choice.reset(); }
  else if (event.key === "Enter" && choice.pending && !/** @type {HTMLElement} */ (event.target).matches("button, a, summary")) choice.confirm();
  else if (event.key === "u" && !typing && !event.ctrlKey && !id("undo").hidden) id("undo").click();
  else if (event.key === "h" && !typing && !event.ctrlKey && !id("hint").hidden) id("hint").click();
});
const ask = id("ask");
if (ask) {
  ask.checked = localStorage.getItem("omnibus ask") !== "no";
  ask.addEventListener("change", () => localStorage.setItem("omnibus ask", ask.checked ? "yes" : "no"));
}
guard();
const returned = sessionStorage.getItem(location.pathname) !== String(scene.event); // and not only to another language
const asked = wanted();
board.adopt(scene.position.ground);
take(scene);
if (asked !== null) travel.go(asked);
else if (scene.moves.length && scene.decided && !still.matches && returned) travel.watch(scene.decided);
