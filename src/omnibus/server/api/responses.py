"""How the API answers: shapes as JSON, and what the description of a route says about its answers."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from fastapi.responses import Response
from msgspec import Struct

from omnibus.server.api.schemas import REFERENCE, text

_PROBLEMS: Final = {
    400: "What was asked is not understood, or there is no such thing.",
    401: "The token is missing, or nobody is known by it.",
    403: "It is not for this caller to do.",
    404: "There is nothing here, or no longer.",
    409: "Not now: the rules forbid it, it is another's turn, something has happened meanwhile, or it is over.",
    413: "This is too much.",
    421: "This house does not go by that name.",
    429: "That was too fast.",
}
USUAL: Final = (400, 403, 404, 413, 421, 429)


def told(answer: Struct, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Answer with a shape."""
    return Response(msgspec.json.encode(answer), status, headers, "application/json")


def answers(shape: type[Struct] | None, *problems: int, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """Describe the answers of a route: what it tells when it went well, and which problems it may have."""
    well: dict[str, Any] = {"description": text(shape) if shape else "Done; there is nothing to tell."}
    if shape:
        well["content"] = _json(shape.__name__)
    found: dict[int | str, dict[str, Any]] = {status: well}
    for number in sorted({*USUAL, *problems}):
        found[number] = {"description": _PROBLEMS[number], "content": _json("Problem")}
    return found


def _json(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": REFERENCE.format(name=name)}}}
