// @ts-check
// The service worker: shows the messages that the server sends while no page is open, and opens the table.

/** @type {any} */
const worker = self;

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("push", (/** @type {any} */ event) => {
  const { title, text, link } = event.data.json();
  event.waitUntil(worker.registration.showNotification(title, { body: text, tag: link, data: link, icon: "/static/icon.svg" }));
});

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
