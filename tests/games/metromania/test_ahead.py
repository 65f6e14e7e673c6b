"""The look-ahead against brute force."""

from __future__ import annotations

import pytest

from omnibus import games
from omnibus.games.metromania.board import CITY, NEXT, TO
from omnibus.games.metromania.moves import PLACE0, START0
from omnibus.games.metromania.rules.legal import bore_of, legal_digs
from omnibus.games.metromania.state import ACT, BONUS, PLACING, State
from omnibus.kernel.game import OVER
from support.games_played import ALONG, GamePlayed, in_positions

pytestmark = [pytest.mark.engine, pytest.mark.walk]

GAME = games.find("metromania")
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


def compare(state: State) -> None:
    """Compare the legal digs with those that brute force finds."""
    limit = 3 - state.dug
    singles = {move: 1 + reach(after(state, move), state.turn, limit - 1) for move in legal_digs(state, 1, held(state))}
    best = max(singles.values(), default=0)
    reaching = {move for move, reached in singles.items() if reached == best}
    ends = {move for move in singles if ends_a_line(state, move)}
    legal = [move for move in GAME.legal(state) if START0 <= move < PLACE0]
    assert sorted(legal) == sorted(reaching | ends)


@in_positions(60, of="metromania", ways=ALONG)
def test_look_ahead_against_brute_force(played: GamePlayed) -> None:
    """§4.2 Exactly those digs are legal that end a line, or after which brute force reaches the largest number."""
    for state, _ in played.states():
        at_the_rim = any(CITY > tip >= 0 and RIM[tip] for tip in state.tip[2 * state.seat : 2 * state.seat + 2])
        often = 0.5 if state.blocked or state.stock < 7 or at_the_rim else 0.02
        if state.step == ACT and played.random.random() < often:
            compare(state)
