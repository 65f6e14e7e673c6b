"""PettingZoo: play random games, print who won, and save the last one as a record.

Run it with `python examples/random_self_play.py bus --seats 4 --games 10` (needs omnibus-games[rl]); look at the
record with `omnibus replay last.game`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from omnibus import envs, games


def play(env: envs.AEC, seed: int) -> Counter[str]:
    """Play one random game; return the rewards of all agents."""
    env.reset(seed=seed)
    earned: Counter[str] = Counter()
    for agent in env.agent_iter():
        observation, reward, termination, _, _ = env.last()
        earned[agent] += reward
        env.step(None if termination else env.action_space(agent).sample(observation["action_mask"]))
    return earned


def main() -> None:
    """Parse the arguments and play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=games.names(), nargs="?", default="times_square")
    parser.add_argument("--seats", type=int, default=None)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--record", type=Path, default=None, help="where the last game is written")
    given = parser.parse_args()
    env = envs.aec(given.game, seats=given.seats)
    for seat, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seat)
    total: Counter[str] = Counter()
    for seed in range(given.games):
        earned = play(env, seed)
        total.update(earned)
        print(f"game {seed}: {env.match.outcome.reason if env.match.outcome else '?'}, {dict(earned)}")
    print(f"in {given.games} games: { {agent: round(total[agent], 2) for agent in env.possible_agents} }")
    if given.record:
        given.record.write_text(env.match.record(), "utf-8")


if __name__ == "__main__":
    main()
