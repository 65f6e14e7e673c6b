"""What a game looks like: a position from the middle of a game, drawn by the game itself."""

from __future__ import annotations

from functools import cache
from typing import Final

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from omnibus import games
from omnibus.bots import bot, names
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.kernel.match import Match
from omnibus.kernel.svg import STYLE, palette
from omnibus.server.http.visitor import PageVisitor

PICTURE_POLICY: Final = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}
SEED: Final = 6
DECISIONS: Final = 70

router = APIRouter()


@cache
def preview(game: str, language: str) -> str:
    """Draw a game as it looks some way into it."""
    found = games.find(game)
    match = Match.new(game, seats=found.seats[len(found.seats) // 2], seed=SEED)
    player = bot(names()[1], found, seed=SEED)
    for _ in range(DECISIONS):
        if not isinstance(match.actor, int):
            break
        match.play(player(found.view(match.state, match.actor)))
    while match.actor is None:
        match.undo()
    return found.svg(found.view(match.state, None), words(language, found.folder, COMMON_TEXTS))


@cache
def style() -> str:
    """Return the style of all pictures, and their palette for the page around them."""
    return f"{palette('body')}\n{STYLE}\n"


@router.get("/pictures/{name}.svg")
async def picture(name: str, visit: PageVisitor) -> Response:
    """Show what a game looks like."""
    if name not in games.names():
        raise HTTPException(404)
    return svg_response(preview(name, visit.language))


def svg_response(drawn: str) -> Response:
    """Send a picture that may be cached for an hour."""
    headers = {**PICTURE_POLICY, "cache-control": "max-age=3600", "vary": "accept-language, cookie"}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


@router.get("/board.css")
async def board_style() -> Response:
    """Hand out the style of the pictures, and their palette for the page around them."""
    return Response(style(), media_type="text/css", headers={"cache-control": "max-age=3600"})
