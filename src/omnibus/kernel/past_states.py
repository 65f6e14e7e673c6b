"""The earlier states of a match, kept so that long games need little memory.

The last states are kept as they were, and of the others only every so many; those between are played again when
somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, overload

from omnibus.kernel.game import Game, State

RECENT: Final = 8  # plies: undo, the log and the board look no further back while a game goes on
EVERY: Final = 32  # plies between two states that are kept for good


class PastStates:
    """The state before each ply. Do not change them."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._moves: list[int] = []
        self._kept: list[State | None] = []
        self._replayed: tuple[int, State] | None = None  # the last one played again: the next one is often near

    def add(self, state: State, move: int) -> None:
        """Add the state before a move."""
        self._moves.append(move)
        self._kept.append(state)
        old = len(self._kept) - 1 - RECENT
        if old > 0 and old % EVERY:
            self._kept[old] = None

    def cut(self, ply: int) -> State:
        """Forget everything from a ply on, and return the state before it."""
        state = self[ply]
        del self._moves[ply:], self._kept[ply:]
        self._replayed = None
        return state

    def first(self, plies: int) -> PastStates:
        """Return those before the first plies."""
        some = PastStates(self._game)
        some._moves, some._kept = self._moves[:plies], self._kept[:plies]
        return some

    def __len__(self) -> int:
        return len(self._kept)

    def __getitem__(self, ply: int) -> State:
        return self._kept[ply] or self._replay(ply)

    def _replay(self, ply: int) -> State:
        """Play again up to a ply, from the nearest state before it."""
        begin, state = self._replayed or (0, None)
        if begin == ply and state is not None:
            return state
        kept = ply - ply % EVERY
        if state is None or not kept < begin < ply:
            begin, state = kept, self._kept[kept]
        assert state is not None
        state = state.clone()
        for move in self._moves[begin:ply]:
            self._game.apply(state, move)
        self._replayed = (ply, state)
        return state


class States(Sequence[Any]):
    """The state before each ply, and the current one. Do not change them."""

    def __init__(self, past: PastStates, now: State) -> None:
        self._past = past
        self._now = now

    def __len__(self) -> int:
        return len(self._past) + 1

    @overload
    def __getitem__(self, ply: int) -> Any: ...

    @overload
    def __getitem__(self, ply: slice) -> Sequence[Any]: ...

    def __getitem__(self, ply: int | slice) -> Any:
        at = range(len(self))[ply]
        if isinstance(at, range):
            return [self[each] for each in at]
        return self._now if at == len(self._past) else self._past[at]
