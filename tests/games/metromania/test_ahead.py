"""The look-ahead against brute force."""

from __future__ import annotations

from random import Random

import pytest

from omnibus import games
from omnibus.games.metromania.moves import PLACE0, START0
from omnibus.games.metromania.rules.legal import legal_digs
from omnibus.games.metromania.state import ACT, BONUS, PLACING, State
from omnibus.kernel.game import OVER
from omnibus.kernel.perft import step

pytestmark = pytest.mark.engine

GAME = games.find("metromania")
SETUPS = [(2, "hidden"), (3, "hidden"), (4, "hidden"), (4, "strict")]


def held(state: State) -> int:
    return 0 if state.placed_now else state.hands[state.seat]


def reach(state: State, turn: int) -> int:
    """How many more tunnels this turn can have: everything is played out, with every place and bonus decision."""
    if state.turn != turn or state.actor == OVER:
        return 0
    if state.step in (PLACING, BONUS):
        return max(reach(after(state, move), turn) for move in GAME.legal(state))
    singles = legal_digs(state, 1, held(state))
    return max((1 + reach(after(state, move), turn) for move in singles), default=0)


def after(state: State, move: int) -> State:
    child = state.clone()
    GAME.apply(child, move)
    return child


@pytest.mark.parametrize(("seats", "town_hall"), SETUPS)
def test_look_ahead_against_brute_force(seats: int, town_hall: str) -> None:
    """§4.2 In many positions exactly those digs are legal after which brute force reaches the largest number."""
    tried = cramped = 0
    for seed in range(14):
        random = Random(seed)
        state: State = GAME.setup(seats, {"town_hall": town_hall})
        while state.actor != OVER:
            if state.step == ACT and random.random() < (0.5 if state.blocked or state.stock < 7 else 0.02):
                singles = {
                    move: 1 + reach(after(state, move), state.turn) for move in legal_digs(state, 1, held(state))
                }
                best = max(singles.values(), default=0)
                legal = {move for move in GAME.legal(state) if START0 <= move < PLACE0}
                assert legal == {move for move, reached in singles.items() if reached == best}
                tried += 1
                cramped += 0 < len(legal) < len(singles) or best < 3 - state.dug
            GAME.apply(state, step(GAME, state, random.random))
    assert tried > 60
    assert cramped > 5
