"""Many games of one kind, stepped together: the loop behind fast self-play. Compiled.

It returns bytes and lists of numbers; callers with numpy wrap them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from omnibus.kernel.game import CHANCE, Game, Outcome


class Batch:
    """A number of games, each waiting for a decision of a seat. One that ends is restarted at once."""

    def __init__(self, game: Game[Any], fresh: Any, rolls: list[Callable[[], float]], weight: float) -> None:
        """Start one game for each `roll` (a function like `random.random`) from the state `fresh`."""
        self.game = game
        self.fresh = fresh
        self.seats: int = fresh.seats
        self.rolls = rolls
        self.weight = weight
        self.width: int = game.space(fresh)[0]
        self.states: list[Any] = []
        self.legal: list[list[int]] = []
        self.played: list[list[int]] = []
        self.ended: list[list[int]] = []
        self.rewards: list[float] = [0.0] * (len(rolls) * self.seats)
        self.over: bytearray = bytearray(len(rolls))
        self.watched = False
        self.between: list[bytes] = []
        for slot in range(len(rolls)):
            self.states.append(fresh)
            self.legal.append([])
            self.played.append([])
            self.ended.append([])
            self._begin(slot)

    def refused(self, actions: list[int]) -> int:
        """Return the first game whose action is not legal, or −1."""
        legal = self.legal
        for slot in range(len(legal)):
            if actions[slot] not in legal[slot]:
                return slot
        return -1

    def step(self, actions: list[int]) -> None:
        """Play one legal action in each game, then the moves of chance; sets `rewards` and `over`.

        If the batch is `watched`, `between` holds for each game what all seats see after the action and before chance
        acts, beginning with the seat that acted; nothing where chance does not act.
        """
        apply = self.game.apply
        states = self.states
        self.rewards = [0.0] * (len(states) * self.seats)
        self.over = bytearray(len(states))
        self.between = []
        for slot in range(len(states)):
            state = states[slot]
            action = actions[slot]
            self.played[slot].append(action)
            if self.weight == 0.0:
                seat: int = state.actor
                apply(state, action)
                if self.watched:
                    self.between.append(everything(self.game, state, seat) if state.actor == CHANCE else b"")
                self._settle(slot, state)
            else:
                before = self.game.standing(state)
                apply(state, action)
                self._settle(slot, state)
                self._shape(slot, before, self.game.standing(state))
            if not self.legal[slot]:
                self._end(slot, state)

    def observations(self) -> bytearray:
        """Return the observations of the seats to act, one row of bytes after the other."""
        observe = self.game.observe
        rows: list[bytes] = []
        for state in self.states:
            rows.append(observe(state, state.actor))
        return bytearray().join(rows)

    def full_observations(self) -> bytearray:
        """Return what all seats see, beginning with the one to act, one row of bytes after the other."""
        return bytearray().join([everything(self.game, state, state.actor) for state in self.states])

    def masks(self) -> bytearray:
        """Return the action masks of the seats to act, one row after the other: 1 for a legal action."""
        width = self.width
        marks = bytearray(width * len(self.legal))
        start = 0
        for moves in self.legal:
            for move in moves:
                marks[start + move] = 1
            start += width
        return marks

    def actors(self) -> list[int]:
        """Return the seats to act."""
        return [state.actor for state in self.states]

    def choices(self, random: Callable[[], float]) -> list[int]:
        """Choose a random legal action for each game."""
        chosen: list[int] = []
        for moves in self.legal:
            chosen.append(moves[int(random() * float(len(moves)))])
        return chosen

    def _begin(self, slot: int) -> None:
        state = self.fresh.clone()
        self.states[slot] = state
        self.played[slot] = []
        self._settle(slot, state)

    def _settle(self, slot: int, state: Any) -> None:
        """Let chance act until a seat is to act, and find its legal moves: none when the game is over."""
        game = self.game
        roll = self.rolls[slot]
        weights = game.chance_total(state)
        while weights:
            move = game.chance_at(state, int(roll() * float(weights)))
            self.played[slot].append(move)
            game.apply(state, move)
            weights = game.chance_total(state)
        self.legal[slot] = game.legal(state)

    def _end(self, slot: int, state: Any) -> None:
        outcome = self.game.outcome(state)
        assert outcome is not None
        rewards = payoffs(outcome, self.seats)
        start = slot * self.seats
        for seat in range(self.seats):
            self.rewards[start + seat] = self.rewards[start + seat] + rewards[seat]
        self.over[slot] = 1
        self.ended[slot] = self.played[slot]
        self._begin(slot)

    def _shape(self, slot: int, before: list[int], after: list[int]) -> None:
        gains = shaped(before, after, self.weight)
        start = slot * self.seats
        for seat in range(self.seats):
            self.rewards[start + seat] = gains[seat]


def everything(game: Game[Any], state: Any, seat: int) -> bytes:
    """Return the observations of all seats, beginning with this one and going round."""
    seats: int = state.seats
    rows: list[bytes] = []
    for step in range(seats):
        rows.append(game.observe(state, (seat + step) % seats))
    return b"".join(rows)


def payoffs(outcome: Outcome, seats: int) -> list[float]:
    """Return the rewards at the end, which sum to zero: 1 for a sole winner, −1/(seats − 1) for the losers.

    Several winners share the win; if nobody or everybody won, all get 0.
    """
    winners = outcome.winners
    if not winners:
        return [0.0] * seats
    won = (seats / len(winners) - 1) / (seats - 1)
    lost = -1 / (seats - 1)
    return [won if seat in winners else lost for seat in range(seats)]


def shaped(before: list[int], after: list[int], weight: float) -> list[float]:
    """Return the rewards for a change of the scores, which sum to zero: the gain less the others' mean gain."""
    gains = [float(new - old) for new, old in zip(after, before, strict=True)]
    total = sum(gains)
    others = float(len(gains) - 1)
    return [weight * (gain - (total - gain) / others) for gain in gains]
