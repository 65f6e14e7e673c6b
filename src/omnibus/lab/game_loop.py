"""The loop that plays one game between players and keeps its record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from omnibus.kernel import record as records
from omnibus.kernel.dice import Dice
from omnibus.kernel.game import CHANCE, OVER, Actor, Document, Game, IllegalMove
from omnibus.kernel.i18n import ENGLISH
from omnibus.kernel.record import Ply, Record

Player = Callable[[Document], str]
"""Takes the view of the seat to act and returns a line."""


class Chance(Protocol):
    """A source of chance: `kernel.dice.Dice`, or a faster one that cannot be verified."""

    @property
    def rolled(self) -> int | None:
        """The number of the last roll, where rolls are numbered."""

    def roll(self, below: int) -> int:
        """Return one of 0 … below − 1."""


class GameLoop:
    """One game. It keeps each seat's log as it happens, so that a view needs no replay."""

    def __init__(self, game: Game[Any], state: Any, chance: Chance) -> None:
        self.game = game
        self.state = state
        self.chance = chance
        self.decisions = 0
        self._options = game.chosen(state)
        self._plies: list[Ply] = []
        self._logs: list[list[list[Any]]] = [[] for _ in range(state.seats)]
        self._roll()

    def play(self, players: Sequence[Player]) -> None:
        """Play to the end, with one player per seat; an illegal answer raises and is not played."""
        while self.state.actor != OVER:
            seat = self.state.actor
            self._advance(self.parse(players[seat](self.view(seat))), None)
            self.decisions += 1
            self._roll()

    def view(self, seat: int) -> Document:
        """Return what `Match.view` would."""
        return {**self.game.view(self.state, seat), "plies": self._logs[seat].copy()}

    def lines(self) -> list[str]:
        """Return the legal lines of the actor."""
        return [self.game.write(self.state, move) for move in self.game.legal(self.state)]

    def parse(self, line: str) -> int:
        """Return the move of a line; IllegalMove or BadNotation if it may not be played now."""
        move = self.game.parse(self.state, line)
        refusal = self.game.refusal(self.state, move)
        if refusal is not None:
            raise IllegalMove(line, replace(refusal, reason=self.game.explain(refusal, ENGLISH)))
        return move

    @property
    def plies(self) -> int:
        """How many plies were played, including those of chance."""
        return len(self._plies)

    def record(self, names: Sequence[str] = (), dice: Dice | None = None) -> str:
        """Write the record so far; with the dice it was played with, the same as `Match.record` writes."""
        outcome = self.game.outcome(self.state)
        return records.write(
            Record(
                game=self.game.name,
                rules=self.game.version,
                seats=self.state.seats,
                options=self._options,
                names=tuple(names),
                commitment=dice.commitment if dice else None,
                seed=dice.seed if dice and outcome is not None else None,
                result=records.result(outcome),
                plies=tuple(self._plies),
            )
        )

    def _roll(self) -> None:
        while self.state.actor == CHANCE:
            number = self.chance.roll(self.game.chance_total(self.state))
            self._advance(self.game.chance_at(self.state, number), self.chance.rolled)

    def _advance(self, move: int, roll: int | None) -> None:
        state = self.state
        actor: Actor = "chance" if state.actor == CHANCE else state.actor
        self._plies.append(Ply(actor, self.game.write(state, move), roll))
        for seat, log in enumerate(self._logs):
            log.append([actor, self.game.seen(state, move, seat)])
        self.game.apply(state, move)
