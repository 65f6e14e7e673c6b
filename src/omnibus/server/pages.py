"""The pages people look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, Response
from fastapi.templating import Jinja2Templates
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from omnibus import __version__, games
from omnibus.bots import names as bot_names
from omnibus.kernel.game import Game, Option, Words
from omnibus.kernel.svg import SEATS
from omnibus.kernel.words import LANGUAGES, words
from omnibus.server import texts
from omnibus.server.hall import Hall
from omnibus.server.position import HOUSE, told_in
from omnibus.server.rows import Entry
from omnibus.server.scene import LEVELS
from omnibus.server.table import Frozen, Table, names_of, record_of
from omnibus.server.visit import TheHall, Visit, Visitor
from omnibus.server.watcher import Watcher

USUAL_BOT: Final = "medium"  # whom one plays against when one has not said
WEB: Final = Path(__file__).parent.parent / "web"
LANGUAGE_NAMES: Final = {"en": "English", "it": "Italiano", "fr": "Français", "de": "Deutsch"}

router = APIRouter()
_environment = Environment(
    loader=FileSystemLoader(WEB / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
)
_templates = Jinja2Templates(env=_environment)


def render(
    request: Request, visit: Visitor, template: str, *folders: str, status: int = 200, **more: Any
) -> HTMLResponse:
    """Render a page in the visitor's language."""
    spoken = words(visit.language, *folders, HOUSE)
    context = {
        "visit": visit,
        "say": texts.told(texts.PAGE, spoken),
        "languages": {code: LANGUAGE_NAMES[code] for code in LANGUAGES},
        "here": request.url.path + (f"?{request.url.query}" if request.url.query else ""),
        "version": __version__,
        **more,
    }
    return _templates.TemplateResponse(request, template, context, status_code=status)


def embedded(value: Any) -> Markup:
    """Write a value as JSON that can stand in a page."""
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c"))


@router.get("/", response_class=HTMLResponse)
async def lobby(request: Request, visit: Visit, hall: TheHall) -> Response:
    """Show the games and the visitor's tables."""
    mine = hall.ledger.entries(visit.user.id) if visit.user else []
    spoken = words(visit.language, HOUSE)
    return render(
        request,
        visit,
        "lobby.html",
        games=[_offer(games.find(name), visit.language) for name in games.names()],
        tables=[_listed(entry, visit, spoken) for entry in mine],
        bots=[(name, spoken.gettext(LEVELS[name])) for name in bot_names()],
        usual=USUAL_BOT,
        seats=SEATS,
    )


def _offer(game: Game[Any], language: str) -> dict[str, Any]:
    """Say of a game what the lobby shows: in its own words."""
    spoken = words(language, game.folder, HOUSE)
    return {
        "name": game.name,
        "title": game.title,
        "about": game.help(spoken)[0][1],
        "seats": game.seats,
        "options": [_choice(name, option, spoken) for name, option in game.options.items()],
    }


def _choice(name: str, option: Option, spoken: Words) -> dict[str, Any]:
    return {
        "name": name,
        "text": spoken.gettext(option.text),
        "choices": [
            (number, spoken.gettext(option.called(choice)), choice == option.default)
            for number, choice in enumerate(option.choices)
        ],
    }


def _listed(entry: Entry, visit: Visitor, spoken: Words) -> dict[str, Any]:
    setting = entry.setting
    own = [seat for seat, sitter in enumerate(setting.sitters) if visit.user and sitter.user == visit.user.id]
    standing = "your_turn" if entry.awaits in own else "waiting" if entry.standing == "live" else entry.standing
    title = games.find(setting.game).title if setting.game in games.names() else setting.game
    return {
        "id": setting.id,
        "title": title,
        "names": names_of(setting.sitters, spoken),
        "standing": standing,
        "updated": entry.updated,
        "mine": visit.user is not None and setting.owner == visit.user.id,
    }


@router.get("/tables/{table_id}", response_class=HTMLResponse)
async def table(request: Request, table_id: str, visit: Visit, hall: TheHall) -> Response:
    """Show a table."""
    try:
        found = hall.table(table_id)
    except Frozen as frozen:
        return _frozen(request, visit, frozen)
    await found.settled()
    return _table_page(request, visit, hall, found)


def _table_page(request: Request, visit: Visitor, hall: Hall, found: Table) -> Response:
    watcher = Watcher(found, visit.user, visit.language)
    shown = watcher.shown()
    spoken = told_in(found.match, visit.language)
    return render(
        request,
        visit,
        "table.html",
        found.game.folder,
        table=found,
        title=found.game.title,
        seats=SEATS[: found.match.seats],
        svg=Markup(shown.position.svg),
        shown=embedded(msgspec.structs.replace(shown, position=msgspec.structs.replace(shown.position, svg=None))),
        table_texts=embedded(texts.told(texts.TABLE, spoken)),
        tell=texts.told(texts.TABLE, spoken),
        own=watcher.own,
        mine=visit.user is not None and found.setting.owner == visit.user.id,
        rematch=hall.ledger.rematch(found.setting.id),
    )


def _frozen(request: Request, visit: Visitor, frozen: Frozen) -> Response:
    say = texts.told(texts.PAGE, words(visit.language, HOUSE))
    why = say["frozen_why"].format(rules=frozen.setting.rules, reason=frozen.reason)
    return render(request, visit, "frozen.html", why=why, id=frozen.setting.id)


@router.get("/tables/{table_id}/record")
async def record(table_id: str, hall: TheHall) -> Response:
    """Hand out the record of a table, once it holds no secret any more."""
    try:
        found = hall.table(table_id)
    except Frozen as frozen:
        entry = hall.ledger.entry(table_id)
        ended = entry is not None and entry.standing != "live"
        return _file(record_of(frozen.setting, frozen.history, reveal=ended), table_id)
    await found.settled()
    if found.secret:
        return PlainTextResponse("The record can be downloaded when the game is over.\n", 403)
    return _file(found.record(), f"{found.game.name}-{table_id}")


def _file(text: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}.game"'}
    return PlainTextResponse(text, headers=headers)
