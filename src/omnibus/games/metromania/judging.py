"""How good it is: the worth of a position in named terms, each an estimate of points in the end."""

from __future__ import annotations

from math import exp
from typing import Final

from omnibus.games.metromania.board import KIND_OF, TUNNELS
from omnibus.games.metromania.scoring import all_rides, network, outcome
from omnibus.games.metromania.state.table import State

WEIGHTS: Final = {
    "stations": 1.0,  # station points, as far as the lines promise to be finished (§10.1)
    "tests": 0.7,  # what the test rides would bring now (§11.3)
    "finishing": 1.5,  # lines finished, and half for those well under way
    "placed": 0.8,  # destinations placed: each unplaced one threatens a penalty (§11.4)
    "blocked": -2.0,  # lines that cannot go on
}
SPREAD: Final = 8.0  # so many points ahead make a position good


def terms(state: State, seat: int) -> dict[str, float]:
    """Return the worth of each term for a seat."""
    net = network(state)
    rides = all_rides(state, net)
    lines = (2 * seat, 2 * seat + 1)
    prospects = sum(_prospect(state, line) for line in lines)
    return {
        "stations": state.points[seat] * prospects / 2,
        "tests": float(sum(max(0, test.scores[seat]) for test in rides)),
        "finishing": prospects,
        "placed": float(sum(state.placer[one] == seat for one in range(len(KIND_OF)))),
        "blocked": float(sum(state.blocked >> line & 1 for line in lines)),
    }


def _prospect(state: State, line: int) -> float:
    """How far a line promises to be finished: 1 if it is, little if it is blocked."""
    if state.finished >> line & 1:
        return 1.0
    if state.blocked >> line & 1:
        return 0.1
    return 0.4 + 0.2 * state.length[line] / TUNNELS


def judge(state: State, seat: int) -> float:
    """Return how well a seat stands, from 0 (lost) to 1 (won): its estimate against the best of the others."""
    ended = outcome(state)
    if ended:
        return (1.0 if len(ended.winners) == 1 else 0.5) if seat in ended.winners else 0.0
    worth = [sum(WEIGHTS[name] * value for name, value in terms(state, one).items()) for one in range(state.seats)]
    best = max(worth[other] for other in range(state.seats) if other != seat)
    return 1 / (1 + exp(-(worth[seat] - best) / SPREAD))
