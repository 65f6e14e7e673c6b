"""What it is worth in the end: line points, test rides, penalties and the winner."""

from __future__ import annotations

from random import Random

import pytest

from omnibus import games
from omnibus.games.metromania.board import (
    CELL_NAMED,
    CORNERS,
    DESTINATIONS,
    LAKE,
    PARK,
)  # fmt: skip
from omnibus.games.metromania.scoring import (
    all_rides,
    line_points,
    network,
    outcome,
    ride_sunday,
    riders,
)  # fmt: skip
from omnibus.games.metromania.state import STRIDE, State
from omnibus.kernel.game import OVER
from omnibus.kernel.perft import playout

from .networks import NAMES, drawn, ridden
from .positions import find

pytestmark = pytest.mark.engine

GAME = games.find("metromania")


NEAR, FAR = "U0,0", "U-4,-1"  # corners 0,0 1,0 0,1 and -4,-1 -3,-1 -4,0
ENDS = {"home A": (NEAR, 0), "work A": (FAR, 1)}


def test_line_points() -> None:
    """§10.1 Both lines finished: the station points stay. One: halved, rounded down. None: 0."""
    state = drawn(3, {}, {})
    state.points = [7, 7, 7]
    state.finished = 0b000111
    assert [line_points(state, seat) for seat in range(3)] == [7, 3, 0]


BESIDE = {0: "0,0 1,3 2,3 -4,0"}
RIDES: list[tuple[int, dict[int, str], str, int, list[int]]] = [
    (3, {0: "0,0 -4,0"}, "", 1, [6, 0, 0]),  # §11.1 from a corner of one cell to a corner of the other
    (3, {0: "0,0 -4,1"}, "", -1, [0, -6, 0]),  # §11.4 no station serves work A, which seat 1 placed
    (3, {0: "0,0 3,0"}, "", -1, [0, -6, 0]),
    (3, {0: "0,0 3,0", 2: "3,0 -4,0"}, "", 5, [6, 6, 0]),  # §11.1, §11.2 three minutes for a change
    (3, {0: "0,0 3,0", 1: "3,0 -4,0"}, "", 5, [6, 0, 0]),  # §11.2 also between own lines
    (3, BESIDE, "", 3, [6, 0, 0]),  # §11.2 a minute from station to station
    (3, BESIDE, "1,3 2,3", 1, [6, 0, 0]),  # §11.2 however far it is
    (3, {0: "0,0 -4,0", 4: "1,0 -3,-1", 2: "0,1 2,2 -4,-1"}, "", 1, [6, 0, 3]),  # §11.3 nobody for a slower route
    (3, {0: "0,0 3,0", 2: "-4,0 -5,0"}, "", -1, [-6, -6, 0]),  # §11.4 served, but not connected: both placers
    (2, {0: "0,0 -4,0"}, "", 1, [6, 0]),
    (2, {0: "0,0 3,0", 2: "3,0 -4,0"}, "", 5, [0, 0]),  # §11.5 both of two players on the fastest routes
    (2, {0: "0,0 3,0", 2: "-4,0 -5,0"}, "", -1, [0, 0]),  # §11.5 both of two culprits
    (2, {0: "0,0 3,0"}, "", -1, [0, -6]),
]


@pytest.mark.parametrize(("seats", "lines", "without", "minutes", "scores"), RIDES)
def test_rides(seats: int, lines: dict[int, str], without: str, minutes: int, scores: list[int]) -> None:
    """§11.1 §11.2 §11.3 §11.4 §11.5 How long the ride from A to A takes, and whom it brings or costs what."""
    state = drawn(seats, lines, ENDS, without=without)
    ride = ridden(state, "A")
    assert (ride.minutes, ride.scores) == (minutes, scores)
    assert state.finished == 0  # unfinished lines carry passengers too


def test_everybody_on_a_fastest_route_rides() -> None:
    """§11.5 Both players whose lines are ridden are among the riders, though they score nothing."""
    state = drawn(2, {0: "0,0 3,0", 2: "3,0 -4,0"}, ENDS)
    assert len(riders(network(state), ridden(state, "A"))) == 2


def test_beginnings_are_no_stations() -> None:
    """§11.2 Beginnings and ends are not stations here."""
    assert len(network(drawn(3, {0: "0,0 -4,0"}, ENDS)).line) == 2


def test_sunday() -> None:
    """§11.3 The ride from lake to park brings 5 to everybody on a fastest route."""
    state = drawn(3, {2: "0,0 -4,0"}, {})
    state.ground = state.ground[:]
    state.ground[CELL_NAMED[NEAR]] = LAKE
    state.ground[CELL_NAMED[FAR]] = PARK
    assert ride_sunday(state, network(state)).scores == [0, 5, 0]


def test_unplaced_destination_costs_its_holder() -> None:
    """§11.4 An impossible test costs 6: the holder of an unplaced destination."""
    state = drawn(3, {0: "0,0 -4,0"}, {"home A": (NEAR, 0)})
    state.hands[2] = 1 << NAMES.index("work A")
    assert ridden(state, "A").scores == [0, 0, -6]


def test_each_culprit_pays() -> None:
    """§11.4 And the placer of a destination that no station serves."""
    state = drawn(3, {}, {"home A": (NEAR, 0)})
    state.hands[2] = 1 << NAMES.index("work A")
    assert ridden(state, "A").scores == [-6, 0, -6]


def test_sunday_never_costs() -> None:
    """§11.4 Sunday never costs."""
    assert ride_sunday(drawn(3, {}, {}), network(drawn(3, {}, {}))).scores == [0, 0, 0]


def over(state: State, finished: int) -> State:
    state.actor = OVER
    state.reason = 1
    state.finished = finished
    return state


def test_winner() -> None:
    """§12.1 The highest total wins; a tie goes to more finished lines; still tied it is shared."""
    ended = outcome(over(drawn(3, {0: "0,0 -4,0"}, ENDS), 0))
    assert ended is not None
    assert (ended.winners, ended.tie_break) == ((0,), None)
    tied = outcome(over(drawn(3, {}, {}), 0b000100))
    assert tied is not None
    assert (tied.winners, tied.tie_break, tied.scores) == ((1,), "lines", (0, 0, 0))
    shared = outcome(over(drawn(3, {}, {}), 0b010100))
    assert shared is not None
    assert (shared.winners, shared.tie_break) == ((1, 2), "shared")


def test_breakdown_adds_up() -> None:
    """§12.1 Line points and tests add up to the total; the details list minutes, stretches and scores of all tests."""
    for seats in (2, 3, 4):
        state = find(lambda now: now.actor == OVER, seats=seats)
        ended = outcome(state)
        assert ended is not None
        details = ended.details
        assert [test["test"] for test in details["tests"]] == [*"ABCDEF", "sunday"]
        for seat in range(seats):
            ridden_for = sum(test["scores"][seat] for test in details["tests"])
            assert ended.scores[seat] == details["lines"][seat] + ridden_for
        for test in details["tests"]:
            assert bool(test["stretches"]) == (test["minutes"] is not None)


def test_routes_against_a_plain_search() -> None:
    """§11.2 The minutes are those of a plain search over all rides, in many finished games."""
    tried = 0
    for seats in (2, 3, 4):
        for state in finished_games(seats, 30):
            net = network(state)
            for ride, letter in zip(all_rides(state, net), "ABCDEF", strict=False):
                assert ride.minutes == _plain(state, letter)
                tried += ride.minutes > 0
    assert tried > 50


def finished_games(seats: int, number: int) -> list[State]:
    found: list[State] = []
    for seed in range(number):
        state = GAME.setup(seats, {"town_hall": "open"})
        playout(GAME, state, Random(seed).random)
        found.append(state)
    return found


def _plain(state: State, letter: str) -> int:
    """Relax every connection until nothing changes: (line, station) to (line, station)."""
    stops: dict[int, list[int]] = {}
    for line in range(2 * state.seats):
        path = state.path[line * STRIDE + 1 : line * STRIDE + state.length[line] + 1]
        stops[line] = [vertex for vertex in path if state.station[vertex]]
    ends = [state.placed[one] for one in range(DESTINATIONS) if NAMES[one].endswith(letter)]
    if -1 in ends:
        return -1
    served = [{v for v in range(91) if state.station[v] and _corner(v, cell)} for cell in ends]
    best = {(line, v): 0 if v in served[0] else 10**6 for line in stops for v in stops[line]}
    for _ in range(len(best) + 1):
        for line, v in best:
            at = stops[line].index(v)
            near = [(line, stops[line][i]) for i in (at - 1, at + 1) if 0 <= i < len(stops[line])]
            changes = [(other, v) for other in stops if v in stops[other]]
            around = [best[stop] + 1 for stop in near] + [best[stop] + 3 for stop in changes]
            best[line, v] = min([best[line, v], *around])
    reached = [best[line, v] for line in stops for v in stops[line] if v in served[1]]
    return min(reached) if reached and min(reached) < 10**6 else -1


def _corner(vertex: int, cell: int) -> bool:
    return vertex in CORNERS[cell]
