"""The tutorial of a game: each step is a position with a move to make, and ends in a real game against easy bots."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.bots.nicknames import nickname
from omnibus.kernel.game import Game
from omnibus.kernel.lessons import LEARNER, begins_anew, match_at, play_step
from omnibus.kernel.match import Match
from omnibus.server.background import in_background
from omnibus.server.http.forms import onward
from omnibus.server.http.visitor import PageUser, PageVisitor, Registry, own_page
from omnibus.server.pages.templates import embedded, render, texts
from omnibus.server.store.models import Sitter
from omnibus.server.tables.board_view import BoardView, Drawn, Reader, board_view, for_reader, words_for
from omnibus.server.tables.scene import Move, legal_moves, move_targets

STEP: Final = "step"  # the cookie that says where the visitor has got to; the page's own script sets it
EASY: Final = bot_names()[1]

router = APIRouter()


class LessonScene(Struct, frozen=True):
    """A step of the tutorial as the page shows it."""

    step: int
    steps: int
    text: str
    otherwise: str
    result: str
    """What is said before the next step, which begins with another position; empty where it goes on from here."""
    wanted: list[str]
    target: str
    moves: list[Move]
    targets: list[Drawn]
    position: BoardView


class Frame(Struct, frozen=True):
    """A position after a ply of the others, and what happened."""

    text: str
    position: BoardView


class LessonReply(Struct, frozen=True):
    """What followed a move: nothing for a move that was not wanted."""

    frames: list[Frame]


class ChosenLine(Struct, frozen=True):
    """The line a player has chosen, and the picture the page has."""

    line: str
    ground: str = ""
    wide: bool = False


def taught(name: str) -> Game[Any]:
    """Return a game with a tutorial."""
    if name not in games.names() or not games.find(name).lessons:
        raise HTTPException(404)
    return games.find(name)


def taught_step(name: str, step: int) -> Game[Any]:
    """Return a game whose tutorial has this step."""
    game = taught(name)
    if not 1 <= step <= len(game.lessons):
        raise HTTPException(404)
    return game


@router.get("/learn/{name}", response_class=HTMLResponse)
async def tutorial(request: Request, name: str, visit: PageVisitor, step: int = 0) -> Response:
    """Show the tutorial: the step in the address, or the one the visitor has got to."""
    game = taught(name)
    kept = request.cookies.get(STEP, "")
    wish = step or (int(kept) if kept.isdecimal() and len(kept) < 3 else 1)
    number = wish if 1 <= wish <= len(game.lessons) else 1
    scene = await in_background(lesson_scene, game, number, Reader(LEARNER, visit.language, visit.wide))
    told = words_for(match_at(game, number), visit.language)
    return render(
        request,
        visit,
        "lesson.html",
        game=game,
        goal=told.gettext(game.goal),
        svg=Markup(scene.position.svg),
        scene=embedded(replace(scene, position=replace(scene.position, svg=None))),
        learning=texts(visit.language)["learn_game"].format(game=game.title),
    )


@router.get("/learn/{name}/{step}")
async def show_step(name: str, step: int, visit: PageVisitor, ground: str = "", wide: bool = False) -> Response:
    """Send a step, without the picture if the page has it."""
    game = taught_step(name, step)
    reader = Reader(LEARNER, visit.language, wide)
    return _as_json(await in_background(lesson_scene, game, step, reader, ground))


@router.post("/learn/{name}/game", dependencies=[Depends(own_page)])
async def play_game(name: str, user: PageUser, registry: Registry, response: Response) -> Response:
    """Start a real game against easy bots, with the goal card."""
    game = taught(name)
    bots = [Sitter(bot=EASY)] * (game.seats[0] - 1)
    setup = await registry.open(user.id, name, {}, [Sitter(user=user.id, name=user.name), *bots])
    return onward(response, f"/tables/{setup.id}#goal")


@router.post("/learn/{name}/{step}", dependencies=[Depends(own_page)])
async def play(request: Request, name: str, step: int, visit: PageVisitor) -> Response:
    """Play a wanted line of a step, and send what follows."""
    game = taught_step(name, step)
    try:
        choice = msgspec.json.decode(await request.body(), type=ChosenLine)
    except msgspec.MsgspecError:
        raise HTTPException(400) from None
    if choice.line not in game.lessons[step - 1].wanted:
        raise HTTPException(409)
    reader = Reader(LEARNER, visit.language, choice.wide)
    return _as_json(await in_background(_frames, game, step, choice, reader))


def lesson_scene(game: Game[Any], number: int, reader: Reader, ground: str = "") -> LessonScene:
    """Return a step as a reader sees it, without the picture if the reader has it (`ground`)."""
    match, step = match_at(game, number), game.lessons[number - 1]
    told = words_for(match, reader.language)
    view = game.view(match.state, LEARNER)
    moves = legal_moves(game, match.state, view, told)
    return LessonScene(
        step=number,
        steps=len(game.lessons),
        text=told.gettext(step.text),
        otherwise=told.gettext(step.otherwise),
        result=told.gettext(step.result) if begins_anew(game, number) else "",
        wanted=list(step.wanted),
        target=step.target,
        moves=moves,
        targets=move_targets(game, view, moves, told, wide=reader.wide),
        position=_position(match, reader, match.length, ground),
    )


def _frames(game: Game[Any], number: int, choice: ChosenLine, reader: Reader) -> LessonReply:
    """Play a line and what follows it; a frame for every decision, with what the others did."""
    match = match_at(game, number)
    began = match.length
    play_step(match, game.lessons[number - 1], choice.line)
    frames, known = [], choice.ground
    for ply in range(began, match.length):
        if match.plies[ply][0] == "chance" and ply + 1 < match.length:
            continue
        position = _position(match, reader, ply + 1, known)
        known = position.ground
        frames.append(Frame(_told(match, reader, ply), position))
    return LessonReply(frames)


def _told(match: Match, reader: Reader, ply: int) -> str:
    """Say what others did in a ply; nothing of the learner's own move, which needs no words."""
    if match.plies[ply][0] in (LEARNER, "chance"):
        return ""
    told = words_for(match, reader.language)
    return " ".join(
        sentence for at, sentence in match.log(LEARNER, _names(match, reader.language), told, since=ply) if at == ply
    )


def _position(match: Match, reader: Reader, ply: int, ground: str) -> BoardView:
    names = _names(match, reader.language)
    return for_reader(match, reader, board_view(match, reader, names, [""] * match.seats, ply=ply), ground)


def _names(match: Match, language: str) -> list[str]:
    told = words_for(match, language)
    return [texts(language)["you"], *(nickname(match.game.name, seat, (), told) for seat in range(1, match.seats))]


def _as_json(value: LessonScene | LessonReply) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json")
