// @ts-check
// Words that this device remembers under a name.

/** @param {string} name */
export const known = (name) => (localStorage.getItem(name) ?? "").split(" ");

/** @param {string} name @param {string} word */
export const remember = (name, word) => localStorage.setItem(name, [...new Set([...known(name), word])].join(" "));
