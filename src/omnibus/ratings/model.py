"""A rating is a mean and a deviation; a game moves those of all its players, by the ranks they reached.

The arithmetic is that of Weng and Lin ("A Bayesian Approximation Method for Online Ranking", 2011), as openskill
implements it, in units in which 400 points are odds of 10 : 1 between two players whose strength is known. Which of
its models is used, and with which parameters, was chosen on games of the arena: docs/ratings.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, log, sqrt
from statistics import NormalDist
from typing import Any, Final, Literal, NamedTuple

from openskill.models import (
    BradleyTerryFull,
    BradleyTerryPart,
    PlackettLuce,
    ThurstoneMostellerFull,
    ThurstoneMostellerPart,
)

MIDDLE: Final = 1500.0
LEAD: Final = 400.0
"""So many points are odds of 10 : 1 between two players of known strength."""
LOGISTIC_BETA: Final = LEAD / (sqrt(2) * log(10))
NORMAL_BETA: Final = LEAD / (sqrt(2) * NormalDist().inv_cdf(10 / 11))
"""How much a player's performance varies from game to game, in models with a logistic and a normal distribution."""
TIE: Final = 0.024  # how close a tie is, in β: openskill's own
KAPPA: Final = 1e-4  # openskill's own: no variance shrinks by more than this factor in one game
PROVISIONAL: Final = 150.0
"""A rating with a larger deviation is provisional."""
SURE: Final = 2.0
"""The margin that is shown, in deviations: the true strength is within it 19 times out of 20."""

ModelName = Literal[
    "PlackettLuce", "BradleyTerryFull", "BradleyTerryPart", "ThurstoneMostellerFull", "ThurstoneMostellerPart"
]
MODELS: Final[Mapping[ModelName, Any]] = {
    "PlackettLuce": PlackettLuce,
    "BradleyTerryFull": BradleyTerryFull,
    "BradleyTerryPart": BradleyTerryPart,
    "ThurstoneMostellerFull": ThurstoneMostellerFull,
    "ThurstoneMostellerPart": ThurstoneMostellerPart,
}


class Rating(NamedTuple):
    """What is known of a player's strength."""

    mean: float
    deviation: float

    @property
    def number(self) -> int:
        """The rating as people are shown it."""
        return round(self.mean)

    @property
    def margin(self) -> int:
        """What is shown after ±."""
        return round(SURE * self.deviation)

    @property
    def provisional(self) -> bool:
        """Whether too little is known to compare it with others."""
        return self.deviation > PROVISIONAL


@dataclass(frozen=True)
class RatingModel:
    """A model of openskill with its parameters."""

    name: ModelName = "ThurstoneMostellerFull"
    deviation: float = 350.0
    """The deviation of a newcomer."""
    drift: float = 10.0
    """What every game adds to a deviation (as variances add up), because people change."""

    @property
    def newcomer(self) -> Rating:
        """The rating of somebody who has not played."""
        return Rating(MIDDLE, self.deviation)

    @cached_property
    def _openskill(self) -> Any:
        ties = {"epsilon": TIE * self.beta} if self._is_normal else {}
        return MODELS[self.name](mu=MIDDLE, sigma=self.deviation, beta=self.beta, kappa=KAPPA, tau=self.drift, **ties)

    @property
    def _is_normal(self) -> bool:
        return self.name.startswith("Thurstone")

    @property
    def beta(self) -> float:
        """How much a player's performance varies from game to game."""
        return NORMAL_BETA if self._is_normal else LOGISTIC_BETA

    def rated(self, ratings: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
        """Return the ratings after a game in which players reached these ranks; equal ranks are a tie."""
        teams = [[self._openskill.rating(mu=rating.mean, sigma=rating.deviation)] for rating in ratings]
        after = self._openskill.rate(teams, ranks=list(ranks))
        return [Rating(team[0].mu, team[0].sigma) for team in after]

    def chance(self, first: Rating, second: Rating) -> float:
        """Return the chance that the first of two players ends up before the second."""
        spread = sqrt(2 * self.beta**2 + first.deviation**2 + second.deviation**2)
        lead = (first.mean - second.mean) / spread
        return NormalDist().cdf(lead) if self._is_normal else 1 / (1 + exp(-lead))


CHOSEN: Final[Mapping[str, RatingModel]] = {"2": RatingModel(), "3+": RatingModel(deviation=200.0)}
"""The model by class of seats: games of several players move the ratings of more pairs at once."""
