// @ts-check
// The page of a deal or a team match, kept up to date; its link is copied to send it to others.
import { confirmForms, id, pause } from "./dom.js";

confirmForms();

const EVERY = 5000; // ms
let shown = id("deal").textContent;

document.addEventListener("click", async (event) => {
  const button = /** @type {HTMLElement} */ (event.target);
  if (button.id !== "copy-deal") return;
  const field = id("deal-link");
  field.select();
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value).catch(() => document.execCommand("copy"));
  else document.execCommand("copy"); // without https there is no clipboard
  button.textContent = button.dataset.copied ?? "";
});

/** Show who has joined and how the games stand, unless somebody is typing a name. */
async function update() {
  const at = document.activeElement;
  if (document.hidden || at?.matches("#deal input")) return;
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return; // the server is away for a moment
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("deal");
  if (!fresh || fresh.textContent === shown) return;
  shown = fresh.textContent;
  const link = at?.closest("#deal a")?.getAttribute("href");
  id("deal").replaceWith(fresh);
  if (link) /** @type {HTMLElement|null} */ (fresh.querySelector(`a[href="${CSS.escape(link)}"]`))?.focus();
}

async function follow() {
  while (id("deal").dataset.live) {
    await pause(EVERY);
    await update();
  }
}

follow();
