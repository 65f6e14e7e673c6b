// @ts-check
// The page of a tournament, kept up to date: standings, tables, your own table, and the time that is left.
import { confirmForms, id, pause } from "./dom.js";
import { showTimes } from "./times.js";

const EVERY = 2000; // ms
const ENDED = ["over", "cancelled"];
const path = new URL(id("tournament").dataset.live, location.href);
let shown = performance.now();

/** Show how much time is left of the round, or of the arena. */
function count() {
  const timer = id("time-left");
  if (!timer) return;
  const left = Math.max(0, Math.round(Number(timer.dataset.left) - (performance.now() - shown) / 1000));
  const parts = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
  timer.textContent = parts.slice(parts[0] ? 0 : 1).map((part) => String(part).padStart(2, "0")).join(":");
}

/** Ask for what has changed since the version that is shown. */
async function update() {
  path.searchParams.set("version", id("tournament-live").dataset.version);
  const answer = await fetch(path).catch(() => null);
  if (answer?.status !== 200) return; // nothing has changed, or the server is away for a moment
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("tournament-live");
  if (fresh) id("tournament-live").replaceWith(fresh);
  shown = performance.now();
  count();
  showTimes();
}

async function follow() {
  while (!ENDED.includes(id("tournament-live").dataset.status)) {
    await pause(EVERY);
    await update();
  }
}

confirmForms();
count();
showTimes();
setInterval(count, 1000);
follow();
