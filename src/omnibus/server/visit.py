"""Who comes, and how they want to be told: identity, language and light, from cookies and headers."""

from __future__ import annotations

import re
from typing import Annotated, Final
from urllib.parse import urlsplit

from fastapi import Depends, HTTPException, Request, Response
from msgspec import Struct
from starlette.requests import HTTPConnection

from omnibus.kernel.words import LANGUAGES
from omnibus.server.hall import Hall
from omnibus.server.ledger import Ledger
from omnibus.server.rows import User

TOKEN: Final = "omnibus_user"
LANGUAGE: Final = "omnibus_language"
THEME: Final = "omnibus_theme"
THEMES: Final = ("light", "dark")
A_YEAR: Final = 365 * 24 * 3600

_WISH: Final = re.compile(r"\s*([A-Za-z]{2,8}|\*)(?:-[A-Za-z0-9-]+)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?))?\s*")


class Visitor(Struct, frozen=True):
    """Somebody who asks for a page."""

    user: User | None
    language: str
    theme: str | None
    """None: as the device has it."""


def hall_of(connection: HTTPConnection) -> Hall:
    """Return the hall of this house."""
    hall: Hall = connection.app.state.hall
    return hall


def visitor(connection: HTTPConnection) -> Visitor:
    """Recognize a visitor."""
    theme = connection.cookies.get(THEME)
    return Visitor(
        user=_user(hall_of(connection).ledger, connection.cookies.get(TOKEN)),
        language=language(connection.cookies.get(LANGUAGE), connection.headers.get("accept-language", "")),
        theme=theme if theme in THEMES else None,
    )


def _user(ledger: Ledger, token: str | None) -> User | None:
    return ledger.user(token) if token else None


def language(chosen: str | None, wishes: str) -> str:
    """Return the language to speak: the one chosen here, else the one most wished for that we speak, else English."""
    if chosen in LANGUAGES:
        return chosen
    ranked: list[tuple[float, int, str]] = []
    for place, wish in enumerate(wishes[:500].split(",")):
        match = _WISH.fullmatch(wish)
        if match and match[1].lower() in LANGUAGES and float(match[2] or 1) > 0:
            ranked.append((-float(match[2] or 1), place, match[1].lower()))
    return min(ranked)[2] if ranked else "en"


async def known(response: Response, request: Request) -> User:
    """Recognize the user, or make one of somebody who comes for the first time."""
    ledger = hall_of(request).ledger
    user = _user(ledger, request.cookies.get(TOKEN))
    if user is None:
        user, token = await ledger.add_user()
        set_cookie(response, request, TOKEN, token, httponly=True)
    return user


def set_cookie(response: Response, request: Request, name: str, value: str, *, httponly: bool = False) -> None:
    """Set a cookie that comes back from pages of this house only."""
    secure = request.url.scheme == "https"
    response.set_cookie(name, value, max_age=A_YEAR, httponly=httponly, samesite="lax", secure=secure)


def same_origin(connection: HTTPConnection) -> bool:
    """Tell whether a request comes from a page of this house (or from no page at all)."""
    origin = connection.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == connection.headers.get("host")


def own_page(request: Request) -> None:
    """Refuse what a page of somebody else sends."""
    if not same_origin(request):
        raise HTTPException(403)


Visit = Annotated[Visitor, Depends(visitor)]
Known = Annotated[User, Depends(known)]
TheHall = Annotated[Hall, Depends(hall_of)]
