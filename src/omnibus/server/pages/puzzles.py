"""Puzzles: the list of them, the puzzle of the day, and the page on which one is solved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from omnibus import games
from omnibus.kernel.game import Game
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.lab.puzzles.document import Puzzle
from omnibus.server.background import in_background
from omnibus.server.http.clicks import Part, Picked
from omnibus.server.http.visitor import PageUser, PageVisitor, Registry, Visitor, keep_cookies, own_page
from omnibus.server.pages.templates import embedded, render, texts
from omnibus.server.puzzles.answers import NoSuchLine, answer, puzzle_store
from omnibus.server.puzzles.catalogue import BAND_NAMES, Listed, listed, nearest, next_after, puzzles, today
from omnibus.server.puzzles.scene import puzzle_scene, theme_name, why, words_of
from omnibus.server.puzzles.solving import standing
from omnibus.server.store.puzzles import PuzzleStore
from omnibus.server.tables.board_view import Reader

router = APIRouter()


class PuzzleAttempt(Struct, frozen=True):
    """The line somebody has chosen, or none to see the solution, and the picture the page has."""

    line: str
    ground: str = ""
    wide: bool = False


def known(key: str) -> tuple[Game[Any], Puzzle]:
    """Return a puzzle and its game."""
    if key not in puzzles():
        raise HTTPException(404)
    return puzzles()[key]


@router.get("/puzzles", response_class=HTMLResponse)
async def list_puzzles(
    request: Request, visit: PageVisitor, registry: Registry, game: str = "", theme: str = "", level: str = ""
) -> Response:
    """List the puzzles, by game, rating and theme."""
    store = puzzle_store(registry)
    tried = await store.attempts(visit.user.id) if visit.user else {}
    every = listed(await store.puzzles())
    of_theme, _, term = theme.partition(".")
    wanted = [each for each in every if each.fits(game=game, theme=term, band=level)]
    shown = [each for each in wanted if not term or each.game == of_theme]
    of_the_day = today()
    return render(
        request,
        visit,
        "puzzles.html",
        games=[await _game(found, shown, tried, store, visit) for found in map(games.find, games.names())],
        chosen={"game": game, "theme": theme, "level": level},
        levels=[(key, words(visit.language, COMMON_TEXTS).gettext(name)) for key, name in BAND_NAMES.items()],
        themes=[(found.title, _themes(found, every, visit.language)) for found in map(games.find, games.names())],
        any_shown=bool(shown),
        daily_solved=tried.get(of_the_day) if of_the_day else None,
        streak=await store.streak(visit.user.id) if visit.user else 0,
    )


async def _game(
    game: Game[Any], shown: list[Listed], tried: Mapping[str, bool], store: PuzzleStore, visit: Visitor
) -> dict[str, Any]:
    """Return what the list shows of a game."""
    at = await standing(store, visit.user.id if visit.user else None, game.name)
    own = [each for each in shown if each.game == game.name]
    suited = nearest(own, tried=tried, wish=at.rating)
    return {
        "name": game.name,
        "title": game.title,
        "rating": at.rating if visit.user and game.name in await store.people(visit.user.id) else None,
        "suited": suited.puzzle.id if suited else None,
        "puzzles": [(each.band, each.puzzle.id, each.rating, tried.get(each.puzzle.id)) for each in own],
    }


def _themes(game: Game[Any], every: list[Listed], language: str) -> list[tuple[str, str]]:
    """Return the themes of a game's puzzles, as (value, name)."""
    found = {theme for each in every if each.game == game.name for theme in each.puzzle.themes}
    told = words_of(game, language)
    return [(f"{game.name}.{theme}", theme_name(game, theme, told)) for theme in game.phrases if theme in found]


@router.get("/puzzles/daily")
async def daily_puzzle() -> Response:
    """Go to the puzzle of the day."""
    key = today()
    if key is None:
        raise HTTPException(404)
    return RedirectResponse(f"/puzzles/{key}", 303)


@router.get("/puzzles/{key}", response_class=HTMLResponse)
async def show_puzzle(request: Request, key: str, visit: PageVisitor, registry: Registry) -> Response:
    """Show a puzzle on its board."""
    game, puzzle = known(key)
    scene = await in_background(puzzle_scene, game, puzzle, _reader(puzzle, visit, wide=visit.wide))
    store = puzzle_store(registry)
    user = visit.user.id if visit.user else None
    at, rated = await standing(store, user, game.name), await store.puzzles()
    tried = await store.attempts(user) if user else {}
    rating = round(rated[key].rating) if key in rated else puzzle.rating
    return render(
        request,
        visit,
        "puzzle.html",
        game=game,
        puzzle=puzzle,
        heading=texts(visit.language)["puzzle_of_game"].format(game=game.title, rating=rating),
        is_daily=key == today(),
        standing=at,
        tried=tried.get(key),
        following=next_after(key, tried=tried, rated=rated, wish=at.rating),
        svg=Markup(scene.position.svg),
        scene=embedded(replace(scene, position=replace(scene.position, svg=None))),
    )


@router.get("/puzzles/{key}/scene")
async def send_scene(key: str, visit: PageVisitor, ground: str = "", wide: bool = False) -> Response:
    """Send a puzzle, without the picture if the page has it."""
    game, puzzle = known(key)
    return _as_json(await in_background(puzzle_scene, game, puzzle, _reader(puzzle, visit, wide=wide), ground))


@router.get("/puzzles/{key}/why")
async def explain(key: str, part: Part, visit: PageVisitor, picked: Picked = ()) -> Response:
    """Say why nothing can be done with a part of the board."""
    game, puzzle = known(key)
    return _as_json(await in_background(why, game, puzzle, part, picked, visit.language))


@router.post("/puzzles/{key}", dependencies=[Depends(own_page)])
async def solve(
    request: Request, key: str, visit: PageVisitor, user: PageUser, registry: Registry, response: Response
) -> Response:
    """Judge the chosen line, or send the solution."""
    _, puzzle = known(key)
    try:
        choice = msgspec.json.decode(await request.body(), type=PuzzleAttempt)
        reader = _reader(puzzle, visit, wide=choice.wide)
        found = await answer(puzzle_store(registry), user.id, key, choice.line, reader, choice.ground)
    except (msgspec.MsgspecError, NoSuchLine):
        raise HTTPException(400) from None
    return keep_cookies(_as_json(found), response)


def _reader(puzzle: Puzzle, visit: Visitor, *, wide: bool) -> Reader:
    return Reader(puzzle.seat, visit.language, wide, you=puzzle.seat)


def _as_json(value: Struct) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json")
