"""The pictograms: buildings, passengers, buses, cubes, stones; centred. Kinds differ in shape first, colour second."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from omnibus.kernel.svg import Value, box, bullet, colour, disc, group, lettering, moved, path, seat_pattern, symbol

EDGE: Final = {"stroke": colour("edge"), "stroke_width": "3.5", "stroke_linejoin": "round"}
MOST_DRAWN: Final = 4  # passengers that are drawn one by one; more are counted


def house() -> str:
    """A house: a wide gable, a door; red."""
    walls = path("M-22,22V-4L0,-24L22,-4V22Z", fill=colour("red"), **EDGE)
    return walls + box(-6, 4, 12, 18, fill=colour("light")) + disc(0, -8, 4.5, fill=colour("light"))


def office() -> str:
    """An office: a tower with rows of windows; grey."""
    tower = path("M-15,23V-24H15V23Z", fill=colour("grey"), **EDGE)
    rows = "".join(f"M-9,{y}H-2M2,{y}H9" for y in (-16, -7, 2, 11))
    return tower + path(rows, stroke=colour("light"), stroke_width=5)


def pub() -> str:
    """A pub: a mug with a handle and foam; yellow."""
    handle = path("M12,-8H21Q25,-8 25,-4V8Q25,12 21,12H12", fill="none", stroke=colour("edge"), stroke_width=6)
    mug = path("M-18,-12H13V20Q13,23 10,23H-15Q-18,23 -18,20Z", fill=colour("yellow"), **EDGE)
    foam = path("M-21,-12Q-24,-22 -13,-21Q-8,-28 0,-23Q8,-28 12,-20Q20,-19 16,-12Z", fill=colour("light"), **EDGE)
    return handle + mug + foam


KIND_DRAWN: Final = {"house": house, "office": office, "pub": pub}


def kind_icon(kind: str, scale: float = 1) -> str:
    """Draw a kind of building in another size."""
    return moved(0, 0, KIND_DRAWN[kind](), scale=scale)


def passenger() -> str:
    """A passenger: head and shoulders."""
    coat = path("M-10,15Q-11,1 0,1Q11,1 10,15Z", fill=colour("ink"), stroke=colour("paper"), stroke_width=2.5)
    return coat + disc(0, -7, 7.5, fill=colour("ink"), stroke=colour("paper"), stroke_width=2.5)


def _crowd(number: int) -> str:
    """So many waiting passengers: side by side, or one and a number."""
    if number > MOST_DRAWN:
        plate = box(-34, -20, 68, 40, 20, fill=colour("paper"), stroke=colour("ink"), stroke_width=3)
        return plate + moved(-17, 1, passenger()) + lettering(13, 11, str(number), 30)
    rows = [number] if number < 3 else [2, number - 2]
    drawn = []
    for row, many in enumerate(rows):
        y = (row - (len(rows) - 1) / 2) * 24
        drawn += [moved((n - (many - 1) / 2) * 21, y, passenger()) for n in range(many)]
    return group(*drawn)


def bus(seat: int) -> str:
    """A bus of a seat, from the side."""
    body = path("M-23,12V-9Q-23,-15 -17,-15H17Q23,-15 23,-8V12Z", fill=seat_pattern(seat), **EDGE)
    windows = (
        box(-17, -9, 9, 8, fill=colour("light"))
        + box(-4, -9, 9, 8, fill=colour("light"))
        + box(9, -9, 9, 8, fill=colour("light"))
    )
    return (
        body
        + windows
        + "".join(disc(x, 13, 5, fill=colour("dark"), stroke=colour("light"), stroke_width=2) for x in (-12, 12))
    )


def no_bus() -> str:
    """The place of a bus a seat does not have."""
    return box(-23, -15, 46, 28, 6, fill="none", stroke=colour("line"), stroke_width=3, stroke_dasharray="6 5")


def cube(seat: int) -> str:
    """A cube of a seat, with its letter."""
    face = box(-22, -22, 44, 44, 6, fill=seat_pattern(seat), **EDGE)
    return face + moved(0, 0, bullet(seat, 15))


def stone() -> str:
    """A time stone: a gem with six corners and a clock hand."""
    points = " ".join(f"{17 * sin(n * pi / 3):.1f},{-17 * cos(n * pi / 3):.1f}" for n in range(6))
    gem = path(f"M{points}Z", fill=colour("dusk"), stroke=colour("lamp"), stroke_width=3, stroke_linejoin="round")
    return gem + path("M0,-9V0L6,4", fill="none", stroke=colour("lamp"), stroke_width=3, stroke_linecap="round")


def stick(seat: int) -> str:
    """A stick of a seat, as a sign for their number."""
    return box(-20, -6, 40, 12, 6, fill=seat_pattern(seat), stroke=colour("edge"), stroke_width=2.5)


def flag() -> str:
    """The start player's flag."""
    pole = path("M-12,20V-20", stroke=colour("ink"), stroke_width=5, stroke_linecap="round")
    return pole + path("M-10,-19L16,-10L-10,0Z", fill=colour("lamp"), **EDGE)


def _head(seat: int, twice: bool) -> str:
    """The end of a line: its letter; a second ring where both ends meet (§6.5)."""
    ring = disc(0, 0, 25, fill=colour("paper"), stroke=colour(f"seat-{seat}"), stroke_width=5) if twice else ""
    return ring + bullet(seat, 18)


def shared_symbols() -> str:
    """Define what is the same at every table."""
    crowds = "".join(symbol(f"bus-waiting-{n}", _crowd(n)) for n in range(1, 16))
    guest = symbol("bus-guest", disc(0, 0, 15, fill=colour("lamp"), **EDGE), moved(0, 1, passenger(), scale=0.75))
    glow: dict[str, Value] = {"fill": "none", "stroke": colour("lamp"), "stroke_width": 7}
    now = symbol("bus-now", disc(0, 0, 31, **glow))
    then = symbol(
        "bus-next", disc(0, 0, 31, fill="none", stroke=colour("dark"), stroke_width=3, stroke_dasharray="5 6")
    )
    first = symbol(
        "bus-acts-first", path("M-9,-11L9,0L-9,11Z", fill=colour("red"), stroke=colour("paper"), stroke_width=2)
    )
    return crowds + guest + now + then + first + symbol("bus-flag", flag())


def seat_symbols(seats: int) -> str:
    """Define what every seat has in its own colour and pattern."""
    drawn = []
    for seat in range(seats):
        drawn += [
            symbol(f"bus-fleet-{seat}", bus(seat)),
            symbol(f"bus-small-{seat}", moved(0, 0, bus(seat), scale=0.8)),
            symbol(f"bus-cube-{seat}", cube(seat)),
            symbol(f"bus-head-{seat}", _head(seat, twice=False)),
            symbol(f"bus-heads-{seat}", _head(seat, twice=True)),
            symbol(f"bus-score-{seat}", bullet(seat, 13)),
        ]
    return "".join(drawn)
