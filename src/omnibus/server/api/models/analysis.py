"""The analysis of a finished game."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct
from pydantic import Field

from omnibus.lab.analysis.document import Account, Analysis, Grade
from omnibus.server.api.models.common import Body


class AnalysisInfo(Struct, frozen=True):
    """The analysis of a finished game: how far it is and, once all decisions are judged, what it says."""

    state: Literal["none", "running", "done"]
    """None: not begun, or interrupted; `POST` begins it or goes on with it."""
    done: int
    """How many decisions are judged."""
    total: int
    analysis: Analysis | None = None
    """Null until it is done; so are the rest."""
    grades: list[Grade] = []
    """The grade of each decision."""
    accuracies: list[float | None] = []
    """Each seat's accuracy in percent; null for a seat that had nothing to decide."""
    accounts: list[Account] = []
    """Where each seat's result came from."""
    moments: list[int] = []
    """The plies of the decisions that decided the game."""


class LineToTry(Body):
    """A line to try in place of the one that was played."""

    line: Annotated[str, Field(max_length=1000, examples=["sue left"])]


class TryResult(Struct, frozen=True):
    """What a line is worth that was tried in place of the one played."""

    loss: float
    """The points it loses: hundredths of the win, times half the number of seats."""
    passes: bool
    """Whether it loses fewer than two points."""
