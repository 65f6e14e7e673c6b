// @ts-check
// What only this browser knows: whether it may make a sound and show notifications.
import { guard, id } from "./dom.js";

guard();
id("browser").hidden = false;
id("sound").checked = localStorage.getItem("omnibus sound") !== "no";
id("sound").addEventListener("change", () => {
  if (id("sound").checked) localStorage.removeItem("omnibus sound");
  else localStorage.setItem("omnibus sound", "no");
});

/** Say how things stand with notifications, or offer to ask. */
function showPermission() {
  const able = "Notification" in window && isSecureContext;
  const state = !able ? "unable" : { granted: "allowed", denied: "blocked" }[/** @type {string} */ (Notification.permission)];
  if (state) id("notify").textContent = id("notify").dataset[state];
}

id("allow").addEventListener("click", async () => {
  await Notification.requestPermission();
  showPermission();
});
showPermission();

if (id("copy") && navigator.clipboard) {
  id("copy").hidden = false;
  id("copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText(id("link").value);
    id("copy").textContent = id("copy").dataset.copied;
  });
}
id("link")?.addEventListener("focus", () => id("link").select());
