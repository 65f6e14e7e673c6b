"""What is printed: the street, the six figures and the cards (§1, §2)."""

from __future__ import annotations

from typing import Final

SEATS: Final = 2
END: Final = 8  # seat 0's club stands at −8, seat 1's at +8 (§1.1)
ENTRANCE: Final = 7  # ±7 and ±8 are entrances (§1.2)
HAND: Final = 8  # cards in a full hand (§3.2)

SUE: Final = 0
A: Final = 1
B: Final = 2
HAL: Final = 3
DEB: Final = 4
CHARLIE: Final = 5
FIGURES: Final = ["sue", "a", "b", "hal", "deb", "charlie"]

GREEN: Final = 0
YELLOW: Final = 1
GREY: Final = 2
RED: Final = 3
COLOURS: Final = ["green", "yellow", "grey", "red"]

CARDS: Final = [
    "sue", "hal1", "hal2", "hal3", "guard1", "guard2", "close", "deb0", "deb1", "deb2", "deb3", "deb4", "deb5",
]  # fmt: skip
KINDS: Final = 13
SUE_CARD: Final = 0
HAL0: Final = 0  # a `halN` card is kind HAL0 + N
GUARD1: Final = 4
GUARD2: Final = 5
CLOSE: Final = 6
DEB0: Final = 7  # a `debN` card is kind DEB0 + N
COLOUR_OF: Final = [0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3]

TIMES_SQUARE: Final = 0
ROYAL_VISIT: Final = 1
EDITIONS: Final = ["times_square", "royal_visit"]
DECKS: Final = [
    [12, 2, 8, 2, 4, 10, 2, 2, 1, 3, 5, 3, 1],  # 55 cards (§2)
    [12, 2, 8, 2, 4, 10, 2, 2, 1, 3, 4, 3, 1],  # 54, with deb3 four times (§11.1)
]

LAST_EXHAUSTION: Final = [2, 8]  # by edition: at this one the supply decides, whatever happens (§8.3, §11.4)


def tokens(counts: list[int]) -> list[str]:
    """List cards, counted by kind, by their tokens."""
    listed: list[str] = []
    for kind in range(KINDS):
        listed += [CARDS[kind]] * counts[kind]
    return listed
