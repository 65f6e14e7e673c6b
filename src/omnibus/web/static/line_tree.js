// @ts-check
// The lines of a what-if board as nested lists: the first line goes straight on, others branch off below their node.
import { make } from "./dom.js";

/** @typedef {{number: number, parent: number, seat: number|null, line: string, label: string, bot: string}} Node */

export class LineTree {
  /** @param {HTMLElement} box @param {Record<string, any>} said @param {(number: number) => void} go */
  constructor(box, said, go) {
    this.box = box;
    this.said = said;
    /** @type {Map<number, Node>} */ this.nodes = new Map();
    box.addEventListener("click", (event) => {
      const link = /** @type {HTMLElement} */ (event.target).closest("a");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return; // a link like any other
      event.preventDefault();
      go(Number(link.dataset.node));
    });
  }

  /** @param {Node[]} nodes */
  add(nodes) { for (const node of nodes) this.nodes.set(node.number, node); }

  /** Forget all other nodes. @param {number[]} numbers */
  keep(numbers) {
    const kept = new Set(numbers);
    for (const number of [...this.nodes.keys()]) if (!kept.has(number)) this.nodes.delete(number);
  }

  /** Forget a node and what follows it. @param {number} number */
  remove(number) {
    for (const child of this.children(number)) this.remove(child);
    this.nodes.delete(number);
  }

  /** @param {number} number */
  has(number) { return number === 0 || this.nodes.has(number); }

  /** @param {number} number */
  parent(number) { return this.nodes.get(number)?.parent ?? 0; }

  /** The nodes that follow one, the first line first. @param {number} number @returns {number[]} */
  children(number) {
    return [...this.nodes.values()].filter((node) => node.parent === number).map((node) => node.number).sort((one, two) => one - two);
  }

  /** Where a key leads; null: nowhere. @param {number} here @param {string} key @returns {number|null} */
  next(here, key) {
    if (key === "Home" && here) return 0;
    if (key === "ArrowLeft" && here) return this.parent(here);
    if (key === "ArrowRight") return this.children(here)[0] ?? null;
    const by = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (!by || !here) return null;
    const beside = this.children(this.parent(here));
    return beside[beside.indexOf(here) + by] ?? null;
  }

  /** Draw the tree, with the current node marked. @param {number} here */
  show(here) {
    const inside = this.box.contains(document.activeElement);
    const start = make("a", { href: location.pathname, textContent: this.said.start_node });
    start.dataset.node = "0";
    this.box.replaceChildren(start, ...this.branches(0));
    const current = /** @type {HTMLElement|null} */ (this.box.querySelector(`[data-node="${here}"]`));
    current?.setAttribute("aria-current", "true");
    if (inside) current?.focus();
    if (!current) return;
    const { top, bottom } = current.getBoundingClientRect();
    const box = this.box.getBoundingClientRect(); // only the list is scrolled, never the page
    if (top < box.top) this.box.scrollTop -= box.top - top;
    else if (bottom > box.bottom) this.box.scrollTop += bottom - box.bottom;
  }

  /** What follows a node: other lines, each as a list of its own, then the first line. @param {number} number @returns {HTMLElement[]} */
  branches(number) {
    const [main, ...others] = this.children(number);
    if (main === undefined) return [];
    return [...others.map((other) => make("div", { className: "branch" }, this.list(other))), this.list(main)];
  }

  /** A line from a node on. @param {number} from @returns {HTMLElement} */
  list(from) {
    const list = make("ol");
    for (let at = from; at !== undefined;) {
      const [main, ...others] = this.children(at);
      list.append(make("li", {}, this.link(at), ...others.map((other) => make("div", { className: "branch" }, this.list(other)))));
      at = main;
    }
    return list;
  }

  /** @param {number} number */
  link(number) {
    const { seat, label, bot } = /** @type {Node} */ (this.nodes.get(number));
    const sign = make("span", { className: seat === null ? "dot chance" : `dot seat-${seat}` });
    const who = make("span", { className: "visually-hidden", textContent: `${seat === null ? this.said.by_chance : this.said.names[seat]}${this.said.colon}` });
    const link = make("a", { href: `${location.pathname}?node=${number}` }, sign, make("span", {}, who, label));
    if (bot) link.append(make("small", { textContent: this.said.levels[bot] ?? bot }));
    link.dataset.node = String(number);
    return link;
  }
}
