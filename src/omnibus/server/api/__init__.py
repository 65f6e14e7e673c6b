"""The JSON API: everything the pages can do, over HTTP and WebSocket, described by OpenAPI."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Final

from fastapi import APIRouter, Depends

from omnibus.server.api import (
    account,
    analysis,
    boards,
    chat,
    deals,
    friends,
    moderation,
    pairing,
    play,
    players,
    puzzles,
    records,
    reports,
    seats,
    tables,
    team_matches,
    tournaments,
    users,
)
from omnibus.server.api.auth import no_other_page

PARTS: Final = (
    users,
    account,
    players,
    friends,
    reports,
    moderation,
    tables,
    pairing,
    seats,
    play,
    chat,
    records,
    boards,
    analysis,
    deals,
    team_matches,
    tournaments,
    puzzles,
)
OF_PAGES: Final = (boards, analysis)
"""The parts that pages themselves ask; a browser that is its own server has these."""


def router_of(parts: Iterable[ModuleType]) -> APIRouter:
    """Return the routes of parts of the API."""
    router = APIRouter(
        prefix="/api", dependencies=[Depends(no_other_page)], generate_unique_id_function=lambda route: route.name
    )
    for part in parts:
        router.include_router(part.router)
    return router
