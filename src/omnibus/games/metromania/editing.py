"""Setting up a position by hand: what can be changed in a position document, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from omnibus.games.metromania.board import (
    BORDERS,
    CELL,
    CELL_NAMES,
    CITY,
    CITY_CELLS,
    DIGS,
    DIRECTIONS,
    GROUNDS,
    HANDS,
    HOME,
    KINDS,
    LEISURE,
    LINES,
    NO_CELL,
    POINTS,
    SIDES,
    STARTS,
    STATIONS,
    TOWN_HALLS,
    VERTEX_NAMES,
    WHITE,
)
from omnibus.games.metromania.drawing.labels import border_label, ground_label, tile_label
from omnibus.games.metromania.drawing.pieces import cell_part
from omnibus.games.metromania.position.read import place_pieces
from omnibus.games.metromania.position.write import DESTINATION_NAMES, LINE_NAMES, PIECE_NAMES
from omnibus.games.metromania.rules.apply import find_blocked
from omnibus.games.metromania.state import ACT, ENDED, REASONS, STEPS, State, bore_towards, fixed_hands
from omnibus.games.metromania.telling.names import destination, kind, line_name, place_name, side, way, worth
from omnibus.kernel.editing import Editing, Field, Place, Value, capitalised, values
from omnibus.kernel.game import BadPosition, Document, Words
from omnibus.kernel.i18n import mark

MOST_TURNS: Final = 999  # more than in any game
MOST_POINTS: Final = 99
STEP_NAMES: Final = {
    "pieces": mark("Laying out the city"),
    "doubles": mark("Naming the kinds held twice"),
    "deal": mark("Dealing the destinations"),
    "act": mark("Digging or building a station"),
    "place": mark("Placing a destination"),
    "bonus": mark("Building a bonus station"),
    "over": mark("The game is over"),
}
REASON_NAMES: Final = {
    "finished": mark("both lines of a player are finished"),
    "stock": mark("no stations are left"),
    "blocked": mark("enough lines are finished or blocked"),
}


def editing(state: State, words: Words) -> Editing:
    """Return what can be changed in a position."""
    fields = (*_turn(words), *_city(state, words), *_players(state, words))
    return Editing(fields, tuple(_places(state, words)))


def _places(state: State, words: Words) -> Iterator[Place]:
    for cell in range(CITY_CELLS):
        told = capitalised(ground_label(GROUNDS[state.ground[cell]], words))
        yield Place(cell_part(cell, CELL_NAMES[cell]), f"{told} {CELL_NAMES[cell]}".replace("-", "−"))
    for n in range(BORDERS):
        yield Place(f"border-{n}", capitalised(border_label(n, words)))
    for vertex in range(CITY):
        told = words.gettext("Point {point}").format(point=place_name(POINTS[vertex]))
        yield Place(f"vertex-{VERTEX_NAMES[vertex]}", told)


def _turn(words: Words) -> Iterator[Field]:
    """Yield whose turn it is, and how far it has come."""
    _ = words.gettext
    steps = values((step, _(STEP_NAMES[step])) for step in STEPS)
    lines = values((line, capitalised(line_name(line, words))) for line in LINES)
    reasons = values((reason, capitalised(_(REASON_NAMES[reason]))) for reason in REASONS[1:])
    yield Field(path=("turn",), text=_("Turns so far"), kind="number", most=MOST_TURNS)
    yield Field(path=("step",), text=_("Phase of the game"), kind="choice", values=steps)
    yield Field(path=("dug",), text=_("Tunnels dug this turn"), kind="number", most=DIGS)
    yield Field(path=("placed_now",), text=_("Destination placed this turn"), kind="switch")
    yield Field(path=("line",), text=_("Line just dug"), kind="choice", values=lines, empty="null")
    ended = _("Turn that ended the construction")
    yield Field(path=("ended",), text=ended, kind="number", most=MOST_TURNS, empty="null")
    yield Field(path=("reason",), text=_("Why it ended"), kind="choice", values=reasons, empty="null")


def _city(state: State, words: Words) -> Iterator[Field]:
    """Yield the pieces of the city, its stations and destinations."""
    _ = words.gettext
    lying = _("Piece {piece}, rotation {number}")
    pieces = values((name, lying.format(piece=name[0], number=name[2])) for name in PIECE_NAMES)
    if len(state.sectors) == SIDES:
        for sector in range(SIDES):
            text = _("Sector {number}").format(number=sector + 1)
            yield Field(path=("sectors", sector), text=text, kind="choice", values=pieces)
    kinds = values((name, capitalised(kind(name, words))) for name in KINDS)
    if state.seats == 3:
        yield Field(path=("doubles",), text=_("Kinds held twice"), kind="list", values=kinds)
    points = tuple(
        Value(list(POINTS[vertex]), place_name(POINTS[vertex]), f"vertex-{VERTEX_NAMES[vertex]}")
        for vertex in range(CITY)
    )
    yield Field(path=("stations",), text=_("Station"), kind="bag", values=points, most=1)
    for name in DESTINATION_NAMES if len(state.sectors) == SIDES else []:
        yield Field(
            path=("placed", name),
            text=capitalised(tile_label(name, words)),
            kind="choice",
            values=tuple(_spots(state, HOME + KINDS.index(name.split(" ")[0]))),
            empty="absent",
        )


def _spots(state: State, ground: int) -> Iterator[Value]:
    """Yield the spots of a kind, where its destinations can be."""
    assert HOME <= ground <= LEISURE
    for cell in range(CITY_CELLS):
        if state.ground[cell] == ground:
            name = CELL_NAMES[cell]
            yield Value(name, name.replace("-", "−"), cell_part(cell, name))


def _players(state: State, words: Words) -> Iterator[Field]:
    _ = words.gettext
    held = values((name, capitalised(destination(name, words))) for name in DESTINATION_NAMES)
    for seat in range(state.seats):
        text = _("Station points")
        yield Field(path=("points", seat), text=text, kind="number", most=MOST_POINTS, seat=seat)
        text = _("Destinations in hand")
        yield Field(path=("hands", seat), text=text, kind="bag", values=held, most=1, seat=seat)
        for which, line in enumerate(LINES):
            text = capitalised(line_name(line, words))
            tunnels = tuple(_tunnels(state, 2 * seat + which, words))
            yield Field(path=("lines", seat, line), text=text, kind="list", values=tunnels, seat=seat)


def _tunnels(state: State, line: int, words: Words) -> Iterator[Value]:
    """Yield the tunnels that a line can be given next: its beginnings, or all ways on from its tip."""
    if state.length[line] == 0:
        first = words.gettext("{cell}, toward {way}")
        for n in WHITE:
            for bore in STARTS[2 * n : 2 * n + 2]:
                direction = DIRECTIONS[bore % 12 // 2]
                told = first.format(cell=border_label(n, words), way=way(direction, words))
                yield Value(f"{n} {direction}", capitalised(told), f"border-{n}")
        return
    next_one = words.gettext("Toward {way}, cell {side}")
    for number, direction in enumerate(DIRECTIONS):
        for which, hand in enumerate(HANDS):
            told = next_one.format(way=way(direction, words), side=side(direction, hand, words))
            tip = state.tip[line]
            cell = CELL[bore_towards(tip, number, which)] if tip < CITY else NO_CELL
            part = "" if cell == NO_CELL else cell_part(cell, CELL_NAMES[cell])
            yield Value(f"{direction} {hand}", told, part)


def settled(document: Mapping[str, Any]) -> Document:
    """Return a document with what follows from the rest: hands, whose turn it is, the sum of points, blocked lines.

    What everybody had concluded about the hands is forgotten.
    """
    seats, step = len(document["hands"]), STEPS.index(document["step"])
    done: Document = {**document, "ruled_out": [[] for _ in range(seats)], "hands": _hands(document)}
    if step >= ACT:
        done["seat"] = document["turn"] % seats
    done["points"] = _points(done)
    if (step == ACT and not document["dug"]) or step == ENDED:
        done["blocked"] = _blocked(done)
    return done


def _hands(document: Mapping[str, Any]) -> list[list[str]]:
    """Return the hands without what has been placed; where hands are fixed (§3.2, §3.3), with what has not."""
    fixed = fixed_hands(document["seats"], TOWN_HALLS.index(document["town_hall"]))
    held = {name for hand in document["hands"] for name in hand} | set(document["placed"])
    return [
        [
            name
            for one, name in enumerate(DESTINATION_NAMES)
            if (name in hand and name not in document["placed"])
            or (name not in held and fixed and fixed[seat] >> one & 1)
        ]
        for seat, hand in enumerate(document["hands"])
    ]


def _points(document: Document) -> list[int]:
    """Return points that add up to the value of the stations (§6.5): whoever has the turn gains or loses first."""
    points: list[int] = list(document["points"])
    if len(document["stations"]) > STATIONS or len(document["sectors"]) > SIDES:
        return points  # there are not so many, which reading it says
    missing = sum(worth(document, point) for point in document["stations"]) - sum(points)
    seats, first = len(points), document["seat"]
    for seat in [(first + number) % seats for number in range(seats)]:
        change = max(-points[seat], missing)
        points[seat] += change
        missing -= change
    return points


def _blocked(document: Document) -> list[str]:
    """Return the lines that are blocked (§9.2); as they are in the document if the rest of it is not valid."""
    try:
        state = place_pieces({**document, "blocked": []})
    except BadPosition:
        return list(document["blocked"])
    find_blocked(state)
    return [LINE_NAMES[line] for line in range(2 * state.seats) if state.blocked >> line & 1]
