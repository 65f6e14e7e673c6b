"""The parts to click for a move; the drawing marks them with `data-part`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from omnibus.games.metromania.board import (
    BORDERS,
    CELL,
    CELL_NAMED,
    CELL_NAMES,
    CITY,
    KINDS,
    LAKE,
    LETTERS,
    LINES,
    PARK,
    TO,
    VERTEX_NAMES,
    is_white,
)
from omnibus.games.metromania.drawing.pieces import cell_part
from omnibus.games.metromania.moves import DOUBLE0, PLACE0, SEAT_MOVES, SKIP, START0, STATION0
from omnibus.games.metromania.rules.legal import bore_of, line_of
from omnibus.games.metromania.state import BONUS, DOUBLING, PLACING, State, last_cell
from omnibus.kernel.clicks import any_touches
from omnibus.kernel.game import Refusal

SHOWN: Final = {  # what only shows something: the code of the reason, and its §
    "turn": ("shows-turn", "§4.1"),
    "points": ("shows-points", "§6.5"),
    "hidden": ("others-hand", "§3.3"),
    "kind": ("shows-kinds", "§8.1"),
    "line": ("others-line", "§2.1"),
    "tunnel": ("cell-taken", "§5.1"),
}
BORDER_NAMES: Final = frozenset(str(n) for n in range(BORDERS))
FIRST: Final = {  # what has to be done before any digging
    DOUBLING: ("doubles-first", "§3.2"),
    PLACING: ("place-first", "§8.1"),
    BONUS: ("bonus-first", "§7.2"),
}


def parts(state: State, move: int) -> tuple[str, ...]:
    """Return the parts a move touches: the cell dug, where it leads, and the line, or the station's point."""
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
    return (cell, f"vertex-{VERTEX_NAMES[to]}", line) if to < CITY else (cell, line)


def part_refusal(state: State, part: str, picked: Sequence[str], refusal: Refusal | None) -> Refusal | None:
    """Return why a part cannot be clicked: also of what only shows something, or does not go with what was picked."""
    kind, _, name = part.partition("-")
    if not _exists(kind, name):
        return None
    dug = any(other.startswith(("cell-", "border-")) for other in picked)
    if kind == "vertex" and dug and not any_touches(parts, state, SEAT_MOVES, {part, *picked}):
        return Refusal("tunnel-elsewhere", "§5.3")
    on_line = any(other.startswith("line-") for other in picked)
    vague = ("begun", "not-begun", "doubles-known", *(() if on_line else ("not-on-line",)))
    if refusal is not None and (kind == "line" or refusal.code not in vague):
        return refusal
    if kind == "hand":
        return _against_hand(state)
    if kind in ("cell", "border") and state.step in FIRST:
        return Refusal(*FIRST[state.step])
    if kind == "cell":
        return _against_cell(state, name)
    if kind == "border":
        return Refusal("not-beginning", "§5.2") if is_white(int(name)) else Refusal("not-ending", "§5.8")
    if kind == "vertex":
        return Refusal("point-out-of-reach", "§5.3") if _has_begun(state) else Refusal("begins-at-border", "§5.2")
    if kind == "line" and name.startswith(f"{state.seat}-"):
        return Refusal("one-tunnel", "§4.1")
    said = SHOWN.get(kind) or (("one-tunnel", "§4.1") if picked else None)
    return Refusal(*said) if said else refusal


def _exists(kind: str, name: str) -> bool:
    """Tell whether there is such a cell; of other kinds any name will do."""
    cells = {"cell": CELL_NAMED, "border": BORDER_NAMES}
    return name in cells.get(kind, (name,))


def _against_hand(state: State) -> Refusal:
    """Destinations are placed on a spot just dug, of its kind (§8.1)."""
    if state.step != PLACING:
        return Refusal("nothing-to-place", "§8.1")
    return Refusal("other-kind", "§8.1", {"kind": KINDS[state.ground[last_cell(state, state.line)] - 1]})


def _against_cell(state: State, name: str) -> Refusal:
    """A cell that no line can reach with one tunnel (§5.3)."""
    ground = state.ground[CELL_NAMED[name]]
    if ground in (LAKE, PARK):
        return Refusal("lake" if ground == LAKE else "park", "§5.3")
    return Refusal("out-of-reach", "§5.3") if _has_begun(state) else Refusal("begins-at-border", "§5.2")


def _has_begun(state: State) -> bool:
    """Tell whether the seat to act has begun a line."""
    return any(state.length[2 * state.seat : 2 * state.seat + 2])
