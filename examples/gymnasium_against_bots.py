"""Gymnasium: compare a policy that uses one feature with one that plays at random, against bots.

Run it with `python examples/gymnasium_against_bots.py --games 20` (needs omnibus-games[rl]). The first policy
moves toward its own club whenever it can: it knows its side from the feature `viewer`, and the moves from their lines.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from omnibus import envs

LINES = envs.actions("times_square")
Policy = Callable[[Any, dict[str, Any], np.random.Generator], int]


def homeward(env: Any, observation: dict[str, Any], random: np.random.Generator) -> int:
    """Choose a random action that moves toward the own side, if there is one."""
    viewer = env.unwrapped.layout.named(observation["observation"])["viewer"]
    home = "left" if viewer[0] else "right"
    legal = np.flatnonzero(observation["action_mask"])
    pulling = [action for action in legal if LINES[action].endswith(home)]
    return int(random.choice(pulling or legal))


def anything(env: Any, observation: dict[str, Any], random: np.random.Generator) -> int:
    """Choose a random legal action."""
    return int(random.choice(np.flatnonzero(observation["action_mask"])))


def play(env: Any, policy: Policy, seed: int) -> float:
    """Play one game; return the reward at its end."""
    random = np.random.default_rng(seed)
    observation, _ = env.reset(seed=seed)
    while True:
        observation, reward, terminated, _, _ = env.step(policy(env, observation, random))
        if terminated:
            return float(reward)


def main() -> None:
    """Parse the arguments and play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--opponent", default="random", help="the name of a bot")
    given = parser.parse_args()
    env = gymnasium.make("Omnibus/TimesSquare-v1", seat="any", opponents=given.opponent)
    for name, policy in (("homeward", homeward), ("anything", anything)):
        rewards = [play(env, policy, seed) for seed in range(given.games)]
        print(f"{name}: {np.mean(rewards):+.2f} a game against {given.opponent}")


if __name__ == "__main__":
    main()
