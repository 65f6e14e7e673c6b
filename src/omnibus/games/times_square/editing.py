"""Setting up a position by hand: what can be changed in a position document, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from omnibus.games.times_square.board import (
    CARDS,
    COLOURS,
    DECKS,
    EDITIONS,
    END,
    FIGURES,
    LAST_EXHAUSTION,
    RED,
    SEATS,
)
from omnibus.games.times_square.drawing.labels import remarks, space_label
from omnibus.games.times_square.moves import JOKERS
from omnibus.games.times_square.state import PLAYING, STEPS, State
from omnibus.games.times_square.telling.names import card, figure, signed
from omnibus.kernel.editing import Editing, Field, Place, Value, capitalised, values
from omnibus.kernel.game import Document, Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.svg import seat_name

SPACES: Final = range(-END, END + 1)
UNPLACED: Final = ("hal", "deb")  # before chance has decided who begins (§3.3)
STEP_NAMES: Final = {
    "side": mark("Before the game"),
    "deal": mark("Cards are dealt"),
    "act": mark("Beginning of a turn"),
    "playing": mark("Playing cards"),
    "dropping": mark("Dropping cards"),
    "refill": mark("Drawing cards"),
    "over": mark("The game is over"),
}


def editing(state: State, words: Words) -> Editing:
    """Return what can be changed in a position."""
    fields = (*_figures(words), *_turn(state, words), *_cards(state, words))
    trays = (Place("supply", words.gettext("Supply")), Place("discards", words.gettext("Discards")))
    return Editing(fields, (*(Place(f"space-{space}", space_label(space, words)) for space in SPACES), *trays))


def _figures(words: Words) -> Iterator[Field]:
    spaces = tuple(Value(space, signed(space), f"space-{space}") for space in SPACES)
    for name in FIGURES:
        yield Field(
            path=("figures", name),
            text=capitalised(figure(name, words)),
            kind="choice",
            values=spaces,
            empty="null" if name in UNPLACED else "",
        )


def _turn(state: State, words: Words) -> Iterator[Field]:
    """Yield who is to do what."""
    _ = words.gettext
    seats = values((seat, seat_name(seat, words)) for seat in range(SEATS))
    steps = values((step, _(STEP_NAMES[step])) for step in STEPS)
    told = remarks(words)
    colours = values((colour, capitalised(told[colour])) for colour in COLOURS)
    jokers = values((joker, capitalised(figure(joker, words))) for joker in JOKERS[1:])
    most = LAST_EXHAUSTION[state.edition]
    yield Field(path=("seat",), text=_("To play"), kind="choice", values=seats)
    yield Field(path=("step",), text=_("Phase of the game"), kind="choice", values=steps)
    yield Field(path=("colour",), text=_("Colour of this turn"), kind="choice", values=colours, empty="null")
    yield Field(path=("joker",), text=_("Red cards of this turn move"), kind="choice", values=jokers, empty="null")
    yield Field(path=("exhausted",), text=_("Supplies exhausted so far"), kind="number", most=most)


def _cards(state: State, words: Words) -> Iterator[Field]:
    _ = words.gettext
    cards = values((token, card(token, words)) for token in CARDS)
    most = max(DECKS[state.edition])
    for seat in range(SEATS):
        text = _("Cards in hand")
        yield Field(path=("hands", seat), text=text, kind="bag", values=cards, most=most, seat=seat)
    for pile, text in (("supply", _("Supply")), ("discards", _("Discards"))):
        yield Field(path=(pile,), text=text, kind="bag", values=cards, most=most, part=pile)


def settled(document: Mapping[str, Any]) -> Document:
    """Return a document without cards that do not exist (the piles give way to the hands), and without old choices."""
    room = dict(zip(CARDS, DECKS[EDITIONS.index(document["edition"])], strict=True))
    for hand in document["hands"]:
        _fitting(hand, room)
    discards = _fitting(document["discards"], room)
    supply = _fitting(document["supply"], room)
    playing = document["step"] == STEPS[PLAYING]
    colour = document["colour"] if playing else None
    joker = document["joker"] if colour == COLOURS[RED] else None
    return {**document, "supply": supply, "discards": discards, "colour": colour, "joker": joker}


def _fitting(pile: list[str], room: dict[str, int]) -> list[str]:
    """Return the cards of a pile for which there is room left, and count them; what is no card stays."""
    kept = []
    for name in pile:
        if name not in room or room[name] > 0:
            kept.append(name)
            room[name] = room.get(name, 1) - 1
    return kept
