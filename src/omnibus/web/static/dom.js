// @ts-check
// Small words for what the page is made of.

/** @param {string} name @returns {any} */
export const id = (name) => document.getElementById(name);

/** @param {string} name @param {Record<string, any>} [set] @param {...(Node|string)} inside @returns {any} */
export function make(name, set = {}, ...inside) {
  const element = Object.assign(document.createElement(name), set);
  element.append(...inside);
  return element;
}

/** @param {string} name @returns {any} */
export const read = (name) => JSON.parse(id(name).textContent);

/** @param {string} text @param {Record<string, any>} blanks */
export const fill = (text, blanks) => text.replace(/{(\w+)}/g, (_, name) => String(blanks[name]));

export const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {number} ms */
export const pause = (ms) => new Promise((go) => setTimeout(go, ms));

/** Ask before forms that cannot be taken back. */
export function guard() {
  document.addEventListener("submit", (event) => {
    const sure = /** @type {HTMLFormElement} */ (event.target).dataset.sure;
    if (sure && !confirm(sure)) event.preventDefault();
  });
}
