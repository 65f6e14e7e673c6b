"""What can be said: the action space of a city and its notation (§15).

    0 …  6   take an action        10, 11   arrive at the first or the second station
    7        pass                  12 …     build: 12 + 3 × plot + kind
    8        stop                  lay0 …   lay: lay0 + way
    9        tick                  ride0 …  ride: ride0 + from × crossings + to

After these, from `seat_moves` on, stand those of chance: `first` of each seat.
"""

from __future__ import annotations

from typing import Final

from omnibus.games.bus.board.city import City
from omnibus.games.bus.board.pieces import ACTIONS, KIND_COUNT, KINDS
from omnibus.kernel.game import BadNotation

PASS: Final = 7
STOP: Final = 8
TICK: Final = 9
ARRIVE0: Final = 10
BUILD0: Final = 12  # a multiple of the number of kinds, so that move % 3 is the kind

ONE_WORD: Final = {"pass": PASS, "stop": STOP, "tick": TICK}


def write(city: City, move: int) -> str:
    """Return the line of a move."""
    if move < PASS:
        return f"take {ACTIONS[move]}"
    if move < ARRIVE0:
        return ("pass", "stop", "tick")[move - PASS]
    if move < BUILD0:
        return f"arrive {city.names[city.stations[move - ARRIVE0]]}"
    if move < city.lay0:
        return f"build {KINDS[move % KIND_COUNT]} {city.plot_names[plot_of(move)]}"
    if move < city.ride0:
        way = move - city.lay0
        return f"lay {way_name(city, way)}"
    if move < city.seat_moves:
        return f"ride {city.names[ride_from(city, move)]}-{city.names[ride_to(city, move)]}"
    return f"first {move - city.seat_moves}"


def parse(city: City, seats: int, line: str) -> int:
    """Return the move of a line; BadNotation for what is none."""
    text: object = line  # it comes from outside
    move = _found(city, seats, text.split(" ")) if isinstance(text, str) else None
    if move is None:
        raise BadNotation(f"{line!r} is no line of Bus in this city (§15)")
    return move


def _found(city: City, seats: int, said: list[str]) -> int | None:
    verb = said[0]
    if len(said) == 1:
        return ONE_WORD.get(verb)
    if len(said) == 3:
        return _build(city, said[1], said[2]) if verb == "build" else None
    if len(said) != 2:
        return None
    what = said[1]
    if verb == "take":
        return ACTIONS.index(what) if what in ACTIONS else None
    if verb == "lay":
        return city.lay0 + city.way_named[what] if what in city.way_named else None
    if verb == "ride":
        return _ride(city, what)
    if verb == "arrive":
        places = [str(city.names[station]) for station in city.stations]
        return ARRIVE0 + places.index(what) if what in places else None
    if verb == "first":
        named = [str(seat) for seat in range(seats)]
        return city.seat_moves + named.index(what) if what in named else None
    return None


def _build(city: City, kind: str, plot: str) -> int | None:
    if kind not in KINDS or plot not in city.plot_named:
        return None
    return BUILD0 + city.plot_named[plot] * KIND_COUNT + KINDS.index(kind)


def _ride(city: City, ends: str) -> int | None:
    begin, _, end = ends.partition("-")
    if begin not in city.crossing_named or end not in city.crossing_named:
        return None
    return city.ride0 + city.crossing_named[begin] * city.crossing_count + city.crossing_named[end]


def plot_of(move: int) -> int:
    """Return the plot a `build` builds on."""
    return (move - BUILD0) // KIND_COUNT


def ride_from(city: City, move: int) -> int:
    """Return the crossing where a ride begins."""
    return (move - city.ride0) // city.crossing_count


def ride_to(city: City, move: int) -> int:
    """Return the crossing where a ride ends."""
    return (move - city.ride0) % city.crossing_count


def way_name(city: City, way: int) -> str:
    """Write a way: where it begins, where it ends."""
    return f"{city.names[city.tail[way]]}-{city.names[city.tip[way]]}"


def street_name(city: City, street: int) -> str:
    """Write a street: the smaller name first."""
    return way_name(city, 2 * street)
