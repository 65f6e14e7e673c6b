"""The parts to click for a move; the drawing marks them with `data-part`."""

from __future__ import annotations

from omnibus.games.metromania.board import CELL, CELL_NAMES, CITY, KINDS, LETTERS, LINES, TO, VERTEX_NAMES
from omnibus.games.metromania.drawing.pieces import cell_part
from omnibus.games.metromania.moves import DOUBLE0, PLACE0, SEAT_MOVES, SKIP, START0, STATION0
from omnibus.games.metromania.rules.legal import bore_of, line_of
from omnibus.games.metromania.state import State, last_cell


def parts(state: State, move: int) -> tuple[str, ...]:
    """Return the parts a move touches: the line, and the cell dug with where it leads, or the station's point."""
    if move >= SEAT_MOVES:
        return ()
    if move == SKIP:
        return ("stock",)
    if move < START0:
        return (f"kind-{KINDS[move - DOUBLE0]}",)
    if move >= STATION0:
        which, vertex = divmod(move - STATION0, CITY)
        return (f"line-{state.seat}-{LINES[which]}", f"vertex-{VERTEX_NAMES[vertex]}")
    if move >= PLACE0:
        kind = KINDS[state.ground[last_cell(state, state.line)] - 1]
        return (f"hand-{kind}-{LETTERS[move - PLACE0]}",)
    bore = bore_of(state, move)
    line = f"line-{state.seat}-{LINES[line_of(state, move) & 1]}"
    cell = cell_part(CELL[bore], CELL_NAMES[CELL[bore]])
    to = TO[bore]
    return (line, cell, f"vertex-{VERTEX_NAMES[to]}") if to < CITY else (line, cell)
