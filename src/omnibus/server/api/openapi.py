"""The description of the API: an OpenAPI document for programs, a page for people."""

from __future__ import annotations

import json
import re
from typing import Final

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse, JSONResponse, Response
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from omnibus import __version__
from omnibus.server.api.schemas import TOLD, Schema, example, fields, kind, schemas
from omnibus.server.background import in_background
from omnibus.server.http.visitor import PageVisitor
from omnibus.server.pages.templates import render

ABOUT: Final = (
    "Everything the pages can do, for programs. Create a user with `POST /api/users`, and send the token you get with "
    "every other request, as `Authorization: Bearer TOKEN`. For a program that is to play in one seat only, get "
    "a token from `POST /api/tables/{table_id}/seats/{seat}/token`. Texts are in the language of the header "
    "`Accept-Language` (en, it, fr, de). Every error is answered with a `Problem`."
)
TOKEN: Final = {
    "type": "http",
    "scheme": "bearer",
    "description": "The token of a user, or of one seat. Our own pages use a cookie instead.",
}
TOKENS: Final = ("no token", "token", "token, if you have one")

_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False})

router = APIRouter()


@router.get("/openapi.json")
async def describe(request: Request) -> Response:
    """Return the OpenAPI document."""
    return JSONResponse(await in_background(document, request.app))


@router.get("/api", response_class=HTMLResponse)
async def read_about(request: Request, visit: PageVisitor) -> Response:
    """Show the description of the API as a page."""
    described = await in_background(document, request.app)
    return render(
        request,
        visit,
        "api.html",
        about=described["info"]["description"],
        prose=lambda text: Markup(_MARKDOWN.renderInline(text)),
        linked=lambda kind: _linked(kind, described["components"]["schemas"]),
        chapters=_chapters(described),
        shapes=_shapes(described),
        messages=[shape.__name__ for shape in TOLD],
        address=str(request.base_url),
        socket=str(request.base_url).replace("http", "ws", 1),
    )


def document(app: FastAPI) -> Schema:
    """Return the OpenAPI document of the routes under /api; the first call takes long."""
    if not hasattr(app.state, "described"):
        app.state.described = _described(app)
    described: Schema = app.state.described
    return described


def _described(app: FastAPI) -> Schema:
    described = get_openapi(title="Omnibus", version=__version__, description=ABOUT, routes=app.routes)
    described["paths"] = {path: verbs for path, verbs in described["paths"].items() if path.startswith("/api/")}
    described["components"]["schemas"] |= schemas()
    described["components"]["securitySchemes"] = {"token": TOKEN}
    for path in described["paths"].values():
        for operation in path.values():
            _put_right(operation)
    for name in ("HTTPValidationError", "ValidationError"):
        described["components"]["schemas"].pop(name, None)
    return described


def verbs(app: FastAPI, path: str) -> list[str]:
    """Return the HTTP methods that a path allows."""
    found = document(app)["paths"]
    fitting = [template for template in found if re.fullmatch(re.sub(r"{\w+}", "[^/]+", template), path)]
    return [verb.upper() for template in fitting for verb in found[template]]


def _put_right(operation: Schema) -> None:
    """Correct what FastAPI assumes: validation errors are a `Problem` like any other, and most routes need a token."""
    operation["responses"].pop("422", None)
    operation.setdefault("security", [{"token": []}])
    summary, _, more = operation["description"].partition("\n")
    operation["summary"], operation["description"] = summary.strip().rstrip("."), (more.strip() or summary)


def _chapters(described: Schema) -> dict[str, list[Schema]]:
    """Return the routes by tag, as the page shows them."""
    chapters: dict[str, list[Schema]] = {}
    known = described["components"]["schemas"]
    for path, verbs in described["paths"].items():
        for verb, operation in verbs.items():
            route = {"verb": verb.upper(), "path": path, **_asked(operation, known), **_answered(operation)}
            route["curl"] = _curl(route)
            chapters.setdefault(operation["tags"][0], []).append(route)
    return chapters


def _linked(kind: str, known: dict[str, Schema]) -> Markup:
    """Link the names of shapes to their descriptions."""

    def link(found: re.Match[str]) -> str:
        return f'<a href="#shape-{found[0]}">{found[0]}</a>' if found[0] in known else found[0]

    return Markup(re.sub(r"\b[A-Z]\w+", link, str(escape(kind))))


def _asked(operation: Schema, known: dict[str, Schema]) -> Schema:
    """Return what the page shows about a request."""
    body = operation.get("requestBody", {}).get("content", {})
    schema = body.get("application/json", {}).get("schema")
    more = operation["description"]
    return {
        "id": operation["operationId"],
        "summary": operation["summary"],
        "more": "" if more.rstrip(".") == operation["summary"] else more,
        "token": TOKENS[len(operation["security"])],
        "parameters": [_parameter(parameter) for parameter in operation.get("parameters", [])],
        "fields": fields(known[kind(schema)]) if schema else [],
        "example": json.dumps(example(schema, known), ensure_ascii=False) if schema else "",
        "text": "text/plain" in body,
    }


def _answered(operation: Schema) -> Schema:
    """Return what the page shows about the responses."""
    status = min(operation["responses"])
    answer = operation["responses"][status]
    schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
    return {
        "status": status,
        "answer": answer["description"].rstrip("."),
        "shape": kind(schema) if "$ref" in schema else "",
        "problems": [status for status in operation["responses"] if int(status) >= 400],
    }


def _curl(route: Schema) -> str:
    """Write a request as a curl command."""
    parts = ["curl", *([] if route["verb"] == "GET" else ["-X", route["verb"]])]
    parts += [] if route["token"] == TOKENS[0] else ["-H 'Authorization: Bearer TOKEN'"]
    if route["example"]:
        parts += ["-H 'Content-Type: application/json'", f"-d '{route['example']}'"]
    elif route["text"]:
        parts += ["-H 'Content-Type: text/plain'", "--data-binary @FILE.game"]
    query = "&".join(
        f"{p['name']}={p['example']}" for p in route["parameters"] if p["where"] == "query" and p["required"]
    )
    return " ".join([*parts, f"'ADDRESS{route['path'][1:]}{'?' + query if query else ''}'"])


def _parameter(parameter: Schema) -> Schema:
    return {
        "name": parameter["name"],
        "where": parameter["in"],
        "kind": kind(parameter["schema"]),
        "example": example(parameter["schema"], {}),
        "required": parameter.get("required", False),
        "text": parameter.get("description", ""),
    }


def _shapes(described: Schema) -> list[Schema]:
    return [
        {"name": name, "text": schema.get("description", ""), "fields": fields(schema)}
        for name, schema in sorted(described["components"]["schemas"].items())
    ]
