"""Error responses of the API: always a `Problem`, with a fitting HTTP status."""

from __future__ import annotations

from typing import Final

from fastapi.exceptions import RequestValidationError
from fastapi.requests import Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from omnibus.kernel.i18n import COMMON_TEXTS, mark, words
from omnibus.server.api.models.common import Problem
from omnibus.server.api.openapi import verbs
from omnibus.server.api.responses import json_response
from omnibus.server.background import in_background
from omnibus.server.errors import CANNOT, TROUBLES, Code, NotReplayable, NotStarted, Rejected, TableNotFound
from omnibus.server.http.request_limits import MUCH_RECORD
from omnibus.server.http.visitor import OtherOrigin, visitor
from omnibus.server.store.errors import Conflict
from omnibus.server.tables.actions import NOT_BEGUN

STATUS: Final = {
    Code.MALFORMED: 400,
    Code.NOT_YOUR_SEAT: 403,
    Code.NOT_YOUR_TURN: 409,
    Code.STALE: 409,
    Code.REFUSED: 409,
    Code.OVER: 409,
    Code.GONE: 404,
    Code.TOO_FAST: 429,
    Code.FORBIDDEN: 403,
}
BY_STATUS: Final = {
    401: Code.UNKNOWN_USER,
    403: Code.FORBIDDEN,
    404: Code.GONE,
    413: Code.TOO_LARGE,
    429: Code.TOO_FAST,
}

WHO_ARE_YOU: Final = mark("Authentication required. Send a token: Authorization: Bearer …")
NOT_FOR_YOU: Final = mark("You are not allowed to do this.")
NOT_UNDERSTOOD: Final = mark("Invalid request: {reason}.")
NOTHING_HERE: Final = mark("Not found.")
BY_STATUS_TEXT: Final = {
    401: WHO_ARE_YOU,
    403: NOT_FOR_YOU,
    404: NOTHING_HERE,
    413: MUCH_RECORD,
    429: TROUBLES[Code.TOO_FAST],
}


class Refused(HTTPException):
    """A rejected request whose reason is already in the caller's language."""

    def __init__(self, code: Code, text: str, section: str = "") -> None:
        super().__init__(STATUS[code], text)
        self.problem = Problem(code, text, section)


async def answer(request: Request, error: Exception) -> Response:
    """Return the response to an error, in the caller's language."""
    if isinstance(error, Refused):
        return json_response(error.problem, error.status_code)
    language = visitor(request).language
    if isinstance(error, OtherOrigin):
        return json_response(Problem(Code.FORBIDDEN, error.why(language)), error.status_code)
    status, code, why = _read(error)
    text = words(language, COMMON_TEXTS).gettext(why)
    if isinstance(error, RequestValidationError):
        text = text.format(reason=_first(error))
    return json_response(Problem(code, text), status, await _headers(request, status))


async def _headers(request: Request, status: int) -> dict[str, str]:
    """Return the headers that HTTP requires with a status."""
    if status == 401:
        return {"www-authenticate": "Bearer"}
    if status == 405:
        return {"allow": ", ".join(await in_background(verbs, request.app, request.url.path))}
    return {}


def _read(error: Exception) -> tuple[int, Code, str]:
    """Return the status, the code and the message id of an error."""
    if isinstance(error, Rejected):
        return STATUS[error.code], error.code, error.why
    if isinstance(error, NotStarted):
        return 409, Code.NOT_YOUR_TURN, NOT_BEGUN
    if isinstance(error, NotReplayable):
        return 404, Code.GONE, TROUBLES[Code.GONE]
    if isinstance(error, TableNotFound | Conflict):
        return 404, Code.GONE, NOTHING_HERE
    if isinstance(error, RequestValidationError):
        return 400, Code.MALFORMED, NOT_UNDERSTOOD
    assert isinstance(error, HTTPException)
    status = error.status_code
    return status, BY_STATUS.get(status, Code.MALFORMED), BY_STATUS_TEXT.get(status, CANNOT)


def _first(error: RequestValidationError) -> str:
    """Describe the first validation error: where it is, and what is wrong."""
    first = error.errors()[0]
    where = ".".join(str(step) for step in first["loc"])
    return f"{where}: {first['msg']}"[:300]
