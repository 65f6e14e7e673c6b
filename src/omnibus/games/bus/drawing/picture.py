"""The picture: what stays the same during a game, and the pieces on it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import Any, Final, cast

from omnibus.games.bus.board.pieces import (
    BUILDINGS_OF_A_KIND,
    LARGEST_FLEET,
    MOST_ROUNDS,
    MOST_STICKS,
    PASSENGERS_IN_BOX,
)
from omnibus.games.bus.drawing.actions import action_board
from omnibus.games.bus.drawing.city import city_map, crossing_symbols, plot_symbols, stick_symbols
from omnibus.games.bus.drawing.icons import seat_symbols, shared_symbols
from omnibus.games.bus.drawing.labels import standings
from omnibus.games.bus.drawing.layout import WIDTH, Layout, height, layout_of
from omnibus.games.bus.drawing.pieces import pieces
from omnibus.games.bus.drawing.players import rows
from omnibus.games.bus.position.options import MOST_STREETS
from omnibus.kernel.game import Words
from omnibus.kernel.svg import (
    box,
    colour,
    definitions,
    disc,
    document,
    fitting,
    group,
    lettering,
    numerals,
    path,
    placed,
    seat_patterns,
    star,
    symbol,
    underlay,
)

MOST_POINTS: Final = 151  # fifteen passengers, ten rounds


def svg(view: Mapping[str, Any], words: Words, *, wide: bool = False) -> str:
    """Return the complete picture of a view."""
    drawn = pieces(view, words)
    told = ". ".join(dict.fromkeys(piece.label for piece in drawn)) + "."
    tall = height(view["seats"])
    return document(WIDTH, tall, "Bus", told, background(view, words), group(placed(drawn), class_="pieces"))


def bare(view: Mapping[str, Any], words: Words, *, wide: bool = False) -> str:
    """Return the picture before its pieces are laid."""
    return underlay(WIDTH, height(view["seats"]), "Bus", background(view, words))


def ground(view: Mapping[str, Any], *, wide: bool = False) -> str:
    """Say what the bare picture depends on: the city, how many play, and the edition, which may limit the fleets."""
    return f"{view['seats']} {view['edition']} {view['city']}"


def background(view: Mapping[str, Any], words: Words) -> str:
    """Return what does not change during a game, with the definitions of everything that may lie upon it."""
    known = cast("Hashable", words)  # languages are told apart by what they are, not by what they say
    layout = layout_of(view)
    large = layout.city.street_count > MOST_STREETS * layout.city.crossing_count
    draw = _background.__wrapped__ if large else _background  # megabytes each, so they are not cached here
    return draw(layout, view["seats"], view["edition"], known)


@lru_cache(maxsize=32)
def _background(layout: Layout, seats: int, edition: str, known: Hashable) -> str:
    """Build the background; cached because it is large and never changes."""
    words = cast("Words", known)
    defined = definitions(
        seat_patterns(seats),
        shared_symbols(),
        seat_symbols(seats),
        stick_symbols(layout, seats),
        crossing_symbols(layout),
        plot_symbols(),
        _counts(),
        _signs(),
        _sayings(seats, words),
    )
    paper = box(0, 0, WIDTH, height(seats), fill=colour("paper"))
    players = rows(seats, edition, words)
    return group(defined, paper, city_map(layout, words), action_board(words), players, class_="background")


def _counts() -> str:
    """Define numbers as symbols, since a piece carries no text."""
    points = "".join(
        symbol(f"bus-points-{n}", lettering(0, 17, str(n).replace("-", "−"), 46, fill=colour("dark")))
        for n in range(-5, MOST_POINTS)
    )
    yields = "".join(
        symbol(f"bus-yield-{n}", lettering(0, 13, str(n), 36, fill=colour("ink" if n else "soft")))
        for n in range(LARGEST_FLEET + 2)
    )
    dark = "".join(
        symbol(f"bus-{name}-{n}", lettering(0, size * 0.36, str(n), size, fill=colour("dark")))
        for name, size, most in (("count", 34, BUILDINGS_OF_A_KIND), ("large", 52, 5))
        for n in range(most + 1)
    )
    boxed = numerals("bus-boxed", range(PASSENGERS_IN_BOX + 1), 52)
    tallies = numerals("bus-tally", range(MOST_STICKS + 1), 34, anchor="start")
    endless = symbol("bus-tally-all", lettering(0, 12, "∞", 36, anchor="start"))
    endless += symbol("bus-count-all", lettering(0, 12, "∞", 36, fill=colour("dark")))
    return points + yields + dark + boxed + tallies + endless


def _signs() -> str:
    """The ring around the seat to decide, the bar over one that has passed, the winner's star."""
    ring = disc(0, 0, 32, fill="none", stroke=colour("lamp"), stroke_width=7)
    edge = disc(0, 0, 36.5, fill="none", stroke=colour("edge"), stroke_width=3)
    bar = path("M-24,24L24,-24", stroke=colour("edge"), stroke_width=11) + path(
        "M-24,24L24,-24", stroke=colour("card"), stroke_width=6
    )
    won = star(22, -20, 20, fill=colour("lamp"), stroke=colour("edge"), stroke_width=4)
    return symbol("bus-turn", ring, edge) + symbol("bus-passed", bar) + symbol("bus-winner", won)


def _sayings(seats: int, words: Words) -> str:
    """Define what the sign over the map can say, and the rounds."""
    said = "".join(
        symbol(f"bus-say-{key}", lettering(0, 14, text, fitting(text, 44, 560)))
        for key, text in standings(seats, words).items()
    )
    numbered = [words.gettext("Round {number}").format(number=n) for n in range(1, MOST_ROUNDS + 1)]
    rounds = "".join(
        symbol(f"bus-round-{n}", lettering(0, 12, text, fitting(text, 34, 200))) for n, text in enumerate(numbered, 1)
    )
    return said + rounds
