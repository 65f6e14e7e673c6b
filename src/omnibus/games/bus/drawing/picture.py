"""The picture: what stays the same during a game, and the pieces on it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, cast

from omnibus.games.bus.board.pieces import (
    BUILDINGS_OF_A_KIND,
    LARGEST_FLEET,
    MOST_ROUNDS,
    MOST_STICKS,
    PASSENGERS_IN_BOX,
)
from omnibus.games.bus.drawing import players
from omnibus.games.bus.drawing.actions import action_board, field_side
from omnibus.games.bus.drawing.city import city_map, crossing_symbols, plot_symbols, ring_symbols, stick_symbols
from omnibus.games.bus.drawing.icons import seat_symbols, shared_symbols
from omnibus.games.bus.drawing.labels import OF_NOBODY, signs
from omnibus.games.bus.drawing.layout import Layout, PictureAreas, layout_of, plan
from omnibus.games.bus.drawing.pieces import pieces
from omnibus.games.bus.drawing.targets import tie_symbols
from omnibus.games.bus.position.options import MOST_STREETS
from omnibus.kernel.game import Words
from omnibus.kernel.svg import (
    box,
    colour,
    definitions,
    disc,
    document,
    element,
    fitting,
    group,
    lettering,
    numerals,
    path,
    placed,
    seat_name,
    seat_patterns,
    star,
    symbol,
    token,
    underlay,
)

MOST_POINTS: Final = 151  # fifteen passengers, ten rounds


def svg(view: Mapping[str, Any], words: Words, *, names: Sequence[str] = (), wide: bool = False) -> str:
    """Return the complete picture of a view."""
    drawn, at = pieces(view, words, wide=wide), plan(view["seats"], wide=wide)
    told = ". ".join(dict.fromkeys(piece.label for piece in drawn)) + "."
    below = background(view, words, wide=wide) + _names(view, words, names, wide=wide)
    return document(at.width, at.height, "Bus", told, below, group(placed(drawn), class_="pieces"))


def bare(view: Mapping[str, Any], words: Words, *, names: Sequence[str] = (), wide: bool = False) -> str:
    """Return the picture before its pieces are laid."""
    at = plan(view["seats"], wide=wide)
    return underlay(
        at.width, at.height, "Bus", background(view, words, wide=wide) + _names(view, words, names, wide=wide)
    )


def ground(view: Mapping[str, Any], *, names: Sequence[str] = (), wide: bool = False) -> str:
    """Say what the bare picture depends on: the edition may limit the fleets, the others are obvious."""
    return f"{view['seats']} {view['edition']} {view['city']} {list(names)} {wide}"


def _names(view: Mapping[str, Any], words: Words, names: Sequence[str], *, wide: bool) -> str:
    """Write the players' names; they are not kept with the rest of the background, which many tables share."""
    called = list(names) or [seat_name(seat, words) for seat in range(view["seats"])]
    return players.names(plan(view["seats"], wide=wide), called)


def background(view: Mapping[str, Any], words: Words, *, wide: bool = False) -> str:
    """Return what does not change during a game, with the definitions of everything that may lie upon it."""
    known = cast("Hashable", words)  # languages are told apart by what they are, not by what they say
    at = plan(view["seats"], wide=wide)
    layout = layout_of(view, at.map)
    large = layout.city.street_count > MOST_STREETS * layout.city.crossing_count
    draw = cached_background.__wrapped__ if large else cached_background  # megabytes each, so they are not cached here
    return draw(layout, at, view["edition"], known)


@lru_cache(maxsize=32)
def cached_background(layout: Layout, at: PictureAreas, edition: str, known: Hashable) -> str:
    """Build the background; cached because it is large and never changes."""
    words = cast("Words", known)
    defined = definitions(
        seat_patterns(at.seats),
        shared_symbols(),
        seat_symbols(at.seats, players.columns(at).bus, field_side(at) - 6, at.disc),
        stick_symbols(layout, at.seats),
        ring_symbols(at.seats),
        crossing_symbols(layout),
        plot_symbols(),
        tie_symbols(layout),
        _counts(wide=at.wide),
        _signs(players.columns(at).token_size),
        _sayings(at, words),
    )
    paper = box(0, 0, at.width, at.height, fill=colour("paper"))
    printed = city_map(layout, words) + action_board(at, words) + players.rows(at, edition, words)
    return group(defined, paper, printed, class_="background")


def _counts(*, wide: bool) -> str:
    """Define numbers as symbols, since a piece carries no text."""
    points_size, size = (38, 29) if wide else (48, 36)
    points = "".join(
        symbol(f"bus-points-{n}", _figure(str(n).replace("-", "−"), points_size, 50 if wide else 110))
        for n in range(-5, MOST_POINTS)
    )
    yields = "".join(
        symbol(f"bus-yield-{n}", _figure(str(n), size, 29 if wide else 60, colour("ink" if n else "soft")))
        for n in range(LARGEST_FLEET + 2)
    )
    counts = {str(n): str(n) for n in range(BUILDINGS_OF_A_KIND + 1)} | {"all": "∞"}
    dark = "".join(symbol(f"bus-count-{name}", _figure(text, size, 99)) for name, text in counts.items())
    boxed = numerals("bus-boxed", range(PASSENGERS_IN_BOX + 1), size + 4)
    tallies = numerals("bus-tally", range(MOST_STICKS + 1), size, anchor="start")
    endless = symbol("bus-tally-all", lettering(0, size * 0.36, "∞", size, anchor="start"))
    return points + yields + dark + boxed + tallies + endless


def _figure(text: str, size: float, room: float, fill: str = colour("dark")) -> str:
    """Write a number, centred, in as much room as there is."""
    fits = fitting(text, size, room)
    return lettering(0, fits * 0.36, text, fits, fill=fill)


def _signs(r: float) -> str:
    """The ring around the seat to decide, the bar over one that has passed, the winner's star."""
    ring = disc(0, 0, r + 5, fill="none", stroke=colour("lamp"), stroke_width=7)
    edge = disc(0, 0, r + 9, fill="none", stroke=colour("edge"), stroke_width=3)
    bar = path("M-24,24L24,-24", stroke=colour("edge"), stroke_width=11) + path(
        "M-24,24L24,-24", stroke=colour("card"), stroke_width=6
    )
    won = star(22, -20, 20, fill=colour("lamp"), stroke=colour("edge"), stroke_width=4)
    return symbol("bus-turn", ring, edge) + symbol("bus-passed", bar) + symbol("bus-winner", won)


def _sayings(at: PictureAreas, words: Words) -> str:
    """Define what the sign can say, alone or after the disc of a seat, and the rounds."""
    drawn = []
    for step, text in signs(words).items():
        size = fitting(text, 38, at.sign.width - 300)
        if step in OF_NOBODY:
            drawn.append(symbol(f"bus-say-{step}", lettering(-20, size * 0.36, text, size, anchor="start")))
            continue
        drawn.append(group(lettering(40, size * 0.36, text, size, anchor="start"), id=f"bus-saying-{step}"))
        drawn += [
            symbol(f"bus-say-{step}-{seat}", token(seat, 24), element("use", href=f"#bus-saying-{step}"))
            for seat in range(at.seats)
        ]
    numbered = [words.gettext("Round {number}").format(number=n) for n in range(1, MOST_ROUNDS + 1)]
    rounds = "".join(
        symbol(f"bus-round-{n}", lettering(0, 13, text, fitting(text, 36, 200), anchor="end"))
        for n, text in enumerate(numbered, 1)
    )
    return "".join(drawn) + rounds
