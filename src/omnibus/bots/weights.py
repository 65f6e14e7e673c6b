"""The weights of trained networks that come with a game, and the card that says what they are for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from omnibus.kernel.game import Game

FOLDER: Final = "weights"
"""The folder of a game with `NAME.json` (the card) and `NAME.npz` (the numbers)."""


@dataclass(frozen=True, slots=True)
class Card:
    """What a network was trained for, and how; `file` holds its weights."""

    file: Path
    game: str
    rules: int
    numbering: int
    seats: int
    options: Mapping[str, Any]
    made: Mapping[str, Any]
    """How it was made: the command, the number of decisions, the date."""
    strength: Mapping[str, Any]
    """How strong it was found to be, and how that was measured."""

    def fits(self, game: Game[Any], state: Any) -> bool:
        """Tell whether it was trained for the rules, seats and options of a state."""
        trained = self.rules, self.numbering, self.seats, self.options
        return trained == (game.version, game.numbering, state.seats, game.chosen(state))


def read_card(file: Path) -> Card:
    """Read a card; its weights are in the file of the same name."""
    told = json.loads(file.read_text("utf-8"))
    return Card(
        file.with_suffix(".npz"),
        **{name: told[name] for name in ("game", "rules", "numbering", "seats", "options", "made", "strength")},
    )


@cache
def cards(folder: str) -> tuple[Card, ...]:
    """Return the cards of all networks in the folder of a game."""
    return tuple(read_card(file) for file in sorted(Path(folder, FOLDER).glob("*.json")))


def fitting(game: Game[Any], state: Any) -> Card | None:
    """Return the card of the network for a game as it is set up in a state."""
    return next((card for card in cards(game.folder) if card.fits(game, state)), None)
