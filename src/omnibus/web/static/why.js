// @ts-check
// Why a click on the board leads to no move: on the pages without a socket, the server is asked.

let asked = 0;

/** Say why nothing can be done with a part, unless something else has been clicked meanwhile.
 * @param {import("./move_picker.js").MovePicker} picker @param {string} address @param {string} part
 * @param {string[]} picked @param {string} otherwise what to say if there is no reason */
export async function sayWhy(picker, address, part, picked, otherwise) {
  const mine = ++asked;
  const clicked = new URLSearchParams([["part", part], ...picked.map((other) => ["picked", other])]);
  const answer = await fetch(`${address}?${clicked}`).catch(() => null);
  const reason = answer?.ok ? await answer.json() : { text: picker.texts.unreachable, section: "" };
  if (mine === asked) picker.answer(part, reason.text || otherwise, reason.section);
}
