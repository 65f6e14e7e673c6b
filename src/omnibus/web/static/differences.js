// @ts-check
// Scenes that were sent as differences to the scene before.

/** @typedef {import("./types.js").Piece} Piece */
/** Pieces that are as they were, from one place up to another. @typedef {{start: number, stop: number}} Kept */
/** @typedef {import("./types.js").Scene} Scene */

/** Return a scene with all that is as it was in the scene received before it. @param {Scene} scene @param {Scene} before @returns {Scene} */
export function whole(scene, before) {
  if (scene.base === null) return scene;
  const { position } = scene;
  const pieces = position.pieces.flatMap((/** @type {Piece|Kept} */ piece) => "stop" in piece ? before.position.pieces.slice(piece.start, piece.stop) : [piece]);
  const panels = before.position.panels.map((panel) => position.panels.find(({ seat }) => seat === panel.seat) ?? panel);
  return { ...scene, position: { ...position, pieces, panels } };
}
