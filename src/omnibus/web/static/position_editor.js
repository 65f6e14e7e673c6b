// @ts-check
// A position is set up by hand. The text holds it; fields and clicks change the text, and the server says what is valid.
import * as board from "./board.js";
import { fill, id, make, read } from "./dom.js";

/** @typedef {[value: any, text: string, part: string]} Value */
/** @typedef {{path: (string|number)[], text: string, kind: string, values: Value[], least: number, most: number, empty: string, seat: number|null, part: string}} Field */
/** @typedef {{problem: string, text: string, position: import("./types.js").Position|null, fields: Field[], places: [part: string, text: string][], names: string[], editing: string}} Checked */

const PAUSE = 400; // ms without a key before the text is checked
const said = read("editor-texts");
const text = id("draft");
/** What can be changed in the last valid position. @type {Pick<Checked, "fields"|"places"|"names"|"editing">} */
let known = { fields: [], places: [], names: [], editing: "" };
let place = "";
let problem = "";
/** The field that was changed last; empty once the text was. */
let touched = "";
/** The game that the text is taken as a position of. */
let shown = "";
let asked = 0;
/** @type {number|undefined} */
let waiting;

/** What a text has as JSON; null if it is none. @param {string} written */
function parsed(written) {
  try {
    return JSON.parse(written);
  } catch { return null; }
}

/** The position in a text; null if there is none. @param {string} [written] */
function position(written = text.value) {
  const found = parsed(written);
  return found?.position ?? found; // as boards export it
}

/** The game that the text names, as a record does and a position that a board exported. */
const game = () => text.value.match(/^game:\s*"(\w+)"/m)?.[1] ?? parsed(text.value)?.game;

/** Let the choice of the game follow the text, and the beginnings the choice. */
function follow() {
  const select = id("draft-game");
  const named = game();
  if ([...select.options].some(({ value }) => value === named)) select.value = named;
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".beginnings"))) one.hidden = one.dataset.game !== select.value;
  shown = select.value;
}

/** @param {any} a @param {any} b */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** What a field has now, or in another text. @param {Field} field @param {string} [written] */
const now = (field, written) => field.path.reduce((/** @type {any} */ inside, key) => inside?.[key], position(written));

/** What a bag or a list has now. @param {Field} field @returns {any[]} */
function items(field) {
  const found = now(field);
  return Array.isArray(found) ? found : [];
}

/** Change a field, and see what the server says. @param {Field} field @param {any} value */
function change(field, value) {
  const draft = position();
  const inside = field.path.slice(0, -1).reduce((/** @type {any} */ at, step) => at?.[step], draft);
  if (!inside) return; // the text is not a position of this form now, which the server has said
  const last = field.path[field.path.length - 1];
  if (value === null && field.empty === "absent") delete inside[last];
  else inside[last] = value;
  const entries = Object.entries(draft).map(([name, entry]) => `  ${JSON.stringify(name)}: ${JSON.stringify(entry)}`);
  text.value = `{\n${entries.join(",\n")}\n}\n`;
  touched = key(field);
  show();
  check(true);
}

/** Say how often a bag has a value. @param {Field} field @param {any} value @param {number} number */
function count(field, value, number) {
  const others = items(field).filter((one) => !same(one, value));
  change(field, [...others, ...Array(Math.min(Math.max(number, 0), field.most)).fill(value)]);
}

/** A field's name in the document, as the server writes it. @param {Field} field */
const key = ({ path }) => path.map((step, at) => typeof step === "number" ? `[${step}]` : at ? `.${step}` : step).join("");

/** What a field is called, with whose it is. @param {Field} field */
const title = ({ seat, text: name }) => seat === null ? name : known.names[seat] + said.colon + name;

/** A field to fill in. @param {Field} field @param {string} name */
function control(field, name) {
  const told = field.part ? title(field) : field.text;
  if (field.kind === "bag") return bag(field, told);
  if (field.kind === "list") return list(field, told);
  const value = now(field);
  if (field.kind === "switch") return labelled(told, tick(name, value, (on) => change(field, on)));
  if (field.kind === "number") return labelled(told, number(name, field.least, field.most, value, (wanted) => change(field, wanted), field.empty));
  const select = make("select", { id: name, onchange: () => change(field, select.value === "" ? null : field.values[select.value][0]) });
  if (field.empty || value === undefined || value === null) select.append(make("option", { value: "", textContent: "–" }));
  select.append(...field.values.map(([, textContent], index) => make("option", { value: String(index), textContent })));
  const chosen = field.values.findIndex(([one]) => same(one, value));
  select.value = chosen < 0 ? "" : String(chosen);
  return labelled(told, select);
}

/** @param {string} told @param {HTMLElement} input */
const labelled = (told, input) => make("label", {}, ...(input.matches("[type=checkbox]") ? [input, told] : [told, input]));

/** @param {string} name @param {boolean} checked @param {(on: boolean) => void} set */
function tick(name, checked, set) {
  const box = make("input", { id: name, type: "checkbox", checked, onchange: () => set(box.checked) });
  return box;
}

/** @param {string} name @param {number} min @param {number} max @param {number|null} value @param {(value: number|null) => void} set @param {string} [empty] */
function number(name, min, max, value, set, empty = "") {
  const input = make("input", { id: name, type: "number", inputMode: "numeric", min, max, value: value ?? "" });
  input.onchange = () => set(input.value === "" ? (empty ? null : min) : Math.round(Number(input.value)));
  return input;
}

/** How many of each value. @param {Field} field @param {string} told */
function bag(field, told) {
  const all = items(field);
  return make("details", { className: "bag", id: key(field) }, make("summary", { textContent: told + said.colon + all.length }),
    make("div", { className: "fields" }, ...field.values.map((value, index) => amount(field, value, value[1], `${key(field)}-${index}`))));
}

/** How many of one value. @param {Field} field @param {Value} value @param {string} told @param {string} name */
function amount(field, [value], told, name) {
  const there = items(field).filter((one) => same(one, value)).length;
  if (field.most === 1) return labelled(told, tick(name, there > 0, (on) => count(field, value, Number(on))));
  return labelled(told, number(name, 0, field.most, there, (wanted) => count(field, value, wanted ?? 0)));
}

/** Values one after the other. @param {Field} field @param {string} told */
function list(field, told) {
  const all = items(field);
  const called = all.map((value) => field.values.find(([one]) => same(one, value))?.[1] ?? String(value));
  const chips = called.map((what, at) => make("li", {}, make("button", {
    id: `${key(field)}-${at}`, textContent: `${what} ×`, ariaLabel: told + said.colon + fill(said.remove, { what }),
    onclick: () => change(field, all.toSpliced(at, 1)),
  })));
  const more = make("select", { id: `${key(field)}-more`, ariaLabel: fill(said.add_to, { what: told }) },
    ...field.values.map(([, textContent], index) => make("option", { value: String(index), textContent })));
  const add = make("button", { id: `${key(field)}-add`, textContent: said.add, onclick: () => change(field, [...all, field.values[more.value][0]]) });
  const group = make("div", { className: "list", id: key(field) }, make("p", { textContent: told }), make("ol", {}, ...chips), make("span", { className: "row" }, more, add));
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", told);
  return group;
}

/** What can be changed at the chosen place. */
function here() {
  return known.fields.flatMap((field) => [
    ...(place && field.part === place ? [control(field, `at-${key(field)}`)] : []),
    ...field.values.filter(([, , part]) => part && part === place).map((value) => option(field, value)),
  ]);
}

/** A value at the place that it stands for. @param {Field} field @param {Value} value */
function option(field, value) {
  const name = `at-${key(field)}-${value[0]}`;
  if (field.kind === "bag") return amount(field, value, title(field), name);
  if (field.kind === "list") return make("button", { id: name, textContent: title(field) + said.colon + value[1], ariaLabel: fill(said.add_to, { what: title(field) }) + said.colon + value[1], onclick: () => change(field, [...items(field), value[0]]) });
  const on = same(now(field), value[0]);
  return make("button", { id: name, textContent: title(field), ariaPressed: String(on), onclick: () => change(field, on && field.empty ? null : value[0]) });
}

/** Draw all fields anew; what is open and where the focus is stays. */
function show() {
  const focus = document.activeElement?.id;
  const open = new Set([...document.querySelectorAll(".bag[open]")].map((bag) => bag.id));
  const usual = known.fields.filter((field) => !field.part && !(field.kind === "bag" && field.values.some(([, , part]) => part)));
  const groups = [null, ...known.names.keys()].map((seat) => usual.filter((field) => field.seat === seat)).filter((group) => group.length);
  id("fields").replaceChildren(...groups.map((group) => make("fieldset", {},
    make("legend", { textContent: group[0].seat === null ? said.whole_game : known.names[group[0].seat] }),
    make("div", { className: "fields" }, ...group.map((field) => control(field, key(field)))))));
  id("here").replaceChildren(...here());
  for (const bag of document.querySelectorAll(".bag")) if (open.has(bag.id)) bag.toggleAttribute("open", true);
  if (focus && document.activeElement?.id !== focus) id(focus)?.focus();
  const wrong = named();
  const field = wrong && (id(key(wrong)) ?? id(`at-${key(wrong)}`));
  if (field?.matches("input, select")) field.setAttribute("aria-invalid", "true");
  else field?.classList.add("wrong");
}

/** Choose a place on the board. @param {string} part */
function choose(part) {
  place = part;
  id("place").value = part;
  board.light([], [part]);
  show();
}

/** Ask the server what is wrong with the text; null without an answer. @param {boolean} edited @returns {Promise<Checked|null>} */
async function ask(edited) {
  try {
    const draft = { game: id("draft-game").value, text: text.value, edited, editing: known.editing, ...board.wanted() };
    const answer = await fetch("/analysis/check", { method: "POST", body: JSON.stringify(draft) });
    if (answer.status === 429) await askLater(answer, edited);
    return answer.ok ? await answer.json() : null;
  } catch { return null; } // no connection: the form will say what is wrong
}

/** Say that this was too fast, and ask again in time. @param {Response} answer @param {boolean} edited */
async function askLater(answer, edited) {
  id("problem").textContent = await answer.text();
  clearTimeout(waiting);
  waiting = setTimeout(() => check(edited), 1000 * Number(answer.headers.get("retry-after")));
}

/** Tell whether another text takes back what was changed last. @param {string} settled */
function undone(settled) {
  const field = known.fields.find((one) => key(one) === touched);
  if (!field) return false;
  const [wanted, left] = [text.value, settled].map((written) => {
    const value = now(field, written) ?? null;
    return field.kind === "bag" && Array.isArray(value) ? value.map((one) => JSON.stringify(one)).sort() : value;
  });
  return !same(wanted, left);
}

/** Say what is wrong with the text, and show how it looks. @param {boolean} [edited] */
async function check(edited = false) {
  const mine = ++asked;
  follow();
  if (!text.value.trim()) { id("problem").textContent = ""; return; }
  let found = await ask(edited);
  if (mine !== asked) return;
  if (found?.text && undone(found.text)) found = await ask(false); // what follows from a change may not undo it
  if (!found || mine !== asked) return;
  if (found.text) text.value = found.text;
  problem = found.problem;
  if (found.position) look(found.position, found);
  else show();
  id("board").classList.toggle("stale", !found.position);
  tell();
}

/** Show a valid position, and what can be changed in it. @param {import("./types.js").Position} position @param {Checked} found */
function look(position, found) {
  if (found.editing !== known.editing) known = found;
  document.querySelector(".stage")?.toggleAttribute("hidden", false);
  board.show(position);
  id("status").textContent = position.status;
  id("at-place").hidden = !known.places.length;
  id("place").replaceChildren(make("option", { value: "", textContent: "–" }), ...known.places.map(([part, name]) => make("option", { value: part, textContent: name })));
  choose(known.places.some(([part]) => part === place) ? place : "");
}

/** Say what is wrong, and with which field. */
function tell() {
  const line = id("problem");
  const wrong = named();
  line.classList.toggle("good", !problem);
  line.textContent = problem ? `${problem}. ${known.fields.length ? said.last_valid : ""}` : said.valid_position;
  text.setAttribute("aria-invalid", String(Boolean(problem)));
  if (wrong) line.prepend(make("button", { textContent: title(wrong), onclick: () => reveal(wrong) }), " ");
}

/** The paths that the problem names: with dots or brackets anywhere, a key first or in a list with the first; another one only
 * where it was changed last, or it may be a word of the sentence. @param {Set<string>} keys */
function paths(keys) {
  /** @type {string[]} */
  const found = [];
  let end = 0;
  for (const { 0: path, index } of problem.matchAll(/\w+(\.\w+|\[\d+\])*/g)) {
    const goesOn = !found.length || path === touched || /[.[]/.test(path) || /^(,| \S{1,3}) $/.test(problem.slice(end, index));
    if (!goesOn || !keys.has(path.split(/[.[]/)[0])) continue;
    found.push(path);
    end = index + path.length;
  }
  return found;
}

/** The field that the problem names: the one changed last, or the first. In a text without position it names none. */
function named() {
  const draft = position();
  if (!draft) return undefined;
  const keys = new Set([...Object.keys(draft), ...known.fields.map(({ path }) => String(path[0]))]);
  const there = paths(keys).flatMap((path) => known.fields.filter((field) => {
    const own = key(field);
    const entry = (field.kind === "list" || field.kind === "bag") && path.startsWith(`${own}[`);
    return own === path || entry || (own === touched && [".", "["].some((mark) => own.startsWith(path + mark)));
  }));
  return there.find((field) => key(field) === touched) ?? there[0];
}

/** Go to a field. @param {Field} field */
function reveal(field) {
  const part = field.part || (id(key(field)) ? "" : field.values.find(([, , part]) => part)?.[2]);
  if (part) choose(part);
  const there = id(key(field)) ?? id(`at-${key(field)}`);
  there?.toggleAttribute("open", there.matches("details"));
  (there?.matches("input, select") ? there : there?.querySelector("input, select, button, summary") ?? id("place")).focus();
}

board.onReshape(() => check());
id("board").addEventListener("click", (/** @type {MouseEvent} */ { clientX, clientY }) => {
  const parts = new Set(known.places.map(([part]) => part));
  const under = document.elementsFromPoint(clientX, clientY).map((element) => /** @type {HTMLElement|null} */ (element.closest("[data-part]"))?.dataset.part ?? "");
  const part = under.find((one) => parts.has(one));
  if (!part) return;
  choose(part);
  id("at-place").scrollIntoView({ block: "nearest" });
});
id("place").addEventListener("change", () => choose(id("place").value));
text.addEventListener("input", () => {
  touched = "";
  clearTimeout(waiting);
  waiting = setTimeout(() => check(), PAUSE);
});
/** Whether the text came back because it could not be opened. */
const rejected = Boolean(id("problem").textContent);
/** Begin with the start of the game that is chosen. What was written is kept if it is a position of it, or if wanted. */
async function switchGame() {
  const select = id("draft-game");
  const [before, wanted] = [shown, select.value];
  if (!text.value && !text.defaultValue) { follow(); return; } // the page is for a text to be pasted
  if (text.value.trim() && (rejected || text.value !== text.defaultValue)) {
    await check();
    if (select.value === wanted && !problem) return;
    if (!confirm(select.dataset.confirm)) {
      select.value = before;
      check();
      return;
    }
  }
  select.value = before; // as whoever comes back will find it
  location.assign(`/analysis/position?game=${wanted}`);
}
id("draft-game").addEventListener("change", switchGame);
/** @type {any} */ (document.querySelector(".as-text")).open = !text.value.trim() || rejected;
shown = id("draft-game").value;
if (!rejected) check();
