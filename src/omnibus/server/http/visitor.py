"""Who comes, and how they want to be told: identity, language and light, from cookies and headers."""

from __future__ import annotations

import re
from typing import Annotated, Final

from fastapi import Depends, HTTPException, Request, Response
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import HTTPConnection

from omnibus.kernel.i18n import LANGUAGES
from omnibus.server.config import ServerConfig
from omnibus.server.store.models import Token, User
from omnibus.server.store.users import UserStore
from omnibus.server.tables.registry import TableRegistry

TOKEN: Final = "omnibus_user"
LANGUAGE: Final = "omnibus_language"
THEME: Final = "omnibus_theme"
THEMES: Final = ("light", "dark")
NO_SEAT: Final = -1
BEARER: Final = "bearer "
A_YEAR: Final = 365 * 24 * 3600

_WISH: Final = re.compile(r"\s*([A-Za-z]{2,8}|\*)(?:-[A-Za-z0-9-]+)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?))?\s*")


class Visitor(Struct, frozen=True):
    """Somebody who asks for a page."""

    user: User | None
    language: str
    theme: str | None
    """None: as the device has it."""
    only: Token | None = None
    """What a program may do that came with the token of one seat; None: all that the user may."""

    def decides_for(self, table_id: str) -> int | None:
        """Return the only seat of a table the visitor may decide for; None: all that belong to the user."""
        if self.only is None:
            return None
        return self.only.seat if self.only.table == table_id and self.only.seat is not None else NO_SEAT

    def user_at(self, table_id: str) -> User | None:
        """Return who comes to a table; a program with the token of a seat elsewhere is nobody there."""
        return None if self.decides_for(table_id) == NO_SEAT else self.user


def registry_of(connection: HTTPConnection) -> TableRegistry:
    """Return the hall of this house."""
    registry: TableRegistry = connection.app.state.registry
    return registry


def config_of(connection: HTTPConnection) -> ServerConfig:
    """Return what the host of this house has said."""
    config: ServerConfig = connection.app.state.config
    return config


def visitor(connection: HTTPConnection) -> Visitor:
    """Recognize a visitor."""
    theme = connection.cookies.get(THEME)
    user, only = _recognized(connection)
    return Visitor(
        user=user,
        language=language(connection.cookies.get(LANGUAGE), connection.headers.get("accept-language", "")),
        theme=theme if theme in THEMES else None,
        only=only,
    )


def _recognized(connection: HTTPConnection) -> tuple[User | None, Token | None]:
    """Find the user a cookie belongs to, or a token that a program sends: of a device, or of one seat."""
    user_store = registry_of(connection).user_store
    if not shows_token(connection):
        return _user(user_store, connection.cookies.get(TOKEN)), None
    token = user_store.token(connection.headers["authorization"][len(BEARER) :].strip())
    if token is None or token.user is None or token.kind not in ("device", "seat"):
        return None, None
    return user_store.find(token.user), token if token.kind == "seat" else None


def shows_token(connection: HTTPConnection) -> bool:
    """Tell whether a program shows a token; what else stands in that header is for a proxy in front of the house."""
    return connection.headers.get("authorization", "").lower().startswith(BEARER)


def _user(user_store: UserStore, token: str | None) -> User | None:
    return user_store.user(token) if token else None


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
    user_store = registry_of(request).user_store
    user = _user(user_store, request.cookies.get(TOKEN))
    if user is None:
        user, token = await user_store.add_user(language=visitor(request).language)
        set_cookie(response, request, TOKEN, token, httponly=True)
    return user


def set_cookie(response: Response, request: Request, name: str, value: str, *, httponly: bool = False) -> None:
    """Set a cookie that comes back from pages of this house only."""
    secure = request.url.scheme == "https" or config_of(request).secure
    response.set_cookie(name, value, max_age=A_YEAR, httponly=httponly, samesite="lax", secure=secure)


def keep_cookies(onward: Response, response: Response) -> Response:
    """Answer with something else than what was prepared, but with the cookies that were set on the way."""
    onward.raw_headers += [header for header in response.raw_headers if header[0] == b"set-cookie"]
    return onward


def same_origin(connection: HTTPConnection) -> bool:
    """Tell whether a request comes from a page of this house, or from no page at all.

    Pages always say where they are from when they send something elsewhere or open a socket; programs say nothing.
    A page that hides its address says `null`, but its browser still vouches for it.
    """
    site, origin = connection.headers.get("sec-fetch-site"), connection.headers.get("origin")
    if site == "same-origin" or origin is None:
        return site in (None, "same-origin", "none")
    return config_of(connection).is_origin(origin, connection.headers.get("host", ""))


def own_page(request: Request) -> None:
    """Refuse what a page of somebody else sends."""
    if not same_origin(request):
        raise HTTPException(403)


def page_visitor(connection: HTTPConnection) -> Visitor:
    """Recognize who wants to see a page: there the token of a seat opens nothing."""
    found = visitor(connection)
    return found if found.only is None else replace(found, user=None, only=None)


PageVisitor = Annotated[Visitor, Depends(page_visitor)]
PageUser = Annotated[User, Depends(known)]
Registry = Annotated[TableRegistry, Depends(registry_of)]
