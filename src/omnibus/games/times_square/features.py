"""Observations for learning: what a seat sees, as named arrays in one row of bytes. Compiled."""

from __future__ import annotations

from typing import Final

from omnibus.games.times_square.board import (
    CHARLIE,
    COLOURS,
    DECKS,
    EDITIONS,
    END,
    FIGURES,
    HAND,
    KINDS,
    LAST_EXHAUSTION,
    SEATS,
    A,
    B,
)
from omnibus.games.times_square.moves import (
    BOTH,
    CARD,
    EFFECT,
    FIGURE,
    JOKERS,
    SEAT_MOVES,
    STEP,
    STEP_B,
    USES,
)
from omnibus.games.times_square.state import DISCARDS, SIDING, STEPS, SUPPLY, State
from omnibus.kernel.features import Feature, one_hots

SPACES: Final = 2 * END + 1
MOST_OF_A_KIND: Final = max(DECKS[0])
MOST_EXHAUSTIONS: Final = max(LAST_EXHAUSTION)

_FEATURES: Final = [
    Feature("viewer", (SEATS,), 1, "the seat that looks: seat 0's club is on the left, seat 1's on the right"),
    Feature("edition", (len(EDITIONS),), 1, "times_square, royal_visit"),
    Feature("step", (len(STEPS),), 1, ", ".join(STEPS)),
    Feature("turn", (SEATS,), 1, "whose turn it is: the viewer, the other seat"),
    Feature("colour", (len(COLOURS),), 1, "of the cards played this turn: " + ", ".join(COLOURS)),
    Feature("joker", (len(JOKERS) - 1,), 1, "what the latest red card of this turn moved: " + ", ".join(JOKERS[1:])),
    Feature("figures", (len(FIGURES), SPACES), 1, ", ".join(FIGURES) + "; each on one of the spaces −8 … 8"),
    Feature("hand", (KINDS,), MOST_OF_A_KIND, "the viewer's cards, counted by kind in the order of §2"),
    Feature("unseen", (KINDS,), MOST_OF_A_KIND, "the cards in the supply and in the other hand, together"),
    Feature("discards", (KINDS,), MOST_OF_A_KIND, "the discarded cards"),
    Feature("held", (SEATS,), HAND, "how many cards the viewer and the other seat hold"),
    Feature("supply", (1,), sum(DECKS[0]), "how many cards the supply holds"),
    Feature("exhausted", (1,), MOST_EXHAUSTIONS, "how often the supply has been exhausted (§8.2)"),
]

_TWO: Final[list[bytes]] = one_hots(SEATS)
_STEP: Final[list[bytes]] = one_hots(len(STEPS))
_COLOUR: Final[list[bytes]] = one_hots(len(COLOURS))
_JOKER: Final[list[bytes]] = one_hots(len(JOKERS) - 1)
_SPACE: Final[list[bytes]] = one_hots(SPACES)


def features(state: State) -> list[Feature]:
    """List what an observation is made of, in order."""
    return _FEATURES


def observe(state: State, seat: int) -> bytes:
    """Return what a seat sees as bytes; nothing in it goes beyond its view."""
    at = state.at
    other = 1 - seat
    nowhere = state.step == SIDING  # Hal and Deb are not placed yet (§3.1)
    return b"".join(
        [
            _TWO[seat],
            _TWO[state.edition],
            _STEP[state.step],
            _TWO[0 if state.seat == seat else 1],
            _COLOUR[state.colour],
            _JOKER[state.joker - 1],
            _SPACE[at[0] + END],
            _SPACE[at[1] + END],
            _SPACE[at[2] + END],
            _SPACE[-1 if nowhere else at[3] + END],
            _SPACE[-1 if nowhere else at[4] + END],
            _SPACE[at[5] + END],
            _counts(state, seat, other),
        ]
    )


def _counts(state: State, seat: int, other: int) -> bytes:
    cards = state.cards
    counts = cards[seat * KINDS : seat * KINDS + KINDS]
    theirs = other * KINDS
    for kind in range(KINDS):
        counts.append(cards[SUPPLY + kind] + cards[theirs + kind])
    counts += cards[DISCARDS:]
    counts.append(state.hands[seat])
    counts.append(state.hands[other])
    counts.append(state.supplied)
    counts.append(state.exhausted)
    return bytes(counts)


def standing(state: State) -> list[int]:
    """Return the score as it stands, which everybody sees: how far Charlie is on each seat's side (§9)."""
    charlie = state.at[CHARLIE]
    return [max(-charlie, 0), max(charlie, 0)]


def mirror(seat: int) -> tuple[list[int], list[int]]:
    """Return where a seat's numbers and moves stand for seat 0: the street is reversed and the guards are swapped."""
    size = sum(feature.size for feature in _FEATURES)
    if seat == 0:
        return list(range(size)), list(range(SEAT_MOVES))
    numbers: list[int] = []
    for feature in _FEATURES:
        start = len(numbers)
        if feature.name == "viewer":
            numbers += [start + 1, start]
        elif feature.name == "figures":
            for figure in range(len(FIGURES)):
                first = start + SPACES * _mirrored_figure(figure)
                numbers += range(first + SPACES - 1, first - 1, -1)
        else:
            numbers += range(start, start + feature.size)
    known = {_effect_of(move, -1): move for move in range(SEAT_MOVES)}
    return numbers, [known[_effect_of(move, 1)] for move in range(SEAT_MOVES)]


def _mirrored_figure(figure: int) -> int:
    return B if figure == A else A if figure == B else figure


def _effect_of(move: int, sign: int) -> tuple[int, int, int, int, int, int]:
    """Return everything that a move does, if `sign` is −1 as seen in the mirror."""
    figure, first, second = FIGURE[move], STEP[move], STEP_B[move]
    if sign < 0:
        figure = _mirrored_figure(figure)
        first, second = (-second, -first) if EFFECT[move] == BOTH else (-first, -second)
    return EFFECT[move], CARD[move], USES[move], figure, first, second
