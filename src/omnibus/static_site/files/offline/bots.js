// @ts-check
// A worker process of the server in a web worker: a line with a question comes in, a line with the answer goes out.
import { startPython } from "./python.js";

const python = await startPython();
const reply = python.runPython(`
from omnibus.server.tables.bot_worker import KeptBots, reply
kept = KeptBots()
lambda line: reply(kept, line).decode()
`);
onmessage = ({ data }) => postMessage(reply(data));
postMessage("ready");
