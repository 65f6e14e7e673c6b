"""Why something was not done: the errors that sockets, pages and the API present."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from omnibus.kernel.game import Refusal
from omnibus.kernel.i18n import mark

if TYPE_CHECKING:
    from omnibus.server.store.models import TableSetup
    from omnibus.server.tables.events import History


class Code(StrEnum):
    """Why something asked of a table was not done."""

    MALFORMED = "malformed"
    NOT_YOUR_SEAT = "not_your_seat"
    NOT_YOUR_TURN = "not_your_turn"
    STALE = "stale"
    REFUSED = "refused"
    OVER = "over"
    GONE = "gone"
    TOO_FAST = "too_fast"


class Rejected(Exception):
    """A request that is not carried out: the code, and either the refusal of the rules or `why`, a message id."""

    def __init__(self, code: Code, refusal: Refusal | None = None, *, why: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.refusal = refusal
        self.why = why or TROUBLES[code]


class Forbidden(Exception):
    """A request this user is not allowed to make; `why` is a message id."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class TableNotFound(Exception):
    """There is no such table, record or invitation, or no longer."""


class NotStarted(Exception):
    """The table has free seats, and its game has not started."""

    def __init__(self, setting: TableSetup) -> None:
        super().__init__(setting.id)
        self.setting = setting


class NotReplayable(Exception):
    """A table whose record does not replay with the rules of this program; its events stay as they are."""

    def __init__(self, setting: TableSetup, history: History, reason: str) -> None:
        super().__init__(reason)
        self.setting = setting
        self.history = history
        self.reason = reason


ONE_SEAT: Final = mark("With this token one can play in one seat, and do nothing else.")
TROUBLES: Final = {
    Code.MALFORMED: mark("This is no move of the game."),
    Code.NOT_YOUR_SEAT: mark("You do not sit in this seat."),
    Code.NOT_YOUR_TURN: mark("It is not your turn."),
    Code.STALE: mark("Something has happened in the meantime; look again."),
    Code.REFUSED: mark("The rules do not allow this."),
    Code.OVER: mark("This table has come to its end."),
    Code.GONE: mark("This table could not be read; please load the page again."),
    Code.TOO_FAST: mark("That was too fast."),
}
