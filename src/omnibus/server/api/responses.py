"""Responses of the API: shapes as JSON, and their descriptions for OpenAPI."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from fastapi.responses import Response
from msgspec import Struct

from omnibus.server.api.schemas import REFERENCE, text

_PROBLEMS: Final = {
    400: "The request is not valid.",
    401: "The token is missing or not valid.",
    403: "The caller is not allowed to do this.",
    404: "There is nothing here, or no longer.",
    409: "Not now: the rules forbid it, it is not your turn, something has happened meanwhile, or the game is over.",
    413: "The request is too large.",
    421: "The host name is not this server's.",
    429: "Too many requests.",
}
USUAL: Final = (400, 403, 404, 413, 421, 429)


def json_response(answer: Struct, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return a shape as JSON."""
    return Response(msgspec.json.encode(answer), status, headers, "application/json")


def answers(shape: type[Struct] | None, *problems: int, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """Describe the responses of a route: its shape, and the errors it may have."""
    well: dict[str, Any] = {"description": text(shape) if shape else "Done."}
    if shape:
        well["content"] = _json(shape.__name__)
    found: dict[int | str, dict[str, Any]] = {status: well}
    for number in sorted({*USUAL, *problems}):
        found[number] = {"description": _PROBLEMS[number], "content": _json("Problem")}
    return found


def _json(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": REFERENCE.format(name=name)}}}
