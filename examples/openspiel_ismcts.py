"""OpenSpiel's ISMCTS (the one written in Python) plays Times Square against a random player.

Run it with `python examples/openspiel_ismcts.py --games 4 --simulations 50` (needs omnibus-games[rl]). The search
redeals what its player cannot see (`resample_from_infostate`), so it uses only information states.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.bots import uniform_random

import omnibus.envs.openspiel  # noqa: F401 — registers the games


def play(game: Any, bots: list[Any], random: np.random.RandomState) -> list[float]:
    """Play one game between bots; return their rewards."""
    state = game.new_initial_state()
    for bot in bots:
        bot.restart()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choice(actions, p=chances))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return list(state.returns())


def main() -> None:
    """Parse the arguments and play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--simulations", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random = np.random.RandomState(given.seed)
    game = pyspiel.load_game("omnibus_times_square")
    evaluator = mcts.RandomRolloutEvaluator(random_state=random)
    search = ismcts.ISMCTSBot(game, evaluator, uct_c=2.0, max_simulations=given.simulations, random_state=random)
    total = 0.0
    for number in range(given.games):
        seat = number % 2
        bots = [uniform_random.UniformRandomBot(1 - seat, random)] * 2
        bots[seat] = search
        earned = play(game, bots, random)[seat]
        total += earned
        print(f"game {number}: ISMCTS in seat {seat} earned {earned:+.0f}")
    print(f"ISMCTS with {given.simulations} simulations: {total / given.games:+.2f} a game against a random player")


if __name__ == "__main__":
    main()
