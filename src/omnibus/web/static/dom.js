// @ts-check
// Small helpers for the page's elements.

/** @param {string} name @returns {any} */
export const id = (name) => document.getElementById(name);

/** @param {string} name @param {Record<string, any>} [set] @param {...(Node|string)} inside @returns {any} */
export function make(name, set = {}, ...inside) {
  const element = Object.assign(document.createElement(name), set);
  element.append(...inside);
  return element;
}

/** Make an element of a picture. @param {string} name @param {Record<string, string|number>} [set] @returns {any} */
export function draw(name, set = {}) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(set)) element.setAttribute(key, String(value));
  return element;
}

/** @param {string} name @returns {any} */
export const read = (name) => JSON.parse(id(name).textContent);

/** @param {string} text @param {Record<string, any>} blanks */
export const fill = (text, blanks) => text.replace(/{(\w+)}/g, (_, name) => String(blanks[name]));

export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {number} ms */
export const pause = (ms) => new Promise((go) => setTimeout(go, ms));

/** Ask before forms whose effect cannot be undone. */
export function confirmForms() {
  document.addEventListener("submit", (event) => {
    const question = /** @type {HTMLFormElement} */ (event.target).dataset.confirm;
    if (question && !confirm(question)) event.preventDefault();
  });
}
