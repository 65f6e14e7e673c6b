"""Preview pictures: a position from the middle of a game, drawn by the game itself."""

from __future__ import annotations

from functools import cache
from typing import Final

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from omnibus import games
from omnibus.bots import bot, names
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.kernel.match import Match
from omnibus.kernel.svg import CSS_RULES, SEATS, palette
from omnibus.server.background import in_background
from omnibus.server.http.visitor import PageVisitor

PICTURE_POLICY: Final = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}
SEED: Final = 6
DECISIONS: Final = 70

router = APIRouter()


@cache
def preview(game: str, language: str) -> str:
    """Play some way into a game and draw it. That takes a while, so it is drawn once, in the background."""
    found = games.find(game)
    match = Match.new(game, seats=found.seats[len(found.seats) // 2], seed=SEED)
    player = bot(names()[1], found, seed=SEED)
    for _ in range(DECISIONS):
        if not isinstance(match.actor, int):
            break
        match.play(player(found.view(match.state, match.actor)))
    while match.actor is None:
        match.undo()
    return found.svg(found.view(match.state, None), words(language, found.folder, COMMON_TEXTS), wide=True)


@cache
def style() -> str:
    """Return the colours of pages and of the pictures on them, and the style of these pictures."""
    seats = "".join(
        f".seat-{seat}{{background:var(--seat-{seat});color:var(--on-seat-{seat})}}" for seat in range(len(SEATS))
    )
    return f"{palette('body')}\n{CSS_RULES}\n{seats}\n"


@router.get("/pictures/{name}.svg")
async def picture(name: str, visit: PageVisitor) -> Response:
    """Send the preview picture of a game."""
    if name not in games.names():
        raise HTTPException(404)
    return svg_response(await in_background(preview, name, visit.language))


def svg_response(drawn: str) -> Response:
    """Send a picture that browsers may cache for an hour."""
    headers = {**PICTURE_POLICY, "cache-control": "max-age=3600", "vary": "accept-language, cookie"}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


@router.get("/board.css")
async def board_style() -> Response:
    """Send the style of the pictures."""
    return Response(style(), media_type="text/css", headers={"cache-control": "max-age=3600"})
