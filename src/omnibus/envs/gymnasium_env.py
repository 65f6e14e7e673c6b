"""Gymnasium: one seat against bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import gymnasium

from omnibus.bots import bot, names
from omnibus.envs.setup import RENDER_MODES, Observation, Room, check_mode
from omnibus.kernel.game import IllegalMove
from omnibus.kernel.match import Match

OPPONENT: Final = names()[1]  # the weakest that thinks
ANY: Final = "any"

Opponent = str | Callable[[Mapping[str, Any]], str]
"""A bot by its name, or anything that chooses a legal line from a view."""


class Single(gymnasium.Env[Observation, Any]):
    """One game from one seat. `match` is the game as people hold it, with its record.

    `seat` is a number or "any", another one in each game; `opponents` is one for all other seats or a list in their
    order. Gymnasium's own checks play without looking at the mask, so an illegal action loses the game: the reward is
    −1 and `info["refusal"]` says why.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012 — declared so by Gymnasium

    def __init__(
        self,
        game: str,
        *,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        seat: int | str = 0,
        opponents: Opponent | Sequence[Opponent] = OPPONENT,
        shaping: float = 0.0,
        render_mode: str | None = None,
    ) -> None:
        self.room = Room(game, seats, options)
        self.layout = self.room.layout
        self.shaping = shaping
        self.render_mode = check_mode(render_mode)
        self.observation_space = self.room.observation_space()
        self.action_space = self.room.action_space()
        self._asked = self._checked_seat(seat)
        self._opponents = self._seated(opponents)
        self._match: Match | None = None
        self._bots: list[Callable[[Mapping[str, Any]], str]] = []
        self.seat = 0

    def _checked_seat(self, seat: int | str) -> int | str:
        if seat != ANY and not (isinstance(seat, int) and 0 <= seat < self.room.seats):
            raise ValueError(f"seat may be 0 to {self.room.seats - 1} or {ANY!r}, not {seat!r}")
        return seat

    def _seated(self, opponents: Opponent | Sequence[Opponent]) -> list[Opponent]:
        others = self.room.seats - 1
        listed = [opponents] * others if isinstance(opponents, str) or callable(opponents) else list(opponents)
        if len(listed) != others:
            raise ValueError(f"there are {others} other seats, but {len(listed)} opponents")
        for opponent in listed:
            self._bot(opponent, 0)  # ValueError for a name nobody has, now and not in mid-game
        return listed

    def _bot(self, opponent: Opponent, seed: int) -> Callable[[Mapping[str, Any]], str]:
        return bot(opponent, self.room.game, seed=seed) if isinstance(opponent, str) else opponent

    @property
    def match(self) -> Match:
        """The game under way."""
        if self._match is None:
            raise RuntimeError("no game has begun: call reset() first")
        return self._match

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game; it is played on to the first decision of one's own seat."""
        super().reset(seed=seed)
        while True:  # a game that ends before that, which is very rare, is not shown
            self._begin(seed)
            self._play_others([0.0] * self.room.seats)
            if self.match.outcome is None:
                break
            seed = None
        self._show()
        return self.room.observe(self.match, self.seat), {"seat": self.seat}

    def _begin(self, seed: int | None) -> None:
        drawn = self._draw()
        self._match = self.room.begin(drawn if seed is None else int(seed))
        self.seat = self._draw() % self.room.seats if isinstance(self._asked, str) else self._asked
        self._bots = [self._bot(opponent, self._draw()) for opponent in self._opponents]
        self._bots.insert(self.seat, _nobody)

    def _draw(self) -> int:
        return int(self.np_random.integers(1 << 62))

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, then everybody else's until it is one's own decision again or the game is over."""
        match = self.match
        try:
            rewards = self.room.play(match, action, self.shaping)
        except IllegalMove as error:
            told = {"seat": self.seat, "refusal": str(error.refusal)}
            return self.room.observe(match, self.seat), -1.0, True, False, told
        self._play_others(rewards)
        self._show()
        told = {"seat": self.seat}
        if match.outcome is not None:
            told["outcome"] = match.outcome.document()
        return self.room.observe(match, self.seat), rewards[self.seat], match.outcome is not None, False, told

    def _play_others(self, rewards: list[float]) -> None:
        """Let the others play until it is one's own decision or the game is over, and add up what it earns."""
        match, game = self.match, self.room.game
        while match.outcome is None and match.state.actor != self.seat:
            actor = match.state.actor
            move = game.parse(match.state, self._bots[actor](game.view(match.state, actor)))
            for seat, reward in enumerate(self.room.play(match, move, self.shaping)):
                rewards[seat] += reward

    def render(self) -> Any:
        """Show the board as one's own seat sees it: text, SVG, or printed."""
        return self.room.render(self.match, self.seat, self.render_mode)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def _nobody(view: Mapping[str, Any]) -> str:
    raise AssertionError("this seat is played from outside")
