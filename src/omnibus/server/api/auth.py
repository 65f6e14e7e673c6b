"""Authentication of API calls: by the token in the header, or by the cookie of our own pages."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import Depends, HTTPException, Request

from omnibus.server.errors import ONE_SEAT, Forbidden
from omnibus.server.http.visitor import Visitor, own_page, shows_token, visitor
from omnibus.server.store.models import User

ANYBODY: Final[dict[str, Any]] = {"security": [{}, {"token": []}]}
NO_TOKEN: Final[dict[str, Any]] = {"security": []}


async def no_other_page(request: Request) -> None:
    """Refuse requests from pages of other sites; a request with a token does not come from a page."""
    if not shows_token(request):
        await own_page(request)


async def anybody(request: Request) -> Visitor:
    """Allow everybody; but a token, if there is one, must be valid."""
    found = visitor(request)
    if found.user is None and shows_token(request):
        raise HTTPException(401)
    return found


async def somebody(visit: Annotated[Visitor, Depends(anybody)]) -> Visitor:
    """Allow users, and programs with the token of a seat."""
    if visit.user is None:
        raise HTTPException(401)
    return visit


async def user(visit: Annotated[Visitor, Depends(somebody)]) -> User:
    """Allow users only, not programs with the token of a seat."""
    if visit.only is not None:
        raise Forbidden(ONE_SEAT)
    assert visit.user
    return visit.user


Anybody = Annotated[Visitor, Depends(anybody)]
Somebody = Annotated[Visitor, Depends(somebody)]
TheUser = Annotated[User, Depends(user)]
