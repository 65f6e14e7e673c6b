// @ts-check
// The service worker: shows the messages that the server sends while no page is open, and opens the table.

/* TEXTS: what a message without words says, by language, written by pages/push.py */

/** @type {any} */
const worker = self;

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("push", (/** @type {any} */ event) => {
  const { title = "Omnibus", text = nothingSaid(), link = "/" } = said(event.data);
  const options = { body: text, tag: link, renotify: true, data: link, icon: "/static/icon.svg" }; // heard each time
  event.waitUntil(worker.registration.showNotification(title, options));
});

/** Read a message: a browser blames us if we show nothing, whatever came. @param {any} data */
function said(data) {
  try {
    return Object(data?.json());
  } catch {
    return {};
  }
}

function nothingSaid() {
  const language = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in TEXTS) ?? "en";
  return TEXTS[language];
}

worker.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => event.waitUntil(renew(event)));

/** Tell the server of the subscription that takes the place of one it knows. @param {any} event */
async function renew({ oldSubscription, newSubscription }) {
  const { key, endpoints } = await (await fetch("/api/users/me/push")).json();
  if (oldSubscription ? !endpoints.includes(oldSubscription.endpoint) : !endpoints.length) return; // it was switched off
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const body = JSON.stringify(newSubscription ?? await worker.registration.pushManager.subscribe(options));
  await fetch("/you/push", { method: "POST", headers: { "content-type": "application/json" }, body });
}

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

/** Show a page: in a window that has it open already, or else in a new one. @param {string} link */
async function open(link) {
  const path = new URL(link, worker.location.href).pathname; // under the address by which this browser knows the server
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((/** @type {any} */ each) => new URL(each.url).pathname === path);
  return there ? there.focus() : worker.clients.openWindow(path);
}
