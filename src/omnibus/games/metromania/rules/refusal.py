"""Why a move may not be made: the explaining path, rule by rule, without the shortcuts of `legal`.

Where several rules forbid a move the first of these answers: wrong step or actor, not in possession, locked by an
earlier choice, not permitted now, geometry. For a tunnel the last two change places: what the ground, the stock and
the look-ahead have to say can only be asked of a cell that is there.
"""

from __future__ import annotations

from omnibus.games.metromania.board import (
    CITY,
    KINDS,
    LETTERS,
    LINES,
    NOBODY,
    TOUCHING,
    TWIN,
    VERTEX_NAMES,
    destination,
)
from omnibus.games.metromania.moves import (
    DEAL0,
    DOUBLE0,
    LINES_OF,
    PIECE0,
    PLACE0,
    SEAT_MOVES,
    SKIP,
    START0,
    STATION0,
    hands_dealt,
    is_deal,
    letters_dealt,
)
from omnibus.games.metromania.rules.against_digs import against_tunnel
from omnibus.games.metromania.state import BONUS, DOUBLING, PIECING, PLACING, STRIDE, State, last_cell
from omnibus.kernel.game import CHANCE, OVER, Refusal


def refusal(state: State, move: int) -> Refusal | None:
    """Return why the actor may not make this move now; None if it is legal."""
    if state.actor == OVER:
        return Refusal("over", "§9.1")
    if state.actor == CHANCE:
        return _against_chance(state, move)
    if move >= SEAT_MOVES:
        return _for_chance(state, move)
    if state.step == DOUBLING:
        return _against_double(state, move)
    if move < START0:
        return Refusal("doubles-known", "§3.2")
    if state.step == PLACING:
        return _against_place(state, move)
    if state.step == BONUS:
        return _against_bonus(state, move)
    return _against_act(state, move)


def _against_chance(state: State, move: int) -> Refusal | None:
    """Chance is to act: a piece of the city, or the deal."""
    if state.step == PIECING:
        if not PIECE0 <= move < DEAL0:
            return Refusal("pieces-first", "§3.1")
        if any(code // 3 == (move - PIECE0) // 3 for code in state.sectors):
            return Refusal("piece-lies", "§3.1", {"piece": (move - PIECE0) // 3 + 1})
        return None
    if move < DEAL0:
        return Refusal("city-complete", "§3.1") if move >= PIECE0 else Refusal("deal-first", "§3.2")
    deal = LINES_OF[state.seats][move].removeprefix("deal ")
    good = all(NOBODY not in _destinations(hand, state.doubles, seat) for seat, hand in enumerate(deal.split("/")))
    if not good or not is_deal(hands_dealt(deal, state.doubles), state.doubles):
        return Refusal("other-doubles", "§3.2")
    if [letters_dealt(hand) for hand in hands_dealt(deal, state.doubles)] != deal.split("/"):
        return Refusal("letters-in-order", "§13")
    return None


def _destinations(letters: str, doubles: list[int], seat: int) -> list[int]:
    """Read the letters of a hand as destinations, NOBODY for what does not exist under these doubles."""
    kinds = [kind for kind in range(3) for _ in range(2 if doubles and doubles[seat] == kind else 1)]
    return [destination(kind, LETTERS.index(letter)) for kind, letter in zip(kinds, letters, strict=True)]


def _for_chance(state: State, move: int) -> Refusal:
    if move < DEAL0:
        return Refusal("city-complete", "§3.1")
    return Refusal("doubles-first" if state.step == DOUBLING else "dealt", "§3.2")


def _against_double(state: State, move: int) -> Refusal | None:
    if move >= START0:
        return Refusal("doubles-first", "§3.2")
    if move - DOUBLE0 in state.doubles:
        return Refusal("double-taken", "§3.2", {"kind": KINDS[move - DOUBLE0]})
    return None


def _against_place(state: State, move: int) -> Refusal | None:
    """A spot has been dug and waits for its destination (§8)."""
    if not PLACE0 <= move < STATION0:
        return Refusal("place-first", "§8.1")
    cell = last_cell(state, state.line)
    kind = state.ground[cell] - 1
    letter = move - PLACE0
    one = destination(kind, letter)
    args = {"kind": KINDS[kind], "letter": LETTERS[letter]}
    if one == NOBODY:
        return Refusal("no-such-destination", "§2.3", args)
    if not state.hands[state.seat] >> one & 1:
        return Refusal("not-in-hand", "§8.1", args)
    if state.placed[TWIN[one]] != NOBODY and TOUCHING[cell][state.placed[TWIN[one]]]:
        return Refusal("letter-touches", "§8.3", {"letter": LETTERS[letter]})
    return None


def _against_bonus(state: State, move: int) -> Refusal | None:
    """A line has been finished: one intermediate station on it, or none (§7.2)."""
    if move == SKIP:
        return None
    if not STATION0 <= move < SKIP:
        return Refusal("bonus-first", "§7.2")
    line = 2 * state.seat + (move - STATION0) // CITY
    if line != state.line:
        return Refusal("bonus-elsewhere", "§7.2", {"line": LINES[state.line & 1]})
    return _against_vertex(state, line, (move - STATION0) % CITY, finished=True)


def _against_act(state: State, move: int) -> Refusal | None:
    """A turn is digging, or one intermediate station (§4.1)."""
    if move == SKIP:
        return Refusal("no-bonus", "§7.2")
    if move < PLACE0:
        return against_tunnel(state, move)
    if move < STATION0:
        return Refusal("nothing-to-place", "§8.1")
    line = 2 * state.seat + (move - STATION0) // CITY
    if state.length[line] == 0:
        return Refusal("not-begun", "§7.1", {"line": LINES[line & 1]})
    if state.finished >> line & 1:
        return Refusal("line-finished", "§7.2", {"line": LINES[line & 1]})
    if state.dug:
        return Refusal("digging", "§4.1")
    return _against_vertex(state, line, (move - STATION0) % CITY, finished=False)


def _against_vertex(state: State, line: int, vertex: int, *, finished: bool) -> Refusal | None:
    """An intermediate station: on the line, where none is, strictly between two, and from the stock (§7.1)."""
    if state.stock == 0:
        return Refusal("stock-empty", "§7.1")
    path = state.path[line * STRIDE : line * STRIDE + state.length[line] + 1]
    where = {"vertex": VERTEX_NAMES[vertex], "line": LINES[line & 1]}
    if vertex not in path:
        return Refusal("not-on-line", "§7.1", where)
    if state.station[vertex]:
        return Refusal("station-there", "§7.1", where)
    after = path[path.index(vertex) + 1 :]
    if not finished and not any(state.station[later] for later in after):
        return Refusal("not-between", "§7.1", where)
    return None
