// @ts-check
// On the pages of somebody who plays in a tournament: announces their table when it opens, and their turns.
import { alertTurn } from "./turn_alert.js";
import { id } from "./dom.js";
import { Connection } from "./connection.js";

new Connection("/socket", () => [], (message) => {
  if (message.type === "awaited") alertTurn(message, id("next-table").dataset);
});
