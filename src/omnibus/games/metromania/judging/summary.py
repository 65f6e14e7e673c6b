"""A position in few numbers, for value networks: the unweighted terms of the judgement, and more. Compiled.

What is counted of a line or a test does not depend on where in the city it lies, so that what is learned in one city
holds in all others.
"""

from __future__ import annotations

from typing import Final

from omnibus.games.metromania.board import CITY, CORNERS, NOBODY, OF_KIND, POINTS, TUNNELS
from omnibus.games.metromania.judging.exits import NO_WAY
from omnibus.games.metromania.judging.outlook import Ahead, is_served, look_ahead
from omnibus.games.metromania.judging.race import Race, race
from omnibus.games.metromania.judging.rides import APART as NOT_CONNECTED
from omnibus.games.metromania.judging.rides import FIRST_OF, LETTERS_RIDDEN, SECOND_OF, Rides, owner_of, rides
from omnibus.games.metromania.judging.worth import COUNT, counts, lateness
from omnibus.games.metromania.rules.tunnels import between_stations
from omnibus.games.metromania.state import BONUS, PLACING, STRIDE, State

# So many times each term is written, that its fractions are seen.
SCALES: Final[list[float]] = [
    4.0, 100.0, 4.0, 16.0, 16.0, 16.0, 16.0, 16.0, 8.0, 16.0, 90.0, 64.0, 4.0, 16.0, 2.0, 16.0,
]  # fmt: skip
TURN: Final = COUNT  # points, whose turn, what was done in it, the hand by kind
TURN_NUMBERS: Final = 10
LINE: Final = TURN + TURN_NUMBERS  # the line that is nearer to its end, then the other
LINE_NUMBERS: Final = 14
TEST: Final = LINE + 2 * LINE_NUMBERS  # how many letters stand how
TEST_NUMBERS: Final = 24
EACH: Final = TEST + TEST_NUMBERS
COMMON: Final = 6

# How a letter stands for a seat: ridden by whom …
ALONE_OWN: Final = TEST
ALONE: Final = TEST + 1
SHARED: Final = TEST + 2
FOREIGN_OWN: Final = TEST + 3
FOREIGN: Final = TEST + 4
# … or not to be ridden yet: the own end, then the other.
APART: Final = TEST + 5
IN_HANDS: Final = TEST + 6
IN_HAND: Final = TEST + 7
UNSERVED: Final = TEST + 8
OTHER_IN_HAND: Final = TEST + 9
OTHER_UNSERVED: Final = TEST + 10
# How the own lines come by the ends of letters not ridden: both ends, as 3 · near or passed + near or passed.
BOTH_ENDS: Final = TEST + 11
ONE_END_OWN: Final = TEST + 17  # the other end is in the own hand: not reached, near, passed
ONE_END: Final = TEST + 20
SUNDAY: Final = TEST + 23

_BOTH: Final[list[int]] = [0, 1, 2, 1, 3, 4, 2, 4, 5]  # the order of the ends does not matter
NEAR: Final = 3  # tunnels of a turn


def _distances() -> list[int]:
    """By vertex · CITY + vertex of the city: the tunnels from one to the other."""
    found: list[int] = []
    for a, b in POINTS[:CITY]:
        found += [max(abs(a - c), abs(b - d), abs(a + b - c - d)) for c, d in POINTS[:CITY]]
    return found


_DISTANCE: Final[list[int]] = _distances()


def summary(state: State) -> bytes:
    """Return the numbers of each seat, then what is common."""
    running = race(state)
    ridden = rides(state)
    ahead = look_ahead(state)
    terms = counts(state, running, ridden, ahead)
    seats = state.seats
    found = [0] * (EACH * seats + COMMON)
    for seat in range(seats):
        zero = seat * EACH
        for term in range(COUNT):
            found[zero + term] = int(terms[seat * COUNT + term] * SCALES[term])
        _add_turn(state, seat, found, zero + TURN)
        first = 2 * seat
        if running.needs[first] > running.needs[first + 1]:
            first += 1
        _add_line(state, running, ahead, first, found, zero + LINE)
        _add_line(state, running, ahead, first ^ 1, found, zero + LINE + LINE_NUMBERS)
    for letter in range(LETTERS_RIDDEN):
        _add_letter(state, ridden, ahead, letter, found)
    _add_sunday(state, ridden, found)
    _add_common(state, running, found, EACH * seats)
    for at in range(len(found)):
        if found[at] > 255:
            found[at] = 255
        elif found[at] < 0:
            found[at] = 0
    return bytes(found)


def _add_turn(state: State, seat: int, found: list[int], at: int) -> None:
    seats = state.seats
    found[at] = 4 * state.points[seat]
    found[at + 1] = (seat - state.seat) % seats
    if seat == state.seat and state.actor >= 0:
        found[at + 2] = 1
        found[at + 3] = state.dug
        found[at + 4] = state.placed_now
        found[at + 5] = 1 if state.step == PLACING else 0
        found[at + 6] = 1 if state.step == BONUS else 0
    hand = state.hands[seat]
    for kind in range(3):
        held = hand & OF_KIND[kind]
        while held:
            found[at + 7 + kind] = found[at + 7 + kind] + (held & 1)
            held >>= 1


def _add_line(state: State, running: Race, ahead: Ahead, line: int, found: list[int], at: int) -> None:
    needs = running.needs[line]
    length = state.length[line]
    found[at] = 1 if state.begun[line] >= 0 else 0
    found[at + 1] = state.finished >> line & 1
    found[at + 2] = state.blocked >> line & 1
    found[at + 3] = 1 if needs == NO_WAY else 0
    found[at + 4] = min(needs, 20)
    found[at + 5] = int(running.prospects[line] * 200.0)
    found[at + 6] = length
    found[at + 7] = max(0, TUNNELS - length - needs)
    station = state.station
    for i in range(line * STRIDE + 1, line * STRIDE + length + 1):
        found[at + 8] = found[at + 8] + station[state.path[i]]
    if state.finished >> line & 1 or state.begun[line] < 0:
        return
    found[at + 9] = ahead.best[line]
    found[at + 10] = ahead.meeting[line]
    found[at + 11] = ahead.country[line]
    found[at + 12] = ahead.places[line]
    best = 0
    for vertex in between_stations(state, line):
        if state.worth[vertex] >= best:
            best = state.worth[vertex] + 1
    found[at + 13] = best


def _add_letter(state: State, ridden: Rides, ahead: Ahead, letter: int, found: list[int]) -> None:
    """Count for each seat how the two destinations of a letter stand, and how its lines come by them."""
    one = FIRST_OF[letter]
    other = SECOND_OF[letter]
    riders = ridden.riders[letter]
    owner = owner_of(state, one)
    other_owner = owner_of(state, other)
    for seat in range(state.seats):
        zero = seat * EACH
        own = owner == seat or other_owner == seat
        if riders >= 0:
            _count(found, zero + _ridden(riders, seat, own))
            continue
        if riders == NOT_CONNECTED:
            if own:
                _count(found, zero + APART)
        elif owner == seat:
            _count(found, zero + _waiting(state, one, other))
        elif other_owner == seat:
            _count(found, zero + _waiting(state, other, one))
        _count_ends(state, ahead, seat, one, other, found, zero)


def _count(found: list[int], at: int) -> None:
    found[at] = found[at] + 1


def _ridden(riders: int, seat: int, own: bool) -> int:
    mine = 1 << seat
    if riders == mine:
        return ALONE_OWN if own else ALONE
    if riders & mine:
        return SHARED
    return FOREIGN_OWN if own else FOREIGN


def _waiting(state: State, one: int, other: int) -> int:
    """How the own destination of a letter stands that cannot be ridden, and the other one."""
    if state.placed[one] < 0:
        return IN_HAND if state.placed[other] >= 0 else IN_HANDS
    if not is_served(state, one):
        return UNSERVED
    return OTHER_IN_HAND if state.placed[other] < 0 else OTHER_UNSERVED


def _count_ends(state: State, ahead: Ahead, seat: int, one: int, other: int, found: list[int], zero: int) -> None:
    """Count how a seat's lines come by the ends of a letter that are on the board."""
    if state.placed[one] < 0 and state.placed[other] < 0:
        return
    if state.placed[one] >= 0 and state.placed[other] >= 0:
        both = 3 * _reached(state, ahead, seat, one) + _reached(state, ahead, seat, other)
        _count(found, zero + BOTH_ENDS + _BOTH[both])
        return
    placed = one if state.placed[one] >= 0 else other
    held = state.hands[seat] >> (other if placed == one else one) & 1
    _count(found, zero + (ONE_END_OWN if held else ONE_END) + _reached(state, ahead, seat, placed))


def _reached(state: State, ahead: Ahead, seat: int, one: int) -> int:
    """Tell whether a placed destination is passed by a seat's lines (2), or a turn away from one of them (1)."""
    if ahead.around[one] >> 2 * seat & 3:
        return 2
    corners = CORNERS[state.placed[one]]
    for line in range(2 * seat, 2 * seat + 2):
        if state.begun[line] >= 0 and not state.finished >> line & 1 and state.tip[line] < CITY:
            row = state.tip[line] * CITY
            for corner in corners:
                if _DISTANCE[row + corner] <= NEAR:
                    return 1
    return 0


def _add_sunday(state: State, ridden: Rides, found: list[int]) -> None:
    riders = ridden.riders[LETTERS_RIDDEN]
    for seat in range(state.seats):
        at = seat * EACH + SUNDAY
        if riders >= 0:
            found[at] = 3 if riders == 1 << seat else 2 if riders >> seat & 1 else 1


def _add_common(state: State, running: Race, found: list[int], at: int) -> None:
    found[at] = state.stock
    found[at + 1] = int(running.rounds * 16.0)
    found[at + 2] = int(lateness(running) * 200.0)
    found[at + 3] = 1 if state.ended != NOBODY else 0
    found[at + 4] = state.turn
    for where in state.placed:
        if where >= 0:
            found[at + 5] = found[at + 5] + 1
