"""The test rides as things stand, quickly: who would score and who would pay (§11).

The same as `scoring.all_rides`, without its details: a search that ends at the first route, and from there back.
"""

from __future__ import annotations

from typing import Final

from omnibus.games.metromania.board import CORNERS, DESTINATIONS, LAKE, LETTER_OF, NOBODY, PARK, PRINTED, VERTICES
from omnibus.games.metromania.scoring import CHANGE, FAR, OTHER, OWN, SUNDAY
from omnibus.games.metromania.state import STRIDE, State

LETTERS_RIDDEN: Final = 6
FIRST_OF: Final[list[int]] = [LETTER_OF.index(letter) for letter in range(LETTERS_RIDDEN)]
SECOND_OF: Final[list[int]] = [
    next(one for one in range(FIRST_OF[letter] + 1, DESTINATIONS) if LETTER_OF[one] == letter)
    for letter in range(LETTERS_RIDDEN)
]


def _printed_corners(ground: int) -> list[list[int]]:
    """By (sector · 6 + piece) · 3 + rotation: the corners of the lake or the park lying there."""
    return [sorted({v for cell, what in cells if what == ground for v in CORNERS[cell]}) for cells in PRINTED]


LAKE_CORNERS: Final[list[list[int]]] = _printed_corners(LAKE)
PARK_CORNERS: Final[list[list[int]]] = _printed_corners(PARK)
LAKE_CODE: Final = 12  # piece 5 in `State.sectors`, with any rotation
PARK_CODE: Final = 15
NOT_SERVED: Final = -1  # a test one of whose ends has no station
APART: Final = -2  # a test whose ends are served but not connected


def is_lake(code: int) -> bool:
    """Tell whether a piece (piece · 3 + rotation) is the one with the lake (§1.6)."""
    return LAKE_CODE <= code < PARK_CODE


def is_park(code: int) -> bool:
    """Tell whether a piece is the one with the park."""
    return code >= PARK_CODE


class Rides:
    """How all seven tests would go."""

    __slots__ = ("apart", "at", "first", "line", "riders", "same", "unplaced", "unserved", "won")

    line: list[int]  # by stop, in the order of the lines: the next of a line is the next number
    at: list[int]  # by stop: its vertex
    same: list[int]  # by stop: another at the same vertex, or NOBODY
    first: list[int]  # by vertex: the first of its stops, or NOBODY
    riders: list[int]  # by test: the seats on the fastest routes, a bit each; or NOT_SERVED, APART
    won: list[int]  # by seat: points of the tests
    unplaced: list[int]  # by seat: tests to pay for because of a destination in hand (§11.4)
    unserved: list[int]  # … because of a destination without a station
    apart: list[int]  # … because its ends are not connected


def rides(state: State) -> Rides:
    """Ride all seven tests as things stand."""
    found = Rides()
    _find_stops(state, found)
    seats = state.seats
    found.won = [0] * seats
    found.unplaced = [0] * seats
    found.unserved = [0] * seats
    found.apart = [0] * seats
    found.riders = []
    for letter in range(LETTERS_RIDDEN):
        found.riders.append(_ride_letter(state, found, FIRST_OF[letter], SECOND_OF[letter]))
    found.riders.append(_ride_sunday(state, found))
    return found


def _find_stops(state: State, found: Rides) -> None:
    station = state.station
    path = state.path
    first = [NOBODY] * VERTICES
    line_of: list[int] = []
    at: list[int] = []
    same: list[int] = []
    for line in range(2 * state.seats):
        for i in range(line * STRIDE + 1, line * STRIDE + state.length[line] + 1):
            vertex = path[i]
            if station[vertex]:
                same.append(first[vertex])
                first[vertex] = len(line_of)
                line_of.append(line)
                at.append(vertex)
    found.first = first
    found.line = line_of
    found.at = at
    found.same = same


def _ride_letter(state: State, found: Rides, one: int, other: int) -> int:
    """Ride between two destinations of a letter; the points or the fines are written down."""
    serving = _stops_around(found, CORNERS[state.placed[one]]) if state.placed[one] >= 0 else []
    aims = _stops_around(found, CORNERS[state.placed[other]]) if state.placed[other] >= 0 else []
    if not serving or not aims:
        _fine_ends(state, found, one, other, bool(serving), bool(aims))
        return NOT_SERVED
    riders = fastest(found, serving, aims)
    if riders == APART:
        _fine_apart(state, found, state.placer[one], state.placer[other])
        return APART
    own = 1 << state.placer[one] | 1 << state.placer[other]
    _score(state, found, riders, own, OWN, OTHER)
    return riders


def _ride_sunday(state: State, found: Rides) -> int:
    lake: list[int] = []
    park: list[int] = []
    for sector in range(len(state.sectors)):
        code = state.sectors[sector]
        if is_park(code):
            park = _stops_around(found, PARK_CORNERS[sector * 18 + code])
        elif is_lake(code):
            lake = _stops_around(found, LAKE_CORNERS[sector * 18 + code])
    if not lake or not park:
        return NOT_SERVED
    riders = fastest(found, lake, park)
    if riders >= 0:
        _score(state, found, riders, 0, SUNDAY, SUNDAY)
    return riders


def _stops_around(found: Rides, corners: list[int]) -> list[int]:
    stops: list[int] = []
    for vertex in corners:
        stop = found.first[vertex]
        while stop >= 0:
            stops.append(stop)
            stop = found.same[stop]
    return stops


def _score(state: State, found: Rides, riders: int, own: int, more: int, less: int) -> None:
    if state.seats == 2 and riders == 3:  # §11.5
        return
    for seat in range(state.seats):
        if riders >> seat & 1:
            found.won[seat] = found.won[seat] + (more if own >> seat & 1 else less)


def _fine_ends(state: State, found: Rides, one: int, other: int, served: bool, other_served: bool) -> None:
    """§11.4: whoever holds an end in hand or placed one without a station; of two players not both (§11.5)."""
    culprit = NOBODY if served else owner_of(state, one)
    other_culprit = NOBODY if other_served else owner_of(state, other)
    if state.seats == 2 and culprit >= 0 and other_culprit >= 0 and culprit != other_culprit:
        return
    if culprit >= 0:
        _write_fine(state, found, one, culprit)
    if other_culprit >= 0 and other_culprit != culprit:
        _write_fine(state, found, other, other_culprit)


def owner_of(state: State, one: int) -> int:
    """Return who holds a destination in hand or has placed it; NOBODY if it was not dealt."""
    if state.placed[one] >= 0:
        return state.placer[one]
    for seat in range(state.seats):
        if state.hands[seat] >> one & 1:
            return seat
    return NOBODY


def _write_fine(state: State, found: Rides, one: int, culprit: int) -> None:
    if state.placed[one] >= 0:
        found.unserved[culprit] = found.unserved[culprit] + 1
    else:
        found.unplaced[culprit] = found.unplaced[culprit] + 1


def _fine_apart(state: State, found: Rides, placer: int, other: int) -> None:
    if placer == other:
        found.apart[placer] = found.apart[placer] + 1
    elif state.seats > 2:
        found.apart[placer] = found.apart[placer] + 1
        found.apart[other] = found.apart[other] + 1


def fastest(found: Rides, serving: list[int], aims: list[int]) -> int:
    """Return the seats with a stretch on a fastest route between stops (§11.2), a bit each; APART if none leads."""
    line = found.line
    same = found.same
    at = found.at
    first = found.first
    count = len(line)
    minutes = [FAR] * count
    for stop in serving:
        minutes[stop] = 0
    now = serving
    soon: list[int] = []
    later: list[int] = []
    latest: list[int] = []
    clock = 0
    best = FAR
    while now or soon or later or latest:
        for stop in aims:
            if minutes[stop] == clock:
                best = clock
        if best < FAR:
            break
        for stop in now:
            if minutes[stop] < clock:
                continue
            if stop + 1 < count and line[stop + 1] == line[stop] and minutes[stop + 1] > clock + 1:
                minutes[stop + 1] = clock + 1
                soon.append(stop + 1)
            if stop > 0 and line[stop - 1] == line[stop] and minutes[stop - 1] > clock + 1:
                minutes[stop - 1] = clock + 1
                soon.append(stop - 1)
            other = first[at[stop]]
            while other >= 0:
                if minutes[other] > clock + CHANGE:
                    minutes[other] = clock + CHANGE
                    latest.append(other)
                other = same[other]
        now = soon
        soon = later
        later = latest
        latest = []
        clock += 1
    if best == FAR:
        return APART
    return _riders(found, minutes, [stop for stop in aims if minutes[stop] == best])


def _riders(found: Rides, minutes: list[int], back: list[int]) -> int:
    """Follow all fastest routes back from where they arrive."""
    line = found.line
    count = len(line)
    riders = 0
    while back:
        stop = back.pop()
        then = minutes[stop]
        if then <= 0:
            continue
        minutes[stop] = -then  # been here
        if stop + 1 < count and line[stop + 1] == line[stop] and _abs(minutes[stop + 1]) == then - 1:
            riders |= 1 << (line[stop] >> 1)
            back.append(stop + 1)
        if stop > 0 and line[stop - 1] == line[stop] and _abs(minutes[stop - 1]) == then - 1:
            riders |= 1 << (line[stop] >> 1)
            back.append(stop - 1)
        other = found.first[found.at[stop]]
        while other >= 0:
            if _abs(minutes[other]) == then - CHANGE:
                back.append(other)
            other = found.same[other]
    return riders


def _abs(minutes: int) -> int:
    return minutes if minutes >= 0 else -minutes
