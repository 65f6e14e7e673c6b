"""The test rides as they are shown at the end of a game."""

from __future__ import annotations

from itertools import pairwise

import pytest

from omnibus import games
from omnibus.games.metromania.board import CORNERS, NEXT, VERTEX_AT
from omnibus.games.metromania.drawing.layout import layout_of
from omnibus.games.metromania.drawing.routes import ends_of, route
from omnibus.kernel.i18n import ENGLISH
from support.games_played import WHOLE, GamePlayed, in_positions, random_match

GAME = games.find("metromania")


@in_positions(24, of="metromania", ways=WHOLE)
def test_passengers_travel_a_fastest_route(played: GamePlayed) -> None:
    """§11.2 From a station of one end to one of the other, edge by edge, in exactly the minutes of the test."""
    view = GAME.view(played.state, None)
    stations = {VERTEX_AT[tuple(point)] for point in view["stations"]}
    for test in view["outcome"]["details"]["tests"]:
        if test["minutes"] is None:
            continue
        way = route(view, test)
        first, last = ({vertex for cell in cells for vertex in CORNERS[cell]} for cells in ends_of(view, test))
        assert way[0][0] in first & stations
        assert way[-1][0] in last & stations
        assert (way[0][1], way[-1][1]) == (0, test["minutes"])
        for (one, before), (other, after) in pairwise(way):
            assert after - before in ((3,) if one == other else (0, 1))
            assert one == other or other in NEXT[one * 6 : one * 6 + 6]


@pytest.mark.parametrize("wide", [False, True])
def test_rides_are_journeys(wide: bool) -> None:
    """§11.3 Each of the seven says its minutes and who scores; its row of the breakdown has the same numbers."""
    view = random_match("metromania", 5, seats=4).view(None)
    rows = GAME.breakdown(view, ENGLISH)
    rides = GAME.journeys(view, ENGLISH, wide=wide)
    tests = view["outcome"]["details"]["tests"]
    assert [ride.row for ride in rides] == list(range(2, 9))
    for ride, test in zip(rides, tests, strict=True):
        assert ride.row is not None
        assert rows[ride.row] == (ride.caption, [str(score).replace("-", "−") for score in test["scores"]])
        assert bool(ride.points) == (test["minutes"] is not None)
        assert f"ride-{test['test']}" in ride.parts
        at = layout_of(wide)
        assert all(0 < x < at.width and 0 < y < at.height(view) for x, y in ride.points)
    assert any(test["minutes"] for test in tests)
    *parts, total = ([int(number.replace("−", "-")) for number in numbers] for _, numbers in rows)
    assert [sum(column) for column in zip(*parts, strict=True)] == total
