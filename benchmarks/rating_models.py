"""Choose the model of the ratings, and measure the bots, on games of the arena.

    python benchmarks/rating_models.py collect FOLDER …   write the games of `omnibus arena --keep` as lines of CSV
    python benchmarks/rating_models.py models             compare models and parameters by log-loss, as a table
    python benchmarks/rating_models.py bots               fit the ratings of the bots, as JSON (ratings/bots.json)

A line of data/rating-games.csv is a game, the number of seats, the contestants by seat, and their ranks. To compare
models, every contestant is split into several players, who start as newcomers: a model is good if it predicts their
games well from what it has learned of each of them so far.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations, product
from math import log, sqrt
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Final, NamedTuple, get_args

from omnibus.kernel.game import Outcome
from omnibus.kernel.record import parse
from omnibus.ratings.log import Pool, pool_of
from omnibus.ratings.model import MIDDLE, ModelName, Rating, RatingModel
from omnibus.ratings.ranks import ranks

DATA: Final = Path(__file__).parent / "data" / "rating-games.csv"
PLAYERS: Final = 6  # of each contestant
DEVIATIONS: Final = (100.0, 200.0, 350.0, 500.0)
DRIFTS: Final = (0.0, 10.0, 25.0, 50.0)
ANCHOR: Final = "medium"  # has the rating of a newcomer
LEADS: Final = {
    ("bus", "3+"): {"hard": (174, 25), "master": (601, 41)},
    ("metromania", "2"): {"hard": (241, 32), "master": (351, 38)},
    ("metromania", "3+"): {"hard": (244, 34), "master": (322, 40)},
    ("times_square", "2"): {"hard": (222, 31), "master": (373, 38)},
}
"""How far the bots that search are ahead of `medium`, and the standard error: from STRENGTH.md, because they need a
core of their own to be measured."""
PRIOR_GAMES: Final = 1.0  # drawn against an average player, so that nobody's strength is infinite
ROUNDS: Final = 2000


class ArenaGame(NamedTuple):
    """A game of the arena."""

    pool: Pool
    contestants: tuple[str, ...]
    ranks: tuple[int, ...]


def collect(folders: Iterable[str]) -> None:
    """Write the records of arena folders as CSV."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    for folder in folders:
        for path in sorted(Path(folder).glob("[0-9]*.game")):
            record = parse(path.read_text(encoding="utf-8"))
            assert record.result is not None
            outcome = Outcome("", tuple(record.result["scores"]), tuple(record.result["winners"]))
            writer.writerow([record.game, record.seats, "|".join(record.names), "|".join(map(str, ranks(outcome)))])


def read() -> list[ArenaGame]:
    """Read the data."""
    with DATA.open(encoding="utf-8", newline="") as file:
        return [
            ArenaGame(pool_of(game, int(seats)), tuple(names.split("|")), tuple(map(int, places.split("|"))))
            for game, seats, names, places in csv.reader(file)
        ]


def log_loss(model: RatingModel, games: Sequence[ArenaGame]) -> float:
    """Return the mean loss of the predictions of who of two players ends up before the other, in bits."""
    random = Random(0)
    ratings: dict[tuple[str, int], Rating] = {}
    losses = []
    for game in random.sample(games, len(games)):
        numbers = random.sample(range(PLAYERS), len(game.contestants))
        players = list(zip(game.contestants, numbers, strict=True))
        before = [ratings.get(player, model.newcomer) for player in players]
        for (first, place), (second, other) in combinations(list(zip(before, game.ranks, strict=True)), 2):
            losses.append(_loss(model.chance(first, second), place, other))
        ratings.update(zip(players, model.rated(before, game.ranks), strict=True))
    return fmean(losses)


def _loss(chance: float, first: int, second: int) -> float:
    chance = min(1 - 1e-9, max(1e-9, chance))
    won, lost = -log(chance) / log(2), -log(1 - chance) / log(2)
    return won if first < second else lost if first > second else (won + lost) / 2


def by_pool(games: Iterable[ArenaGame]) -> dict[Pool, list[ArenaGame]]:
    """Group games by pool."""
    found: defaultdict[Pool, list[ArenaGame]] = defaultdict(list)
    for game in games:
        found[game.pool].append(game)
    return dict(sorted(found.items()))


def compare() -> None:
    """Print the log-loss of the models in games of two and in games of more."""
    pools = by_pool(read())
    for seats in ("2", "3+"):
        _compare({pool: games for pool, games in pools.items() if pool[1] == seats})


def _compare(pools: dict[Pool, list[ArenaGame]]) -> None:
    """Print the log-loss of every model with its best parameters, and of the best one with all parameters."""
    losses = {
        model: [log_loss(model, games) for games in pools.values()]
        for model in (RatingModel(*each) for each in product(get_args(ModelName), DEVIATIONS, DRIFTS))
    }
    print("| model | deviation | drift |", " | ".join(f"{game}, {seats}" for game, seats in pools), "| mean |")
    print("|---|---|---|", "---|" * (len(pools) + 1), sep="")
    best = sorted(losses, key=lambda model: fmean(losses[model]))
    firsts = {model.name: model for model in reversed(best)}.values()
    others = [model for model in best if model.name == best[0].name and model not in firsts]
    for model in (*sorted(firsts, key=best.index), *others):
        figures = [*losses[model], fmean(losses[model])]
        print(f"| {model.name} | {model.deviation:g} | {model.drift:g} |", " | ".join(f"{x:.4f}" for x in figures), "|")
    print()


def fit(games: Sequence[ArenaGame]) -> dict[str, tuple[int, int]]:
    """Return the likeliest rating of each contestant and its deviation, from who ended up before whom."""
    won: defaultdict[str, float] = defaultdict(lambda: PRIOR_GAMES / 2)
    met: defaultdict[tuple[str, str], float] = defaultdict(float)
    for game in games:
        for (one, place), (two, other) in combinations(list(zip(game.contestants, game.ranks, strict=True)), 2):
            if one != two:
                share = 0.5 if place == other else float(place < other)
                won[one] += share
                won[two] += 1 - share
                met[one, two] += 1
                met[two, one] += 1
    strength = dict.fromkeys(won, 1.0)
    for _ in range(ROUNDS):
        for one in strength:
            rest = sum(count / (strength[one] + strength[two]) for (a, two), count in met.items() if a == one)
            strength[one] = won[one] / (rest + PRIOR_GAMES / (strength[one] + 1))
    elo = {one: 400 * log(value, 10) for one, value in strength.items()}
    return {
        one: (round(MIDDLE + elo[one] - elo[ANCHOR]), round(_deviation(one, strength, met)))
        for one in sorted(elo, key=elo.__getitem__)
    }


def _deviation(one: str, strength: dict[str, float], met: dict[tuple[str, str], float]) -> float:
    """Return the standard error of a strength in points, by the Fisher information."""
    chances = [(strength[one] / (strength[one] + strength[two]), count) for (a, two), count in met.items() if a == one]
    information = sum(count * chance * (1 - chance) for chance, count in chances) + PRIOR_GAMES / 4
    return 400 / log(10) / sqrt(information)


def bots() -> None:
    """Print the ratings of the bots in all pools."""
    found: defaultdict[str, dict[str, dict[str, tuple[int, int]]]] = defaultdict(dict)
    for (game, seats), games in by_pool(read()).items():
        ahead = {level: (round(MIDDLE + lead), error) for level, (lead, error) in LEADS[game, seats].items()}
        found[game][seats] = {**fit(games), **ahead}
    print(json.dumps({"made_by": "benchmarks/rating_models.py bots", "ratings": found}))


if __name__ == "__main__":
    {"collect": lambda: collect(sys.argv[2:]), "models": compare, "bots": bots}[sys.argv[1]]()
