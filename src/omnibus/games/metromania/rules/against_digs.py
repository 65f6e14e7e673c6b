"""Why a tunnel may not be dug: §4.2 – §6.4 and §8, rule by rule.

The look-ahead is told here by its definition: everything is tried out on copies.
"""

from __future__ import annotations

from omnibus.games.metromania.board import (
    APEX0,
    BESIDE,
    BLACK,
    BORDER0,
    CELL,
    CITY,
    CITY_CELLS,
    DESTINATIONS,
    DIGS,
    HOME,
    KIND_OF,
    KINDS,
    LAKE,
    LEISURE,
    LETTER_OF,
    LETTERS,
    LINES,
    NO_CELL,
    NOBODY,
    NOWHERE,
    PARK,
    PER_SIDE,
    SLOT,
    STARTS,
    TO,
    TOUCHING,
    TUNNELS,
    TWIN,
    WHITE,
    is_white,
    permitted_sides,
)
from omnibus.games.metromania.moves import DIG0, DIGS_OF_LINE, PLACE0, START0, STARTS_OF_LINE
from omnibus.games.metromania.state import STRIDE, State, begin_line, lay_tunnel
from omnibus.kernel.game import Refusal


def against_tunnel(state: State, move: int) -> Refusal | None:
    """Return why a `start` or `dig` may not be made; None if it may."""
    single = _against_single(state, move)
    if single:
        return single
    if TO[_bore(state, move)] >= CITY:
        return None  # the end of a line is legal however many tunnels are possible (§4.2)
    ahead = 1 + max(_most(after, DIGS - state.dug - 1) for after in _after(state, move))
    if ahead < DIGS - state.dug:
        possible = _most(state, DIGS - state.dug)
        if ahead < possible:
            return Refusal("fewer-tunnels", "§4.2", {"possible": ahead + state.dug, "most": possible + state.dug})
    return None


def _line(state: State, move: int) -> int:
    which = (move - START0) // STARTS_OF_LINE if move < DIG0 else (move - DIG0) // DIGS_OF_LINE
    return 2 * state.seat + which


def _bore(state: State, move: int) -> int:
    if move < DIG0:
        at = (move - START0) % STARTS_OF_LINE
        return STARTS[2 * WHITE[at // 2] + at % 2]
    return state.tip[_line(state, move)] * 12 + (move - DIG0) % DIGS_OF_LINE


def _against_single(state: State, move: int) -> Refusal | None:
    """Everything but the look-ahead."""
    against = _against_start(state, move) if move < DIG0 else _against_going_on(state, move)
    if against:
        return against
    if len(caused(state, _line(state, move), _bore(state, move))) > state.stock:
        return Refusal("stock-short", "§6.4", {"stock": state.stock})
    return None


def _against_start(state: State, move: int) -> Refusal | None:
    """§5.2, and §4.3 in a first turn."""
    line = _line(state, move)
    name = {"line": LINES[line & 1]}
    if state.length[line]:
        return Refusal("begun", "§5.2", name)
    first = state.begun[line ^ 1]
    if first != NOBODY and state.turn < state.seats:
        return Refusal("one-line-at-first", "§4.3")
    n = _bore(state, move) // 12 - APEX0
    if state.tunnel[BORDER0 + n] != NOBODY:
        return Refusal("cell-taken", "§5.1")
    if first != NOBODY and _too_near(state, first, n, WHITE):
        return Refusal("begins-too-near", "§5.2")
    return None


def _too_near(state: State, begun: int, n: int, borders: list[int]) -> bool:
    """Tell whether border cell n is on the side of a beginning or an adjacent one, with a permitted cell still free."""
    sides = permitted_sides(begun // PER_SIDE)
    if n // PER_SIDE in sides:
        return False
    return any(state.tunnel[BORDER0 + far] == NOBODY for far in borders if far // PER_SIDE in sides)


def _against_going_on(state: State, move: int) -> Refusal | None:
    """§5.3 – §5.8."""
    line = _line(state, move)
    name = {"line": LINES[line & 1]}
    if state.length[line] == 0:
        return Refusal("not-begun", "§5.2", name)
    if state.finished >> line & 1:
        return Refusal("line-finished", "§5.8", name)
    if state.length[line] == TUNNELS:
        return Refusal("no-tunnels", "§5.7", name)
    bore = _bore(state, move)
    against = _against_direction(state, line, bore)
    if against:
        return against
    if TO[bore] >= CITY:
        return _against_end(state, line, bore)
    return _against_cell(state, bore)


def _against_direction(state: State, line: int, bore: int) -> Refusal | None:
    turn = (bore % 12 // 2 - state.way[line]) % 6
    if turn == 3:
        return Refusal("back", "§5.4")
    if TO[bore] == NOWHERE:
        return Refusal("no-way", "§5.3")
    if turn in (2, 4) and not state.station[bore // 12]:
        return Refusal("acute", "§5.4")
    if TO[bore] in state.path[line * STRIDE : line * STRIDE + state.length[line] + 1]:
        return Refusal("touches-itself", "§5.5", {"line": LINES[line & 1]})
    return None


def _against_end(state: State, line: int, bore: int) -> Refusal | None:
    """§5.8."""
    n = TO[bore] - APEX0
    if is_white(n):
        return Refusal("white-cell", "§5.8")
    if CELL[bore] == NO_CELL:
        return Refusal("no-cell", "§5.8")
    if state.tunnel[CELL[bore]] != NOBODY:
        return Refusal("cell-taken", "§5.1")
    if _too_near(state, state.begun[line], n, BLACK):
        return Refusal("ends-too-near", "§5.8")
    return None


def _against_cell(state: State, bore: int) -> Refusal | None:
    cell = BESIDE[bore]
    if cell >= CITY_CELLS:
        return Refusal("border-cell", "§5.3")
    if state.tunnel[cell] != NOBODY:
        return Refusal("cell-taken", "§5.1")
    ground = state.ground[cell]
    if ground in (LAKE, PARK):
        return Refusal("lake" if ground == LAKE else "park", "§5.3")
    return _against_spot(state, cell) if HOME <= ground <= LEISURE else None


def _against_spot(state: State, cell: int) -> Refusal | None:
    """§8."""
    kind = state.ground[cell] - 1
    if state.placed_now:
        return Refusal("one-destination", "§8.2")
    held = [one for one in range(DESTINATIONS) if state.hands[state.seat] >> one & 1 and KIND_OF[one] == kind]
    if not held:
        return Refusal("no-destination", "§8.1", {"kind": KINDS[kind]})
    touching = [one for one in held if _twin_touches(state, one, cell)]
    if len(touching) == len(held):
        return Refusal("letter-touches", "§8.3", {"letter": ", ".join(LETTERS[LETTER_OF[one]] for one in held)})
    return None


def _twin_touches(state: State, one: int, cell: int) -> bool:
    other = state.placed[TWIN[one]]
    return other != NOBODY and TOUCHING[cell][other] == 1


def caused(state: State, line: int, bore: int) -> list[int]:
    """Return the vertices where a dig causes stations, by the words of §6."""
    t, r = bore // 12, TO[bore]
    along = state.track[SLOT[bore] ^ 1]
    found: list[int] = []
    if state.length[line]:
        before = state.track[state.slot[line] ^ 1]
        if before not in (NOBODY, along) and not state.station[t]:
            found.append(t)  # separation (§6.1)
    others = [
        other
        for other in range(2 * state.seats)
        if other != line and r in state.path[other * STRIDE : other * STRIDE + STRIDE] and _reached(state, other, r)
    ]
    if along == NOBODY and others and not state.station[r]:
        found.append(r)  # meeting (§6.2)
    return found


def _reached(state: State, line: int, vertex: int) -> bool:
    return vertex in state.path[line * STRIDE : line * STRIDE + state.length[line] + 1] and state.length[line] > 0


def _after(state: State, move: int) -> list[State]:
    """Return the states after a single dig: several where a bonus decision comes between (§7.2)."""
    line = _line(state, move)
    bore = _bore(state, move)
    after = state.clone()
    for vertex in caused(state, line, bore):
        after.station[vertex] = 1
        after.stock -= 1
    (begin_line if move < DIG0 else lay_tunnel)(after, line, bore)
    after.dug += 1
    if TO[bore] < CITY:
        if HOME <= state.ground[CELL[bore]] <= LEISURE:
            after.placed_now = 1
        return [after]
    after.finished |= 1 << line
    found = [after]
    for vertex in after.path[line * STRIDE + 1 : line * STRIDE + after.length[line]]:
        if after.stock and not after.station[vertex]:
            built = after.clone()
            built.station[vertex] = 1
            built.stock -= 1
            found.append(built)
    return found


def _most(state: State, limit: int) -> int:
    """Return how many tunnels, at most `limit`, the seat can still dig: everything is tried out (§4.2)."""
    best = 0
    for move in range(START0, PLACE0):
        if best == limit:
            break
        if _against_single(state, move) is None:
            best = max(best, 1 + max(_most(after, limit - 1) for after in _after(state, move)))
    return best
