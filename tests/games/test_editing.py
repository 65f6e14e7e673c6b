"""Setting up a position by hand: what can be changed, what follows from it, and that nothing wrong gets through."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from omnibus import BadPosition, Match, games
from omnibus.games.metromania.board import CITY, POINTS
from omnibus.kernel.editing import Field
from omnibus.kernel.i18n import ENGLISH, LANGUAGES, words
from omnibus.kernel.svg import part_of
from support.games_played import GamePlayed, in_positions, random_match

EDITED = [name for name in games.names() if games.find(name).editing(Match.new(name, dice=False).state, ENGLISH).fields]


def found(document: Any, path: tuple[str | int, ...]) -> Any:
    """Return what a document has at a path; None where the last key is missing."""
    for key in path[:-1]:
        document = document[key]
    return document.get(path[-1]) if isinstance(document, dict) else document[path[-1]]


def changed(document: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """Return a copy of a document with another value at a path."""
    copy = json.loads(json.dumps(document))
    inside = copy
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return copy


def other(field: Field, now: Any, random: Random) -> Any:
    """Return something else that a field can be changed to."""
    if field.kind == "switch":
        return not now
    if field.kind == "number":
        return random.randint(field.least, field.most)
    value = random.choice(field.values).value
    return value if field.kind == "choice" else [*now, value]


def test_every_game_of_ours_has_an_editor() -> None:
    """A game may leave it out; these do not."""
    assert tuple(EDITED) == games.names()


@in_positions(2)
def test_fields_are_those_of_the_document(played: GamePlayed) -> None:
    """Every field is in the document with a value it can have, every place in the picture, in every language."""
    game, state = played.game, played.state
    document = game.position(state)
    editing = game.editing(state, words(LANGUAGES[1], game.folder))
    view = game.view(state, state.actor if state.actor >= 0 else None)
    drawn = set(re.findall('data-part="([^"]*)"', game.svg(view, ENGLISH)))
    drawn |= {part_of(piece) for piece in game.pieces(view, ENGLISH)}
    places = {place.part for place in editing.places}
    assert places <= drawn, places - drawn
    paths = [field.path for field in editing.fields]
    assert len(set(paths)) == len(paths)
    for field in editing.fields:
        now = found(document, field.path)
        assert field.text
        assert {field.part, *(value.part for value in field.values)} <= {"", *places}
        if field.kind == "number":
            assert (now is None and field.empty) or field.least <= now <= field.most, field.path
        elif field.kind == "choice":
            assert now in [value.value for value in field.values] or (now is None and field.empty), field.path
        elif field.kind == "bag":
            assert all(one in [value.value for value in field.values] for one in now), field.path
            assert max(map(now.count, now), default=0) <= field.most


@in_positions(4)
def test_whatever_is_changed_is_valid_or_refused(played: GamePlayed) -> None:
    """A change leads to a position of the game or to a complaint, never to another error."""
    game, random = played.game, played.random
    document = json.loads(json.dumps(game.position(played.state)))
    assert game.position(game.place(game.settled(document)))
    for field in random.sample(game.editing(played.state, ENGLISH).fields, 12):
        edited = changed(document, field.path, other(field, found(document, field.path), random))
        with suppress(BadPosition):
            game.legal(game.place(game.settled(edited)))


def test_bus_passengers_come_from_the_box() -> None:
    """Whoever is put on a crossing is missing in the box; a longer line has another head; stones leave the pile."""
    document = started("bus", 40)
    line = document["players"][0]["streets"]
    edited = {**document, "waiting": [*document["waiting"], 20]}
    first, *others = document["players"]
    rich = {**first, "rides": first["rides"] + 3, "stones": first["stones"] + 1}
    settled = games.find("bus").settled({**edited, "players": [rich, *others]})
    assert (settled["box"], settled["stones"]) == (document["box"] - 1, document["stones"] - 1)
    assert games.find("bus").place(settled).rides[0] == rich["rides"]
    lone = {**document["players"][0], "streets": line[:1]}
    shorter = games.find("bus").settled({**document, "players": [lone, *document["players"][1:]]})
    assert shorter["players"][0]["heads"] == [int(end) for end in line[0].split("-")]


def test_bus_rides_beyond_any_game_are_refused() -> None:
    """Fifteen passengers ride once in each of ten rounds: the field says so, and the position has the same bound."""
    game, document = games.find("bus"), started("bus", 40)
    fields = {field.path: field for field in game.editing(game.place(document), ENGLISH).fields}
    path = ("players", 0, "rides")
    assert fields[path].most == 150
    assert game.place(game.settled(changed(document, path, 150))).rides[0] == 150
    with pytest.raises(BadPosition, match=r"players\[0\].rides must be a whole number from 0 to 150, not 151"):
        game.place(game.settled(changed(document, path, 151)))


def test_times_square_cards_come_from_the_piles() -> None:
    """A hand that gets a card takes it from the supply; a choice of the last turn is forgotten."""
    document = started("times_square", 20)
    hand = [*document["hands"][0][:7], *["deb5"] * (document["hands"][0].count("deb5") == 0)]
    settled = games.find("times_square").settled({**document, "hands": [hand, document["hands"][1]], "step": "act"})
    everywhere = [*settled["supply"], *settled["discards"], *hand, *settled["hands"][1]]
    assert everywhere.count("deb5") <= 1
    assert settled["colour"] is None


def test_metromania_stations_bring_points() -> None:
    """Another station brings its points to whoever has the turn; a destination that is taken back is held again."""
    game, state = games.find("metromania"), random_match("metromania", 4, seats=2, plies=50).state
    document = game.position(state)
    on = next(at for at in range(CITY) if state.on[at] and not state.station[at] and state.worth[at])
    settled = game.settled({**document, "stations": [*document["stations"], list(POINTS[on])]})
    assert sum(settled["points"]) == sum(document["points"]) + state.worth[on]
    name = next(iter(document["placed"]))
    bare = {key: cell for key, cell in document["placed"].items() if key != name}
    assert [name in hand for hand in game.settled({**document, "placed": bare})["hands"]].count(True) == 1


def started(name: str, plies: int) -> dict[str, Any]:
    """Return a position after some plies of a random game."""
    return random_match(name, 7, plies=plies).position()
