// Watches a table from outside: when everything could be seen first, what every click and key hit, and what was sent
// then. A line that is played must have been shown for a while: as the move that waits for a confirmation, on the
// button that was clicked, or as the only one that the clicked part of the board could mean.
(() => {
  const SEEN = 340; // ms, a little less than the page waits
  const NEAR = 10; // px
  const CONNECTS = 500; // ms
  const SENT_LATER = 50; // ms: so late a move leaves that was made while there was no connection
  /** When each element was there first, and each part of the board could be clicked, in ms. */
  const since = new Map();
  const lit = new Map();
  let label = ["", 0]; // the move that waits for a confirmation, and since when it is shown
  let last = null; // what the last click or key has hit
  const earlier = []; // what those before it have hit
  let before = null; // the click before
  let played = 0, hasty = 0, telling = 0, answers = 0;
  const faults = [], asked = [], refused = [], sent = new Set();

  const age = (time, map, key) => time - (map.get(key) ?? -Infinity);
  const shown = (element) => !!element && element.getClientRects().length > 0 && getComputedStyle(element).visibility === "visible";
  const text = (element) => (shown(element) ? element.textContent : "");
  const names = (className) => [...new Set([...document.querySelectorAll(`.board .${className}`)].map((element) => element.dataset.part))];

  function look() {
    const now = performance.now();
    const glowing = new Set([...document.querySelectorAll(".board .glow")]);
    for (const element of lit.keys()) if (!glowing.has(element)) lit.delete(element);
    for (const element of glowing) if (!lit.has(element)) lit.set(element, now);
    for (const element of document.querySelectorAll("[data-line], #ideas li")) if (!since.has(element)) since.set(element, now);
    const waiting = text(document.getElementById("pending-label"));
    if (waiting !== label[0]) label = [waiting, now];
  }

  function hit(event) {
    if (!event.isTrusted || (event.type === "keydown" && !["Enter", " "].includes(event.key))) return;
    const time = event.timeStamp;
    const target = event.type === "keydown" ? document.activeElement : event.target;
    const button = target.closest?.("[data-line]");
    const idea = target.closest?.("#ideas button");
    const onBoard = event.type === "click" && !!target.closest("#board");
    const at = onBoard ? [event.clientX, event.clientY] : null;
    const repeated = !!at && !!before && time - before.time < SEEN && Math.hypot(at[0] - before.at[0], at[1] - before.at[1]) < NEAR;
    const double = !!at && !!before && time - before.time < 370 && Math.hypot(at[0] - before.at[0], at[1] - before.at[1]) < 14;
    const under = at ? document.elementsFromPoint(...at).map((element) => element.closest(".board [data-part]")).filter(Boolean) : [];
    if (last) earlier.unshift(last);
    earlier.splice(40);
    last = {
      time, type: event.type, repeated, double,
      line: button?.dataset.line ?? "", buttonAge: button ? age(time, since, button) : 0,
      idea: idea?.getAttribute("aria-label") ?? "", ideaAge: idea ? age(time, since, idea.closest("li")) : 0,
      confirms: !!target.closest?.("#confirm") || event.type === "keydown",
      find: target.id === "find" ? target.value.trim() : "",
      first: document.querySelector("#moves button")?.dataset.line ?? "",
      firstAge: age(time, since, document.querySelector("#moves button")),
      label: label[0], labelAge: time - label[1],
      picked: names("picked-part"),
      under: under.map((element) => ({ part: element.dataset.part, lit: element.matches(".glow"), picked: element.matches(".picked-part"), age: age(time, lit, element) })),
      moves: (window.latest?.moves ?? []), moved: false,
      state: onBoard ? state() : "",
    };
    if (at) { before = { time, at }; check(last); }
  }

  const state = () => [names("picked-part").join(), label[0], document.getElementById("reason")?.textContent, document.getElementById("where")?.textContent].join("|");

  // A click on a part of the board is answered: something is chosen, played or explained, unless it came too soon.
  function check(mine) {
    const offered = document.getElementById("move-picker")?.hidden === false;
    const top = mine.under[0];
    if (!top || !offered || mine.under.some((each) => each.picked)) return;
    if (mine.double || mine.under.some((each) => each.lit && each.age < 360)) { hasty += 1; return; }
    const near = mine.under.some((each) => each.lit) || [...document.querySelectorAll(".board .glow")].some((element) => {
      const box = element.getBoundingClientRect();
      const [x, y] = before.at;
      return Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom)) < 40 && age(mine.time, lit, element) < 360;
    });
    const answered = answers;
    const silent = () => {
      look();
      return answered === answers && !shown(document.getElementById("reconnecting")) && state() === mine.state && !(near && !mine.under.some((each) => each.lit))
        && !document.getElementById("reason").textContent;
    };
    setTimeout(() => {
      if (!silent()) return;
      setTimeout(() => { // a page that has only just been loaded asks as soon as it is connected
        if (silent()) faults.push(`a click on ${mine.under.map(({ part }) => part)} after ${mine.picked} was not answered`);
      }, CONNECTS);
    }, 0);
  }

  function judge(line) {
    played += 1;
    answers += 1;
    const found = performance.now() - (last?.time ?? 0) < SENT_LATER ? [last] : [last, ...earlier];
    const reasons = found.map((each) => unmeant(each, line, each?.moves.find((other) => other.line === line)));
    const why = reasons.includes("") ? "" : reasons[0];
    if (why) faults.push(`${why}: ${JSON.stringify({ ...last, moves: undefined })}`);
  }

  // Why a line was not meant; empty if it was.
  function unmeant(last, line, move) {
    if (!last || !move) return `${line} was played by nobody`;
    if (last.confirms && last.label === move.label && last.labelAge >= SEEN) return "";
    if (last.line) return last.line === line && last.buttonAge >= SEEN ? "" : `${line} was played by a button that had only just appeared`;
    if (last.idea) return last.idea.endsWith(move.label) && last.ideaAge >= SEEN ? "" : `${line} was played by an idea that had only just appeared`;
    if (last.find) return last.first === line && last.firstAge >= SEEN ? "" : `${line} was played by a search that had not found it yet`;
    if (last.type !== "click" || last.repeated) return `${line} was played by ${last.repeated ? "a double click" : last.type}`;
    const top = last.under.find((each) => each.lit);
    if (!top) return `${line} was played by a click on ${last.under.map(({ part }) => part)}`;
    if (top.age < SEEN) return `${line} was played by ${top.part}, which had only just appeared`;
    const left = last.moves.filter(({ parts }) => [...last.picked, top.part].every((part) => parts.includes(part)));
    return left.length === 1 && left[0].line === line ? "" : `${line} was played by ${top.part}, which could mean something else`;
  }

  async function told(message) {
    const question = asked.shift();
    if (!question || question.part !== message.part) { faults.push(`a reason for ${message.part}, not for ${question?.part}`); return; }
    telling += 1;
    await new Promise((go) => setTimeout(go)); // until the page has shown it
    const seen = asked.length ? "" : document.getElementById("reason")?.textContent ?? "";
    const answer = await fetch(`/api/tables/${location.pathname.split("/").at(-1)}/view`).then((found) => found.json()).catch(() => null);
    telling -= 1;
    const current = answer && answer.event === question.event;
    refused.push({ ...question, text: message.text || question.status, view: current ? answer.view : null });
    if (!message.text && !question.status) faults.push(`no reason for ${question.part} after ${question.picked}`);
    else if (message.text && seen && !seen.includes(message.text)) faults.push(`the page says ${seen}, not ${message.text}`);
  }

  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => { const message = JSON.parse(data); if (message.type === "reason") told(message); });
      this.addEventListener("close", () => { asked.length = 0; });
    }

    send(data) {
      const message = JSON.parse(data);
      if (message.play && !sent.has(message.id)) judge(message.play);
      sent.add(message.id); // sent again after the connection was lost, it says nothing new
      if (message.why) answers += 1;
      if (message.why) asked.push({ part: message.why, picked: message.picked, event: message.event, status: document.getElementById("status").textContent });
      super.send(data);
    }
  };

  document.addEventListener("DOMContentLoaded", () => {
    look();
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  for (const type of ["click", "keydown"]) window.addEventListener(type, hit, true);
  window.witness = {
    open: () => asked.length > 0 || telling > 0,
    report: () => {
      const found = { played, hasty, faults: faults.splice(0), refused: refused.splice(0) };
      played = hasty = 0;
      return found;
    },
  };
})();
