// @ts-check
// What a round has brought: what every player holds more of, going by what stands beside the names.

/** @typedef {import("./types.js").Position} Position */

/** Who has gained what between two positions, and whose score, which comes first, has fallen; empty if nobody. @param {Position} before @param {Position} now */
export function gains(before, now) {
  const told = now.panels.map(({ seat, name, holdings }) => {
    const changes = holdings.map(([what, number], at) => ({ what, by: whole(number) - whole(before.panels[seat].holdings[at]?.[1] ?? ""), score: at === 0 }));
    const gained = changes.filter(({ by, score }) => by > 0 || (by < 0 && score)).map(({ what, by }) => `${what} ${by > 0 ? "+" : "−"}${Math.abs(by)}`);
    return gained.length ? `${name} (${gained.join(", ")})` : "";
  });
  return told.filter(Boolean).join(" · ");
}

/** The number in a text of the page; without one it counts nothing. @param {string} text */
const whole = (text) => Number(text.replace("−", "-")) || 0;
