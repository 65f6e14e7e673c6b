"""The JSON API: everything the pages can do, over HTTP and WebSocket, described by OpenAPI."""

from __future__ import annotations

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

router = APIRouter(
    prefix="/api", dependencies=[Depends(no_other_page)], generate_unique_id_function=lambda route: route.name
)
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
for part in PARTS:
    router.include_router(part.router)
