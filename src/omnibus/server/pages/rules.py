"""The rules of a game, with their pictures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, Response
from markdown_it import MarkdownIt
from markupsafe import Markup

from omnibus import games
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.kernel.rulebook import Block, draw, rulebook
from omnibus.kernel.rulebook import pictures as rule_pictures
from omnibus.server.background import in_background
from omnibus.server.http.visitor import PageVisitor
from omnibus.server.pages.previews import svg_response
from omnibus.server.pages.templates import render

PICTURE_HEIGHT: Final = 576

_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
_SIZE: Final = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
_HEADING: Final = re.compile(r"<h2>§(\d+) (.+?)</h2>")
_DEFINED: Final = re.compile(r"(<h2>|<strong>)§(\d+(?:\.\d+)?)")
_MENTIONED: Final = re.compile(r"(?<!>)§(\d+(?:\.\d+)?)")

router = APIRouter()


@router.get("/rules/{name}", response_class=HTMLResponse)
async def rules(request: Request, name: str, visit: PageVisitor) -> Response:
    """Show the rules of a game in the visitor's language."""
    if name not in games.names():
        raise HTTPException(404)
    written = await in_background(_rules, name, visit.language)
    return render(request, visit, "rules.html", game=games.find(name), rules=written)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a game as the page shows them."""

    introduction: Markup
    short: list[tuple[str, str]]
    """How to play in short: sections and sentences."""
    contents: list[tuple[str, Markup]]
    """The numbers and the headings of the sections."""
    text: Markup
    """The sections: every § has an anchor, and the pictures stand between the paragraphs."""


@cache
def _rules(name: str, language: str) -> Rules:
    game = games.find(name)
    written = "\n".join(_block(name, block, language) for block in rulebook(name, language))
    begin = written.index("<h2>")
    return Rules(
        introduction=Markup(written[:begin]),
        short=game.help(words(language, game.folder, COMMON_TEXTS)),
        contents=[(number, Markup(heading)) for number, heading in _HEADING.findall(written)],
        text=Markup(_anchored(written[begin:])),
    )


def _block(name: str, block: Block, language: str) -> str:
    if isinstance(block, str):
        return str(_MARKDOWN.render(block))
    address = f"/rules/{name}/{block.name}.svg"
    landscape = Markup('<source media="(min-width: 900px)" srcset="{}?wide=true" width="{}" height="{}">').format(
        address, *_size(draw(name, block.name, language, wide=True))
    )
    upright = Markup('<img src="{}" width="{}" height="{}" alt="" loading="lazy">').format(
        address,
        *_size(draw(name, block.name, language)),  # so that the text does not jump when the picture arrives
    )
    return Markup("<figure><picture>{}{}</picture><figcaption>{}</figcaption></figure>").format(
        landscape, upright, block.caption
    )


def _size(drawn: str) -> tuple[int, int]:
    """Return width and height of a picture between paragraphs, in pixels."""
    found = _SIZE.search(drawn)
    assert found, "every picture has a size"
    wide, high = map(float, found.groups())
    scale = min(1, PICTURE_HEIGHT / high)
    return round(wide * scale), round(high * scale)


@router.get("/rules/{name}/{picture}.svg")
async def rules_picture(name: str, picture: str, visit: PageVisitor, wide: bool = False) -> Response:
    """Send a picture of the rules."""
    if name not in games.names() or picture not in rule_pictures(name):
        raise HTTPException(404)
    return svg_response(await in_background(draw, name, picture, visit.language, wide=wide))


def _anchored(written: str) -> str:
    """Give every § an anchor where it stands in bold or as a heading, and link the other mentions to it."""
    anchored = _DEFINED.sub(r'\1<span id="\2">§\2</span>', written)
    defined = set(re.findall(r'<span id="([\d.]+)">', anchored))

    def link(found: re.Match[str]) -> str:
        return f'<a href="#{found[1]}">{found[0]}</a>' if found[1] in defined else found[0]

    return _MENTIONED.sub(link, anchored)
