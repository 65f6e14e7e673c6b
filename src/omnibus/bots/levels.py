"""The levels of bots, weakest first."""

from __future__ import annotations

from functools import partial
from math import isfinite
from random import Random
from statistics import pstdev
from typing import Any, Final

from omnibus.bots.bot import Bot, Candidate, View
from omnibus.bots.hard import Hard
from omnibus.bots.turn import Plan, plans
from omnibus.bots.weights import cards, fitting
from omnibus.kernel import registry
from omnibus.kernel.game import Game
from omnibus.kernel.i18n import MessageError, mark


class RandomBot(Bot):
    """`random`: any legal move."""

    def _think(self, state: Any, view: View) -> list[Candidate]:
        return [_candidate(self.game, state, self.random.choice(self.game.legal(state)))]


class Easy(Bot):
    """`easy`: looks one move ahead, and now and then plays a random move, as beginners do."""

    LAPSES: Final = 0.15
    errors = True
    """Whether it errs on purpose. Without, levels can be compared by their judgement alone."""

    def _think(self, state: Any, view: View) -> list[Candidate]:
        candidates = [_candidate(self.game, state, move) for move in self.game.legal(state)]
        self.random.shuffle(candidates)
        best = max(candidates, key=lambda candidate: candidate.shares[state.actor])
        if best.shares[state.actor] < 1 and self.errors and self.random.random() < self.LAPSES:
            best = candidates[0]
        return _ranked(candidates, best, state.actor)


class Medium(Bot):
    """`medium`: looks ahead to the end of its turn, and plays any move about as good as the best."""

    SLACK: Final = 0.6
    """How much worse a move may be, in standard deviations of all moves; a certain win is always played."""
    WIDTH: Final = 12
    errors = True
    """Whether it errs on purpose."""

    def _think(self, state: Any, view: View) -> list[Candidate]:
        made = plans(self.game, state, self.random.random, self.WIDTH)
        candidates = [
            Candidate(plan.move, plan.shares, plan.looked, partial(_after, plan), partial(_path, plan)) for plan in made
        ]
        shares = [candidate.shares[state.actor] for candidate in candidates]
        most = max(shares)
        least = most if most == 1 or not self.errors else most - self.SLACK * pstdev(shares)
        chosen = self.random.choice([candidate for candidate in candidates if candidate.shares[state.actor] >= least])
        return _ranked(candidates, chosen, state.actor)


def _ranked(candidates: list[Candidate], chosen: Candidate, seat: int) -> list[Candidate]:
    """Put the chosen candidate first and the others after it, best first."""
    return [
        chosen,
        *sorted(
            (candidate for candidate in candidates if candidate is not chosen),
            key=lambda candidate: -candidate.shares[seat],
        ),
    ]


def _after(plan: Plan) -> Any:
    return plan.after


def _path(plan: Plan) -> list[int]:
    return plan.path


def _candidate(game: Game[Any], state: Any, move: int) -> Candidate:
    after = state.clone()
    game.apply(after, move)
    return Candidate(move, game.judge(after), 1, lambda: after, lambda: [move])


MASTER: Final = "master"
THINKERS: Final = ("hard", MASTER)
"""The levels that use all the time they are given; the others answer at once and have no limits."""
ERRING: Final = ("easy", "medium")
"""The levels that err on purpose."""
_UNTIMED: Final[dict[str, type[Bot]]] = {"random": RandomBot, "easy": Easy, "medium": Medium}


NO_BOT: Final = mark("there is no bot {name}; there are: {names}")
NO_MASTER: Final = mark("there is no master of {game} yet; the strongest bot is hard")
OTHER_GAME: Final = mark(
    "the master of {game} has not learned to play with these rules, options and seats; the strongest bot is hard"
)


def names() -> tuple[str, ...]:
    """Return the names of all levels, weakest first."""
    return (*_UNTIMED, *THINKERS)


def names_for(game: Game[Any] | str, state: Any = None) -> tuple[str, ...]:
    """Return the levels there are for a game or its name, weakest first; given a state, for its seats and options.

    `master` is one of them where a network comes with the game that was trained for it.
    """
    found = registry.find(game) if isinstance(game, str) else game
    trained = fitting(found, state) if state is not None else cards(found.folder)
    return names() if trained else tuple(name for name in names() if name != MASTER)


def strongest(game: Game[Any], state: Any) -> str:
    """Return the strongest level there is for a game with the seats and options of a state."""
    return names_for(game, state)[-1]


def check_level(name: str, game: Game[Any], state: Any = None) -> None:
    """Raise ValueError if there is no bot of a level for a game; given a state, for its seats and options."""
    if name not in names():
        raise MessageError(NO_BOT, name=repr(name), names=", ".join(names()))
    if name not in names_for(game):
        raise MessageError(NO_MASTER, game=game.title)
    if name not in names_for(game, state):
        raise MessageError(OTHER_GAME, game=game.title)


def checked_seconds(seconds: float | None) -> float | None:
    """Return a thinking time; ValueError if it is not possible."""
    if seconds is not None and not (isfinite(seconds) and 0 < seconds <= 3600):
        raise ValueError(f"a bot may think for more than 0 and at most 3600 seconds, not {seconds:g}")
    return seconds


def checked_simulations(simulations: int | None) -> int | None:
    """Return a number of simulations; ValueError if it is not possible."""
    if simulations is not None and simulations < 1:
        raise ValueError(f"a bot makes at least one simulation, not {simulations}")
    return simulations


def bot(
    name: str,
    game: Game[Any] | str,
    *,
    seed: int | None = None,
    seconds: float | None = None,
    simulations: int | None = None,
    errors: bool = True,
) -> Bot:
    """Make a bot of a level for a game or its name; bots with the same seed make the same choices.

    `hard` and `master` think for so many seconds or simulations per move, whichever ends first (one second if neither
    is given); their choices are reproducible only if simulations alone are given. The other levels answer at once;
    without `errors`, `easy` and `medium` always play what they judge best.
    """
    checked_seconds(seconds)
    checked_simulations(simulations)
    found = registry.find(game) if isinstance(game, str) else game
    check_level(name, found)
    if name == MASTER:
        from omnibus.bots.master import Master  # only here, because it needs numpy

        return Master(found, Random(seed), seconds, simulations)
    if name in THINKERS:
        return Hard(found, Random(seed), seconds, simulations)
    player = _UNTIMED[name](found, Random(seed))
    if isinstance(player, Easy | Medium):
        player.errors = errors
    return player
