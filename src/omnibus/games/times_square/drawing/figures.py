"""The six figures: pictograms that differ in shape first and colour second, centred, 54 × 78."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from omnibus.kernel.svg import box, colour, disc, lettering, moved, path, star, symbol

EDGE: Final = {"stroke": colour("edge"), "stroke_width": "4", "stroke_linejoin": "round"}
ARROWS: Final = {"a": "M-12,7L9,-5V19Z", "b": "M12,7L-9,-5V19Z"}  # the guards stand left and right of Sue (§1.5)


def _body(d: str, paint: str, letter: str = "", y: float = 0) -> str:
    said = lettering(0, y, letter, 34, fill=colour(f"on-{paint}")) if letter else ""
    return path(d, fill=colour(paint), **EDGE) + said


def _head(y: float) -> str:
    return disc(0, y, 11, fill=colour("light"), **EDGE)


def sue(letter: str) -> str:
    """Sue, the star: a star for a head, a wide dress."""
    dress = "M-8,-12H8C12,6 20,22 27,37H-27C-20,22 -12,6 -8,-12Z"
    return _body(dress, "green", letter, 32) + star(0, -21, 19, fill=colour("green"), **EDGE)


def guard(arrow: str) -> str:
    """A guard: a shield with an arrow to his side, and dark glasses."""
    shield = "M-26,-13Q-12,-13 0,-19Q12,-13 26,-13V9C26,24 14,33 0,38C-14,33 -26,24 -26,9Z"
    glasses = box(-11, -31, 22, 6, fill=colour("dark"))
    side = path(arrow, fill=colour("on-grey"), stroke_linejoin="round") if arrow else ""
    return _body(shield, "grey") + side + _head(-27) + glasses


def hal(letter: str) -> str:
    """Hal: round, under a top hat."""
    hat = path("M-9,-25V-39H9V-25H17V-20H-17V-25Z", fill=colour("yellow"), **EDGE)
    return _body("M0,-12A25,25 0 1 1 0,38A25,25 0 1 1 0,-12Z", "yellow", letter, 25) + _head(-16) + hat


def deb(letter: str) -> str:
    """Deb: a diamond, under a wide brim."""
    hat = path("M-10,-27Q-10,-39 0,-39Q10,-39 10,-27Q20,-26 24,-20H-24Q-20,-26 -10,-27Z", fill=colour("red"), **EDGE)
    return _body("M0,-14L27,12L0,39L-27,12Z", "red", letter, 24) + _head(-16) + hat


def charlie() -> str:
    """Charlie: square, under a bowler hat; dark, so his outline has to be bright at night."""
    edge = EDGE | {"stroke": colour("ink"), "fill": colour("dark")}
    coat = path("M-18,-9H18Q25,-9 25,-2V31Q25,38 18,38H-18Q-25,38 -25,31V-2Q-25,-9 -18,-9Z", **edge)
    hat = path("M-12,-26Q-12,-39 0,-39Q12,-39 12,-26H18V-21H-18V-26Z", **edge)
    return coat + _head(-16) + hat + lettering(0, 27, "C", 34, fill=colour("light"))


DRAWN: Final[Mapping[str, Callable[[], str]]] = {
    "sue": lambda: sue("S"), "a": lambda: guard(ARROWS["a"]), "b": lambda: guard(ARROWS["b"]), "hal": lambda: hal("H"),
    "deb": lambda: deb("D"), "charlie": charlie,
}  # fmt: skip
PLAIN: Final[Mapping[str, Callable[[], str]]] = {
    "sue": lambda: sue(""), "guard": lambda: guard(""), "hal": lambda: hal(""), "deb": lambda: deb(""),
}  # fmt: skip


def figure_symbols(scale: float) -> str:
    """Define the six figures in the size of a picture, and plain ones for the cards: too small for letters."""
    drawn = "".join(
        symbol(f"ts-figure-{name}", moved(0, 0, draw(), scale=scale), data_exact="") for name, draw in DRAWN.items()
    )
    return drawn + "".join(symbol(f"ts-plain-{name}", draw()) for name, draw in PLAIN.items())
