"""What is chosen before a game, checked: the number of seats, the options, a position, the size of the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from omnibus.kernel.game import Document, Game, Option, State
from omnibus.kernel.i18n import MessageError, alternatives, mark, message_of

OTHER_RULES: Final = mark(
    "this game needs version {version} of the rules of {game}, but this Omnibus plays by version {known}: use the "
    "version of Omnibus it was begun with"
)
WRONG_SEATS: Final = mark("{game} is for {numbers} seats, not {seats}")
NO_OPTION: Final = mark("{game} has no option {name}; it has: {names}")
WRONG_CHOICE: Final = mark("the option {name} may be {choices}, not {value}")
BAD_OPTION: Final = mark("the option {name} is not possible: {reason}")
TOO_LARGE: Final = mark("this board is too large for a new game: {reason}")


def check_rules(game: Game[Any], version: int) -> None:
    """Refuse a game that was begun by another version of the rules: it could replay differently (MessageError)."""
    if version != game.version:
        raise MessageError(OTHER_RULES, game=game.title, version=version, known=game.version)


def checked_seats(game: Game[Any], seats: int | None) -> int:
    """Return the number of seats, by default the fewest; MessageError for one the game is not for."""
    if seats is None:
        return game.seats[0]
    if type(seats) is not int or seats not in game.seats:
        raise MessageError(
            WRONG_SEATS, game=game.title, numbers=alternatives([*map(str, game.seats)]), seats=repr(seats)
        )
    return seats


def checked_options(game: Game[Any], options: Mapping[str, Any]) -> Document:
    """Return all options of a game, those that are not given with their defaults; MessageError for a wrong one."""
    chosen = {name: option.default for name, option in game.options.items()}
    for name, value in options.items():
        if name not in game.options:
            raise MessageError(NO_OPTION, game=game.title, name=repr(name), names=", ".join(game.options))
        option = game.options[name]
        with _told_by(game):
            if not _admits(name, option, value):
                raise MessageError(WRONG_CHOICE, name=name, choices=option.described(), value=repr(value))
        chosen[name] = value
    return chosen


@contextmanager
def _told_by(game: Game[Any]) -> Iterator[None]:
    """Let the game's own catalogues translate its complaints."""
    try:
        yield
    except MessageError as error:
        error.message = error.message.within(game.folder)
        raise


def set_up(game: Game[Any], seats: int, options: Document) -> State:
    """Return the state at the start of a game; MessageError for options that do not go together."""
    with _told_by(game):
        state: State = game.setup(seats, options)
        return state


def placed(game: Game[Any], document: Mapping[str, Any]) -> State:
    """Return the state of a position document; BadPosition says what is wrong with it."""
    with _told_by(game):
        state: State = game.place(document)
        return state


def _admits(name: str, option: Option, value: Any) -> bool:
    try:
        return option.admits(value)
    except ValueError as error:
        raise MessageError(BAD_OPTION, name=name, reason=message_of(error)) from None


def check_size(game: Game[Any], state: Any) -> None:
    """Check that a board is not too large for something new on a server; ValueError says what is.

    What was stored before there was such a limit is still replayed, so `read` and `resume` do not ask.
    """
    why = game.too_large(state)
    if why:
        raise MessageError(TOO_LARGE, reason=why.within(game.folder))
