"""What a seat has for the rounds to come. Compiled."""

from __future__ import annotations

from typing import Final

from omnibus.games.bus.board.pieces import CUBES, KIND_COUNT, LARGEST_FLEET, MOST_SEATS, SLOTS, START
from omnibus.games.bus.judging.outlook import Outlook, lines_of
from omnibus.games.bus.judging.weights import (
    AHEAD,
    CUBES_LEFT,
    DOORS,
    FARES,
    FIRST,
    FLEET,
    LATER,
    NEXT,
    REACH,
    SCORE,
    STATIONS,
    TERM_COUNT,
)
from omnibus.games.bus.state import CHOOSE, State

# A passenger on a line that others share is worth less: by the set of seats.
SHARED: Final[list[float]] = [0.5 + 0.5 / max(1, lines_of(lines)) for lines in range(1 << MOST_SEATS)]
STONE: Final = 0.9  # a time stone costs a point, but breaks ties (§13.2)
SOONER: Final = 0.001  # as does having reached the score earlier
# More than five passengers seldom wait for one line, so every bus beyond counts half of the one before.
FLEETS: Final[list[float]] = [
    float(fleet) if fleet <= 5 else 6.0 - 0.5 ** (fleet - 5) for fleet in range(LARGEST_FLEET + 1)
]
ARRIVING: Final = 0.75  # a passenger still to arrive, measured by one who waits


def look_at_seat(state: State, seat: int, look: Outlook) -> None:
    """Note what a seat has made so far, and what it has for the rounds to come."""
    base = seat * TERM_COUNT
    worth = look.worth
    worth[base + SCORE] = (
        float(state.rides[seat]) - STONE * float(state.stones[seat]) - SOONER * float(state.reached[seat])
    )
    hand = _usable(state, seat)
    if hand == 0.0:
        return
    worth[base + CUBES_LEFT] = hand
    worth[base + FLEET] = hand * FLEETS[look.fleets[seat]]
    _look_along_line(state, seat, look, hand)
    if state.laid[seat] > 0:
        worth[base + AHEAD] = hand * float(_ahead(state, seat))


def _usable(state: State, seat: int) -> float:
    """What part of its cubes a seat will still get to use: the game lasts no longer than others have some (§13.1)."""
    others = 0
    for other in range(state.seats):
        if other != seat and state.cubes[other] > others:
            others = state.cubes[other]
    limit = (others + 1) // 2 * 4  # who has two cubes left must play them in the next round (§4.3)
    if not state.vacant:
        limit = 0
    if state.step == CHOOSE and not state.passed >> seat & 1:
        limit += 2
    cubes = state.cubes[seat]
    return float(cubes if cubes < limit else limit) / float(CUBES)


def _look_along_line(state: State, seat: int, look: Outlook, hand: float) -> None:
    """Passengers and buildings where the line passes, and how many rides they make at the next kinds of the clock."""
    crossings = state.city.crossing_count
    on = state.on
    built = state.built
    now = look.kind * crossings
    first = (look.kind + 1) % KIND_COUNT * crossings
    second = (look.kind + 2) % KIND_COUNT * crossings
    reach = look.sticks[seat]
    doors = look.doors[seat]
    fares = 0.0
    first_want = 0
    first_free = 0
    second_want = 0
    second_free = 0
    for crossing in range(crossings):
        lines = on[crossing]
        if lines >> seat & 1:
            reach += 1
            here = state.waiting[crossing] + state.seated[crossing]
            if here > 0:
                fares += float(here) * SHARED[lines]
            here -= built[first + crossing]
            doors += built[first + crossing] + built[second + crossing] + built[now + crossing]
            if here > 0:
                first_want += here
            else:
                first_free -= here
            here += built[first + crossing] - built[second + crossing]
            if here > 0:
                second_want += here
            else:
                second_free -= here
    stations = 0
    for station in state.city.stations:
        stations += on[station] >> seat & 1
    if stations > 0:
        guests = look.guests[seat]
        first_want += guests
        second_want += guests
        fares += ARRIVING * float(guests)
    base = seat * TERM_COUNT
    worth = look.worth
    fleet = look.fleets[seat]
    worth[base + NEXT] = hand * float(_fewest(first_want, first_free, fleet))
    worth[base + LATER] = hand * float(_fewest(second_want, second_free, fleet))
    worth[base + FARES] = hand * fares
    worth[base + DOORS] = hand * float(doors)
    worth[base + REACH] = hand * float(reach)
    worth[base + STATIONS] = hand * float(stations)


def _fewest(one: int, other: int, third: int) -> int:
    if other < one:
        one = other
    return third if third < one else one


def _ahead(state: State, seat: int) -> int:
    """Count what lies along an empty street from a head of the line: passengers, buildings, and stations twice."""
    city = state.city
    crossings = city.crossing_count
    built = state.built
    found = 0
    for end in range(2):
        for way in city.out[state.heads[2 * seat + end]]:
            tip = city.tip[way]
            if state.usage[way >> 1] == 0 and not state.on[tip] >> seat & 1:
                found += built[tip] + built[crossings + tip] + built[2 * crossings + tip] + state.waiting[tip]
                if tip == city.stations[0] or tip == city.stations[1]:
                    found += 2
    return found


def look_at_start(state: State, look: Outlook) -> None:
    """Note who begins the next round (§12.1)."""
    if state.start < 0:
        return
    seat = state.start + 1 if state.start + 1 < state.seats else 0
    if state.taken[START] > 0:
        seat = state.fields[START * SLOTS]
    look.worth[seat * TERM_COUNT + FIRST] = 1.0
