"""What can be read and looked at: uploaded records, rules, credits, pictures."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, Response
from markdown_it import MarkdownIt
from markupsafe import Markup
from msgspec.structs import replace

from omnibus import games
from omnibus.kernel.match import Match
from omnibus.kernel.record import BadRecord
from omnibus.kernel.rulebook import Block, draw, rulebook
from omnibus.kernel.rulebook import pictures as rule_pictures
from omnibus.kernel.svg import SEATS
from omnibus.kernel.words import mark
from omnibus.server import pictures, texts
from omnibus.server.aside import aside
from omnibus.server.chronicle import Chronicle
from omnibus.server.hall import Gone, Hall
from omnibus.server.live import as_json
from omnibus.server.pace import Deed, spend
from omnibus.server.position import Position, Reader, on_ground, position, told_in
from omnibus.server.refusals import Code, Rejected
from omnibus.server.rendering import embedded, render
from omnibus.server.rows import Sitter
from omnibus.server.scene import Scene
from omnibus.server.table import names_of
from omnibus.server.visit import TheHall, Visit

UNREADABLE: Final = mark("This record was kept by another version of this program, and cannot be replayed any more.")
PICTURE_POLICY: Final = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}

PICTURE_HEIGHT: Final = 576

_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
_SIZE: Final = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
_SECTION: Final = re.compile(r"§(\d+(?:\.\d+)?)")

router = APIRouter()


async def taken_in(text: str) -> Match:
    """Read a record that somebody brings; it counts, good or bad. BadRecord names the first wrong line."""
    await spend(Deed.RECORD)
    return await aside(_replayed, text)


async def replayed(hall: Hall, record_id: str) -> Match:
    """Return the match of an uploaded record; Gone when there is none."""
    text = hall.ledger.record(record_id)
    if text is None:
        raise Gone
    try:
        return await aside(_replayed, text)
    except BadRecord as error:  # it could be read when it was uploaded, by another version of this program
        raise Rejected(Code.GONE, why=UNREADABLE) from error


@lru_cache(maxsize=32)
def _replayed(text: str) -> Match:
    """A record is looked at ply by ply, so it is kept for a while; nobody plays on in it.

    It may be long, and its map as large as maps can be: it is read, and drawn, aside.
    """
    return Match.read(text)


def shown(match: Match, reader: Reader, *, ply: int | None = None, ground: str = "") -> Position:
    """Show a match as it stands, or stood after so many plies."""
    told = told_in(match, reader.language)
    names = match.names or names_of([Sitter()] * match.seats, told)
    seen = position(match, reader, names, [""] * match.seats, ply=ply)
    return on_ground(match, reader, seen, ground)


@router.get("/records/{record_id}", response_class=HTMLResponse)
async def replay(request: Request, record_id: str, visit: Visit, hall: TheHall, seat: int | None = None) -> Response:
    """Show an uploaded record, through the eyes of a seat or of a spectator."""
    match = await replayed(hall, record_id)
    if seat is not None and not 0 <= seat < match.seats:
        raise HTTPException(404)
    reader = Reader(seat, visit.language)
    told = told_in(match, visit.language)
    seen = await aside(shown, match, reader)
    names = match.names or names_of([Sitter()] * match.seats, told)
    log = await aside(Chronicle(match).told, reader, names, told)
    return render(
        request,
        visit,
        "replay.html",
        match.game.folder,
        id=record_id,
        seat=seat,
        title=match.game.title,
        dice=match.commitment is not None and match.seed is not None,
        names=names,
        seats=SEATS[: match.seats],
        svg=Markup(seen.svg),
        shown=embedded(_scene(seen, log)),
        table_texts=embedded(texts.told(texts.TABLE, told)),
        tell=texts.told(texts.TABLE, told),
    )


def _scene(shown: Position, log: list[tuple[int, str]]) -> Scene:
    """Show a record the way a table is shown at which nothing can be done any more."""
    return Scene(
        event=0,
        position=replace(shown, svg=None),
        actor=None,
        live=False,
        moves=[],
        undo=False,
        hint=False,
        own=[],
        handover=None,
        decided=None,
        since=0,
        log=log,
    )


@router.get("/records/{record_id}/at/{ply}")
async def record_at(
    record_id: str, ply: int, visit: Visit, hall: TheHall, seat: int | None = None, ground: str = ""
) -> Response:
    """Show a position of an uploaded record."""
    match = await replayed(hall, record_id)
    if not 0 <= ply <= len(match.plies) or (seat is not None and not 0 <= seat < match.seats):
        raise HTTPException(404)
    return as_json(await aside(shown, match, Reader(seat, visit.language), ply=ply, ground=ground))


@router.get("/rules/{name}", response_class=HTMLResponse)
async def rules(request: Request, name: str, visit: Visit) -> Response:
    """Show the rules of a game in the visitor's language."""
    if name not in games.names():
        raise HTTPException(404)
    game = games.find(name)
    return render(request, visit, "rules.html", game.folder, game=game, text=_rules(name, visit.language))


@cache
def _rules(name: str, language: str) -> Markup:
    """Return the rules as a page, every § with an anchor, the pictures between the paragraphs."""
    blocks = [_block(name, block, language) for block in rulebook(name, language)]
    return Markup(_anchored("\n".join(blocks)))


def _block(name: str, block: Block, language: str) -> str:
    if isinstance(block, str):
        return str(_MARKDOWN.render(block))
    wide, high = _size(draw(name, block.name, language))  # told at once, so that no § is pushed away when it comes
    picture = Markup('<img src="/rules/{}/{}.svg" width="{}" height="{}" alt="" loading="lazy">').format(
        name, block.name, wide, high
    )
    return Markup("<figure>{}<figcaption>{}</figcaption></figure>").format(picture, block.caption)


def _size(drawn: str) -> tuple[int, int]:
    """Return width and height at which a picture stands between paragraphs, in pixels."""
    found = _SIZE.search(drawn)
    assert found, "every picture has a size"
    wide, high = map(float, found.groups())
    scale = min(1, PICTURE_HEIGHT / high)
    return round(wide * scale), round(high * scale)


@router.get("/rules/{name}/{picture}.svg")
async def rules_picture(name: str, picture: str, visit: Visit) -> Response:
    """Show a picture of the rules."""
    if name not in games.names() or picture not in rule_pictures(name):
        raise HTTPException(404)
    return _svg(draw(name, picture, visit.language))


def _anchored(written: str) -> str:
    """Give every § an anchor where it stands first."""
    met: set[str] = set()

    def anchor(found: re.Match[str]) -> str:
        section = found[1]
        if section in met:
            return found[0]
        met.add(section)
        return f'<span id="{section}">{found[0]}</span>'

    return _SECTION.sub(anchor, written)


@router.get("/credits", response_class=HTMLResponse)
async def credits_page(request: Request, visit: Visit) -> Response:
    """Say whose games these are, and what this house stands on."""
    return render(request, visit, "credits.html", games=[games.find(name) for name in games.names()])


@router.get("/pictures/{name}.svg")
async def picture(name: str, visit: Visit) -> Response:
    """Show what a game looks like."""
    if name not in games.names():
        raise HTTPException(404)
    return _svg(pictures.picture(name, visit.language))


def _svg(drawn: str) -> Response:
    headers = {**PICTURE_POLICY, "cache-control": "max-age=3600", "vary": "accept-language, cookie"}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


@router.get("/board.css")
async def board_style() -> Response:
    """Hand out the style of the pictures, and their palette for the page around them."""
    return Response(pictures.style(), media_type="text/css", headers={"cache-control": "max-age=3600"})
