"""Why something was not done: the errors that sockets, pages and the API present."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from omnibus.kernel.game import Refusal
from omnibus.kernel.i18n import Message, mark

if TYPE_CHECKING:
    from omnibus.server.store.models import TableSetup
    from omnibus.server.tables.events import History


class Code(StrEnum):
    """Why a request was rejected; the same codes for sockets and the API."""

    MALFORMED = "malformed"
    NOT_YOUR_SEAT = "not_your_seat"
    NOT_YOUR_TURN = "not_your_turn"
    STALE = "stale"
    REFUSED = "refused"
    OVER = "over"
    GONE = "gone"
    TOO_FAST = "too_fast"
    FORBIDDEN = "forbidden"
    UNKNOWN_USER = "unknown_user"
    TOO_LARGE = "too_large"
    WRONG_HOST = "wrong_host"
    UNAVAILABLE = "unavailable"


class Rejected(Exception):
    """A request that is not carried out: the code, and either the refusal of the rules or `why`, a message id."""

    def __init__(self, code: Code, refusal: Refusal | None = None, *, why: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.refusal = refusal
        self.why = why or TROUBLES[code]


class Forbidden(Rejected):
    """A request this user is not allowed to make; `why` is a message id."""

    def __init__(self, why: str) -> None:
        super().__init__(Code.FORBIDDEN, why=why)


class TableNotFound(LookupError):
    """There is no such table, record or invitation, or no longer."""


class NotStarted(Exception):
    """The table has free seats, and its game has not started."""

    def __init__(self, setup: TableSetup) -> None:
        super().__init__(setup.id)
        self.setup = setup


class NotReplayable(Exception):
    """A table whose record does not replay with the rules of this program; its events stay as they are."""

    def __init__(self, setup: TableSetup, history: History, reason: Message) -> None:
        super().__init__(str(reason))
        self.setup = setup
        self.history = history
        self.reason = reason


ONE_SEAT: Final = mark("This token can only be used to play one seat.")
CANNOT: Final = mark("This is not possible.")
TROUBLES: Final = {
    Code.MALFORMED: mark("This is not a move in this game."),
    Code.NOT_YOUR_SEAT: mark("This is not your seat."),
    Code.NOT_YOUR_TURN: mark("It is not your turn."),
    Code.STALE: mark("Something has happened in the meantime. Please look again."),
    Code.REFUSED: mark("The rules do not allow this."),
    Code.OVER: mark("This game is over."),
    Code.GONE: mark("This table could not be loaded. Please reload the page."),
    Code.TOO_FAST: mark("Too many requests."),
}
