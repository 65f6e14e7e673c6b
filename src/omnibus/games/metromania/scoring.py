"""The final scores: line points, the seven test rides with all their fastest routes, and the winner (§10 – §12)."""

from __future__ import annotations

from typing import Final

from omnibus.games.metromania.board import (
    CITY_CELLS,
    CORNERS,
    DESTINATIONS,
    LAKE,
    LETTER_OF,
    LETTERS,
    LINES,
    NOBODY,
    PARK,
    POINTS,
)
from omnibus.games.metromania.state import REASONS, STRIDE, State
from omnibus.kernel.game import OVER, Document, Outcome

CHANGE: Final = 3  # minutes for a change of line (§11.2)
FAR: Final = 1 << 20  # more minutes than any ride takes
OWN: Final = 6  # points for a test one has placed an end of (§11.3)
OTHER: Final = 3
SUNDAY: Final = 5
PENALTY: Final = 6  # §11.4
IMPOSSIBLE: Final = -1
TESTS: Final = 7  # A–A … F–F, then Sunday


class Network:
    """The stops of all lines: a stop is a line at a station. Rides go from stop to stop."""

    __slots__ = ("after", "at", "before", "line", "stops")

    line: list[int]  # by stop
    at: list[int]  # by stop: its vertex
    before: list[int]  # by stop: the stop before it on its line, or NOBODY
    after: list[int]  # by stop: the one after it
    stops: list[list[int]]  # by vertex: the stops there


class Ride:
    """How one test ride went."""

    __slots__ = ("minutes", "scores", "stretches")

    minutes: int  # of the fastest routes, or IMPOSSIBLE
    stretches: list[int]  # the stops from which a stretch of a fastest route goes to the stop after
    scores: list[int]  # by seat


def network(state: State) -> Network:
    """Find the stops of all lines. Beginnings and ends are none (§11.2)."""
    net = Network()
    net.line = []
    net.at = []
    net.before = []
    net.after = []
    net.stops = [[] for _ in range(len(state.station))]
    for line in range(2 * state.seats):
        last = NOBODY
        for i in range(line * STRIDE + 1, line * STRIDE + state.length[line] + 1):
            vertex = state.path[i]
            if state.station[vertex]:
                stop = len(net.line)
                net.line.append(line)
                net.at.append(vertex)
                net.before.append(last)
                net.after.append(NOBODY)
                if last >= 0:
                    net.after[last] = stop
                net.stops[vertex].append(stop)
                last = stop
    return net


def minutes_from(net: Network, vertices: list[int]) -> list[int]:
    """Return the minutes to every stop from the nearest of these stations, FAR where no route leads."""
    minutes = [FAR] * len(net.line)
    waiting: list[list[int]] = [[]]  # stops by minutes; there is always a list for the minutes to come
    for vertex in vertices:
        for stop in net.stops[vertex]:
            minutes[stop] = 0
            waiting[0].append(stop)
    now = 0
    while now < len(waiting):
        for stop in waiting[now]:
            if minutes[stop] == now:
                _ride(net, minutes, waiting, net.before[stop], now + 1)
                _ride(net, minutes, waiting, net.after[stop], now + 1)
                for other in net.stops[net.at[stop]]:
                    _ride(net, minutes, waiting, other, now + CHANGE)
        now += 1
    return minutes


def _ride(net: Network, minutes: list[int], waiting: list[list[int]], stop: int, then: int) -> None:
    if stop >= 0 and then < minutes[stop]:
        minutes[stop] = then
        while len(waiting) <= then:
            waiting.append([])
        waiting[then].append(stop)


def serving(state: State, cells: list[int]) -> list[int]:
    """Return the stations on a corner of one of these cells (§11.1)."""
    found: list[int] = []
    for cell in cells:
        for vertex in CORNERS[cell]:
            if state.station[vertex] and vertex not in found:
                found.append(vertex)
    return found


def ride_letter(state: State, net: Network, letter: int) -> Ride:
    """Ride from one destination of a letter to the other (§11.1)."""
    ends = [one for one in range(DESTINATIONS) if LETTER_OF[one] == letter]
    placers = [state.placer[one] for one in ends]
    served: list[list[int]] = []
    culprits: list[int] = []
    for one in ends:
        stations = serving(state, [state.placed[one]]) if state.placed[one] >= 0 else []
        served.append(stations)
        if not stations:
            culprits.append(_holder(state, one) if state.placed[one] < 0 else state.placer[one])
    test = fastest(net, state.seats, served[0], served[1])
    if test.minutes == IMPOSSIBLE:
        if not culprits:
            culprits = placers
        _charge(state, test, culprits)
        return test
    for seat in riders(net, test):
        test.scores[seat] = OWN if seat in placers else OTHER
    _except_for_two(state, net, test)
    return test


def ride_sunday(state: State, net: Network) -> Ride:
    """Ride from the lake to the park; this never costs anything (§11.4)."""
    lake = [cell for cell in range(CITY_CELLS) if state.ground[cell] == LAKE]
    park = [cell for cell in range(CITY_CELLS) if state.ground[cell] == PARK]
    test = fastest(net, state.seats, serving(state, lake), serving(state, park))
    for seat in riders(net, test):
        test.scores[seat] = SUNDAY
    _except_for_two(state, net, test)
    return test


def fastest(net: Network, seats: int, sources: list[int], targets: list[int]) -> Ride:
    """Find all fastest routes between stations (§11.2)."""
    test = Ride()
    test.minutes = IMPOSSIBLE
    test.stretches = []
    test.scores = [0] * seats
    if not sources or not targets:
        return test
    there = minutes_from(net, sources)
    best = FAR
    for vertex in targets:
        for stop in net.stops[vertex]:
            best = min(best, there[stop])
    if best == FAR:
        return test
    test.minutes = best
    back = minutes_from(net, targets)
    for stop in range(len(net.line)):
        after = net.after[stop]
        if after >= 0 and (there[stop] + 1 + back[after] == best or there[after] + 1 + back[stop] == best):
            test.stretches.append(stop)
    return test


def riders(net: Network, test: Ride) -> list[int]:
    """Return the seats with at least one stretch in some fastest route (§11.3)."""
    found: list[int] = []
    for stop in test.stretches:
        seat = net.line[stop] >> 1
        if seat not in found:
            found.append(seat)
    return found


def _holder(state: State, one: int) -> int:
    for seat in range(state.seats):
        if state.hands[seat] >> one & 1:
            return seat
    return NOBODY


def _charge(state: State, test: Ride, culprits: list[int]) -> None:
    """§11.4, and for two players §11.5."""
    if state.seats == 2 and 0 in culprits and 1 in culprits:
        return
    for seat in culprits:
        if seat != NOBODY:
            test.scores[seat] = -PENALTY


def _except_for_two(state: State, net: Network, test: Ride) -> None:
    """§11.5: of two players, both on the fastest routes score nothing."""
    if state.seats == 2 and len(riders(net, test)) == 2:
        test.scores = [0, 0]


def all_rides(state: State, net: Network) -> list[Ride]:
    """Ride all seven tests."""
    rides = [ride_letter(state, net, letter) for letter in range(TESTS - 1)]
    rides.append(ride_sunday(state, net))
    return rides


def finished_lines(state: State, seat: int) -> int:
    """Return how many lines a seat has finished."""
    return (state.finished >> 2 * seat & 1) + (state.finished >> (2 * seat + 1) & 1)


def line_points(state: State, seat: int) -> int:
    """Return what the station points of a seat are worth in the end (§10.1)."""
    finished = finished_lines(state, seat)
    if finished == 2:
        return state.points[seat]
    return state.points[seat] // 2 if finished == 1 else 0


def totals(state: State, rides: list[Ride]) -> list[int]:
    """Return line points and tests together, by seat."""
    scores: list[int] = []
    for seat in range(state.seats):
        total = line_points(state, seat)
        for test in rides:
            total += test.scores[seat]
        scores.append(total)
    return scores


def outcome(state: State) -> Outcome | None:
    """Return how the game ended; None while it goes on."""
    return outcome_without(state, ())


def outcome_without(state: State, resigned: tuple[int, ...]) -> Outcome | None:
    """Return how the game ended for those who have not resigned: the others do not win."""
    if state.actor != OVER:
        return None
    net = network(state)
    rides = all_rides(state, net)
    scores = totals(state, rides)
    seats = [seat for seat in range(state.seats) if seat not in resigned]
    most_points = max([scores[seat] for seat in seats])
    best = [seat for seat in seats if scores[seat] == most_points]
    tie_break: str | None = None
    if len(best) > 1:  # §12.1
        most = max([finished_lines(state, seat) for seat in best])
        winners = [seat for seat in best if finished_lines(state, seat) == most]
        tie_break = "lines" if len(winners) == 1 else "shared"
        best = winners
    return Outcome(REASONS[state.reason], tuple(scores), tuple(best), tie_break, details(state, net, rides))


def details(state: State, net: Network, rides: list[Ride]) -> Document:
    """Tell the breakdown: line points, and every test with its minutes, stretches and scores (§12.1)."""
    seats = range(state.seats)
    return {
        "stations": [state.points[seat] for seat in seats],
        "finished": [finished_lines(state, seat) for seat in seats],
        "lines": [line_points(state, seat) for seat in seats],
        "tests": [
            {
                "test": LETTERS[number] if number < TESTS - 1 else "sunday",
                "minutes": None if test.minutes == IMPOSSIBLE else test.minutes,
                "stretches": [_stretch(net, stop) for stop in test.stretches],
                "scores": list(test.scores),
            }
            for number, test in enumerate(rides)
        ],
    }


def _stretch(net: Network, stop: int) -> Document:
    line = net.line[stop]
    ends = (net.at[stop], net.at[net.after[stop]])
    return {"seat": line >> 1, "line": LINES[line & 1], "from": list(POINTS[ends[0]]), "to": list(POINTS[ends[1]])}
