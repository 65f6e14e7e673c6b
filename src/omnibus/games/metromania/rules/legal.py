"""Which moves may be made: the fast path. `refusal` says the same slowly and with reasons."""

from __future__ import annotations

from omnibus.games.metromania.board import APEX0, CELL, CITY, DIGS, LETTER_OF, NOBODY, STARTS, TO
from omnibus.games.metromania.moves import (
    DEAL0,
    DEAL_MOVES_OF_FOUR,
    DEAL_MOVES_OF_THREE,
    DIG0,
    DIGS_OF_LINE,
    DOUBLE0,
    PIECE0,
    PLACE0,
    SKIP,
    START0,
    STARTS_OF_LINE,
    STATION0,
    doubles_number,
)
from omnibus.games.metromania.rules.ahead import CELL_BITS, CELL_MASK, NO_RUN, can_follow, is_open, run_from_tip
from omnibus.games.metromania.rules.tunnels import between_stations, digs, may_begin_now, starts, usable
from omnibus.games.metromania.state import ACT, BONUS, DEALING, DOUBLING, PIECING, PLACING, State, last_cell


def legal(state: State) -> list[int]:
    """List the moves the actor may make, in a stable order."""
    step = state.step
    if step == ACT:
        return _act(state)
    if step == PLACING:
        return _places(state)
    if step == BONUS:
        moves = _stations(state, state.line)
        moves.append(SKIP)
        return moves
    if step == DOUBLING:
        return [DOUBLE0 + kind for kind in range(3) if kind not in state.doubles]
    if step == PIECING:
        return _pieces(state)
    if step == DEALING:
        return _deals(state)[:]
    return []


def _act(state: State) -> list[int]:
    """Dig, or as a whole turn build an intermediate station (§4.1)."""
    moves = legal_digs(state, DIGS - state.dug, 0 if state.placed_now else state.hands[state.seat])
    if state.dug == 0 and state.stock > 0:
        line = 2 * state.seat
        moves += _stations(state, line)
        moves += _stations(state, line + 1)
    return moves


def legal_digs(state: State, tunnels: int, held: int) -> list[int]:
    """List the beginnings and digs that end a line or leave the largest possible number of tunnels possible (§4.2)."""
    first = 2 * state.seat
    bores = [bores_of(state, first, held), bores_of(state, first + 1, held)]
    while tunnels > 1:
        moves = _reaching(state, bores, tunnels - 1, held)
        if moves:
            return _with_ends(state, bores, moves)
        tunnels -= 1
    return moves_of(state, first, bores[0]) + moves_of(state, first + 1, bores[1])


def _with_ends(state: State, bores: list[list[int]], moves: list[int]) -> list[int]:
    """Add the digs that end a line: they are legal however many tunnels would be possible without them (§4.2)."""
    ends = 0
    for mine in bores:
        for bore in mine:
            if TO[bore] >= CITY:
                ends += 1
    if ends == 0:
        return moves
    merged: list[int] = []
    for which in range(2):
        line = 2 * state.seat + which
        for bore, move in zip(bores[which], moves_of(state, line, bores[which]), strict=True):
            if TO[bore] >= CITY or move in moves:
                merged.append(move)
    return merged


def bores_of(state: State, line: int, held: int) -> list[int]:
    """List what a line may dig, were it the last tunnel of the turn."""
    if state.finished >> line & 1:
        return []
    if state.begun[line] >= 0:
        return digs(state, line, held)
    return starts(state, line) if may_begin_now(state, line) else []


def _reaching(state: State, bores: list[list[int]], tunnels: int, held: int) -> list[int]:
    """List those that so many tunnels can follow."""
    first = 2 * state.seat
    moves: list[int] = []
    for which in range(2):
        line = first + which
        mine = bores[which]
        if which == 1 and mine and state.begun[first] < 0 and state.begun[line] < 0:
            moves += [move + STARTS_OF_LINE for move in moves]  # neither line is begun: one is as good as the other
            break
        if mine:
            moves += moves_of(state, line, _followed(state, line, mine, tunnels, held))
    return moves


def _followed(state: State, line: int, bores: list[int], tunnels: int, held: int) -> list[int]:
    """List those bores of a line that so many tunnels can follow; a run of the other line settles most of them."""
    other = run_from_tip(state, line ^ 1, tunnels, NOBODY)
    settled = other != NO_RUN and state.stock >= 2 * tunnels + 2
    first = other & CELL_MASK
    second = other >> CELL_BITS
    good: list[int] = []
    for bore in bores:
        cell = CELL[bore]
        if (
            (settled and cell != first and cell != second)
            or is_open(state, line, bore, tunnels, other)
            or can_follow(state, line, bore, tunnels, held)
        ):
            good.append(bore)
    return good


def moves_of(state: State, line: int, bores: list[int]) -> list[int]:
    """Say bores of a line as moves."""
    which = line & 1
    if state.begun[line] >= 0:
        zero = DIG0 + which * DIGS_OF_LINE
        return [zero + bore % 12 for bore in bores]
    zero = START0 + which * STARTS_OF_LINE
    moves: list[int] = []
    for bore in bores:
        n = bore // 12 - APEX0
        moves.append(zero + n + (0 if STARTS[2 * n] == bore else 1))
    return moves


def line_of(state: State, move: int) -> int:
    """Return the line of a `start` or `dig` of the seat whose turn it is."""
    if move < DIG0:
        return 2 * state.seat + (move - START0) // STARTS_OF_LINE
    return 2 * state.seat + (move - DIG0) // DIGS_OF_LINE


def bore_of(state: State, move: int) -> int:
    """Return the bore of a `start` or `dig` of the seat whose turn it is."""
    if move < DIG0:
        at = (move - START0) % STARTS_OF_LINE
        return STARTS[4 * (at // 2) + at % 2]
    at = move - DIG0
    return state.tip[2 * state.seat + at // DIGS_OF_LINE] * 12 + at % DIGS_OF_LINE


def _stations(state: State, line: int) -> list[int]:
    """List the intermediate stations of a line: while it is unfinished (§7.1), or as its bonus (§7.2)."""
    if state.stock == 0 or (state.step == ACT and state.finished >> line & 1):
        return []
    zero = STATION0 + (line & 1) * CITY
    return [zero + vertex for vertex in between_stations(state, line)]


def has_station(state: State) -> bool:
    """Tell whether the seat could build an intermediate station as its turn (§7.1)."""
    line = 2 * state.seat
    return state.stock > 0 and (
        (not state.finished >> line & 1 and len(between_stations(state, line)) > 0)
        or (not state.finished >> (line + 1) & 1 and len(between_stations(state, line + 1)) > 0)
    )


def _places(state: State) -> list[int]:
    """List the destinations the spot just dug may receive (§8.1)."""
    good = usable(state, last_cell(state, state.line), state.hands[state.seat])
    return [PLACE0 + LETTER_OF[one] for one in range(len(LETTER_OF)) if good >> one & 1]


def _pieces(state: State) -> list[int]:
    lying = [code // 3 for code in state.sectors]
    return [PIECE0 + code for code in range(18) if code // 3 not in lying]


def _deals(state: State) -> list[int]:
    if state.seats == 4:
        return DEAL_MOVES_OF_FOUR
    return DEAL_MOVES_OF_THREE[doubles_number(state.doubles)]


def chances(state: State) -> list[tuple[int, int]]:
    """List what chance may do now, all equally likely (§3.1, §3.2)."""
    if state.step == PIECING:
        return [(move, 1) for move in _pieces(state)]
    if state.step == DEALING:
        return [(move, 1) for move in _deals(state)]
    return []


def chance_total(state: State) -> int:
    """Return the sum of these weights."""
    if state.step == PIECING:
        return 18 - 3 * len(state.sectors)
    return len(_deals(state)) if state.step == DEALING else 0


def chance_at(state: State, number: int) -> int:
    """Return the move a roll selects, in the order of `chances`."""
    if state.step == DEALING:
        return DEAL0 + number if state.seats == 4 else _deals(state)[number]
    return _pieces(state)[number]
