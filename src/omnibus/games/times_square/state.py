"""What is on the table now: State, its copy, and the state before a game."""

from __future__ import annotations

from typing import Final

from omnibus.games.times_square.board import DECKS, EDITIONS, KINDS, ROYAL_VISIT, SEATS, tokens
from omnibus.games.times_square.moves import DEB_HERSELF, NO_JOKER, NOTHING
from omnibus.kernel.game import CHANCE, Document

# The steps of a game; act, playing, dropping and refill make up a turn (§3.4).
SIDING: Final = 0
DEALING: Final = 1
ACT: Final = 2
PLAYING: Final = 3
DROPPING: Final = 4
REFILL: Final = 5
ENDED: Final = 6
STEPS: Final = ["side", "deal", "act", "playing", "dropping", "refill", "over"]


# Where the thirteen counts of a place begin in `State.cards`; the hand of a seat is at seat × KINDS.
SUPPLY: Final = 2 * KINDS
DISCARDS: Final = 3 * KINDS
HAS: Final = SEATS


class State:
    """A position of Times Square. Made by `setup`, `place` and `clone`, which set every attribute."""

    __slots__ = (
        "actor", "at", "cards", "colour", "edition", "exhausted", "hands", "joker", "seat", "seats",
        "step", "supplied",
    )  # fmt: skip

    actor: int
    seats: int
    edition: int
    step: int
    seat: int  # whose turn it is; while dealing, who is dealt to
    at: list[int]  # where each figure stands
    cards: list[int]  # how many of each kind are in each place
    hands: list[int]  # how many cards each hand holds, then (from HAS on) which kinds each holds, a bit each
    supplied: int  # how many cards the supply holds
    exhausted: int  # how often the supply has been (§8.2)
    colour: int  # of the cards played this turn, or NOTHING
    joker: int  # what the latest red card of this turn moved, or NO_JOKER

    def clone(self) -> State:
        """Return an independent copy."""
        other = State()
        other.actor = self.actor
        other.seats = self.seats
        other.edition = self.edition
        other.step = self.step
        other.seat = self.seat
        other.at = self.at[:]
        other.cards = self.cards[:]
        other.hands = self.hands[:]
        other.supplied = self.supplied
        other.exhausted = self.exhausted
        other.colour = self.colour
        other.joker = self.joker
        return other


def setup(edition: int) -> State:
    """Return the state before anything has happened: all cards in the supply, Hal and Deb not placed (§3.1)."""
    state = State()
    state.actor = CHANCE
    state.seats = SEATS
    state.edition = edition
    state.step = SIDING
    state.seat = 0
    state.at = [0, -2, 2, 0, 0, 0]
    state.cards = [0] * SUPPLY + DECKS[edition] + [0] * KINDS
    state.hands = [0] * (HAS + SEATS)
    state.supplied = sum(DECKS[edition])
    state.exhausted = 0
    state.colour = NOTHING
    state.joker = NO_JOKER
    return state


def chosen(state: State) -> Document:
    """Return the options of a state."""
    return {"edition": EDITIONS[state.edition]}


def lock(state: State) -> int:
    """Return what every further red card of the turn has to move; NO_JOKER while that is open (§5.3).

    Cards that moved Deb leave it open, except in royal_visit.
    """
    if state.joker == DEB_HERSELF and state.edition != ROYAL_VISIT:
        return NO_JOKER
    return state.joker


def cards_in(state: State, where: int) -> list[str]:
    """List the cards in one place: a hand (seat × KINDS), the SUPPLY or the DISCARDS."""
    return tokens(state.cards[where : where + KINDS])
