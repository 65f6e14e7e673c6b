"""The rules of a game, with their pictures."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, Response
from markdown_it import MarkdownIt
from markupsafe import Markup

from omnibus import games
from omnibus.kernel.rulebook import Block, draw, rulebook
from omnibus.kernel.rulebook import pictures as rule_pictures
from omnibus.server.background import in_background
from omnibus.server.http.visitor import PageVisitor
from omnibus.server.pages.previews import svg_response
from omnibus.server.pages.templates import render

PICTURE_HEIGHT: Final = 576

_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
_SIZE: Final = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
_SECTION: Final = re.compile(r"§(\d+(?:\.\d+)?)")

router = APIRouter()


@router.get("/rules/{name}", response_class=HTMLResponse)
async def rules(request: Request, name: str, visit: PageVisitor) -> Response:
    """Show the rules of a game in the visitor's language."""
    if name not in games.names():
        raise HTTPException(404)
    text = await in_background(_rules, name, visit.language)
    return render(request, visit, "rules.html", game=games.find(name), text=text)


@cache
def _rules(name: str, language: str) -> Markup:
    """Return the rules as HTML, every § with an anchor, the pictures between the paragraphs."""
    blocks = [_block(name, block, language) for block in rulebook(name, language)]
    return Markup(_anchored("\n".join(blocks)))


def _block(name: str, block: Block, language: str) -> str:
    if isinstance(block, str):
        return str(_MARKDOWN.render(block))
    wide, high = _size(draw(name, block.name, language))  # so that the text does not jump when the picture arrives
    picture = Markup('<img src="/rules/{}/{}.svg" width="{}" height="{}" alt="" loading="lazy">').format(
        name, block.name, wide, high
    )
    return Markup("<figure>{}<figcaption>{}</figcaption></figure>").format(picture, block.caption)


def _size(drawn: str) -> tuple[int, int]:
    """Return width and height of a picture between paragraphs, in pixels."""
    found = _SIZE.search(drawn)
    assert found, "every picture has a size"
    wide, high = map(float, found.groups())
    scale = min(1, PICTURE_HEIGHT / high)
    return round(wide * scale), round(high * scale)


@router.get("/rules/{name}/{picture}.svg")
async def rules_picture(name: str, picture: str, visit: PageVisitor) -> Response:
    """Send a picture of the rules."""
    if name not in games.names() or picture not in rule_pictures(name):
        raise HTTPException(404)
    return svg_response(await in_background(draw, name, picture, visit.language))


def _anchored(written: str) -> str:
    """Give every § an anchor where it first appears."""
    seen: set[str] = set()

    def anchor(found: re.Match[str]) -> str:
        section = found[1]
        if section in seen:
            return found[0]
        seen.add(section)
        return f'<span id="{section}">{found[0]}</span>'

    return _SECTION.sub(anchor, written)
