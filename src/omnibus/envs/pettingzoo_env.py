"""PettingZoo: every seat is an agent, and agents act one after the other (AEC)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv

from omnibus.envs.setup import RENDER_MODES, Observation, Setup, check_mode
from omnibus.kernel.match import Match


def aec(
    game: str,
    *,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    seed: int | None = None,
    shaping: float = 0.0,
    render_mode: str | None = None,
) -> AEC:
    """Make a PettingZoo environment of a game; `shaping` is the reward for a point of the score during the game."""
    return AEC(Setup(game, seats, options), seed=seed, shaping=shaping, render_mode=render_mode)


class AEC(AECEnv[str, Observation, Any]):
    """One game. Agents are `seat_0`, `seat_1` …; `match` is the game with its record.

    An illegal action raises IllegalMove, which gives the reason, and changes nothing.
    """

    def __init__(self, setup: Setup, *, seed: int | None, shaping: float, render_mode: str | None) -> None:
        super().__init__()
        self.setup = setup
        self.layout = setup.layout
        self.shaping = shaping
        self.render_mode = check_mode(render_mode)
        self.metadata = {
            "name": f"omnibus_{setup.game.name}_v{setup.game.numbering}",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(setup.seats)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: setup.observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: setup.action_space() for agent in self.possible_agents}
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._first = seed
        self._seeds = Random()
        self._match: Match | None = None

    @property
    def match(self) -> Match:
        """The game under way."""
        if self._match is None:
            raise RuntimeError("no game has begun: call reset() first")
        return self._match

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the observation space of an agent, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space of an agent, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. A seed gives the same dice as in `Match.new`, and determines the following games too.

        The option `position` is a position document to start from.
        """
        self._match = self.setup.begin(self._next_seed(seed), position=(options or {}).get("position"))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._match.state.actor]
        self._show()

    def _next_seed(self, seed: int | None) -> int:
        if seed is None:
            seed, self._first = self._first, None
        if seed is None:
            return self._seeds.getrandbits(63)
        self._seeds = Random(int(seed))
        return int(seed)

    def observe(self, agent: str) -> Observation:
        """Return the observation and action mask of an agent."""
        return self.setup.observe(self.match, self._seat[agent])

    def step(self, action: Any) -> None:
        """Play an action of the selected agent; None once the game is over."""
        agent = self.agent_selection
        match = self.match
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        earned = self.setup.play(match, action, self.shaping)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, earned, strict=True))
        self._accumulate_rewards()
        if match.outcome is None:
            self.agent_selection = self.agents[match.state.actor]
        else:
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {each: {"outcome": match.outcome.document()} for each in self.agents}
        self._show()

    def render(self) -> Any:
        """Render the board as a spectator sees it: as text, as SVG, or printed."""
        return self.setup.render(self.match, None, self.render_mode)

    def close(self) -> None:
        """Drop the current game; `reset` starts another."""
        self._match = None

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()
