// @ts-check
// The frame around the pages: it registers the service worker, starts the server in a web worker, and shows how far it is.

const ROOT = new URL("../", import.meta.url);
const STEPS = 3; // of starting, after the download
const PATIENCE = 3000; // ms
/** @param {string} name @returns {any} */
const id = (name) => document.getElementById(name);
const catalogues = JSON.parse(id("texts").textContent);
const NAME = `omnibus ${ROOT.pathname}`;
const LANGUAGE = `${NAME} language`; // where the one that was chosen on the pages is kept
const channel = new BroadcastChannel(NAME);
const frame = id("page");
let texts = catalogues.en;
let version = "";
let trouble = ""; // with the download
let shown = false;

/** Speak a language, if we can. @param {string|undefined} language */
function speak(language = "en") {
  if (!(language in catalogues)) return;
  texts = catalogues[language];
  document.documentElement.lang = language;
}

/** @param {string} text @param {number} [share] Of the whole; without, something is wrong. */
function say(text, share) {
  id("doing").textContent = text;
  id("progress").hidden = share === undefined;
  if (share !== undefined) id("progress").value = share;
}

/** Say what went wrong: why, as the browser puts it, and what it means otherwise. @param {unknown} why @param {string} [meaning] */
const complain = (why, meaning = `${texts.failed} (${why})`) => say(/quota/i.test(String(why)) ? texts.no_space : meaning);

/** Show the pages, from the one in the address on. */
function show() {
  if (shown) return;
  shown = true;
  frame.addEventListener("load", () => {
    const page = frame.contentDocument; // none of an error page of the browser
    if (page?.URL === "about:blank") return;
    const empty = !page || (page.contentType.startsWith("text/") && !page.documentElement.textContent?.trim());
    id("loading").hidden = !empty;
    if (empty) { say(texts.lost); return; }
    const { pathname, search, hash } = frame.contentWindow.location;
    if (!pathname.startsWith(ROOT.pathname)) return;
    history.replaceState(null, "", `${ROOT.pathname}#/${pathname.slice(ROOT.pathname.length)}${search}${hash}`);
    const title = page.querySelector("title");
    const tell = () => { document.title = title?.textContent || "Omnibus"; };
    tell();
    if (title) new MutationObserver(tell).observe(title, { childList: true });
    document.documentElement.dataset.theme = page.documentElement.dataset.theme ?? "";
    if (page.documentElement.lang) {
      speak(page.documentElement.lang);
      localStorage.setItem(LANGUAGE, page.documentElement.lang);
    }
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
  else if (data.type === "no download") trouble = data.why;
  else if (data.type === "failed" && !shown) complain(data.why);
  else if (data.type === "hello" && data.version !== version && shown) location.reload(); // it has another version
  else if (data.type === "started" || data.type === "here") show();
};

const changed = () => new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }));

/** Wait until the service worker answers for this page. @param {ServiceWorkerRegistration} registration */
async function controlled(registration) {
  const serviceWorker = navigator.serviceWorker;
  if (registration.waiting && serviceWorker.controller) { // a new version was downloaded during the last visit
    registration.waiting.postMessage("activate");
    await Promise.race([changed(), new Promise((resolve) => { setTimeout(resolve, PATIENCE); })]); // other tabs may keep it
    if (!registration.waiting) {
      location.reload();
      await new Promise(() => {});
    }
  }
  if (!serviceWorker.controller && registration.active && !sessionStorage.getItem("omnibus reloaded")) {
    sessionStorage.setItem("omnibus reloaded", "yes"); // a forced reload leaves it out
    location.reload();
    await new Promise(() => {});
  }
  const coming = registration.installing ?? registration.waiting;
  coming?.addEventListener("statechange", () => {
    if (coming.state === "redundant" && !serviceWorker.controller) complain(trouble, texts.no_download);
  });
  while (!serviceWorker.controller) await changed();
  serviceWorker.addEventListener("controllerchange", () => location.reload()); // a new version, asked for by another tab
  sessionStorage.removeItem("omnibus reloaded");
}

async function main() {
  const wishes = [localStorage.getItem(LANGUAGE) ?? "", ...navigator.languages].map((tag) => tag.slice(0, 2));
  speak(wishes.find((tag) => tag in catalogues));
  say(texts.starting, 0);
  if (!navigator.serviceWorker || !navigator.locks || !window.DecompressionStream) { say(texts.unsupported); return; }
  await controlled(await navigator.serviceWorker.register(new URL("service_worker.js", ROOT)));
  navigator.storage?.persist?.();
  new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  version = await (await fetch(new URL("version", import.meta.url))).text();
  channel.postMessage({ type: "hello", version }); // another tab may run the server already
}

main().catch(complain);
