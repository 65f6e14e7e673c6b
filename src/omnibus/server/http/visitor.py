"""Who is asking: user, language, colour scheme and shape of the window, from cookies and headers."""

from __future__ import annotations

import re
from typing import Annotated, Final

from fastapi import Depends, HTTPException, Request, Response
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import HTTPConnection

from omnibus.kernel.i18n import COMMON_TEXTS, LANGUAGES, mark, words
from omnibus.server.config import ServerConfig
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.store.models import Token, User
from omnibus.server.store.tournaments import TournamentStore
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tournaments.service import TournamentService

TOKEN: Final = "omnibus_user"
LANGUAGE: Final = "omnibus_language"
THEME: Final = "omnibus_theme"
WIDE: Final = "omnibus_wide"  # set by the page's own script
THEMES: Final = ("light", "dark")
NO_SEAT: Final = -1
BEARER: Final = "bearer "
A_YEAR: Final = 365 * 24 * 3600
LONGEST_ORIGIN: Final = 100  # letters of it are shown

OTHER_SITE: Final = mark(
    "This was sent by a page of {origin}, but the address of this server is {address}, so nothing was done. "
    "Open {address} and try again there. If you run the server, check --public-url and --proxy."
)
HIDDEN_SITE: Final = mark(
    "This was sent by a page of another site, or one that hides its address, so nothing was done. "
    "Open {address} and try again there. If you run the server, check --public-url and --proxy."
)

_WISH: Final = re.compile(r"\s*([A-Za-z]{2,8}|\*)(?:-[A-Za-z0-9-]+)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?))?\s*")


class Visitor(Struct, frozen=True):
    """Somebody who makes a request or opens a socket."""

    user: User | None
    language: str
    theme: str | None
    """None: as the device is set."""
    wide: bool = False
    """Whether boards are drawn in landscape on the pages sent to them."""
    only: Token | None = None
    """The token of one seat, if that is all the visitor may decide for; None: everything that is the user's."""
    inbox: bool = False
    """Whether invitations or friend requests wait for an answer; known where a page is asked for."""
    enrolled: bool = False
    """Whether the user plays in a tournament, so that pages announce tables; known where a page is asked for."""

    def decides_for(self, table_id: str) -> int | None:
        """Return the only seat of a table the visitor may decide for; None: all seats of the user."""
        if self.only is None:
            return None
        return self.only.seat if self.only.table == table_id and self.only.seat is not None else NO_SEAT

    def user_at(self, table_id: str) -> User | None:
        """Return the user at a table; the token of a seat at another table makes one a spectator there."""
        return None if self.decides_for(table_id) == NO_SEAT else self.user


def registry_of(connection: HTTPConnection) -> TableRegistry:
    """Return the table registry of the app."""
    registry: TableRegistry = connection.app.state.registry
    return registry


def config_of(connection: HTTPConnection) -> ServerConfig:
    """Return the configuration of the server."""
    config: ServerConfig = connection.app.state.config
    return config


def visitor(connection: HTTPConnection) -> Visitor:
    """Return who is asking, as the middleware `ResolveVisitor` has found out."""
    found: Visitor = connection.state.visitor
    return found


async def recognize(connection: HTTPConnection) -> Visitor:
    """Find out who is asking, from cookies and headers."""
    user, only = await _user_and_seat(connection)
    asks = user is not None and only is None and "text/html" in connection.headers.get("accept", "")
    inbox = bool(user and asks and await registry_of(connection).online.inbox(user.id))
    enrolled = bool(user and asks and await TournamentStore(registry_of(connection).database).plays_in_any(user.id))
    return replace(stranger(connection), user=user, only=only, inbox=inbox, enrolled=enrolled)


def stranger(connection: HTTPConnection) -> Visitor:
    """Return who is asking without looking for an account."""
    theme = connection.cookies.get(THEME)
    return Visitor(
        user=None,
        language=language(connection.cookies.get(LANGUAGE), connection.headers.get("accept-language", "")),
        theme=theme if theme in THEMES else None,
        wide=_wide(connection),
    )


def _wide(connection: HTTPConnection) -> bool:
    """Tell whether a window is wide: as it was last time, or on a first visit whether it is on a computer."""
    known = connection.cookies.get(WIDE)
    return known == "1" if known else "Mobi" not in connection.headers.get("user-agent", "")


async def _user_and_seat(connection: HTTPConnection) -> tuple[User | None, Token | None]:
    """Find the user of a cookie, or of the token a program sends; the token too if it is for one seat only."""
    if not shows_token(connection):
        return await _cookie_user(connection), None
    user_store = registry_of(connection).user_store
    token = await user_store.token(token_of(connection))
    if token is None or token.kind not in ("device", "seat"):
        return None, None
    return await user_store.find(token.user), token if token.kind == "seat" else None


async def _cookie_user(connection: HTTPConnection) -> User | None:
    token = connection.cookies.get(TOKEN)
    return await registry_of(connection).user_store.user(token) if token else None


def shows_token(connection: HTTPConnection) -> bool:
    """Tell whether a program sends a bearer token; other kinds of authorization are for a proxy in front of us."""
    return connection.headers.get("authorization", "").lower().startswith(BEARER)


def token_of(connection: HTTPConnection) -> str:
    """Return the token with which somebody has identified: of the header, or of the cookie."""
    if shows_token(connection):
        return connection.headers["authorization"][len(BEARER) :].strip()
    return connection.cookies.get(TOKEN, "")


def language(chosen: str | None, wishes: str) -> str:
    """Return the language to use: the one chosen here, else the best of `Accept-Language`, else English."""
    if chosen in LANGUAGES:
        return chosen
    ranked: list[tuple[float, int, str]] = []
    for place, wish in enumerate(wishes[:500].split(",")):
        match = _WISH.fullmatch(wish)
        if match and match[1].lower() in LANGUAGES and float(match[2] or 1) > 0:
            ranked.append((-float(match[2] or 1), place, match[1].lower()))
    return min(ranked)[2] if ranked else "en"


async def page_user(response: Response, request: Request) -> User:
    """Return the user of a browser, by its cookie only; a new one for a first visit."""
    visit = visitor(request)
    user = await _cookie_user(request) if shows_token(request) else visit.user
    if user is None:
        await spend(Quota.USER)
        user, token = await registry_of(request).user_store.add_user(language=visit.language)
        set_cookie(response, request, TOKEN, token, httponly=True)
    return user


def set_cookie(response: Response, request: Request, name: str, value: str, *, httponly: bool = False) -> None:
    """Set a cookie for this site."""
    secure = request.url.scheme == "https" or config_of(request).secure
    response.set_cookie(name, value, max_age=A_YEAR, httponly=httponly, samesite="lax", secure=secure)


def keep_cookies(onward: Response, response: Response) -> Response:
    """Return another response with the cookies that were set on the first one."""
    onward.raw_headers += [header for header in response.raw_headers if header[0] == b"set-cookie"]
    return onward


def same_origin(connection: HTTPConnection) -> bool:
    """Tell whether a request comes from one of our pages, or from no page at all.

    Browsers always send the origin of a page that posts elsewhere or opens a socket; programs send none. The origin of
    a page that hides its address is `null`, but then `Sec-Fetch-Site` tells.
    """
    site, origin = connection.headers.get("sec-fetch-site"), connection.headers.get("origin")
    if site == "same-origin" or origin is None:
        return site in (None, "same-origin", "none")
    return config_of(connection).is_origin(origin, connection.headers.get("host", ""))


class OtherOrigin(HTTPException):
    """A request from a page of another site, or of this one under an address the server does not know as its own."""

    def __init__(self, origin: str, address: str) -> None:
        super().__init__(403)
        self._origin = origin
        self._address = address

    def why(self, language: str) -> str:
        """Say which addresses differ."""
        text = HIDDEN_SITE if self._origin in ("", "null") else OTHER_SITE
        shown = {"origin": self._origin[:LONGEST_ORIGIN], "address": self._address}
        return words(language, COMMON_TEXTS).gettext(text).format(**shown)


async def own_page(request: Request) -> None:
    """Refuse a request from a page of another site."""
    if not same_origin(request):
        raise OtherOrigin(request.headers.get("origin", ""), config_of(request).link(request, ""))


def page_visitor(connection: HTTPConnection) -> Visitor:
    """Return who is asking for a page, where the token of a seat counts for nothing."""
    found = visitor(connection)
    return found if found.only is None else replace(found, user=None, only=None)


async def _page_visitor(connection: HTTPConnection) -> Visitor:
    return page_visitor(connection)


async def _registry(connection: HTTPConnection) -> TableRegistry:
    return registry_of(connection)


async def _tournaments(connection: HTTPConnection) -> TournamentService:
    service: TournamentService = connection.app.state.tournaments
    return service


# Dependencies are coroutines, even those that wait for nothing: FastAPI calls others in a thread.
PageVisitor = Annotated[Visitor, Depends(_page_visitor)]
PageUser = Annotated[User, Depends(page_user)]
Registry = Annotated[TableRegistry, Depends(_registry)]
TheTournaments = Annotated[TournamentService, Depends(_tournaments)]
