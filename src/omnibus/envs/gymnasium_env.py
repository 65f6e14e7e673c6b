"""Gymnasium: one seat against bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import gymnasium

from omnibus.bots import bot, names
from omnibus.envs.setup import RENDER_MODES, Observation, Setup, check_mode
from omnibus.kernel.game import IllegalMove
from omnibus.kernel.match import Match

OPPONENT: Final = names()[1]  # the weakest that is not random
ANY: Final = "any"

Opponent = str | Callable[[Mapping[str, Any]], str]
"""The name of a bot, or a function that returns a legal line for a view."""


class Single(gymnasium.Env[Observation, Any]):
    """A game played from one seat against bots. `match` is the game with its record.

    `seat` is a number, or "any" for a random one in each game; `opponents` is one for all other seats, or a list in
    seat order. Gymnasium's own checks ignore the action mask, so an illegal action does not raise but loses the game:
    the reward is −1 and `info["refusal"]` says why.
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
        self.setup = Setup(game, seats, options)
        self.layout = self.setup.layout
        self.shaping = shaping
        self.render_mode = check_mode(render_mode)
        self.observation_space = self.setup.observation_space()
        self.action_space = self.setup.action_space()
        self._asked = self._checked_seat(seat)
        self._opponents = self._seated(opponents)
        self._match: Match | None = None
        self._bots: list[Callable[[Mapping[str, Any]], str]] = []
        self.seat = 0

    def _checked_seat(self, seat: int | str) -> int | str:
        if seat != ANY and not (isinstance(seat, int) and 0 <= seat < self.setup.seats):
            raise ValueError(f"seat may be 0 to {self.setup.seats - 1} or {ANY!r}, not {seat!r}")
        return seat

    def _seated(self, opponents: Opponent | Sequence[Opponent]) -> list[Opponent]:
        others = self.setup.seats - 1
        listed = [opponents] * others if isinstance(opponents, str) or callable(opponents) else list(opponents)
        if len(listed) != others:
            raise ValueError(f"there are {others} other seats, but {len(listed)} opponents")
        for opponent in listed:
            self._bot(opponent, 0)  # raises ValueError for an unknown name now, not in mid-game
        return listed

    def _bot(self, opponent: Opponent, seed: int) -> Callable[[Mapping[str, Any]], str]:
        return bot(opponent, self.setup.game, seed=seed) if isinstance(opponent, str) else opponent

    @property
    def match(self) -> Match:
        """The game under way."""
        if self._match is None:
            raise RuntimeError("no game has begun: call reset() first")
        return self._match

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game and play it up to the first decision of the own seat.

        The option `position` is a position document to start from.
        """
        super().reset(seed=seed)
        position = (options or {}).get("position")
        while True:  # a game that ends before that, which is very rare, is skipped
            self._begin(seed, position)
            self._play_others([0.0] * self.setup.seats)
            if self.match.outcome is None:
                break
            if position is not None:
                raise ValueError("from this position the game ends before the own seat decides")
            seed = None
        self._show()
        return self.setup.observe(self.match, self.seat), {"seat": self.seat}

    def _begin(self, seed: int | None, position: Mapping[str, Any] | None) -> None:
        drawn = self._draw()
        self._match = self.setup.begin(drawn if seed is None else int(seed), position=position)
        self.seat = self._draw() % self.setup.seats if isinstance(self._asked, str) else self._asked
        self._bots = [self._bot(opponent, self._draw()) for opponent in self._opponents]
        self._bots.insert(self.seat, _no_bot)

    def _draw(self) -> int:
        return int(self.np_random.integers(1 << 62))

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, then those of the opponents up to the own seat's next decision or the end."""
        match = self.match
        try:
            rewards = self.setup.play(match, action, self.shaping)
        except IllegalMove as error:
            told = {"seat": self.seat, "refusal": str(error.refusal)}
            return self.setup.observe(match, self.seat), -1.0, True, False, told
        self._play_others(rewards)
        self._show()
        told = {"seat": self.seat}
        if match.outcome is not None:
            told["outcome"] = match.outcome.document()
        return self.setup.observe(match, self.seat), rewards[self.seat], match.outcome is not None, False, told

    def _play_others(self, rewards: list[float]) -> None:
        """Let the opponents play up to the own seat's decision or the end, and add up the rewards."""
        match, game = self.match, self.setup.game
        while match.outcome is None and match.state.actor != self.seat:
            actor = match.state.actor
            move = game.parse(match.state, self._bots[actor](game.view(match.state, actor)))
            for seat, reward in enumerate(self.setup.play(match, move, self.shaping)):
                rewards[seat] += reward

    def render(self) -> Any:
        """Render the board as the own seat sees it: as text, as SVG, or printed."""
        return self.setup.render(self.match, self.seat, self.render_mode)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def _no_bot(view: Mapping[str, Any]) -> str:
    raise AssertionError("this seat is not played by a bot")
