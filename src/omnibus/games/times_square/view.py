"""Views of a position: what one seat may see, and states that fit what it sees (redeal).

A seat sees its own hand; of the rest how many cards there are, and the discards (§3.2). Which cards it does not see
can be counted by anybody who remembers the deck, so they are listed: as one heap, supply and other hands together.
When the game is over, everybody sees all hands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnibus.games.times_square.board import KINDS, SEATS, tokens
from omnibus.games.times_square.moves import DRAW, EFFECT, HIDDEN_DRAW, JOKERS, LINES
from omnibus.games.times_square.position import place, position
from omnibus.games.times_square.scoring import outcome
from omnibus.games.times_square.state import DISCARDS, SUPPLY, State, chosen, lock
from omnibus.kernel.game import Document, Roll, actor_of


def view(state: State, seat: int | None) -> Document:
    """Return what a seat (None: a spectator) may see, as a JSON object."""
    told = position(state)
    ended = outcome(state)
    shown = [ended is not None or other == seat for other in range(SEATS)]
    unseen = state.cards[SUPPLY:DISCARDS]
    for other in range(SEATS):
        if not shown[other]:
            unseen = [more + n for more, n in zip(unseen, state.cards[other * KINDS :], strict=False)]
    return {
        "game": "times_square",
        "viewer": seat,
        "seats": SEATS,
        "options": chosen(state),
        "actor": actor_of(state),
        "step": told["step"],
        "seat": told["seat"],
        "figures": told["figures"],
        "hand": None if seat is None else told["hands"][seat],
        "hands": [hand if seen else None for hand, seen in zip(told["hands"], shown, strict=True)],
        "held": state.hands[:SEATS],
        "supply": state.supplied,
        "unseen": tokens(unseen),
        "discards": told["discards"],
        "exhausted": told["exhausted"],
        "colour": told["colour"],
        "joker": told["joker"],
        "lock": JOKERS[lock(state)] or None,
        "outcome": ended.document() if ended else None,
    }


def seen(state: State, move: int, seat: int | None) -> str:
    """Return the line of a move about to be applied as a seat may read it: a draw is its own seat's secret (§12)."""
    if EFFECT[move] == DRAW and seat != state.seat:
        return HIDDEN_DRAW
    return LINES[move]


def redeal(seen: Mapping[str, Any], roll: Roll) -> State:
    """Return a full state that looks the same through this view: the unseen cards are dealt out anew."""
    unseen: list[str] = list(seen["unseen"])
    hands = [
        [unseen.pop(roll(len(unseen))) for _ in range(held)] if hand is None else list(hand)
        for hand, held in zip(seen["hands"], seen["held"], strict=True)
    ]
    return place(
        {
            **seen["options"],
            "figures": seen["figures"],
            "hands": hands,
            "supply": unseen,
            "discards": seen["discards"],
            "exhausted": seen["exhausted"],
            "seat": seen["seat"],
            "step": seen["step"],
            "colour": seen["colour"],
            "joker": seen["joker"],
        }
    )
