"""The pictograms: buildings, passengers, buses, cubes, stones; centred. Kinds differ in shape first, colour second."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from omnibus.kernel.svg import Value, box, colour, disc, group, lettering, moved, path, seat_pattern, symbol, token, use

EDGE: Final = {"stroke": colour("edge"), "stroke_width": "3.5", "stroke_linejoin": "round"}
STANDING: Final = 38  # how tall a passenger is who waits
SEATED: Final = 38  # and the disc of one who has a seat
MOST_DRAWN: Final = 3  # passengers that are drawn one by one; more are counted


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
    """A passenger who waits: somebody standing."""
    edge: dict[str, Value] = {"fill": colour("ink"), "stroke": colour("paper"), "stroke_width": 3}
    body = f"M-9,7V-1Q-9,-5 -5,-5H5Q9,-5 9,-1V7H5V{STANDING - 18}H-5V7Z"
    return path(body, stroke_linejoin="round", paint_order="stroke", **edge) + disc(0, -11.5, 6.5, **edge)


def guest() -> str:
    """A passenger who has a seat: somebody sitting, in a bright disc."""
    seat = disc(0, 0, SEATED / 2, fill=colour("lamp"), **EDGE)
    body = path(
        "M-5,-2V6H6V13", fill="none", stroke=colour("dark"), stroke_width=6.5, stroke_linecap="round",
        stroke_linejoin="round",
    )  # fmt: skip
    return seat + body + disc(-4, -10, 5, fill=colour("dark"))


def _crowd(number: int) -> str:
    """So many waiting passengers: side by side, or one and a number."""
    one = use("bus-passenger")
    if number > MOST_DRAWN:
        wide = 66 if number < 10 else 84
        plate = box(-wide / 2, -24, wide, 48, 16, fill=colour("paper"), stroke=colour("ink"), stroke_width=3)
        return plate + moved(17 - wide / 2, 0, one) + lettering(11, 13, str(number), 35)
    return "".join(moved((n - (number - 1) / 2) * 19, 0, one) for n in range(number))


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


def cube(seat: int, side: float) -> str:
    """A cube of a seat."""
    return box(-side / 2, -side / 2, side, side, 6, fill=seat_pattern(seat), **EDGE)


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


def shared_symbols() -> str:
    """Define what is the same at every table."""
    person = group(passenger(), id="bus-passenger")
    crowds = "".join(symbol(f"bus-waiting-{n}", _crowd(n)) for n in range(1, 16))
    seated = symbol("bus-guest", guest())
    frame: dict[str, Value] = {"fill": "none", "stroke_linejoin": "round"}
    now = symbol(
        "bus-now",
        box(-25, -25, 50, 50, 13, stroke=colour("dark"), stroke_width=9, **frame),
        box(-25, -25, 50, 50, 13, stroke=colour("lamp"), stroke_width=5, **frame),
    )
    then = symbol(
        "bus-next", box(-25, -25, 50, 50, 13, stroke=colour("grey"), stroke_width=3, stroke_dasharray="5 6", **frame)
    )
    first = symbol(
        "bus-acts-first", path("M-10,-9H10L0,6Z", fill=colour("red"), stroke=colour("paper"), stroke_width=2)
    )
    return person + crowds + seated + now + then + first + symbol("bus-flag", flag())


def seat_symbols(seats: int, bus_size: float, cube_side: float, disc_size: float) -> str:
    """Define what every seat has in its own colour and pattern."""
    drawn = []
    for seat in range(seats):
        drawn += [
            symbol(f"bus-fleet-{seat}", moved(0, 0, bus(seat), scale=bus_size)),
            symbol(f"bus-small-{seat}", moved(0, 0, bus(seat), scale=bus_size * 0.76)),
            symbol(f"bus-cube-{seat}", cube(seat, cube_side)),
            symbol(f"bus-score-{seat}", token(seat, disc_size)),
        ]
    return "".join(drawn)
