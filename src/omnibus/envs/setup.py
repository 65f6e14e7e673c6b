"""What all environments share: a game with its seats and options, its spaces, rewards and rendering."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium import spaces

from omnibus.envs.arrays import Bytes, FeatureLayout, mask, row
from omnibus.kernel import registry
from omnibus.kernel.batch import payoffs, shaped
from omnibus.kernel.game import Game
from omnibus.kernel.i18n import ENGLISH
from omnibus.kernel.match import Match

RENDER_MODES: Final = ["ansi", "svg", "human"]

Observation = dict[str, Any]
"""`observation`, a row of numbers, and `action_mask`, 1 for every legal action."""


class Setup:
    """A game with its seats and options; ValueError if they are not possible."""

    def __init__(self, game: str, seats: int | None, options: Mapping[str, Any] | None) -> None:
        fresh = Match.new(game, seats=seats, options=options, dice=False)
        self.game: Game[Any] = fresh.game
        self.seats = fresh.seats
        self.options = fresh.options
        self.fresh = fresh.state
        self.layout = FeatureLayout(self.game.features(self.fresh))
        self.actions: int = self.game.space(self.fresh)[0]

    def begin(self, seed: int | None, *, dice: bool = True, position: Mapping[str, Any] | None = None) -> Match:
        """Start a match, with the same dice as `Match.new` for the same seed; perhaps from a position document."""
        if position is None:
            return Match.new(self.game.name, seats=self.seats, options=self.options, seed=seed, dice=dice)
        match = Match.from_position(self.game.name, position, seed=seed, dice=dice)
        if (match.seats, match.options) != (self.seats, self.options):
            raise ValueError("the position has other seats or options than this environment")
        if match.outcome is not None:
            raise ValueError("the game is over in this position")
        return match

    def action_space(self) -> spaces.Discrete:
        """Return a new action space: the engine's numbers of the moves of seats."""
        return spaces.Discrete(self.actions)

    def observation_space(self) -> spaces.Dict:
        """Return a new observation space."""
        return spaces.Dict(
            {
                "observation": spaces.Box(np.zeros(self.layout.size, np.uint8), self.layout.high, dtype=np.uint8),
                "action_mask": spaces.Box(0, 1, (self.actions,), np.int8),
            }
        )

    def observe(self, match: Match, seat: int) -> Observation:
        """Return the observation and action mask of a seat; the mask is empty while another seat acts."""
        state = match.state
        moves = self.game.legal(state) if state.actor == seat else []
        return {"observation": self.row(state, seat), "action_mask": mask(moves, self.actions)}

    def row(self, state: Any, seat: int) -> Bytes:
        """Return the observation of a seat as an array."""
        return row(self.game.observe(state, seat))

    def play(self, match: Match, action: Any, weight: float) -> list[float]:
        """Play an action of the seat to act; return the rewards by seat."""
        move = self.move(action)
        if weight == 0:
            match.play_move(move)
            rewards = [0.0] * self.seats
        else:
            before = self.game.standing(match.state)
            match.play_move(move)
            rewards = shaped(before, self.game.standing(match.state), weight)
        if match.outcome is not None:
            ended = payoffs(match.outcome, self.seats)
            rewards = [reward + paid for reward, paid in zip(rewards, ended, strict=True)]
        return rewards

    def move(self, action: Any) -> int:
        """Return the move of an action; ValueError if there is none."""
        if not isinstance(action, (int, np.integer)) or not 0 <= action < self.actions:
            raise ValueError(
                f"an action of {self.game.title} is a whole number from 0 to {self.actions - 1}: {action!r}"
            )
        return int(action)

    def render(self, match: Match, seat: int | None, mode: str | None) -> str | None:
        """Render what a seat (None: a spectator) sees: as text, as SVG, or printed."""
        if mode == "svg":
            return match.svg(seat)
        if mode not in ("ansi", "human"):
            raise ValueError(
                f"render_mode is {mode!r}, so there is nothing to render; it may be: {', '.join(RENDER_MODES)}"
            )
        board = self.game.text(self.game.view(match.state, seat), ENGLISH)
        text = "\n".join("".join(span for span, _ in line).rstrip() for line in board) + "\n"
        if mode == "ansi":
            return text
        sys.stdout.write(text + "\n")
        return None


def actions(game: str, *, seats: int | None = None, options: Mapping[str, Any] | None = None) -> list[str]:
    """Return the lines of all moves in order: those of seats, then those of chance."""
    state = Match.new(game, seats=seats, options=options, dice=False).state
    found = registry.find(game)
    return [found.write(state, move) for move in range(found.space(state)[1])]


def check_mode(mode: str | None) -> str | None:
    """Return a render mode; ValueError lists those there are."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode may be {', '.join(RENDER_MODES)} or None, not {mode!r}")
    return mode
