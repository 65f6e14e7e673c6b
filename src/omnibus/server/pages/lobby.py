"""The pages people look at."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.kernel.game import Game, Option, Words
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.kernel.svg import SEATS
from omnibus.server.http.visitor import PageVisitor, Registry, Visitor
from omnibus.server.pages import texts
from omnibus.server.pages.open_table import PATIENCES, offered, seated_names
from omnibus.server.pages.templates import embedded, render
from omnibus.server.store.models import DEFAULT_BOT, PATIENCE, TableRow
from omnibus.server.tables.scene import LEVELS

router = APIRouter()


@router.get("/", response_class=HTMLResponse)
async def lobby(request: Request, visit: PageVisitor, registry: Registry) -> Response:
    """Show the games and the visitor's tables."""
    mine = registry.table_store.entries(visit.user.id) if visit.user else []
    spoken = words(visit.language, COMMON_TEXTS)
    return render(
        request,
        visit,
        "lobby.html",
        games=[_offer(games.find(name), visit.language) for name in games.names()],
        tables=[_listed(entry, visit, spoken) for entry in mine],
        bots=[(name, spoken.gettext(LEVELS[name])) for name in bot_names()],
        usual=DEFAULT_BOT,
        seats=SEATS,
        table_texts=embedded(texts.told(texts.TABLE, spoken)),
        tell=texts.told(texts.TABLE, spoken),
        offered=[offered(entry, visit) for entry in registry.table_store.open_entries()],
        patiences=[(int(known), spoken.gettext(text), known == PATIENCE) for known, text in PATIENCES.items()],
    )


def _offer(game: Game[Any], language: str) -> dict[str, Any]:
    """Say of a game what the lobby shows: in its own words."""
    spoken = words(language, game.folder, COMMON_TEXTS)
    return {
        "name": game.name,
        "title": game.title,
        "about": game.help(spoken)[0][1],
        "seats": game.seats,
        "options": [_choice(name, option, spoken) for name, option in game.offered.items()],
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


def _listed(entry: TableRow, visit: Visitor, spoken: Words) -> dict[str, Any]:
    setting = entry.setting
    own = [seat for seat, sitter in enumerate(setting.sitters) if visit.user and sitter.user == visit.user.id]
    waiting = "waiting" if entry.standing == "live" else "gathering" if entry.standing == "open" else entry.standing
    standing = "your_turn" if entry.awaits in own else waiting
    title = games.find(setting.game).title if setting.game in games.names() else setting.game
    return {
        "id": setting.id,
        "title": title,
        "names": seated_names(setting, spoken),
        "standing": standing,
        "updated": entry.updated,
        "deletable": _is_deletable(entry, visit),
    }


def _is_deletable(entry: TableRow, visit: Visitor) -> bool:
    """Whether the visitor may delete a table: what others play or have played stays."""
    if visit.user is None or entry.setting.owner != visit.user.id:
        return False
    return entry.standing == "open" or entry.setting.people() <= {visit.user.id}
