"""Pages from templates, in the visitor's language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import msgspec
from fastapi import Request
from fastapi.responses import HTMLResponse
from fastapi.templating import Jinja2Templates
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from omnibus import __version__
from omnibus.kernel.i18n import COMMON_TEXTS, LANGUAGES, words
from omnibus.server.http.visitor import Visitor, config_of
from omnibus.server.pages.account_texts import ACCOUNT
from omnibus.server.pages.analysis_texts import ANALYSIS
from omnibus.server.pages.board_texts import BOARD
from omnibus.server.pages.deal_texts import DEAL
from omnibus.server.pages.friends_texts import FRIENDS
from omnibus.server.pages.moderation_texts import MODERATION
from omnibus.server.pages.puzzle_texts import PUZZLES
from omnibus.server.pages.rating_texts import RATINGS
from omnibus.server.pages.team_match_texts import TEAM_MATCH
from omnibus.server.pages.texts import PAGE, TABLE
from omnibus.server.pages.tournament_texts import TOURNAMENT

WEB: Final = Path(__file__).parents[2] / "web"
LANGUAGE_NAMES: Final = {"en": "English", "it": "Italiano", "fr": "Français", "de": "Deutsch"}
_PEOPLE: Final = ACCOUNT | FRIENDS | MODERATION | RATINGS | TEAM_MATCH | TOURNAMENT
TEXTS: Final = PAGE | TABLE | BOARD | ANALYSIS | DEAL | PUZZLES | _PEOPLE

_environment = Environment(
    loader=FileSystemLoader(WEB / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
)
_templates = Jinja2Templates(env=_environment)


def render(request: Request, visit: Visitor, template: str, *, status: int = 200, **more: Any) -> HTMLResponse:
    """Render a page in the visitor's language; templates find the texts in `t`, scripts those of TABLE in `texts`."""
    context = {
        "visit": visit,
        "t": texts(visit.language),
        "script_texts": _script_texts(visit.language),
        "languages": {code: LANGUAGE_NAMES[code] for code in LANGUAGES},
        "here": request.url.path + (f"?{request.url.query}" if request.url.query else ""),
        "version": __version__,
        "shared": config_of(request).shared,
        **more,
    }
    return _templates.TemplateResponse(request, template, context, status_code=status)


def compile_ahead() -> Iterator[Callable[[], object]]:
    """Return what compiles each template, so that no first visitor waits for it."""
    for name in _environment.list_templates(extensions=["html"]):
        yield partial(_environment.get_template, name)


def drawn(template: str, language: str, **more: Any) -> str:
    """Render a part of a page that is the same for all visitors with a language."""
    return _environment.get_template(template).render(t=texts(language), **more)


@cache
def texts(language: str) -> dict[str, str]:
    """Return the texts of all pages in a language."""
    translated = words(language, COMMON_TEXTS)
    return {key: translated.gettext(text) for key, text in TEXTS.items()}


@cache
def _script_texts(language: str) -> Markup:
    return embedded({key: texts(language)[key] for key in TABLE})


def date(at: float, language: str) -> str:
    """Write a date, by the clock of the server."""
    from babel.dates import format_date  # imported late, like the catalogues

    return format_date(datetime.fromtimestamp(at), "long", locale=language)


def utc(at: float) -> str:
    """Write a moment for a page without scripts, which know the reader's time zone."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")


def moment(at: float, language: str) -> str:
    """Write a date and a time."""
    from babel.dates import format_datetime

    return format_datetime(datetime.fromtimestamp(at, UTC), "long", locale=language)


_environment.filters |= {"utc": utc, "date": date, "moment": moment}


def embedded(value: Any) -> Markup:
    """Write a value as JSON that can stand in a page."""
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c"))
