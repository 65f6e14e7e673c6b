// @ts-check
// Keeps the files of this site for the time without a network, and passes all other requests of its pages to the server,
// which runs in a web worker of one of the tabs (offline/worker.js).
/* SITE: the version, the files and what the application answers, written by the builder */

/** @type {any} */
const worker = self;
const ROOT = new URL("./", location.href);
const CACHE = `omnibus ${ROOT.pathname} ${SITE.version}`;
const OURS = `omnibus ${ROOT.pathname} `;
const DIGEST = "x-digest";
const VERSION = "offline/version";
const channel = new BroadcastChannel(`omnibus ${ROOT.pathname}`);
const files = new Map(SITE.files.map((file) => [file.path, file]));
/** Requests the server has not answered yet. @type {Map<string, {message: any, request: Request, taken: boolean, resolve: (response: Response) => void}>} */
const unanswered = new Map();

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(download().catch(giveUp)));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(replaceOthers()));
worker.addEventListener("message", (/** @type {any} */ event) => { if (event.data === "activate") event.waitUntil(worker.skipWaiting()); });
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const url = new URL(event.request.url), path = pathIn(url);
  if (url.origin === ROOT.origin && isOurs(event.request, path)) event.respondWith(respond(event.request, path, url.search));
});

/** Return the path in the site; pages leave its folder out. @param {URL} url */
function pathIn({ pathname }) {
  return pathname.startsWith(ROOT.pathname) ? pathname.slice(ROOT.pathname.length) : pathname.slice(1);
}

/**
 * Tell what this site answers: its files and what the application has pages for. The rest of the origin may be somebody
 * else's. What is opened in the frame is ours, too: the address may be wrong. @param {Request} request @param {string} path
 */
function isOurs(request, path) {
  const known = path === "" || path === VERSION || files.has(path) || SITE.routes.includes(path.split("/")[0]);
  return known || (request.destination === "iframe" && [ROOT.href, `${ROOT.href}index.html`].includes(request.referrer));
}

/** Fill the cache; what an earlier version has already is not downloaded again. */
async function download() {
  const cache = await caches.open(CACHE);
  const total = SITE.files.reduce((sum, file) => sum + file.size, 0);
  let done = 0;
  for (const file of SITE.files) {
    const address = new URL(file.path, ROOT).href;
    const known = await caches.match(address);
    await cache.put(address, known?.headers.get(DIGEST) === file.digest ? known : await downloaded(file));
    done += file.size;
    channel.postMessage({ type: "downloading", done, total });
  }
}

/** Say why there was no download, and leave nothing of it behind. @param {Error} error */
async function giveUp(error) {
  await caches.delete(CACHE);
  channel.postMessage({ type: "no download", why: String(error) });
  await new Promise((resolve) => { setTimeout(resolve, 100); }); // so that it is heard before this worker is gone
  throw error;
}

/** Download a file; those that are packed are unpacked here, unless the file server has done it. @param {SiteFile} file */
async function downloaded(file) {
  const response = await fetch(new URL(file.path + (file.packed ? ".gz" : ""), ROOT), { cache: "no-cache" });
  if (!response.ok) throw new Error(`${file.path}: ${response.status}`);
  let body = await response.blob();
  const start = new Uint8Array(await body.slice(0, 2).arrayBuffer());
  if (file.packed && start[0] === 0x1f && start[1] === 0x8b) {
    body = await new Response(body.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
  }
  return new Response(body, { headers: { "content-type": file.type, [DIGEST]: file.digest } });
}

async function replaceOthers() {
  for (const name of await caches.keys()) if (name.startsWith(OURS) && name !== CACHE) await caches.delete(name);
  await worker.clients.claim();
}

/** @param {Request} request @param {string} path @param {string} search @returns {Promise<Response>} */
async function respond(request, path, search) {
  if (request.mode === "navigate" && request.destination === "document") {
    return path === "" || path === "index.html" ? kept("index.html") : redirection(path + search);
  }
  if (path === VERSION) return new Response(SITE.version);
  if (files.has(path) && path !== "index.html") return kept(path);
  return ask(request, `/${path}${search}`);
}

/** @param {string} path @returns {Promise<Response>} */
async function kept(path) {
  const address = new URL(path, ROOT).href;
  const cache = await caches.open(CACHE);
  return await cache.match(address) ?? downloaded(/** @type {SiteFile} */ (files.get(path)));
}

/** Pages live in a frame; open its address there, if it is opened in a new tab. @param {string} path */
function redirection(path) {
  const address = JSON.stringify(`${ROOT.href}#/${path}`).replace(/</g, "\\u003c");
  return new Response(`<!doctype html><meta charset="utf-8"><script>location.replace(${address} + location.hash)</script>`, { headers: { "content-type": "text/html" } });
}

/** Ask the server. @param {Request} request @param {string} path @returns {Promise<Response>} */
async function ask(request, path) {
  const id = crypto.randomUUID();
  const headers = [
    ["accept-language", navigator.languages.join(",")], ["user-agent", navigator.userAgent], ["cookie", await scriptCookies(path)],
    ...[...request.headers].filter(([name]) => name === "content-type" || name === "accept"),
  ];
  const message = { type: "request", id, method: request.method, path, headers, body: new Uint8Array(await request.arrayBuffer()) };
  return new Promise((resolve) => {
    unanswered.set(id, { message, request, taken: false, resolve });
    channel.postMessage(message);
  });
}

/** Return the cookies that scripts have set for a path. @param {string} path @returns {Promise<string>} */
async function scriptCookies(path) {
  const found = await worker.cookieStore?.getAll({ url: ROOT.origin + path }).catch(() => []) ?? [];
  return found.map((/** @type {any} */ { name, value }) => `${name}=${value}`).join("; ");
}

channel.onmessage = ({ data }) => {
  if (data.type === "response") {
    const waiting = unanswered.get(data.id);
    unanswered.delete(data.id);
    waiting?.resolve(response(data));
  } else if (data.type === "taken") {
    const waiting = unanswered.get(data.id);
    if (waiting) waiting.taken = true;
  } else if (data.type === "started") {
    for (const [id, { message, request, taken, resolve }] of unanswered) { // an earlier server has been closed with its tab
      if (!taken || message.method === "GET") channel.postMessage(message);
      else { // it may have been done: a page shows how things are, and scripts ask again if they know that they can
        unanswered.delete(id);
        resolve(request.mode === "navigate" ? Response.redirect(request.referrer || ROOT.href, 303) : new Response("", { status: 503 }));
      }
    }
  }
};

/** @param {{status: number, headers: [string, string][], body: Uint8Array}} answer */
function response({ status, headers, body }) {
  const location = headers.find(([name]) => name === "location")?.[1];
  if (location && status >= 300 && status < 400) {
    const url = new URL(location, ROOT.origin);
    if (url.origin === ROOT.origin && !url.pathname.startsWith(ROOT.pathname)) url.pathname = ROOT.pathname + url.pathname.slice(1);
    return Response.redirect(url.href, status);
  }
  const without = status === 204 || status === 304;
  return new Response(without ? null : body, { status, headers: headers.filter(([name]) => name !== "set-cookie" && name !== "content-length") });
}
