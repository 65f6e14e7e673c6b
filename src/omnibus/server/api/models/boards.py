"""What-if boards."""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import Struct
from pydantic import ConfigDict, Field, model_validator

from omnibus.bots import names as bot_names
from omnibus.kernel.game import Document
from omnibus.server.api.models.common import LARGEST, MOST_SEATS, TYPED, Body

MOST_PLIES: Final = 100_000
ONE_SOURCE: Final = "give exactly one of game, record, record_id, table and board"


class BoardRequest(Body):
    """What a board begins with: a `game` (from its start, or from a `position`), a `record`, or something stored here.

    A finished table or a record can begin at any `ply`. A game in progress begins as your seat sees it.
    """

    model_config = ConfigDict(json_schema_extra={"example": {"game": "bus", "seats": 3}})

    game: Annotated[str | None, Field(max_length=TYPED, examples=["bus"])] = None
    seats: Annotated[int | None, Field(ge=1, le=MOST_SEATS, description="Of a new game; the fewest if left out.")] = (
        None
    )
    options: Annotated[
        dict[str, Any],
        Field(default_factory=dict, description="Options of a new game by name; defaults for the others."),
    ]
    position: Annotated[
        dict[str, Any] | None, Field(description="A position document of the game, in place of its start.")
    ] = None
    record: Annotated[str | None, Field(max_length=256 * 1024, description="The text of a `.game` file.")] = None
    record_id: Annotated[str | None, Field(max_length=64, description="The id of an uploaded record.")] = None
    table: Annotated[str | None, Field(max_length=64, description="The id of a table.")] = None
    board: Annotated[str | None, Field(max_length=64, description="The id of a board to copy.")] = None
    ply: Annotated[
        int | None, Field(ge=0, le=MOST_PLIES, description="Where to begin in a record or table; its end if left out.")
    ] = None
    seat: Annotated[
        int | None, Field(ge=0, lt=MOST_SEATS, description="Which of your seats in a game in progress, if several.")
    ] = None

    @model_validator(mode="after")
    def _one_source(self) -> BoardRequest:
        if [self.game, self.record, self.record_id, self.table, self.board].count(None) != 4:
            raise ValueError(ONE_SOURCE)
        return self


class NodeRequest(Body):
    """What to play after a node: a `line`, what a `bot` chooses, or, without either, what chance decides."""

    after: Annotated[int, Field(ge=0, le=LARGEST, description="The node; 0: the start.")]
    line: Annotated[str | None, Field(max_length=1000, examples=["sue left"])] = None
    bot: Annotated[str | None, Field(max_length=TYPED, examples=list(bot_names()))] = None


class BoardSummary(Struct, frozen=True):
    """A what-if board, as in a list of boards."""

    id: str
    link: str
    game: str
    title: str
    created: float
    updated: float


class BoardList(Struct, frozen=True):
    """Your what-if boards, the latest first."""

    boards: list[BoardSummary]


class PositionDocument(Struct, frozen=True):
    """A position of a game as a document, with everything that is hidden."""

    game: str
    position: Document
