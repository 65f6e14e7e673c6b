"""Pictures of the games for pages, made by their own drawing: a position from the middle of a game."""

from __future__ import annotations

from functools import cache
from typing import Final

from omnibus import games
from omnibus.bots import bot, names
from omnibus.kernel.match import Match
from omnibus.kernel.svg import STYLE, palette
from omnibus.kernel.words import words
from omnibus.server.position import HOUSE

SEED: Final = 6
DECISIONS: Final = 70


@cache
def picture(game: str, language: str) -> str:
    """Draw a game as it looks some way into it."""
    found = games.find(game)
    match = Match.new(game, seats=found.seats[len(found.seats) // 2], seed=SEED)
    player = bot(names()[1], found, seed=SEED)
    for _ in range(DECISIONS):
        if not isinstance(match.actor, int):
            break
        match.play(player(found.view(match.state, match.actor)))
    while match.actor is None:
        match.undo()
    return found.svg(found.view(match.state, None), words(language, found.folder, HOUSE))


@cache
def style() -> str:
    """Return the style of all pictures, and their palette for the page around them."""
    return f"{palette('body')}\n{STYLE}\n"
