"""The pages people look at."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, Response
from markupsafe import Markup

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.kernel.game import Game, Option, Words
from omnibus.kernel.svg import SEATS
from omnibus.kernel.words import words
from omnibus.server import acts, texts
from omnibus.server.gatherings import PATIENCES, gathering, offered, seated_names
from omnibus.server.hall import Hall, Open
from omnibus.server.position import HOUSE, told_in
from omnibus.server.rendering import embedded, render
from omnibus.server.rows import PATIENCE, USUAL_BOT, Entry
from omnibus.server.scene import LEVELS
from omnibus.server.table import Frozen, Table
from omnibus.server.visit import TheHall, Visit, Visitor
from omnibus.server.watcher import Watcher

router = APIRouter()


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
        table_texts=embedded(texts.told(texts.TABLE, spoken)),
        tell=texts.told(texts.TABLE, spoken),
        offered=[offered(entry, visit) for entry in hall.ledger.open_entries()],
        patiences=[(int(known), spoken.gettext(text), known == PATIENCE) for known, text in PATIENCES.items()],
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


def _is_deletable(entry: Entry, visit: Visitor) -> bool:
    """Whether the visitor may delete a table: what others play or have played stays."""
    if visit.user is None or entry.setting.owner != visit.user.id:
        return False
    return entry.standing == "open" or entry.setting.people() <= {visit.user.id}


@router.get("/tables/{table_id}", response_class=HTMLResponse)
async def table(request: Request, table_id: str, visit: Visit, hall: TheHall) -> Response:
    """Show a table."""
    try:
        found = hall.table(table_id)
    except Frozen as frozen:
        return _frozen(request, visit, hall, frozen)
    except Open as waiting:
        return gathering(request, visit, waiting.setting)
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
        alone=found.people() <= ({visit.user.id} if visit.user else set()),
        bots=[(name, spoken.gettext(LEVELS[name])) for name in bot_names()],
        usual=USUAL_BOT,
        rematch=hall.ledger.rematch(found.setting.id),
    )


def _frozen(request: Request, visit: Visitor, hall: Hall, frozen: Frozen) -> Response:
    """Show a frozen table; why it is might tell a secret of a game that is not over."""
    say = texts.told(texts.PAGE, words(visit.language, HOUSE))
    told_all = acts.told_all(hall, visit.user, frozen)
    reason = frozen.reason if told_all else say["frozen_short"]
    why = say["frozen_why"].format(rules=frozen.setting.rules, reason=reason)
    return render(request, visit, "frozen.html", why=why, id=frozen.setting.id, download=told_all)


@router.get("/tables/{table_id}/record")
async def record(table_id: str, visit: Visit, hall: TheHall) -> Response:
    """Hand out the record of a table, once it holds no secret any more."""
    text = await acts.record(hall, visit.user, table_id)
    entry = hall.ledger.entry(table_id)
    return _file(text, f"{entry.setting.game}-{table_id}" if entry else table_id)


def _file(text: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}.game"'}
    return PlainTextResponse(text, headers=headers)
