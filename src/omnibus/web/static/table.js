// @ts-check
// The page of a live table.
import * as sidebar from "./sidebar.js";
import * as board from "./board.js";
import { MovePicker } from "./move_picker.js";
import { fill, confirmForms, id, make, read } from "./dom.js";
import { explain } from "./tips.js";
import { Connection } from "./connection.js";
import { whole } from "./differences.js";
import { People } from "./people.js";
import { Playback, announce, caption, turn } from "./playback.js";
import { instant, playSound, rememberPace } from "./preferences.js";
import * as trace from "./trace.js";
import { Timeline, requestedPly } from "./timeline.js";

/** @typedef {import("./types.js").Idea} Idea */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Position} Position */
/** @typedef {import("./types.js").Step} Step */

const SLOW = 400; // ms without an answer: then the page says that a move is being sent
const READ = 15_000; // ms to read that a proposal was declined
const SYNC = { sync: true, differences: true };
const texts = read("texts");
/** @type {Scene} */
let scene = read("scene");
/** The last scene received, which may be shown later. @type {Scene} */
let received = scene;
/** What others have decided since the reader's last decision. @type {Step[]} */
let steps = [];
/** @type {number|undefined} */
let sending;
let hinted = -1;
let cancelled = false;

/** @type {Connection} */
const connection = new Connection(
  id("table").dataset.socket,
  () => [sync(), ...people.greeting()],
  (message) => {
    if (message.type === "awaited") import("./turn_alert.js").then(({ alertTurn }) => alertTurn(message, texts));
    else if (message.type === "people" || message.type === "chat") { people.receive(message); offerBots(); }
    else if (message.type === "scene") {
      received = whole(message, received);
      board.keep(received.position);
      showClocks(received);
      playback.push(received);
    }
    else if (message.type === "error") refused(message);
    else if (message.type === "hint") showHint(message);
    else if (message.type === "reason") picker.answer(message.part, message.text || scene.position.status, message.section);
    else if (message.type === "preview" && picker.shown?.line === message.line) board.preview(message.pieces);
  });

/** Ask what has happened; everything, if the board is wanted in the other shape: what has moved lies elsewhere there. */
const sync = () => ({ ...SYNC, event: scene.position.wide === board.wanted().wide ? scene.event : 0, ...board.wanted(), seat: scene.position.seat });
/** @param {Record<string, any>} message */
const act = (message) => connection.act({ event: scene.event, ...message });
/** @param {Record<string, any>} message */
const ask = (message) => connection.ask({ event: scene.event, ...message });

const picker = new MovePicker({
  play: (move) => {
    picker.offer([]);
    id("goal-text")?.removeAttribute("open");
    playback.own = texts.you + texts.colon + move.label;
    sending = setTimeout(() => { id("status").textContent = texts.sending; }, SLOW);
    act({ play: move.line });
  },
  why: (part, picked) => ask({ why: part, picked }),
  preview: (move) => {
    if (move) ask({ preview: move.line });
    else { board.show(scene.position); picker.relight(); } // what the preview took away is chosen as before
  },
}, texts);

const people = new People(() => connection, () => scene.position.panels.map((panel) => panel.name), texts, (seat) => scene.own.length === 1 && scene.own[0] === seat);

const timeline = new Timeline(showPast, () => { showCurrent(); sayLast(); }, texts, offerNothing);
/** @type {import("./end_card.js").EndCard|null} */
let endCard = null;

const playback = new Playback({
  scene: () => scene,
  told(step) {
    if (!steps.some(({ ply }) => ply === step.ply)) steps = [...steps, step];
    return turn(steps, step);
  },
  summary: (gains) => texts.since_last + texts.colon + gains,
  take,
  hold: showEarlier,
  position: (ply) => timeline.position(ply).catch(() => null),
  freeze: () => picker.offer([]),
  away: () => timeline.ply !== null,
});

/** A request was rejected: offer all moves again, and say why. @param {{code: string, text: string, section?: string}} message */
function refused(message) {
  clearTimeout(sending);
  if (timeline.ply === null) showCurrent();
  picker.showReason(message.text, message.section);
  if (message.code === "stale") ask({ ...SYNC, event: 0, ...board.wanted() });
}

/** @param {Scene} next */
function take(next) {
  const fresh = sidebar.updateLog(next.since, next.log);
  const news = next.since > 0 && next.event !== scene.event && !playback.unseen(next).length; // others are announced by playback
  if (news) announce(fresh.slice(-12).join(" "));
  if (scene.live && !next.live) playSound("end");
  else if (next.moves.length && !scene.moves.length && next.actor !== scene.actor) playSound("turn");
  if (next.event !== scene.event) {
    id("declined").hidden = !isDeclined(next);
    setTimeout(() => { id("declined").hidden = true; }, READ);
    cancelled = false;
  }
  const ended = scene.live && !next.live;
  clearTimeout(sending);
  scene = next;
  steps = [...steps.filter((step) => step.ply <= next.since), ...next.steps].filter((step) => step.ply > (next.decided ?? 0) && !next.own.includes(step.seat));
  timeline.update(next.position);
  if (timeline.ply === null) showCurrent();
  if (!next.live) showEnd(ended);
}

/** Show the result; if the game has just ended, after what decided it. @param {boolean} ended @param {boolean} [open] */
async function showEnd(ended, open) {
  const { EndCard } = await import("./end_card.js"); // a game in progress does not need it
  endCard ??= new EndCard(texts, () => { timeline.stop(); trace.clear(); }, () => { if (timeline.ply === null) { showCurrent(); endCard?.open(); } });
  endCard.update(scene.position, ended && timeline.ply === null, open);
}

/** Whether our proposal was declined: it is gone, and nothing has changed. @param {Scene} next */
function isDeclined(next) {
  const [before, after] = [scene, next].map(({ position }) => position.plies + position.panels.map((panel) => panel.sitter).join());
  return !!scene.proposal?.mine && !next.proposal && !cancelled && before === after;
}

/** Show the current position. */
function showCurrent() {
  const { position } = scene;
  render(position);
  const mine = scene.live && scene.actor !== null && scene.actor === position.seat;
  id("status").classList.toggle("mine", mine && !playback.waiting);
  if (scene.live) sayWaiting(position);
  drawTrace();
  document.body.classList.toggle("over", !scene.live);
  board.setTargets(scene.targets);
  picker.offer(playback.waiting ? [] : scene.moves);
  id("undo").hidden = !scene.undo || playback.waiting;
  explain(playback.waiting ? null : scene.tip);
  id("ask-undo").hidden = !scene.takeback;
  id("hint").hidden = !scene.hint || playback.waiting;
  if (hinted !== scene.event) id("advice").hidden = true;
  id("since").hidden = scene.decided === null || scene.decided === scene.position.plies;
  handOver();
  showProposal();
  offerBots();
  if (scene.live) sessionStorage.setItem(location.pathname, String(scene.event));
}

/** Draw what has moved since the reader's last decision, or for spectators with the last one. */
function drawTrace() {
  if (timeline.ply === null) trace.draw(scene.position.pieces, scene.own.length ? steps : steps.slice(-1));
}

/** Tell a player whom the table waits for, if for somebody else. @param {Position} position */
function sayWaiting({ panels, status }) {
  const panel = panels.find(({ turn }) => turn);
  if (!panel || !scene.own.length || scene.own.includes(panel.seat)) return;
  const text = fill(panel.sitter ? texts.thinking : texts.waiting_for, { player: panel.name });
  id("status").replaceChildren(text, make("small", { textContent: ` · ${status}` }));
}

/** Show the open proposals, and whether a bot plays for us. */
function showProposal() {
  const { proposal, rematch } = scene;
  if (rematch) id("rematch-asked").firstElementChild.textContent = rematch.text;
  id("rematch-asked").hidden = !rematch;
  id("proposal").hidden = !proposal;
  id("bot-plays").hidden = !scene.handed || !scene.live;
  if (id("bot-for-me")) id("bot-for-me").hidden = scene.handed;
  if (!proposal) return;
  const text = id("proposal").firstElementChild;
  if (text.textContent !== proposal.text) text.textContent = proposal.text;
  id("accept").hidden = !proposal.asked;
  id("decline").hidden = !proposal.asked && !proposal.mine;
  id("decline").textContent = proposal.mine ? texts.cancel_request : texts.decline;
}

/** Offer to let a bot play for those who have been away too long. */
function offerBots() {
  const can = scene.live && scene.own.length > 0 && !scene.proposal;
  const absent = can ? people.absent.filter((seat) => !scene.position.panels[seat].sitter) : [];
  id("absent").replaceChildren(...absent.map((seat) => {
    const button = make("button", { textContent: fill(texts.bot_for, { player: scene.position.panels[seat].name }) });
    button.addEventListener("click", () => act({ propose: "bot", seat }));
    return button;
  }));
}

/** Show how much time everybody has left. @param {Scene} next */
function showClocks({ clock, own }) {
  const at = performance.now();
  if (clock) import("./clock.js").then(({ show }) => show(clock, at, own, texts));
}

/** @param {Position} position */
function render(position) {
  board.show(position);
  sidebar.panels(position, texts);
  people.mark();
  id("status").textContent = position.status;
  id("status").classList.remove("mine");
}

/** @param {Position} position */
function showPast(position) {
  endCard?.stop();
  const step = steps.find(({ ply }) => ply === position.ply);
  showEarlier(position);
  if (step) id("past").firstElementChild.textContent = turn(steps, step); // it stands in the place of the caption
}

/** Say what others decided last. */
function sayLast() {
  const last = steps.at(-1);
  caption(last ? turn(steps, last) : "");
}

/** Show an earlier position, in which there is nothing to do, with what was moved up to there. @param {Position} position @param {Step} [last] */
function showEarlier(position, last) {
  render(position);
  trace.clear();
  if (last) {
    sayWaiting(position);
    steps = [...steps, last];
    trace.draw(position.pieces, scene.own.length ? steps : [last]);
  }
  offerNothing();
}

/** Offer nothing to do: not even to confirm what was chosen. */
function offerNothing() {
  picker.offer([]);
  for (const name of ["undo", "ask-undo", "hint"]) id(name).hidden = true;
  id("handover").hidden = true;
}

/** Show the hint of a strong bot. @param {{event: number, ideas: Idea[]}} message */
async function showHint({ event, ideas }) {
  const { showIdeas } = await import("./advice.js");
  if (event === scene.event) showIdeas(ideas, scene.moves, (move) => picker.choose(move), texts);
  id("advice").scrollIntoView({ block: "nearest" });
}

/** With several players on one device, cover the board before it shows another player's view. */
function handOver() {
  const next = scene.handover;
  const name = next === null ? "" : scene.position.panels[next].name;
  const button = id("handover");
  button.hidden = next === null || scene.position.seat === null;
  button.textContent = fill(texts.pass_device, { player: name });
  id("cover").hidden = next === null || scene.position.seat !== null;
  id("cover-text").textContent = fill(texts.cover_text, { player: name });
  id("cover-button").textContent = fill(texts.i_am, { player: name });
}

/** Show again what others have decided, with what was said of it. @param {number} since */
const watch = (since) => timeline.watch([since, ...steps.map(({ ply }) => ply)]);

/** @type {Record<string, () => void>} */
const clicks = {
  handover() { id("cover").hidden = false; ask({ look: -1 }); },
  "cover-button"() { scrollTo(0, 0); ask({ look: scene.handover }); },
  undo: () => act({ undo: true }),
  "ask-undo": () => act({ propose: "undo" }),
  accept: () => act({ agree: true }),
  decline() { cancelled = true; act({ agree: false }); },
  "resume-seat": () => act({ hand: "" }),
  hint() {
    hinted = scene.event;
    id("advice").hidden = false;
    id("bot-thinking").hidden = false;
    id("bot-thinking").textContent = texts.bot_thinking;
    id("ideas").replaceChildren();
    id("advice").scrollIntoView({ block: "nearest" }); // below the board, on a phone
    ask({ hint: true });
  },
  "close-advice"() { id("advice").hidden = true; },
  "chat-news"() { sidebar.openTab("chat-head"); },
  "back-to-current": () => timeline.stop(),
  since: () => watch(scene.decided ?? 0),
  board() { if (timeline.watching) timeline.stop(); },
};
for (const name in clicks) id(name).addEventListener("click", clicks[name]);
id("bot-for-me")?.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  act({ hand: id("bot-for-me").firstElementChild.value });
});
document.addEventListener("keydown", (event) => {
  const typing = /** @type {HTMLElement} */ (event.target).matches("input, select, textarea");
  if (event.key === "Escape") { if (!endCard?.close()) { if (timeline.ply !== null) timeline.stop(); else picker.reset(); } }
  else if (event.key === "Enter" && picker.pending && !/** @type {HTMLElement} */ (event.target).matches("button, a, summary")) picker.confirm(event);
  else if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey) press(event);
});

/** The keys of single letters. @param {KeyboardEvent} event */
function press(event) {
  if (event.key === "u" && !id("undo").hidden) id("undo").click();
  else if (event.key === "h" && !id("hint").hidden) id("hint").click();
  else if (event.key === "m" && !id("move-picker").hidden) { event.preventDefault(); picker.unfold(); }
}

sidebar.tabs();
sidebar.remember("confirm-turns", "omnibus ask");
sidebar.remember("show-notation", "omnibus notation", (shown) => document.body.classList.toggle("notation", shown));
sidebar.remember("trace", "omnibus trace", drawTrace);
sidebar.remember("moves-sound", "omnibus moves sound");
rememberPace();
confirmForms();
if (id("goal")) import("./newcomer.js").then(({ welcome }) => welcome());
board.onReshape(() => {
  trace.clear();
  ask(sync());
  if (timeline.ply !== null) timeline.go(timeline.ply);
});
const returned = sessionStorage.getItem(location.pathname) !== (scene.live ? String(scene.event) : "closed"); // not just a change of language
const requested = requestedPly();
board.adopt(scene.position.ground);
take(scene);
showClocks(scene);
if (!scene.live && returned) showEnd(false, true);
sayLast();
if (requested !== null) timeline.go(requested);
else if (scene.moves.length && scene.decided && !instant() && returned) watch(scene.decided);
