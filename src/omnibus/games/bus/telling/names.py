"""What things are called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.svg import SEATS

View = Mapping[str, Any]

KIND_NAMES: Final = {"house": mark("house"), "office": mark("office"), "pub": mark("pub")}

ACTION_NAMES: Final = {
    "line": mark("Line"),
    "bus": mark("Bus"),
    "passengers": mark("Passengers"),
    "buildings": mark("Buildings"),
    "clock": mark("Clock"),
    "vrroomm": mark("Vrroomm"),
    "start": mark("Start"),
}

FIELD_NAMES: Final = (  # no letters: on the board those are zones
    mark("first field"),
    mark("second field"),
    mark("third field"),
    mark("fourth field"),
    mark("fifth field"),
    mark("sixth field"),
)

NEXT_KIND: Final = {"house": "office", "office": "pub", "pub": "house"}  # as the clock goes (§2.4)


def stopping(view: View) -> str:
    """Name what `stop` does: it holds the clock, turns it back (§14), or ends the game with the last stone (§10.2)."""
    if view["stones"] == 1:
        return "clock last"
    return "clock back" if view["options"]["clock_back"] else "clock"


def kind_name(kind: str, words: Words) -> str:
    """Name a kind of building."""
    return words.gettext(KIND_NAMES[kind])


def action_name(action: str, words: Words) -> str:
    """Name an action."""
    return words.gettext(ACTION_NAMES[action])


def field_name(field: int, words: Words) -> str:
    """Name a field of an action by its place in the row (§4.2)."""
    return words.gettext(FIELD_NAMES[field])


def letter(seat: int) -> str:
    """Return the letter by which a seat and its line are known."""
    return SEATS[seat].letter


def letters(seats: Iterable[int]) -> str:
    """Return several such letters."""
    return ", ".join(letter(seat) for seat in seats)


def worth(action: str, field: int, first: int, fleet: int, words: Words) -> str:
    """Say why a field of line, passengers or buildings yields what it does (§5.2, §5.4).

    `first` is what the first field yields, `fleet` the largest fleet without a bus that is still to be delivered.
    """
    less = f" − {field}" if field else ""
    if field > first:
        less += " < 0"
    if first == fleet:
        why = words.gettext("largest fleet: {sum}").format(sum=f"{fleet}{less}")
    elif action == "line":
        why = words.gettext("largest fleet, five players: {sum}").format(sum=f"{fleet} + 1{less}")
    else:
        why = words.gettext("largest fleet with the new bus: {sum}").format(sum=f"{first}{less}")
    return f"{why}, §5.2"


def as_it_stands(view: View, field: int, words: Words) -> str:
    """Say how many passengers a field of vrroomm could carry as things stand (§5.4)."""
    standing = view["rides_as_it_stands"]
    text = words.gettext("as it stands: {number}, the clock shows {kind}")
    if view["step"] != "vrroomm":
        text = words.gettext("as it stands: {number}, the clock would tick to {kind}")
    return text.format(number=standing["fields"][field], kind=kind_name(standing["clock"], words))
