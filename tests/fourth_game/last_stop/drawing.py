"""How it looks: a line of stops, the bus, and the tickets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from last_stop.board import VALUES
from last_stop.moves import RIDE, WALK
from last_stop.state import State
from omnibus.kernel import svg as kit
from omnibus.kernel.game import Piece, Refusal, Span, Words
from omnibus.kernel.svg import SEATS

View = Mapping[str, Any]

STEP: Final = 80
TRACK: Final = 120
TABLE: Final = 300
HEIGHT: Final = 400


def svg(view: View, words: Words, *, names: Sequence[str] = (), wide: bool = False) -> str:
    """Return the complete picture."""
    drawn = pieces(view, words)
    told = ". ".join(piece.label for piece in drawn) + "."
    background = _background(view, words)
    return kit.document(
        _width(view), HEIGHT, "Last Stop", told, background, kit.group(kit.placed(drawn), class_="pieces")
    )


def bare(view: View, words: Words, *, names: Sequence[str] = (), wide: bool = False) -> str:
    """Return the picture without pieces."""
    return kit.underlay(_width(view), HEIGHT, "Last Stop", _background(view, words))


def ground(view: View, *, names: Sequence[str] = (), wide: bool = False) -> str:
    """Return what the bare picture depends on."""
    return str(view["options"]["stops"])


def pieces(view: View, words: Words, *, wide: bool = False) -> list[Piece]:
    """Return the bus, a back for each hidden ticket, and the reader's own ticket."""
    at = words.gettext("The bus is at stop {stop}").format(stop=view["at"])
    shown = [Piece("bus", "last-stop-bus", _x(view["at"]), TRACK, at)]
    for seat, held in enumerate(view["held"]):
        if held and seat != view["viewer"]:
            name = words.gettext("Ticket of seat {seat}").format(seat=SEATS[seat].letter)
            shown.append(Piece(f"ticket-{seat}", "last-stop-back", _x(seat), TABLE, name))
    if view["hand"]:
        name = words.gettext("Your ticket: {value}").format(value=view["hand"])
        shown.append(Piece("hand", f"last-stop-ticket-{view['hand']}", _x(view["viewer"]), TABLE, name))
    return shown


def parts(state: State, move: int) -> tuple[str, ...]:
    """Return what to click: the next stop to walk, the own ticket to ride."""
    if move == WALK:
        return (f"stop-{state.at + 1}",)
    return ("hand",) if move <= RIDE + VALUES else ("bus",)


def part_refusal(state: State, part: str, picked: Sequence[str], refusal: Refusal | None) -> Refusal | None:
    """Return why nothing can be done with a part: of all others no move knows anything."""
    touched = part in ("hand", f"stop-{state.at + 1}")
    return refusal if refusal or touched else Refusal("other-part", "§2.1 §2.2")


def text(view: View, words: Words) -> list[list[Span]]:
    """Return the board for a terminal."""
    line: list[Span] = [("■" if stop == view["at"] else "·", "bus") for stop in range(view["options"]["stops"] + 1)]
    hands: list[Span] = [(f"{SEATS[seat].letter}{held} ", f"seat{seat}") for seat, held in enumerate(view["held"])]
    own = words.gettext("Your ticket: {value}").format(value=view["hand"]) if view["hand"] else ""
    return [line, hands, [(own, "bold")]]


def _x(stop: int) -> int:
    return STEP * (stop + 1)


def _width(view: View) -> int:
    return _x(view["options"]["stops"] + 1)


def _background(view: View, words: Words) -> str:
    stops = "".join(_stop(stop, words) for stop in range(1, view["options"]["stops"] + 1))
    paper = kit.box(0, 0, _width(view), HEIGHT, fill=kit.colour("paper"))
    return kit.group(_symbols(), paper, stops, class_="background")


def _stop(stop: int, words: Words) -> str:
    name = words.gettext("Stop {stop}").format(stop=stop)
    ring = kit.disc(_x(stop), TRACK, 24, fill=kit.colour("card"), stroke=kit.colour("edge"), stroke_width=4)
    return kit.group(kit.title(name), ring, data_part=f"stop-{stop}")


def _symbols() -> str:
    bus = kit.symbol("last-stop-bus", kit.box(-30, -70, 60, 40, 8, fill=kit.colour("yellow")))
    card = kit.box(-25, -35, 50, 70, 8, fill=kit.colour("card"), stroke=kit.colour("edge"), stroke_width=3)
    back = kit.symbol("last-stop-back", card)
    faces = [
        kit.symbol(f"last-stop-ticket-{value}", card, kit.lettering(0, 12, str(value), 36, fill=kit.colour("dark")))
        for value in range(1, VALUES + 1)
    ]
    return kit.definitions(bus, back, *faces)
