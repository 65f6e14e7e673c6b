"""Finished games, played by quick bots."""

from __future__ import annotations

from omnibus import Match
from omnibus.bots import bot


def finished(name: str, seed: int = 1, seats: int | None = None) -> Match:
    """A game between quick bots, one of which errs more."""
    match = Match.new(name, seats=seats, seed=seed)
    players = [bot("medium" if seat == 0 else "easy", match.game, seed=seed + seat) for seat in range(match.seats)]
    while isinstance(match.actor, int):
        match.play(players[match.actor](match.view(match.actor)))
    return match
