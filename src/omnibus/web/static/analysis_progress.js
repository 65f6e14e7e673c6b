// @ts-check
// The page of an analysis that is not done: it begins by itself, says how far it is, and shows the result in the end.
import { fill, id, pause } from "./dom.js";

const EVERY = 1000; // ms
const form = id("begin");

/** Begin, or go on; where that is refused, the page that says why is shown. */
async function begin() {
  const answer = await fetch(form.action, { method: "POST", redirect: "manual" });
  if (answer.type !== "opaqueredirect") form.submit();
}

/** @param {{state: string, done: number, total: number}} progress */
function show({ done, total }) {
  form.hidden = true;
  id("running").hidden = false;
  id("progress").max = total;
  id("progress").value = done;
  id("judged").textContent = fill(id("judged").dataset.said, { done, total });
}

async function follow() {
  await begin();
  for (;;) {
    const answer = await fetch(`${form.action}/progress`).catch(() => null);
    const progress = answer?.ok ? await answer.json() : null;
    if (progress) show(progress);
    if (progress?.state === "done") { location.reload(); return; }
    await pause(EVERY);
    if (progress?.state === "none") await begin(); // it was interrupted
  }
}

follow();
