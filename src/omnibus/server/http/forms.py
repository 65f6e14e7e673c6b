"""Helpers for forms: the name or another text in a form, and the redirect after it."""

from __future__ import annotations

from fastapi import Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from omnibus.server import text_input
from omnibus.server.http.visitor import keep_cookies


def name_in(form: FormData, field: str = "name") -> str:
    """Return the name in a form."""
    value = form.get(field)
    return text_input.clean_name(value) if isinstance(value, str) else ""


async def text_field(request: Request, field: str) -> str:
    """Read a text field of a small form."""
    form = await request.form(max_files=0, max_fields=5)
    value = form.get(field)
    return value.strip() if isinstance(value, str) else ""


def onward(response: Response, path: str) -> Response:
    """Redirect, with the cookies that were set on the response."""
    return keep_cookies(RedirectResponse(path, 303), response)
