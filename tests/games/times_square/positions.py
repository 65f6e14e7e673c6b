"""Positions of Times Square, made from the few facts a test is about."""

from __future__ import annotations

from typing import Any

from omnibus import Match

FULL_DECK = {
    "sue": 12, "hal1": 2, "hal2": 8, "hal3": 2, "guard1": 4, "guard2": 10, "close": 2,
    "deb0": 2, "deb1": 1, "deb2": 3, "deb3": 5, "deb4": 3, "deb5": 1,
}  # fmt: skip


def describe(
    *,
    hands: tuple[str, str] = ("", ""),
    discards: str = "",
    supply: str | None = None,
    edition: str = "times_square",
    exhausted: int = 0,
    seat: int = 0,
    step: str = "act",
    colour: str | None = None,
    joker: str | None = None,
    **figures: int | None,
) -> dict[str, Any]:
    """Return a position: figures as in the set-up (Hal +1) unless named; the rest of the deck is the supply."""
    held = [hand.split() for hand in hands]
    away = discards.split()
    deck = dict(FULL_DECK, deb3=4) if edition == "royal_visit" else FULL_DECK
    used = [*held[0], *held[1], *away]
    rest = [card for card, number in deck.items() for _ in range(number - used.count(card))]
    return {
        "edition": edition,
        "figures": {"sue": 0, "a": -2, "b": 2, "hal": 1, "deb": -1, "charlie": 0, **figures},
        "hands": held,
        "supply": rest if supply is None else supply.split(),
        "discards": away,
        "exhausted": exhausted,
        "seat": seat,
        "step": step,
        "colour": colour,
        "joker": joker,
    }


def place(**facts: Any) -> Match:
    """Begin a match from such a position, with chance by hand unless `dice` is given."""
    dice = bool(facts.pop("dice", False))
    return Match.from_position("times_square", describe(**facts), seed=1, dice=dice)
