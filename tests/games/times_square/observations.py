"""The observation of Times Square, read from a view feature by feature (see tests/support/observations.py)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from omnibus.games.times_square import board as street
from support.observations import Arrays, View, one_of


def arrays(view: View) -> Arrays:
    """Return every feature by name."""

    def counted(cards: Sequence[str]) -> list[int]:
        return [cards.count(card) for card in street.CARDS]

    seat = view["viewer"]
    figures = [
        one_of(range(-8, 9), view["figures"][name]) for name in ("sue", "a", "b", "hal", "deb", "charlie")
    ]  # fmt: skip
    theirs = view["hands"][1 - seat] or []  # they are shown when the game is over; observations stay as they were
    return {
        "viewer": one_of([0, 1], seat),
        "edition": one_of(["times_square", "royal_visit"], view["options"]["edition"]),
        "step": one_of(["side", "deal", "act", "playing", "dropping", "refill", "over"], view["step"]),
        "turn": one_of([seat, 1 - seat], view["seat"]),
        "colour": one_of(["green", "yellow", "grey", "red"], view["colour"]),
        "joker": one_of(["deb", "sue", "hal", "guards"], view["joker"]),
        "figures": np.array(figures),
        "hand": np.array(counted(view["hand"])),
        "unseen": np.array(counted([*view["unseen"], *theirs])),
        "discards": np.array(counted(view["discards"])),
        "held": np.array([view["held"][seat], view["held"][1 - seat]]),
        "supply": np.array([view["supply"]]),
        "exhausted": np.array([view["exhausted"]]),
    }
