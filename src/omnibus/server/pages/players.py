"""Profiles of players who have claimed a name, and leaderboards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from omnibus import games
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.lab.analysis.accounts import signed
from omnibus.ratings.bots import bot_ratings
from omnibus.ratings.log import Pool, RatingChange
from omnibus.server.http.visitor import PageVisitor, Registry
from omnibus.server.pages.lobby import easiest_first
from omnibus.server.pages.templates import date, render, texts
from omnibus.server.people.players import find_player
from omnibus.server.people.profiles import profile
from omnibus.server.people.ratings import pools_of
from omnibus.server.store.analyses import AnalysedGame
from omnibus.server.store.models import TableRow
from omnibus.server.tables.scene import LEVELS
from omnibus.server.tables.setup import seated_names

LATEST: Final = 20  # rated games that a profile lists
WIDTH: Final = 600
HEIGHT: Final = 120

router = APIRouter()


class Curve(NamedTuple):
    """A line over the games of a player, and what lies at its lower and upper edge."""

    line: Markup
    low: int
    high: int


@router.get("/leaderboards", response_class=HTMLResponse)
async def leaderboards(request: Request, visit: PageVisitor, registry: Registry) -> Response:
    """Show the strongest players of every game, and the bots."""
    spoken = words(visit.language, COMMON_TEXTS)
    boards: list[dict[str, Any]] = []
    for game in easiest_first():
        for pool in pools_of(game):
            bots = [(spoken.gettext(LEVELS[level]), rating) for level, rating in bot_ratings(pool).items()]
            players = await registry.rating_service.leaderboard(pool)
            boards.append({"title": pool_title(pool, visit.language), "players": players, "bots": bots[::-1]})
    return render(request, visit, "leaderboards.html", boards=boards)


@router.get("/players/{name}", response_class=HTMLResponse)
async def player(request: Request, name: str, visit: PageVisitor, registry: Registry) -> Response:
    """Show a player: ratings, how they came about, and results by game."""
    found = await find_player(registry.rating_service, name)
    if found is None:
        raise HTTPException(404)
    shown = await profile(registry, found.user, visit.user.id if visit.user else None)
    away = await registry.vacation_store.until([found.user])
    return render(
        request,
        visit,
        "player.html",
        player=found,
        ratings=[
            {
                "title": pool_title(last.pool, visit.language),
                "rating": last.after,
                "games": last.games,
                "curve": curve(_course([change for change in found.changes if change.pool == last.pool])),
            }
            for last in found.latest
        ],
        latest=[(pool_title(change.pool, visit.language), change) for change in found.changes[: -LATEST - 1 : -1]],
        results=[(game_title(each.game), each) for each in shown.results],
        analysed=_analysed(shown.analysed, visit.language),
        opponents=shown.opponents,
        current=[_current(entry, visit.language) for entry in shown.current],
        away=date(away[found.user], visit.language) if away else "",
    )


def game_title(game: str) -> str:
    """Return the title of a game; its name if there is no such game any more."""
    return games.find(game).title if game in games.names() else game


def _current(entry: TableRow, language: str) -> tuple[str, str, list[str]]:
    """Return the id, the title and the players of a game in progress."""
    told = words(language, COMMON_TEXTS)
    return entry.setup.id, game_title(entry.setup.game), seated_names(entry.setup, told)


def _analysed(found: Sequence[AnalysedGame], language: str) -> dict[str, Any] | None:
    """Return the curves of accuracy and net luck over the analysed games, and the latest of them."""
    if not found:
        return None
    accuracy = [each.accuracy for each in found if each.accuracy is not None]
    luck = [0.0, *accumulate(100 * each.luck for each in found)]
    percent = texts(language)["percent"]
    return {
        "accuracy": curve(accuracy) if len(accuracy) > 1 else None,
        "luck": curve(luck) if len(found) > 1 else None,
        "latest": [
            {
                "table": each.table,
                "title": game_title(each.game),
                "at": date(each.at, language),
                "accuracy": "–" if each.accuracy is None else percent.format(percent=round(each.accuracy)),
                "luck": signed(each.luck),
            }
            for each in reversed(found[-LATEST:])
        ],
    }


def pool_title(pool: Pool, language: str) -> str:
    """Return the name of a pool: the game, and how many play if that varies."""
    game, seats = pool
    if game not in games.names():
        return game
    title = games.find(game).title
    if len(pools_of(games.find(game))) == 1:
        return title
    players = texts(language)["two_players" if seats == "2" else "several_players"]
    return f"{title}, {players}"


def _course(changes: Sequence[RatingChange]) -> list[float]:
    """Return the rating of a player before the first game and after each."""
    return [changes[0].before.mean, *(change.after.mean for change in changes)]


def curve(numbers: Sequence[float]) -> Curve:
    """Draw at least two numbers, from game to game, between the lowest and the highest of them."""
    low, high = min(numbers), max(numbers)
    across, up = WIDTH / (len(numbers) - 1), HEIGHT / (high - low or 1)
    points = " ".join(
        f"{index * across:.1f},{HEIGHT - (number - low) * up:.1f}" for index, number in enumerate(numbers)
    )
    drawn = (
        '<polyline fill="none" stroke="currentColor" stroke-width="2" vector-effect="non-scaling-stroke" points="{}"/>'
    )
    return Curve(Markup(drawn).format(points), round(low), round(high))
