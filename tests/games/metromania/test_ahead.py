"""The look-ahead against brute force."""

from __future__ import annotations

from random import Random

import pytest

from omnibus import games
from omnibus.games.metromania.board import CITY, NEXT, TO
from omnibus.games.metromania.moves import PLACE0, START0
from omnibus.games.metromania.rules.legal import bore_of, legal_digs
from omnibus.games.metromania.state import ACT, BONUS, PLACING, State
from omnibus.kernel.game import OVER
from omnibus.kernel.perft import step

pytestmark = [pytest.mark.engine, pytest.mark.walk]

GAME = games.find("metromania")
SETUPS = [(2, "hidden"), (3, "hidden"), (4, "hidden"), (4, "strict")]
RIM = [max(NEXT[6 * vertex : 6 * vertex + 6]) >= CITY for vertex in range(CITY)]


def held(state: State) -> int:
    return 0 if state.placed_now else state.hands[state.seat]


def reach(state: State, turn: int, limit: int) -> int:
    """How many more tunnels this turn can have: all is played out, with every place and bonus decision."""
    if state.turn != turn or state.actor == OVER:
        return 0
    waiting = state.step in (PLACING, BONUS)
    moves = GAME.legal(state) if waiting else legal_digs(state, 1, held(state))
    best = 0
    for move in moves:
        tunnels = 0 if waiting else 1
        best = max(best, tunnels + reach(after(state, move), turn, limit - tunnels))
        if best == limit:
            break
    return best


def after(state: State, move: int) -> State:
    child = state.clone()
    GAME.apply(child, move)
    return child


def ends_a_line(state: State, move: int) -> bool:
    return TO[bore_of(state, move)] >= CITY


def ends_among(state: State) -> int:
    """Count the digs that are legal only because they end a line; everything else is as brute force says."""
    limit = 3 - state.dug
    singles = {move: 1 + reach(after(state, move), state.turn, limit - 1) for move in legal_digs(state, 1, held(state))}
    best = max(singles.values(), default=0)
    reaching = {move for move, reached in singles.items() if reached == best}
    ends = {move for move in singles if ends_a_line(state, move)}
    legal = [move for move in GAME.legal(state) if START0 <= move < PLACE0]
    assert sorted(legal) == sorted(reaching | ends)
    return len(ends - reaching)


@pytest.mark.parametrize(("seats", "town_hall"), SETUPS)
def test_look_ahead_against_brute_force(seats: int, town_hall: str) -> None:
    """§4.2 Exactly those digs are legal that end a line, or after which brute force reaches the largest number."""
    tried = cramped = ends = 0
    for seed in range(30):
        random = Random(seed)
        state: State = GAME.setup(seats, {"town_hall": town_hall})
        while state.actor != OVER:
            at_the_rim = any(CITY > tip >= 0 and RIM[tip] for tip in state.tip[2 * state.seat : 2 * state.seat + 2])
            often = 0.5 if state.blocked or state.stock < 7 or at_the_rim else 0.02
            if state.step == ACT and random.random() < often:
                ends += ends_among(state)
                digs = [move for move in GAME.legal(state) if START0 <= move < PLACE0]
                cramped += 0 < len(digs) < len(legal_digs(state, 1, held(state)))
                tried += 1
            GAME.apply(state, step(GAME, state, random.random))
    assert tried > 60
    assert cramped > 5
    assert ends > 1
