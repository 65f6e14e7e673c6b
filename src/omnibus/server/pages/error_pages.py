"""Responses to what was not done: as a page, as JSON for programs, or as plain text."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from fastapi import Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException

from omnibus.kernel.i18n import COMMON_TEXTS, mark, words
from omnibus.server.errors import CANNOT, Code, Forbidden, Rejected
from omnibus.server.http.rate_limits import RateLimited
from omnibus.server.http.request_limits import (
    LARGEST_BODY,
    MUCH,
    MUCH_RECORD,
    WAIT,
    WRONG_NAME,
    TooLarge,
    WrongHost,
    largest,
)
from omnibus.server.http.visitor import OtherOrigin, Visitor, config_of, page_visitor, visitor
from omnibus.server.pages.templates import render
from omnibus.server.pages.texts import PAGE

NOBODY_KNOWS: Final = mark(
    "The database does not answer, so it is not known yet whether this was saved. Please look again in a minute before "
    "you repeat it."
)


def problem_page(
    request: Request, visit: Visitor, message: str, *, status: int, onward: str = "", **values: object
) -> Response:
    """Show a page that says what went wrong: a message, translated, with its values filled in.

    It leads `onward`, or back to the page where the mistake was made.
    """
    why = words(visit.language, COMMON_TEXTS).gettext(message).format(**values)
    return render(request, visit, "error.html", status=status, why=why, back=onward or _page_before(request))


def _page_before(request: Request) -> str:
    """Return the page of ours from which a form was sent; else the first page."""
    before = urlsplit(request.headers.get("referer", ""))
    own = before.netloc == request.headers.get("host", "") and before.path.startswith("/")
    return before._replace(scheme="", netloc="").geturl() if own and before.path != request.url.path else "/"


def error_page(request: Request, error: Exception) -> Response:
    """Answer a page or a form with the error that was raised."""
    if isinstance(error, Rejected):
        status = 403 if isinstance(error, Forbidden) else 409
        return problem_page(request, page_visitor(request), error.why, status=status)
    if isinstance(error, OtherOrigin):
        visit = page_visitor(request)
        return _said(request, visit, 403, Code.FORBIDDEN.value, error.why(visit.language))
    status = error.status_code if isinstance(error, HTTPException) else 404
    if "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse("Not found.\n" if status == 404 else "This is not possible.\n", status)
    if status not in (404, 405):
        return problem_page(request, page_visitor(request), CANNOT, status=status)
    return render(request, page_visitor(request), "not_found.html", status=status)


def limit_response(request: Request, error: Exception) -> Response:
    """Answer a request that is too large, too fast, or for another host."""
    if isinstance(error, RateLimited):
        headers = {"retry-after": str(error.seconds)}
        return _refused(request, 429, Code.TOO_FAST.value, WAIT, headers, seconds=error.seconds)
    if isinstance(error, TooLarge):
        limit = largest(request.url.path)
        text = MUCH if limit == LARGEST_BODY else MUCH_RECORD
        return _refused(request, 413, Code.TOO_LARGE.value, text, {"connection": "close"}, limit=limit // 1024)
    assert isinstance(error, WrongHost)
    return _refused(request, 421, Code.WRONG_HOST.value, WRONG_NAME)


def unavailable_response(request: Request, *, unknown: bool = False) -> Response:
    """Answer a request that failed because the database could not be read or written.

    `unknown`: it did not answer, so what was to be written may be stored.
    """
    why = PAGE["not_saved" if config_of(request).shared else "no_space"]
    if unknown and request.method not in ("GET", "HEAD"):
        why = NOBODY_KNOWS
    return _refused(request, 503, Code.UNAVAILABLE.value, why, {"retry-after": "60"})


def _refused(
    request: Request, status: int, code: str, text: str, headers: dict[str, str] | None = None, **blanks: int
) -> Response:
    visit = visitor(request)
    why = words(visit.language, COMMON_TEXTS).gettext(text).format(**blanks)
    answer = _said(request, visit, status, code, why)
    answer.headers.update(headers or {})
    return answer


def _said(request: Request, visit: Visitor, status: int, code: str, why: str) -> Response:
    """Say why something was not done: in JSON to programs and scripts, on a page, or as plain text."""
    wanted = request.headers.get("accept", "")
    if request.url.path.startswith("/api/") or "application/json" in wanted:
        return JSONResponse({"code": code, "text": why}, status)
    if "text/html" not in wanted:
        return PlainTextResponse(why + "\n", status)
    return render(request, visit, "error.html", status=status, why=why)
