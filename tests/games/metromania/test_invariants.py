"""What must hold in every position: nothing is made or lost."""

from __future__ import annotations

import pytest

from omnibus.games.metromania.board import CELL, CELLS, CITY, CITY_CELLS, NOBODY, TOUCHING, TWIN, destination_name
from omnibus.games.metromania.state import ACT, PLACING, STRIDE, State, trace, tunnels_of
from support.games_played import ALONG, GamePlayed, in_positions

pytestmark = pytest.mark.engine


@in_positions(30, of="metromania", ways=ALONG)
def test_invariants(played: GamePlayed) -> None:
    """§2.1 §2.2 §2.3 §5.1 §5.5 One tunnel a cell, 18 a line, 30 stations, 12 destinations, no line touches itself."""
    dealt = 0
    for state, _ in played.states():
        if state.step >= ACT and not dealt:
            dealt = sum(state.hands)
            assert dealt == 4095
        check_lines(state)
        check_destinations(state, dealt)
        assert sum(state.station) + state.stock == 30
        assert all(state.on[v] for v in range(CITY) if state.station[v])
        assert sum(state.points) == sum(state.worth[v] for v in range(CITY) if state.station[v])


def check_lines(state: State) -> None:
    cells = 0
    for line in range(2 * state.seats):
        path = state.path[line * STRIDE : line * STRIDE + state.length[line] + 1] if state.length[line] else []
        assert len(set(path)) == len(path) <= 19
        bores = trace(tunnels_of(state, line))
        assert len(bores) == state.length[line]
        assert all(state.tunnel[CELL[bore]] == line for bore in bores)
        cells += len(bores)
        assert bool(state.finished >> line & 1) == (state.tip[line] >= CITY)
    assert cells == sum(state.tunnel[cell] != NOBODY for cell in range(CELLS))


def check_destinations(state: State, dealt: int) -> None:
    placed = [one for one in range(12) if state.placed[one] != NOBODY]
    if dealt:
        assert sum(state.hands) + sum(1 << one for one in placed) == dealt
    for one in placed:
        cell = state.placed[one]
        assert destination_name(one).split()[0] == ("home", "work", "leisure")[state.ground[cell] - 1]
        other = state.placed[TWIN[one]]
        assert other == NOBODY or not TOUCHING[cell][other]
    spots = [c for c in range(CITY_CELLS) if 1 <= state.ground[c] <= 3 and state.tunnel[c] != NOBODY]
    assert len(spots) - len(placed) == (state.step == PLACING)
