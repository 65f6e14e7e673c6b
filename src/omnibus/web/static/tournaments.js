// @ts-check
// The list of tournaments.
import { showTimes } from "./times.js";

showTimes();
