"""Labels of moves, for buttons: with the stations a dig will cause and their points."""

from __future__ import annotations

from typing import Final

from omnibus.games.metromania.board import CELL, CELL_NAMED, CELL_NAMES, GROUNDS, KINDS, PRINTED
from omnibus.games.metromania.position.write import PIECE_NAMES
from omnibus.games.metromania.state import trace
from omnibus.games.metromania.telling.names import View, destination, kind, place_name, points, side, way, worth
from omnibus.kernel.game import Document, Words
from omnibus.kernel.i18n import mark

DOUBLES: Final = {
    "home": mark("Hold two home destinations"),
    "work": mark("Hold two work destinations"),
    "leisure": mark("Hold two leisure destinations"),
}
STARTS: Final = {
    "solid": mark("Begin the solid line in border cell {number}, heading {way}"),
    "striped": mark("Begin the striped line in border cell {number}, heading {way}"),
}
DIGS: Final = {
    "solid": mark("Solid line {way}, tunnel {side}"),
    "striped": mark("Striped line {way}, tunnel {side}"),
}
STATIONS: Final = {
    "solid": mark("Station of the solid line on {place}"),
    "striped": mark("Station of the striped line on {place}"),
}


def label(view: View, line: str, words: Words) -> str:
    """Say what a legal line does."""
    head, *rest = line.split(" ")
    if head == "double":
        return words.gettext(DOUBLES[rest[0]])
    if head == "start":
        text = words.gettext(STARTS[rest[0]]).format(number=rest[1], way=way(rest[2], words))
        return text + _effects(view, line, words)
    if head == "dig":
        text = words.gettext(DIGS[rest[0]]).format(way=way(rest[1], words), side=side(rest[1], rest[2], words))
        return text + _effects(view, line, words)
    if head == "place":
        return words.gettext("Place {destination}").format(destination=_placed(view, rest[0], words))
    if head == "station":
        point = [int(number) for number in rest[1].split(",")]
        text = words.gettext(STATIONS[rest[0]]).format(place=place_name(point))
        return f"{text} ({points(worth(view, point), words)})"
    if head == "piece":
        piece, _, rotation = rest[0].partition(".")
        return words.gettext("Piece {piece}, rotation {rotation}").format(piece=piece, rotation=rotation)
    if head == "deal":
        return words.gettext("Deal {hands}").format(hands=rest[0])
    return words.gettext("No bonus station")


def _effects(view: View, line: str, words: Words) -> str:
    """Say what a dig brings with it: stations, a spot, the end of the line."""
    offer = next((offer for offer in view["offers"] if offer["line"] == line), None)
    if offer is None:
        return ""
    told: list[str] = []
    if offer["cell"].startswith("border") and line.startswith("dig"):
        told.append(words.gettext("the line is finished"))
    ground = ground_of(view, offer["cell"])
    if ground in KINDS:
        told.append(words.gettext("spot: {kind}").format(kind=kind(ground, words)))
    if offer["stations"]:
        told.append(_stations(offer, words))
    if offer["blocks"]:
        told.append(words.gettext("no tunnel can follow: the line is blocked"))
    return f" ({', '.join(told)})" if told else ""


def _stations(offer: Document, words: Words) -> str:
    number = len(offer["stations"])
    text = words.ngettext("{number} station: {points}", "{number} stations: {points}", number)
    return text.format(number=number, points=points(offer["points"], words))


def ground_of(view: View, cell: str) -> str:
    """Return what is printed on a cell."""
    for sector, name in enumerate(view["sectors"]):
        for printed, ground in PRINTED[sector * 18 + PIECE_NAMES.index(name)]:
            if printed == CELL_NAMED[cell]:
                return GROUNDS[ground]
    return GROUNDS[0]


def _placed(view: View, letter: str, words: Words) -> str:
    """Name the destination of a letter that fits the spot just dug, as far as this view tells it."""
    hand = view["hands"][view["seat"]] or []
    spot = spot_kind(view)
    found = [name for name in hand if name.endswith(letter) and (spot is None or name.startswith(spot))]
    return destination(found[0], words) if found else letter


def spot_kind(view: View) -> str | None:
    """Return the kind of the spot that waits for its destination."""
    if view["step"] != "place":
        return None
    bores = trace(list(view["lines"][view["seat"]][view["line"]]))
    return ground_of(view, CELL_NAMES[CELL[bores[-1]]])
