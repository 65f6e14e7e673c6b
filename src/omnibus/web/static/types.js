// @ts-check
// The types of the server's messages. No page loads this file: it is for editors and readers.

/** @typedef {{line: string, label: string, parts: string[], ends: boolean}} Move */
/** @typedef {[id: string, symbol: string, x: number, y: number, label: string]} Piece */
/** @typedef {{seat: number, letter: string, name: string, sitter: string, holdings: [string, string][], turn: boolean, winner: boolean}} Panel */
/** @typedef {{ply: number, plies: number, seat: number|null, wide: boolean, ground: string, svg: string|null, pieces: Piece[], marks: string[], status: string, panels: Panel[], breakdown: [string, string[]][], journeys: Journey[]}} Position */
/** @typedef {{ply: number, seat: number, caption: string, moved: [id: string, symbol: string, x: number, y: number][], appeared: string[]}} Step */
/** @typedef {{caption: string, seat: number|null, symbol: string, points: [number, number][], ticks: string[], value: string, parts: string[], row: number|null}} Journey */
/** @typedef {{event: number, position: Position, actor: number|null, live: boolean, moves: Move[], targets: Piece[], undo: boolean, hint: boolean, own: number[], handover: number|null, decided: number|null, since: number, log: [number, string][], steps: Step[], proposal: {text: string, asked: boolean, mine: boolean}|null, takeback: boolean, handed: boolean, rematch: {table: string, text: string}|null, tip: [kind: string, text: string]|null, clock: Clock|null, base: number|null}} Scene */
/** @typedef {{left: (number|null)[], running: number|null, warn: number, bank: number, times: [ply: number, seat: number, used: number, left: number][], away: (number|null)[]}} Clock */
/** @typedef {{line: string, label: string, share: number, reasons: string[], doubts: string[]}} Idea */
/** @typedef {{number: number, seat: number, text: string, at: number, own: boolean, name: string|null}} ChatLine */

export {};
