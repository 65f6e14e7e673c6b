// @ts-check
// The account page: sound and notifications, which are settings of this browser.
import { confirmForms, id } from "./dom.js";

confirmForms();
id("browser").hidden = false;
id("sound").checked = localStorage.getItem("omnibus sound") !== "no";
id("sound").addEventListener("change", () => {
  if (id("sound").checked) localStorage.removeItem("omnibus sound");
  else localStorage.setItem("omnibus sound", "no");
});

/** Say whether notifications are on, or offer to turn them on. */
function showPermission() {
  const available = "Notification" in window && isSecureContext;
  const state = !available ? "unavailable" : { granted: "on", denied: "blocked" }[/** @type {string} */ (Notification.permission)];
  if (state) id("notify").textContent = id("notify").dataset[state];
}

id("allow").addEventListener("click", async () => {
  await Notification.requestPermission();
  showPermission();
});
showPermission();

if (id("push")) import("./push.js").then(({ offerPush }) => offerPush());

if (id("copy") && navigator.clipboard) {
  id("copy").hidden = false;
  id("copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText(id("recovery-link").value);
    id("copy").textContent = id("copy").dataset.copied;
  });
}
id("recovery-link")?.addEventListener("focus", () => id("recovery-link").select());
