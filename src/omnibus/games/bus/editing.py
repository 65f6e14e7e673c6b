"""Setting up a position by hand: what can be changed in a position document, and what follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any

from omnibus.games.bus.board.pieces import (
    ACTIONS,
    CUBES,
    FIRST_BUSES,
    KINDS,
    LETTERS,
    MOST_BUSES,
    MOST_ROUNDS,
    PASSENGERS_IN_ALL,
    stones_for,
)
from omnibus.games.bus.drawing.labels import SIGNS, crossing_label, plot_label, street_label
from omnibus.games.bus.moves import street_name
from omnibus.games.bus.position.players import MOST_RIDES
from omnibus.games.bus.position.write import RESOLVED
from omnibus.games.bus.state import ENDED, FIRST, STEPS, State
from omnibus.games.bus.telling.names import action_name, field_name, kind_name
from omnibus.kernel.editing import Editing, Field, Place, Value, capitalised, values
from omnibus.kernel.game import Document, Words
from omnibus.kernel.svg import seat_name


def editing(state: State, words: Words) -> Editing:
    """Return what can be changed in a position."""
    fields = (*_step(state, words), *_city(state, words), *_cubes(state, words), *_players(state, words))
    return Editing(fields, tuple(_places(state, words)))


def _places(state: State, words: Words) -> Iterator[Place]:
    city = state.city
    for crossing, name in enumerate(city.names):
        yield Place(f"crossing-{name}", crossing_label(city, crossing, words))
    for plot, called in enumerate(city.plot_names):
        yield Place(f"plot-{called}", plot_label(city, plot, words))
    for street in range(city.street_count):
        called = street_name(city, street)
        yield Place(f"street-{called}", street_label(called, words))
    for action in ACTIONS:
        yield Place(f"action-{action}", action_name(action, words))


def _step(state: State, words: Words) -> Iterator[Field]:
    """Yield how far the game is, and who decides what."""
    _ = words.gettext
    over = _("The game is over")
    steps = values((step, _(SIGNS[step]) if step in SIGNS else over) for step in STEPS)
    seats = values((seat, seat_name(seat, words)) for seat in range(state.seats))
    kinds = values((kind, capitalised(kind_name(kind, words))) for kind in KINDS)
    fields = values((letter, capitalised(field_name(at, words))) for at, letter in enumerate(LETTERS))
    yield Field(path=("round",), text=_("Round"), kind="number", most=MOST_ROUNDS)
    yield Field(path=("step",), text=_("Phase of the game"), kind="choice", values=steps)
    yield Field(path=("seat",), text=_("To play"), kind="choice", values=seats, empty="null")
    yield Field(path=("start",), text=_("Start player"), kind="choice", values=seats, empty="null")
    yield Field(path=("field",), text=_("Field being carried out"), kind="choice", values=fields, empty="null")
    yield Field(path=("owed",), text=_("Still to do for this field"), kind="number", most=MOST_BUSES[0] + 1)
    yield Field(path=("clock",), text=_("Clock"), kind="choice", values=kinds)


def _city(state: State, words: Words) -> Iterator[Field]:
    """Yield what stands in the city: buildings and passengers."""
    city = state.city
    crossings = tuple(Value(name, str(name), f"crossing-{name}") for name in city.names)
    for key, text in (("waiting", words.gettext("Passengers waiting")), ("seated", words.gettext("Passengers seated"))):
        yield Field(path=(key,), text=text, kind="bag", values=crossings, most=PASSENGERS_IN_ALL)
    kinds = values((kind, capitalised(kind_name(kind, words))) for kind in KINDS)
    for name in city.plot_names:
        text = words.gettext("Building")
        yield Field(
            path=("buildings", name), text=text, kind="choice", values=kinds, empty="absent", part=f"plot-{name}"
        )


def _cubes(state: State, words: Words) -> Iterator[Field]:
    """Yield the cubes on the action board."""
    seats = values((seat, seat_name(seat, words)) for seat in range(state.seats))
    for action in ACTIONS:
        text = words.gettext("Cubes on {action}").format(action=action_name(action, words))
        yield Field(path=("fields", action), text=text, kind="list", values=seats, part=f"action-{action}")


def _players(state: State, words: Words) -> Iterator[Field]:
    _ = words.gettext
    names = [street_name(state.city, street) for street in range(state.city.street_count)]
    streets = tuple(Value(name, name, f"street-{name}") for name in names)
    fleet, stones = MOST_BUSES[state.edition], stones_for(state.seats)
    for seat in range(state.seats):
        own = ("players", seat)
        yield Field(path=(*own, "cubes"), text=_("Cubes"), kind="number", most=CUBES, seat=seat)
        yield Field(path=(*own, "buses"), text=_("Buses"), kind="number", least=FIRST_BUSES, most=fleet, seat=seat)
        yield Field(path=(*own, "stones"), text=_("Time stones"), kind="number", most=stones, seat=seat)
        yield Field(path=(*own, "rides"), text=_("Passengers taken"), kind="number", most=MOST_RIDES, seat=seat)
        yield Field(path=(*own, "passed"), text=_("Has passed"), kind="switch", seat=seat)
        yield Field(path=(*own, "streets"), text=_("Stick"), kind="bag", values=streets, most=1, seat=seat)


def settled(document: Mapping[str, Any]) -> Document:
    """Return a document with the numbers that follow from others: box and pile, ends of lines, who scored last."""
    players = [dict(player) for player in document["players"]]
    for player in players:
        player["heads"] = _heads(player["streets"], player["heads"])
    _settle_reached(players)
    away = len(document["waiting"]) + len(document["seated"])
    taken = sum(player["stones"] for player in players)
    fixed: Document = {"box": max(0, PASSENGERS_IN_ALL - away), "stones": max(0, stones_for(document["seats"]) - taken)}
    if document["step"] in (STEPS[FIRST], STEPS[ENDED]):
        fixed["seat"] = None
    if document["step"] not in [STEPS[step] for step in RESOLVED]:
        fixed["field"] = None
    return {**document, **fixed, "players": players}


def _heads(streets: list[str], heads: list[int]) -> list[int]:
    """Return where a line ends: at the crossings where an odd number of its streets meets (§6.4)."""
    met = Counter(int(end) for street in streets for end in street.split("-"))
    odd = sorted(crossing for crossing, number in met.items() if number % 2)
    if not met or len(odd) == 2:
        return odd
    if odd:
        return heads  # this is no line, which the rules will say
    return heads if len(heads) == 2 and heads[0] == heads[1] and heads[0] in met else [min(met)] * 2


def _settle_reached(players: list[Document]) -> None:
    """Number the last ride of each player (§13.2), in the order they had, where the numbers are not possible."""
    total = sum(player["rides"] for player in players)
    last = [player["reached"] for player in players if player["rides"]]
    possible = all(player["rides"] <= player["reached"] <= total * bool(player["rides"]) for player in players)
    if possible and len(set(last)) == len(last):
        return
    order = sorted(players, key=lambda player: player["reached"] if player["rides"] else 0)
    for player, reached in zip(order, accumulate(player["rides"] for player in order), strict=True):
        player["reached"] = reached if player["rides"] else 0
