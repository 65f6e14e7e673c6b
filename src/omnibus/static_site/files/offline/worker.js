// @ts-check
// The server of this site: Python in a web worker. Of all tabs one runs it, and the others wait until that one is closed.
import { startPython } from "./python.js";
import { Storage } from "./storage.js";

const SITE = new URL("../", import.meta.url);
const NAME = `omnibus ${SITE.pathname}`;
const AFTER_FIRST = 1000; // ms, for the rest of the first page
const REMEMBERED = 1000; // requests
const channel = new BroadcastChannel(NAME);

/** @param {number} done Of three steps. */
const report = (done) => channel.postMessage({ type: "starting", done });

/** Called when the first page has been sent: bots start after that, so that nobody waits for them. @type {() => void} */
let firstSent = () => {};
const first = new Promise((resolve) => { firstSent = () => resolve(null); });

/** Start a web worker in which bots think. @param {any} say @param {any} fail Functions of Python. */
function startBots(say, fail) {
  const [said, failed] = [say.copy(), fail.copy()];
  /** @type {Worker|null} */ let worker = null;
  let ended = false;
  first.then(() => {
    if (ended) return;
    worker = new Worker(new URL("bots.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => said(data);
    worker.onerror = () => failed();
  });
  return {
    write: (/** @type {string} */ line) => worker?.postMessage(line), // only after it has said that it is ready
    terminate: () => { ended = true; worker?.terminate(); },
  };
}

async function serve() {
  report(0);
  const python = await startPython();
  report(1);
  const storage = await Storage.load(python.FS, "/data", NAME);
  const start = python.runPython("from omnibus.static_site.runtime.bridge import start; start");
  report(2);
  const server = await start(SITE.origin, storage, startBots);
  channel.onmessage = ({ data }) => answer(server, data);
  channel.postMessage({ type: "started" });
}

/** The latest requests: one may come again when this server has just started. @type {Set<string>} */
const taken = new Set();

/** Answer a request; one that Python fails at, too. @param {any} server @param {any} message */
async function respond(server, { id, method, path, headers, body }) {
  if (taken.has(id)) return;
  taken.add(id);
  if (taken.size > REMEMBERED) taken.delete(taken.values().next().value ?? "");
  channel.postMessage({ type: "taken", id });
  try {
    const told = await server.respond(method, path, headers, body);
    const [status, sent, content] = told.toJs();
    told.destroy();
    channel.postMessage({ type: "response", id, status, headers: sent, body: content });
  } catch (error) {
    console.error(error);
    channel.postMessage({ type: "response", id, status: 500, headers: [], body: new Uint8Array(0) });
  }
  setTimeout(firstSent, AFTER_FIRST);
}

/** Do what a page or the service worker asks. @param {any} server @param {any} message */
async function answer(server, message) {
  const { type, id } = message;
  if (type === "hello") channel.postMessage({ type: "here" });
  else if (type === "request") await respond(server, message);
  else if (type === "open") {
    const send = (/** @type {string} */ kind, /** @type {any} */ value) => channel.postMessage({ type: "socket", id, kind, value });
    server.open_socket(id, message.path, message.headers, send);
  } else if (type === "said") server.receive(id, message.text);
  else if (type === "closed") server.close_socket(id);
}

navigator.locks.request(NAME, async () => {
  try {
    await serve();
  } catch (error) {
    channel.postMessage({ type: "failed", why: String(error) });
    throw error;
  }
  await new Promise(() => {}); // as long as this tab is open
});
