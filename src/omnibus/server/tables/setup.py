"""What can be chosen when a table is set up, and how it is described to people: shared by pages and API."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from omnibus import games
from omnibus.bots import names_for
from omnibus.kernel.game import Document, Game, Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.match import Match
from omnibus.server.store.models import DAY, LIVE_PATIENCE, TableSetup, TimeControl
from omnibus.server.tables.clock import Pace, time_control
from omnibus.server.tables.names import names_of
from omnibus.server.tables.scene import LEVELS

CANNOT_SET_UP: Final = mark("This table cannot be set up: {reason}.")
NO_OWN_SEAT: Final = mark("At least one seat must be yours or belong to someone else on this device.")
AWAY_LIMITS: Final = {
    LIVE_PATIENCE: mark("10 minutes (live game)"),
    DAY: mark("1 day"),
    3 * DAY: mark("3 days"),
    7 * DAY: mark("1 week"),
}
"""How long a player may be away before the others can let a bot take over, in seconds."""


PACES: Final[dict[Pace, str]] = {
    "blitz": mark("Blitz"),
    "normal": mark("Normal"),
    "slow": mark("Slow"),
    "days": mark("Correspondence"),
}
PER_TURN: Final = mark("{turn} per turn, plus {bank} per game")
PER_DECISION: Final = mark("{bank}, plus {increment} per decision")
PER_GAME: Final = mark("{bank} per game")
CUSTOM: Final = mark("Custom")
NO_CLOCK: Final = mark("No limit")


def clock_choices(game: Game[Any], words: Words, language: str) -> list[tuple[str, str]]:
    """Return the time controls a game offers, by name and label; the empty name is none, `custom` any other."""
    offered = [(pace, words.gettext(text), time_control(game, pace)) for pace, text in PACES.items()]
    colon = words.gettext(": ")
    labelled = [(pace, name + colon + clock_label(control, words, language)) for pace, name, control in offered]
    return [("", words.gettext(NO_CLOCK)), *labelled, ("custom", words.gettext(CUSTOM))]


def clock_label(control: TimeControl | None, words: Words, language: str) -> str:
    """Describe a time control."""
    if control is None:
        return words.gettext(NO_CLOCK)
    every = (control.bank, control.increment, control.turn)
    bank, increment, turn = (duration(round(seconds), language) for seconds in every)
    if control.turn:
        return words.gettext(PER_TURN).format(turn=turn, bank=bank)
    return words.gettext(PER_DECISION if control.increment else PER_GAME).format(bank=bank, increment=increment)


def bot_choices(levels: Iterable[str], words: Words) -> list[tuple[str, str]]:
    """Return bots that can take a seat, by name and label."""
    return [(name, words.gettext(LEVELS[name])) for name in levels]


def levels_of(setup: TableSetup) -> tuple[str, ...]:
    """Return the levels of bots there are for a table."""
    game = games.find(setup.game)
    return names_for(game, Match.new(setup.game, seats=setup.seats, options=setup.options, dice=False).state)


def away_limit_label(seconds: float, words: Words, language: str) -> str:
    """Return the label of an away limit: one that is offered, or any other number of seconds."""
    return words.gettext(AWAY_LIMITS[seconds]) if seconds in AWAY_LIMITS else duration(round(seconds), language)


def duration(seconds: int, language: str) -> str:
    """Write a duration in its two largest units."""
    parts = []
    for unit, size in (("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1)):
        number, seconds = divmod(seconds, size)
        if number:
            parts.append(_in_unit(number, f"duration-{unit}", language))
    return " ".join(parts[:2])


def _in_unit(number: int, unit: str, language: str) -> str:
    from babel.units import format_unit  # imported late, like the catalogues

    written = format_unit(number, unit, "long", locale=language)
    if unit in written:  # Babel has no long form: of days in Italian, where the short one is the same
        return format_unit(number, unit, "short", locale=language)
    return written


def changed_options(setup: TableSetup, words: Words) -> list[tuple[str, str]]:
    """Return the options of a table that differ from their defaults, by label and choice."""
    return named_options(games.find(setup.game), setup.options, words)


def named_options(game: Game[Any], options: Document, words: Words) -> list[tuple[str, str]]:
    """Return the options that differ from their defaults, by label and choice."""
    return [
        (words.gettext(game.options[name].text), words.gettext(game.options[name].called(value)))
        for name, value in options.items()
        if name in game.options and value != game.options[name].default
    ]


def seated_names(setup: TableSetup, words: Words) -> list[str]:
    """Return the names of those who have a seat already."""
    names = names_of(setup, words)
    return [name for name, sitter in zip(names, setup.sitters, strict=True) if not sitter.free]
