"""Why something asked of the house was not done."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from omnibus.kernel.game import Refusal
from omnibus.kernel.i18n import mark


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
    """Something asked of a table that is not done: the code, the refusal if the rules are why, or a reason of ours."""

    def __init__(self, code: Code, refusal: Refusal | None = None, *, why: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.refusal = refusal
        self.why = why or TROUBLES[code]


class Forbidden(Exception):
    """Something that is not for this user to do; `why` is a message id."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


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
