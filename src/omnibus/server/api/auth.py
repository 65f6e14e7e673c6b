"""Who calls: by the token in the header, or by the cookie of a page of this house."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import Depends, HTTPException, Request

from omnibus.server.errors import ONE_SEAT, Forbidden
from omnibus.server.http.visitor import Visitor, own_page, shows_token, visitor
from omnibus.server.store.models import User

ANYBODY: Final[dict[str, Any]] = {"security": [{}, {"token": []}]}
NO_TOKEN: Final[dict[str, Any]] = {"security": []}


def no_other_page(request: Request) -> None:
    """Refuse what a page of somebody else sends; with a token in the header it is no page."""
    if not shows_token(request):
        own_page(request)


def anybody(request: Request) -> Visitor:
    """Let anybody in; but who shows a token must be known by it."""
    found = visitor(request)
    if found.user is None and shows_token(request):
        raise HTTPException(401)
    return found


def somebody(visit: Annotated[Visitor, Depends(anybody)]) -> Visitor:
    """Let users in, and programs that play in one of their seats."""
    if visit.user is None:
        raise HTTPException(401)
    return visit


def user(visit: Annotated[Visitor, Depends(somebody)]) -> User:
    """Let users in, with all that is theirs."""
    if visit.only is not None:
        raise Forbidden(ONE_SEAT)
    assert visit.user
    return visit.user


Anybody = Annotated[Visitor, Depends(anybody)]
Somebody = Annotated[Visitor, Depends(somebody)]
TheUser = Annotated[User, Depends(user)]
