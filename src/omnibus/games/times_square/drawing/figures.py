"""The six figures: pictograms that differ in shape first and colour second, centred, 54 × 78."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from omnibus.kernel.svg import box, colour, disc, lettering, path, star, symbol

EDGE: Final = {"stroke": colour("edge"), "stroke_width": "4", "stroke_linejoin": "round"}


def _body(d: str, paint: str, letter: str, y: float) -> str:
    return path(d, fill=colour(paint), **EDGE) + lettering(0, y, letter, 34, fill=colour(f"on-{paint}"))


def _head(y: float) -> str:
    return disc(0, y, 11, fill=colour("light"), **EDGE)


def sue() -> str:
    """Sue, the star: a star for a head, a wide dress."""
    dress = "M-8,-12H8C12,6 20,22 27,37H-27C-20,22 -12,6 -8,-12Z"
    return _body(dress, "green", "S", 32) + star(0, -21, 19, fill=colour("green"), **EDGE)


def guard(letter: str) -> str:
    """A guard: a shield, and dark glasses."""
    shield = "M-26,-13Q-12,-13 0,-19Q12,-13 26,-13V9C26,24 14,33 0,38C-14,33 -26,24 -26,9Z"
    glasses = box(-11, -31, 22, 6, fill=colour("dark"))
    return _body(shield, "grey", letter, 20) + _head(-27) + glasses


def hal() -> str:
    """Hal: round, under a top hat."""
    hat = path("M-9,-25V-39H9V-25H17V-20H-17V-25Z", fill=colour("yellow"), **EDGE)
    return _body("M0,-12A25,25 0 1 1 0,38A25,25 0 1 1 0,-12Z", "yellow", "H", 25) + _head(-16) + hat


def deb() -> str:
    """Deb: a diamond, under a wide brim."""
    hat = path("M-10,-27Q-10,-39 0,-39Q10,-39 10,-27Q20,-26 24,-20H-24Q-20,-26 -10,-27Z", fill=colour("red"), **EDGE)
    return _body("M0,-14L27,12L0,39L-27,12Z", "red", "D", 24) + _head(-16) + hat


def charlie() -> str:
    """Charlie: square, under a bowler hat; dark, so his outline has to be bright at night."""
    edge = EDGE | {"stroke": colour("ink"), "fill": colour("dark")}
    coat = path("M-18,-9H18Q25,-9 25,-2V31Q25,38 18,38H-18Q-25,38 -25,31V-2Q-25,-9 -18,-9Z", **edge)
    hat = path("M-12,-26Q-12,-39 0,-39Q12,-39 12,-26H18V-21H-18V-26Z", **edge)
    return coat + _head(-16) + hat + lettering(0, 27, "C", 34, fill=colour("light"))


DRAWN: Final[Mapping[str, Callable[[], str]]] = {
    "sue": sue, "a": lambda: guard("a"), "b": lambda: guard("b"), "guard": lambda: guard(""), "hal": hal, "deb": deb,
    "charlie": charlie,
}  # fmt: skip


def figure_symbols() -> str:
    """Define the six figures, and a guard that is neither."""
    return "".join(symbol(f"ts-figure-{name}", drawn()) for name, drawn in DRAWN.items())
