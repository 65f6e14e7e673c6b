"""Write the observation of a seat as a row of bytes, from what its view holds. Compiled.

Seats are told from the viewer on: itself first, then clockwise, so that one policy can play every seat.
"""

from __future__ import annotations

from typing import Final

from omnibus.games.bus.board.pieces import (
    ACTION_COUNT,
    ACTIONS,
    BUILDINGS_OF_A_KIND,
    CUBES,
    KIND_COUNT,
    KINDS,
    LARGEST_FLEET,
    MOST_ROUNDS,
    MOST_SEATS,
    MOST_STICKS,
    PASSENGERS_IN_ALL,
    PASSENGERS_IN_BOX,
    REPRINT,
    SLOTS,
    UNLIMITED,
    ZONE_COUNT,
    ZONES,
)
from omnibus.games.bus.scoring import score
from omnibus.games.bus.state import ARRIVE, BUILD, LAY, NOBODY, RIDE, STEPS, State
from omnibus.kernel.features import Feature, bits, equals, one_hots

MOST_STONES: Final = 5
MOST_RIDES: Final = PASSENGERS_IN_ALL * MOST_ROUNDS  # nobody rides twice in a round
MOST_OWED: Final = LARGEST_FLEET + 1  # sticks for five players (§5.2)
MOST: Final = 255

_EQUALS: Final[list[bytes]] = equals(MOST_SEATS + 1)
_BITS: Final[list[bytes]] = bits(MOST_SEATS)
_STEP: Final[list[bytes]] = one_hots(len(STEPS))
_SEAT: Final[list[list[bytes]]] = [one_hots(seats) for seats in range(MOST_SEATS + 1)]
_FIELD: Final[list[bytes]] = one_hots(SLOTS)
_KIND: Final[list[bytes]] = one_hots(KIND_COUNT)
_ZONE: Final[list[bytes]] = one_hots(ZONE_COUNT)
_OPTIONS: Final[list[bytes]] = [bytes([chosen >> 2, chosen >> 1 & 1, chosen & 1]) for chosen in range(8)]
_ENDLESS: Final = bytes([BUILDINGS_OF_A_KIND] * KIND_COUNT)  # the supply where there is no limit (§2.3)
_RESOLVED: Final[list[bool]] = [step in (LAY, ARRIVE, BUILD, RIDE) for step in range(len(STEPS))]


def features(state: State) -> list[Feature]:
    """List what an observation is made of, in order."""
    seats = state.seats
    return _round_features(seats) + _player_features(seats) + _city_features(state)


def _round_features(seats: int) -> list[Feature]:
    return [
        Feature("step", (len(STEPS),), 1, ", ".join(STEPS)),
        Feature("turn", (seats,), 1, "whose decision it is, counted from the viewer"),
        Feature("start", (seats,), 1, "the start player, counted from the viewer"),
        Feature("field", (SLOTS,), 1, "the field a … f that is being resolved"),
        Feature("clock", (KIND_COUNT,), 1, "the kind on the clock: " + ", ".join(KINDS)),
        Feature("zone", (ZONE_COUNT,), 1, "the zone that is being built up: " + ", ".join(ZONES)),
        Feature("reprint", (1,), 1, "the rules of the reprint (option `edition`)"),
        Feature("unlimited", (1,), 1, "sticks without limit (option)"),
        Feature("clock_back", (1,), 1, "stopping moves the clock back (option)"),
        Feature("round", (1,), MOST_ROUNDS, "the round; 0 in the set-up"),
        Feature(
            "owed", (1,), MOST_OWED, "what is still to be done for the field: sticks, passengers, buildings or rides"
        ),
        Feature("pile", (1,), MOST_STONES, "time stones left"),
        Feature("box", (1,), PASSENGERS_IN_BOX, "passengers in the box"),
        Feature(
            "supply",
            (KIND_COUNT,),
            BUILDINGS_OF_A_KIND,
            "buildings left of each kind (30 where there is no limit)",
        ),
    ]


def _player_features(seats: int) -> list[Feature]:
    return [
        Feature("cubes", (seats,), CUBES, "action cubes left, the viewer first"),
        Feature("buses", (seats,), LARGEST_FLEET, "buses"),
        Feature("stones", (seats,), MOST_STONES, "time stones taken"),
        Feature("rides", (seats,), MOST_RIDES, "rides made"),
        Feature("reached", (seats,), MOST_RIDES, "which ride of the whole game was the player's last (§13.2)"),
        Feature("laid", (seats,), MOST, "sticks laid (at most 255 are told)"),
        Feature("sticks", (seats,), MOST_STICKS, "sticks left (at most 28 are told)"),
        Feature("passed", (seats,), 1, "who has passed in this round"),
        Feature("fields", (seats, ACTION_COUNT, SLOTS), 1, "who took which field of " + ", ".join(ACTIONS)),
    ]


def _city_features(state: State) -> list[Feature]:
    seats = state.seats
    city = state.city
    crossings = city.crossing_count
    return [
        Feature("lines", (seats, city.street_count), 1, "whose line uses which street, in the order of the map"),
        Feature("stops", (seats, crossings), 1, "whose line goes through which crossing"),
        Feature("heads", (seats, crossings), 2, "heads of whose line at which crossing"),
        Feature("waiting", (crossings,), PASSENGERS_IN_ALL, "passengers at each crossing"),
        Feature("seated", (crossings,), PASSENGERS_IN_ALL, "those of them in buildings of the clock's kind"),
        Feature("buildings", (KIND_COUNT, city.plot_count), 1, "where the buildings of each kind stand, by plot"),
    ]


def observe(state: State, seat: int) -> bytes:
    """Write what a seat sees; nothing in Bus is hidden."""
    order = [(seat + far) % state.seats for far in range(state.seats)]
    rows = [_round(state, seat), _players(state, order)]
    _add_by_seat(state, order, rows)
    _add_city(state, rows)
    return b"".join(rows)


def _round(state: State, seat: int) -> bytes:
    seats = state.seats
    step = state.step
    who = _SEAT[seats]
    return b"".join(
        [
            _STEP[step],
            who[(state.actor - seat) % seats] if state.actor >= 0 else who[-1],
            who[(state.start - seat) % seats] if state.start != NOBODY else who[-1],
            _FIELD[state.field if _RESOLVED[step] else -1],
            _KIND[state.clock],
            _ZONE[state.zone if state.vacant else -1],
            _options(state),
            bytes([min(state.round, MOST_ROUNDS), min(state.owed, MOST_OWED), state.pile, state.box]),
            bytes(state.supply) if state.edition == REPRINT else _ENDLESS,
        ]
    )


def _options(state: State) -> bytes:
    return _OPTIONS[4 * (state.edition == REPRINT) + 2 * (state.sticks[0] == UNLIMITED) + state.clock_back]


def _players(state: State, order: list[int]) -> bytes:
    seats = state.seats
    numbers = [0] * (8 * seats)
    for place in range(seats):
        seat = order[place]
        laid = state.laid[seat]
        numbers[place] = state.cubes[seat]
        numbers[seats + place] = state.buses[seat]
        numbers[2 * seats + place] = state.stones[seat]
        numbers[3 * seats + place] = min(state.rides[seat], MOST_RIDES)
        numbers[4 * seats + place] = min(state.reached[seat], MOST_RIDES)
        numbers[5 * seats + place] = min(laid, MOST)
        numbers[6 * seats + place] = min(state.sticks[seat] - laid, MOST_STICKS)
        numbers[7 * seats + place] = state.passed >> seat & 1
    return bytes(numbers)


def _add_by_seat(state: State, order: list[int], rows: list[bytes]) -> None:
    """What belongs to somebody: fields, streets, crossings and heads."""
    fields = bytes([owner + 1 for owner in state.fields])
    usage = bytes(state.usage)
    on = bytes(state.on)
    rows += [fields.translate(_EQUALS[seat + 1]) for seat in order]
    rows += [usage.translate(_BITS[seat]) for seat in order]
    rows += [on.translate(_BITS[seat]) for seat in order]
    for seat in order:
        rows.append(_heads(state, seat))


def _heads(state: State, seat: int) -> bytes:
    row = bytearray(state.city.crossing_count)
    if state.laid[seat]:
        first = state.heads[2 * seat]
        second = state.heads[2 * seat + 1]
        row[first] = 1
        row[second] = 2 if first == second else 1
    return bytes(row)


def _add_city(state: State, rows: list[bytes]) -> None:
    rows.append(bytes(state.waiting))
    rows.append(bytes(state.seated))
    plots = bytes([kind + 1 for kind in state.plots])
    for kind in range(KIND_COUNT):
        rows.append(plots.translate(_EQUALS[kind + 1]))


def standing(state: State) -> list[int]:
    """Return the scores as they stand: rides less time stones (§13.2)."""
    return [score(state, seat) for seat in range(state.seats)]
