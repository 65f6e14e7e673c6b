// @ts-check
// The switch for messages to this device while no page is open (Web Push).
import { id } from "./dom.js";

/** Show whether this device gets push messages, and let it be switched. */
export async function offerPush() {
  const place = id("push");
  if (!("serviceWorker" in navigator && "PushManager" in window && isSecureContext)) {
    id("push-state").textContent = place.dataset.unavailable;
    return;
  }
  const box = id("push-switch");
  const subscription = await (await navigator.serviceWorker.getRegistration("/"))?.pushManager.getSubscription();
  box.checked = !!subscription && isCurrent(subscription, place.dataset.key) && place.dataset.known.split(" ").includes(subscription.endpoint);
  box.parentElement.hidden = false;
  box.addEventListener("change", () => change(box, place));
}

/** Switch push messages on or off, and say how it went. @param {HTMLInputElement} box @param {HTMLElement} place */
async function change(box, place) {
  const state = id("push-state");
  box.disabled = true;
  try {
    state.textContent = box.checked ? await switchOn(place) : await switchOff(place);
  } catch (error) {
    state.textContent = `${place.dataset.failed} ${error instanceof Error ? error.message : ""}`;
  }
  box.checked = state.textContent === place.dataset.on;
  box.disabled = false;
}

/** @param {HTMLElement} place @returns {Promise<string>} */
async function switchOn(place) {
  if (await Notification.requestPermission() !== "granted") return place.dataset.blocked ?? "";
  await navigator.serviceWorker.register("/push_worker.js");
  const registration = await navigator.serviceWorker.ready;
  const before = await registration.pushManager.getSubscription();
  if (before && !isCurrent(before, place.dataset.key ?? "")) await before.unsubscribe(); // the server has a new key
  const options = { userVisibleOnly: true, applicationServerKey: place.dataset.key };
  const answer = await send("/you/push", await registration.pushManager.subscribe(options));
  return answer || (place.dataset.on ?? "");
}

/** @param {HTMLElement} place @returns {Promise<string>} */
async function switchOff(place) {
  const subscription = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
  if (subscription) {
    await send("/you/push/stop", subscription);
    await subscription.unsubscribe();
  }
  return place.dataset.off ?? "";
}

/** Send a subscription to the server; return why it was refused. @param {string} path @param {PushSubscription} subscription */
async function send(path, subscription) {
  const answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(subscription) });
  if (answer.ok) return "";
  const { text } = await answer.json().catch(() => ({ text: answer.statusText }));
  return text;
}

/** Whether a subscription was made with the server's present key. @param {PushSubscription} subscription @param {string} key */
function isCurrent(subscription, key) {
  const bytes = new Uint8Array(subscription.options.applicationServerKey ?? new ArrayBuffer(0));
  const written = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return written === key;
}
