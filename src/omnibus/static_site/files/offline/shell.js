// @ts-check
// The frame around the pages: it registers the service worker, starts the server in a web worker, and shows how far it is.

const ROOT = new URL("../", import.meta.url);
const STEPS = 3; // of starting, after the download
/** @param {string} name @returns {any} */
const id = (name) => document.getElementById(name);
const catalogues = JSON.parse(id("texts").textContent);
const language = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in catalogues) ?? "en";
const texts = catalogues[language];
const channel = new BroadcastChannel(`omnibus ${ROOT.pathname}`);
const frame = id("page");
let shown = false;

/** @param {string} text @param {number} [share] Of the whole; without, something is wrong. */
function say(text, share) {
  id("doing").textContent = text;
  id("progress").hidden = share === undefined;
  if (share !== undefined) id("progress").value = share;
}

/** Show the pages, from the one in the address on. */
function show() {
  if (shown) return;
  shown = true;
  frame.addEventListener("load", () => {
    const { pathname, search, hash } = frame.contentWindow.location;
    if (!pathname.startsWith(ROOT.pathname)) return;
    history.replaceState(null, "", `${ROOT.pathname}#/${pathname.slice(ROOT.pathname.length)}${search}${hash}`);
    const title = frame.contentDocument.querySelector("title");
    const tell = () => { document.title = title.textContent; };
    tell();
    new MutationObserver(tell).observe(title, { childList: true });
    document.documentElement.dataset.theme = frame.contentDocument.documentElement.dataset.theme ?? "";
    id("loading").hidden = true;
    frame.contentWindow.focus();
  });
  visit();
  addEventListener("hashchange", visit);
}

/** Show the page of the address. */
const visit = () => frame.contentWindow.location.replace(ROOT.href + location.hash.replace(/^#\/?/, ""));

channel.onmessage = ({ data }) => {
  if (data.type === "downloading") say(texts.downloading, (0.7 * data.done) / data.total);
  else if (data.type === "starting" && !shown) say(texts.starting, 0.7 + (0.3 * (data.done + 0.5)) / STEPS);
  else if (data.type === "failed" && !shown) { say(`${texts.failed} (${data.why})`); }
  else if (data.type === "started" || data.type === "here") show();
};

/** Wait until the service worker answers for this page. @param {ServiceWorkerRegistration} registration */
async function controlled(registration) {
  const serviceWorker = navigator.serviceWorker;
  if (registration.waiting && serviceWorker.controller) { // a new version was downloaded during the last visit
    registration.waiting.postMessage("activate");
    await new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
    location.reload();
    await new Promise(() => {});
  }
  if (!serviceWorker.controller && registration.active && !sessionStorage.getItem("omnibus reloaded")) {
    sessionStorage.setItem("omnibus reloaded", "yes"); // a forced reload leaves it out
    location.reload();
    await new Promise(() => {});
  }
  const coming = registration.installing ?? registration.waiting;
  coming?.addEventListener("statechange", () => { if (coming.state === "redundant") say(texts.no_download); });
  while (!serviceWorker.controller) await new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
  sessionStorage.removeItem("omnibus reloaded");
}

async function main() {
  document.documentElement.lang = language;
  say(texts.starting, 0);
  if (!navigator.serviceWorker || !navigator.locks || !window.DecompressionStream) { say(texts.unsupported); return; }
  await controlled(await navigator.serviceWorker.register(new URL("service_worker.js", ROOT)));
  navigator.storage?.persist?.();
  new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  channel.postMessage({ type: "hello" }); // another tab may run the server already
}

main().catch((error) => say(`${texts.failed} (${error})`));
