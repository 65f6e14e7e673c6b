"""Games for tests: hypothesis draws which move is made at each ply, so that what fails shrinks to a short game.

A failing test prints that game as a record: put into a file, `Match.read` replays it up to the position that failed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from omnibus import Match, games
from omnibus.kernel.game import OVER, Game
from support.rules import possible

MOST_INDEX = 2**16
LONG = 260  # plies after which nearly every game of ours is over
MIXING = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio: multiples of it are spread evenly


class Setup(NamedTuple):
    """A game with a number of seats and options."""

    name: str
    seats: int
    options: dict[str, Any]

    @property
    def game(self) -> Game[Any]:
        """The game itself."""
        return games.find(self.name)

    def match(self) -> Match:
        """Return a match without dice before its first ply."""
        return Match.new(self.name, seats=self.seats, options=self.options, dice=False)


class Choices(NamedTuple):
    """Which move is made at each ply: its index, modulo the number of legal moves there.

    The first plies have an index each: hypothesis leaves out as many as it can, so that games that fail are short. As
    many plies as `more` says follow, whose indices come from `later`. A test looks at the position after every `gap`
    plies and at the last one. So failures late in a game are found too, and shrink to the first position that fails.
    """

    gap: int
    more: int
    later: int
    first: list[int]

    def at(self, ply: int) -> int:
        """Return the index of a ply."""
        if ply < len(self.first):
            return self.first[ply]
        return self.later * (2 * ply + 1) * MIXING % 2**64 >> 20


class GamePlayed:
    """A game played by such choices: the position it has come to, and how."""

    def __init__(self, setup: Setup, choices: Choices) -> None:
        self.setup, self.game, self.seats = setup, setup.game, setup.seats
        self.state = self.game.setup(setup.seats, setup.options)
        self.moves: list[int] = []
        self.told: int | None = None
        """After how many plies a test has failed that goes through all states; None: after the last."""
        self.random = Random(choices.later)
        self._choices = choices

    def positions(self) -> Iterator[GamePlayed]:
        """Play, and stop wherever a test is to look."""
        gap, left = self._choices.gap, len(self._choices.first) + self._choices.more
        while left > gap:
            self.play_on(gap)
            left -= gap
            if self.state.actor == OVER:
                break
            yield self
        self.play_on(left)
        yield self

    def play_on(self, plies: int) -> None:
        """Play some plies more, or to the end."""
        for _ in range(plies):
            if self.state.actor == OVER:
                break
            move = self._chosen(self._choices.at(len(self.moves)))
            self.game.apply(self.state, move)
            self.moves.append(move)

    def _chosen(self, index: int) -> int:
        """Return the move of an index; what chance does is counted by its weights, so that all of it is possible."""
        if total := self.game.chance_total(self.state):
            return self.game.chance_at(self.state, index % total)
        moves = self.game.legal(self.state)
        return moves[index % len(moves)]

    def states(self) -> Iterator[tuple[Any, str]]:
        """Yield the same state again and again, after each ply, with the line that was played."""
        state = self.game.setup(self.setup.seats, self.setup.options)
        for told, move in enumerate(self.moves, 1):
            line = self.game.write(state, move)
            self.game.apply(state, move)
            self.told = told
            yield state, line
        self.told = None

    def matches(self) -> Iterator[Match]:
        """Yield the same match without dice again and again, before the first ply and after each."""
        match = self.setup.match()
        yield match
        for told, move in enumerate(self.moves, 1):
            match.play_move(move)
            self.told = told
            yield match
        self.told = None

    def match(self) -> Match:
        """Return the game as a match without dice, as far as it is told."""
        match = self.setup.match()
        for move in self.moves[: self.told]:
            match.play_move(move)
        return match

    def readers(self) -> list[int | None]:
        """List everybody who may look on: the seats and a spectator."""
        return [*range(self.seats), None]

    def __repr__(self) -> str:
        return f"The game that was played:\n\n{self.match().record()}"


def setups() -> Iterator[Setup]:
    """Yield every game with every number of seats, with its defaults and with every other choice of a single option."""
    for name in games.names():
        game = games.find(name)
        defaults = {key: option.default for key, option in game.options.items()}
        others = [
            {key: choice}
            for key, option in game.options.items()
            for choice in option.choices
            if choice != option.default
        ]
        chosen = [defaults] + [defaults | other for other in others]
        for seats, options in itertools.product(game.seats, chosen):
            if possible(name, seats, options):
                yield Setup(name, seats, options)


SETUPS = list(setups())
every_setup = pytest.mark.parametrize(
    "setup", SETUPS, ids=[f"{setup.name}-{setup.seats}-{number}" for number, setup in enumerate(SETUPS)]
)
every_game = pytest.mark.parametrize("name", games.names())


INDEX = st.integers(0, MOST_INDEX)
INDICES = st.lists(INDEX, max_size=20)
NONE, END = st.just(0), st.just(2000)


@st.composite
def plies(draw: st.DrawFn, number: st.SearchStrategy[int]) -> list[int]:
    """Draw an index for each of so many plies."""
    return [draw(INDEX) for _ in range(draw(number))]


ANYWHERE = st.builds(
    Choices, st.integers(15, 80), NONE, INDEX, plies(st.one_of(st.integers(0, 30), st.integers(0, LONG)))
)
"""Choices for positions near the beginning, in the middle and at the end of games."""
EVERYWHERE = st.builds(Choices, st.just(1), NONE, INDEX, plies(st.integers(0, 2 * LONG)))
"""Choices for all positions of a game, as a rule to the end; the first of them are those of no ply at all."""
ALONG = st.builds(Choices, END, NONE, INDEX, plies(st.integers(0, 2 * LONG)))
"""The same for tests that go through a game themselves."""


def after(number: int) -> st.SearchStrategy[Choices]:
    """Draw choices for so many plies, or to the end: only that position is looked at."""
    return st.builds(Choices, st.just(number + 20), st.just(number), st.integers(1, MOST_INDEX), INDICES)


WHOLE = after(2000)
"""Choices that lead to the end of a game."""

Test = Callable[[GamePlayed], None]


def in_positions(
    number: int, of: str = "", ways: st.SearchStrategy[Choices] = ANYWHERE, *, least: int = 0, **options: Any
) -> Callable[[Test], Callable[..., None]]:
    """Run a test in positions of so many games of every setup, or of one game with these options and seats.

    With `--hypothesis-profile nightly` there are ten times as many.
    """
    some = [each for each in SETUPS if each.name == of and each.options.items() >= options.items()]
    some = [each for each in some if each.seats >= least]

    def decorate(test: Test) -> Callable[..., None]:
        def run(setup: Setup, way: Choices) -> None:
            played = GamePlayed(setup, way)
            try:
                for position in played.positions():
                    test(position)
            finally:
                note(played)

        run.__name__, run.__qualname__, run.__doc__ = test.__name__, test.__qualname__, test.__doc__
        run.__module__ = test.__module__
        drawn = {"setup": st.sampled_from(some)} if of else {}
        many = settings(max_examples=max(1, number * settings().max_examples // 100))
        found = many(given(way=ways, **drawn)(run))
        return found if of else every_setup(found)

    return decorate


def random_match(
    name: str, seed: int, *, seats: int | None = None, options: Mapping[str, Any] | None = None, plies: int = 10_000
) -> Match:
    """Return a match with dice after so many random plies, or at its end."""
    match, random = Match.new(name, seats=seats, options=options, seed=seed), Random(seed)
    while match.actor is not None and match.length < plies:
        match.play(random.choice(match.lines()))
    return match
