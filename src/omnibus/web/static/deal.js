// @ts-check
// The page of a deal: its link is copied to send it to others.
import { id } from "./dom.js";

id("copy-deal").addEventListener("click", async () => {
  await navigator.clipboard.writeText(id("deal-link").value);
  id("copy-deal").textContent = id("copy-deal").dataset.copied;
});
