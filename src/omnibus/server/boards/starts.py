"""What a board begins with: a new game, a position, a record, or a game in progress as one seat sees it.

Every beginning is kept as a record without dice. That of a game in progress is redealt from the seat's view, so it
cannot tell anything the seat may not see.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

from omnibus import games
from omnibus.kernel import record as records
from omnibus.kernel.choices import check_size
from omnibus.kernel.i18n import MessageError, mark
from omnibus.kernel.match import Match
from omnibus.kernel.record import BadRecord, Ply

NO_GAME: Final = mark("there is no such game")
NO_JSON: Final = mark("this is not JSON: see line {line}, column {column}")
NO_DOCUMENT: Final = mark("a position is a JSON object")


def new_game(name: str, seats: int | None, options: Mapping[str, Any]) -> Match:
    """Set up a game in which nothing has happened yet; ValueError says why that is not possible."""
    _expect_game(name)
    return _sized(Match.new(name, seats=seats, options=options, dice=False))


def of_position(name: str, document: Mapping[str, Any]) -> Match:
    """Set up a position; ValueError says what is wrong with it."""
    _expect_game(name)
    return _sized(Match.from_position(name, document, dice=False))


def of_text(name: str, text: str) -> Match:
    """Read a record, or a position of a game; ValueError says what is wrong with it."""
    return of_position(*_position(name, text)) if is_position(text) else of_record(text)


def is_position(text: str) -> bool:
    """Tell whether a text is meant as a position, and not as a record."""
    return text.lstrip().startswith(("{", "["))


def _position(name: str, text: str) -> tuple[str, dict[str, Any]]:
    """Read a position document, and the game it is of; ValueError says what is wrong with it."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise MessageError(NO_JSON, line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise MessageError(NO_DOCUMENT) from None
    if isinstance(document, dict) and document.keys() == {"game", "position"}:  # as the API and the page export it
        name, document = document["game"], document["position"]
    if not isinstance(document, dict):
        raise MessageError(NO_DOCUMENT)
    return name, document


def settled(name: str, text: str) -> str:
    """Return a position in which something was changed with what follows from that changed too."""
    name, document = _position(name, text)
    _expect_game(name)
    try:
        return written(games.find(name).settled(document))
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return text  # it is not even of the right form: reading it says why


def written(document: Mapping[str, Any]) -> str:
    """Write a position document as text, a line for each of its entries."""
    entries = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in document.items()]
    return "{\n" + ",\n".join(entries) + "\n}\n"


def of_record(text: str) -> Match:
    """Read a record; BadRecord names the first wrong line."""
    match = Match.read(text)
    try:
        return _sized(match)
    except MessageError as error:
        raise BadRecord(records.parse(text).lines["options"], error.message) from None


def of_view(match: Match, seat: int, ply: int, seed: str) -> Match:
    """Return a position as a seat of a game in progress sees it; what it does not see is redealt by the seed."""
    view = match.game.view(match.states[ply], seat)
    dealt = Match(match.game, match.game.redeal(view, Random(seed).randrange), dice=None, placed=True)
    dealt.names = match.names
    return dealt


def start_text(match: Match, ply: int | None = None) -> str:
    """Write what happened up to a ply as a record without dice, in which nobody has resigned."""
    record = records.parse(match.record())
    played = record.plies[: match.length if ply is None else ply]
    plies = tuple(Ply(done.actor, done.line) for done in played)
    return records.write(replace(record, commitment=None, seed=None, resigned=(), result=None, plies=plies))


def _expect_game(name: str) -> None:
    if name not in games.names():
        raise MessageError(NO_GAME)


def _sized(match: Match) -> Match:
    check_size(match.game, match.states[0])
    return match
