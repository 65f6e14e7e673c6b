"""Profiles of players who have claimed a name, and leaderboards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from omnibus import games
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.ratings.bots import bot_ratings
from omnibus.ratings.log import Pool, RatingChange
from omnibus.server.http.visitor import PageVisitor, Registry
from omnibus.server.pages.lobby import easiest_first
from omnibus.server.pages.templates import render, texts
from omnibus.server.people.players import find_player
from omnibus.server.people.ratings import pools_of
from omnibus.server.tables.results import statistics
from omnibus.server.tables.scene import LEVELS

LATEST: Final = 20  # rated games that a profile lists
WIDTH: Final = 600
HEIGHT: Final = 120

router = APIRouter()


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
    results = statistics(await registry.table_store.finished(found.user), found.user)
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
                "curve": curve([change for change in found.changes if change.pool == last.pool]),
            }
            for last in found.latest
        ],
        latest=[(pool_title(change.pool, visit.language), change) for change in found.changes[: -LATEST - 1 : -1]],
        results=[(games.find(each.game).title if each.game in games.names() else each.game, each) for each in results],
    )


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


def curve(changes: Sequence[RatingChange]) -> Markup:
    """Draw the rating of a player from game to game."""
    numbers = [changes[0].before.mean, *(change.after.mean for change in changes)]
    low, high = min(numbers) - 20, max(numbers) + 20
    step = WIDTH / (len(numbers) - 1)
    points = " ".join(
        f"{index * step:.1f},{HEIGHT - (number - low) / (high - low) * HEIGHT:.1f}"
        for index, number in enumerate(numbers)
    )
    drawn = (
        '<polyline fill="none" stroke="currentColor" stroke-width="2" vector-effect="non-scaling-stroke" points="{}"/>'
    )
    return Markup(drawn).format(points)
