"""The lobby: the games, tables with free seats, the visitor's own tables."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, Request, WebSocket
from fastapi.responses import HTMLResponse, Response

from omnibus import games
from omnibus.bots import names_for
from omnibus.kernel.game import Game, Option, Words
from omnibus.kernel.i18n import COMMON_TEXTS, mark, words
from omnibus.kernel.svg import seat_name
from omnibus.server.http.connection import Connection
from omnibus.server.http.sockets import NOT_YOURS, serve
from omnibus.server.http.visitor import PageVisitor, Registry, Visitor, same_origin, visitor
from omnibus.server.pages.lobby_feed import feed_of
from omnibus.server.pages.templates import render
from omnibus.server.store.models import DEFAULT_BOT, PATIENCE, TableRow
from omnibus.server.tables.results import result
from omnibus.server.tables.setup import AWAY_LIMITS, NO_CLOCK, PACES, bot_choices, clock_choices, seated_names

PLAYERS: Final = mark("{seats} players")
MINUTES: Final = mark("{minutes} minutes")
WEIGHTS: Final = {
    "light": mark("light strategy"),
    "medium": mark("medium strategy"),
    "heavy": mark("deep strategy"),
}
COLOURS: Final = (0, 2, 3, 1, 4)  # seat colours of the games' signs, the most distinct first

router = APIRouter()
sockets = APIRouter()
"""Under `/` for pages and under `/api` for programs."""


@router.get("/", response_class=HTMLResponse)
async def lobby(request: Request, visit: PageVisitor, registry: Registry) -> Response:
    """Show the games, the open tables and the visitor's tables."""
    mine = await registry.table_store.entries(visit.user.id) if visit.user else []
    translated = words(visit.language, COMMON_TEXTS)
    return render(
        request,
        visit,
        "lobby.html",
        games=[_game(number, game, visit.language) for number, game in enumerate(easiest_first())],
        tables=[_own_table(entry, visit, translated) for entry in mine],
        open_tables=await feed_of(request).html(visit.user, visit.language),
        paces=[(pace, translated.gettext(text)) for pace, text in (*PACES.items(), ("", NO_CLOCK))],
        default_bot=DEFAULT_BOT,
        away_limits=[(int(limit), translated.gettext(text), limit == PATIENCE) for limit, text in AWAY_LIMITS.items()],
    )


@sockets.websocket("/lobby/socket")
async def watch_lobby(socket: WebSocket) -> None:
    """Tell a visitor of the lobby which tables have free seats, and which wait for them."""
    await socket.accept()
    if not same_origin(socket):
        await socket.close(NOT_YOURS)
        return
    visit = visitor(socket)
    viewer = Connection(None if visit.only else visit.user, visit.language)
    async with feed_of(socket).watched(viewer):
        await serve(socket, viewer, visit)


def easiest_first() -> list[Game[Any]]:
    """Return the games, those with less to think about first; those that do not say come last."""
    order = [*WEIGHTS, None]
    return sorted(map(games.find, games.names()), key=lambda game: (order.index(game.weight), game.title))


def _game(number: int, game: Game[Any], language: str) -> dict[str, Any]:
    """Return what the lobby shows of a game."""
    translated = words(language, game.folder, COMMON_TEXTS)
    return {
        "name": game.name,
        "title": game.title,
        "colour": COLOURS[number % len(COLOURS)],
        "about": game.help(translated)[0][1],
        "facts": _facts(game, translated),
        "colours": [seat_name(seat, translated) for seat in range(max(game.seats))],
        "taught": bool(game.lessons),
        "fewest": min(game.seats),
        "bots": bot_choices(names_for(game), translated),
        "options": offered_options(game, translated),
        "clocks": clock_choices(game, translated, language),
    }


def _facts(game: Game[Any], words: Words) -> list[str]:
    """Return how many play, how long it takes and how much there is to think about."""
    facts = [words.gettext(PLAYERS).format(seats=_range(min(game.seats), max(game.seats)))]
    if any(game.minutes):
        facts.append(words.gettext(MINUTES).format(minutes=_range(*game.minutes)))
    return [*facts, words.gettext(WEIGHTS[game.weight])] if game.weight else facts


def _range(fewest: int, most: int) -> str:
    return f"{fewest}–{most}" if fewest < most else f"{most}"


def offered_options(game: Game[Any], words: Words) -> list[dict[str, Any]]:
    """Return the options of a game with their choices, as a form offers them."""
    return [_option(name, option, words) for name, option in game.options.items()]


def _option(name: str, option: Option, words: Words) -> dict[str, Any]:
    return {
        "name": name,
        "text": words.gettext(option.text),
        "choices": [
            (number, words.gettext(option.called(choice)), choice == option.default)
            for number, choice in enumerate(option.choices)
        ],
    }


def _own_table(entry: TableRow, visit: Visitor, words: Words) -> dict[str, Any]:
    """Return what the lobby shows of a table the visitor plays at."""
    setup = entry.setup
    return {
        "id": setup.id,
        "title": games.find(setup.game).title if setup.game in games.names() else setup.game,
        "names": seated_names(setup, words),
        "status": _status(entry, visit),
        "result": result(entry, visit.user.id) if visit.user else None,
        "updated": entry.updated,
        "deletable": _is_deletable(entry, visit),
    }


def _status(entry: TableRow, visit: Visitor) -> str:
    """Return the key of the text that says how a table stands, which is also its CSS class."""
    own = [seat for seat, sitter in enumerate(entry.setup.sitters) if visit.user and sitter.user == visit.user.id]
    if entry.awaits in own:
        return "your_turn"
    return {"open": "waiting_for_players", "live": "waiting"}.get(entry.standing, entry.standing)


def _is_deletable(entry: TableRow, visit: Visitor) -> bool:
    """Tell whether the visitor may delete a table: not when others play or have played there."""
    if visit.user is None or entry.setup.owner != visit.user.id:
        return False
    return entry.standing == "open" or entry.setup.people() <= {visit.user.id}
