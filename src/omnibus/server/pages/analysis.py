"""The analysis of a finished game: its progress, what it says, and one's own mistakes to try again."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from omnibus.lab.analysis.document import Analysis, Decision
from omnibus.lab.analysis.grades import points
from omnibus.server.analysed import Analysed, finished_record, finished_table
from omnibus.server.background import in_background
from omnibus.server.http.clicks import Part, Picked
from omnibus.server.http.forms import onward
from omnibus.server.http.visitor import PageUser, PageVisitor, Registry, Visitor, keep_cookies, own_page
from omnibus.server.pages.analysis_position import decision_at, exercise, picture, spot, worst
from omnibus.server.pages.analysis_report import percent, report
from omnibus.server.pages.luck_report import luck_report
from omnibus.server.pages.previews import svg_response
from omnibus.server.pages.templates import embedded, render, texts
from omnibus.server.pages.win_curve import SIDE, bar_key, hatching, luck_key, patterns
from omnibus.server.tables.analyses import PASSES
from omnibus.server.tables.board_view import Reader, words_for
from omnibus.server.tables.reasons import reason
from omnibus.server.tables.registry import TableRegistry

router = APIRouter(prefix="/{kind}/{game_id}/analysis")


class Try(Struct, frozen=True):
    """The line somebody tries."""

    line: str


class TryFeedback(Struct, frozen=True):
    """Whether a line is good enough, in words too."""

    passes: bool
    text: str


async def analysed(
    kind: Literal["tables", "records"], game_id: str, visit: PageVisitor, registry: Registry
) -> Analysed:
    """Find the finished table or record of an address."""
    find = finished_table if kind == "tables" else finished_record
    return await find(registry, visit.user, game_id)


FinishedGame = Annotated[Analysed, Depends(analysed)]


async def _analysis(registry: TableRegistry, game: Analysed) -> Analysis:
    """Return the analysis of a game that is done."""
    found = await registry.analyses.finished(game.subject, game.match)
    if found is None:
        raise HTTPException(404)
    return found


@router.get("", response_class=HTMLResponse)
async def show(request: Request, game: FinishedGame, visit: PageVisitor, registry: Registry, ply: int = -1) -> Response:
    """Show an analysis, or how far it is; with JavaScript it begins by itself."""
    found = await registry.analyses.finished(game.subject, game.match)
    title = game.match.game.title
    if found is None:
        progress = await registry.analyses.progress(game.subject, game.match)
        return render(request, visit, "analysis_progress.html", game=game, title=title, progress=progress)
    names = game.names(visit.language)
    told = await in_background(report, game.match, found, names, visit.language, game.own)
    first = told.moments[0].point.ply if told.moments else game.match.length
    at = ply if decision_at(found, ply) or ply == game.match.length else first
    seen = await in_background(spot, game.match, found, names, at, Reader(None, visit.language, visit.wide))
    return render(
        request,
        visit,
        "analysis_report.html",
        game=game,
        title=title,
        names=names,
        report=told,
        svg=Markup(seen.position.svg),
        spot=embedded(replace(seen, position=replace(seen.position, svg=None))),
        side=SIDE,
        patterns=patterns(game.match.seats) + hatching(),
        keys=[bar_key(hatched=True), bar_key(hatched=False)],
    )


@router.post("", dependencies=[Depends(own_page)])
async def start(game: FinishedGame, user: PageUser, registry: Registry, response: Response) -> Response:
    """Begin an analysis, or go on with it."""
    await registry.analyses.start(game.subject, game.match, user.id)
    return onward(response, f"{game.path}/analysis")


@router.get("/luck", response_class=HTMLResponse)
async def luck(request: Request, game: FinishedGame, visit: PageVisitor, registry: Registry) -> Response:
    """Show how everybody's luck and skill added up in the course of a game."""
    found, names = await _analysis(registry, game), game.names(visit.language)
    told = await in_background(luck_report, game.match, found, names)
    keys = [luck_key(dashed=True), luck_key(dashed=False)]
    shown: dict[str, Any] = {"report": told, "keys": keys, "patterns": patterns(game.match.seats)}
    return render(request, visit, "analysis_luck.html", game=game, title=game.match.game.title, names=names, **shown)


@router.get("/progress")
async def progress(game: FinishedGame, registry: Registry) -> Response:
    """Say how far an analysis is."""
    return _as_json(await registry.analyses.progress(game.subject, game.match))


@router.get("/at/{ply}")
async def at(
    ply: int, game: FinishedGame, visit: PageVisitor, registry: Registry, ground: str = "", wide: bool = False
) -> Response:
    """Send a position with what was decided there."""
    found = await _analysis(registry, game)
    if ply != game.match.length and decision_at(found, ply) is None:
        raise HTTPException(404)
    reader, names = Reader(None, visit.language, wide), game.names(visit.language)
    return _as_json(await in_background(spot, game.match, found, names, ply, reader, ground))


@router.get("/picture/{ply}.svg")
async def moment_picture(
    ply: int, game: FinishedGame, visit: PageVisitor, registry: Registry, wide: bool = False
) -> Response:
    """Draw the position of a decision."""
    decision = _decision(await _analysis(registry, game), ply)
    told, names = words_for(game.match, visit.language), game.names(visit.language)
    theme = visit.theme or ""
    return svg_response(await in_background(picture, game.match, decision, names, told, wide=wide, theme=theme))


@router.get("/retry", response_class=HTMLResponse)
async def retry(
    request: Request, game: FinishedGame, visit: PageVisitor, registry: Registry, seat: int | None = None
) -> Response:
    """Show the worst moments of a player to be tried again: of the visitor, or of the seat in the address."""
    found = await _analysis(registry, game)
    whose = _whose(game, seat)
    plies = [decision.ply for decision in worst(found, whose)]
    names = game.names(visit.language)
    shown: dict[str, Any] = {"game": game, "plies": plies, "svg": "", "exercise": "null"}
    if plies:
        reader = Reader(None, visit.language, visit.wide)
        first = await in_background(exercise, game.match, _decision(found, plies[0]), names, reader)
        shown |= {"svg": Markup(first.position.svg), "exercise": embedded(replace(first, position=_bare(first)))}
    own = whose in game.own
    title = texts(visit.language)["learn_from_mistakes" if own else "learn_from_mistakes_of"]
    return render(request, visit, "retry.html", title=title.format(player=names[whose]), **shown)


def _bare(shown: Any) -> Any:
    return replace(shown.position, svg=None)


def _whose(game: Analysed, seat: int | None) -> int:
    """Return the seat whose mistakes are shown."""
    whose = seat if seat is not None else next(iter(game.own), 0)
    if not 0 <= whose < game.match.seats:
        raise HTTPException(404)
    return whose


@router.get("/retry/{ply}")
async def show_exercise(
    ply: int, game: FinishedGame, visit: PageVisitor, registry: Registry, ground: str = "", wide: bool = False
) -> Response:
    """Send a mistake to try again."""
    decision = _decision(await _analysis(registry, game), ply)
    reader, names = Reader(None, visit.language, wide), game.names(visit.language)
    return _as_json(await in_background(exercise, game.match, decision, names, reader, ground))


@router.get("/retry/{ply}/why")
async def explain(
    ply: int, game: FinishedGame, visit: PageVisitor, registry: Registry, part: Part, picked: Picked = ()
) -> Response:
    """Say why nothing can be done with a part of the board before a mistake."""
    decision, match = _decision(await _analysis(registry, game), ply), game.match
    told = words_for(match, visit.language)
    return _as_json(await in_background(reason, match.game, match.states[decision.ply], part, picked, told))


@router.post("/retry/{ply}", dependencies=[Depends(own_page)])
async def try_line(
    request: Request,
    ply: int,
    game: FinishedGame,
    user: PageUser,
    visit: PageVisitor,
    registry: Registry,
    response: Response,
) -> Response:
    """Judge a line that is tried in place of the one played."""
    decision = _decision(await _analysis(registry, game), ply)
    try:
        wish = msgspec.json.decode(await request.body(), type=Try)
    except msgspec.MsgspecError:
        raise HTTPException(400) from None
    loss = await registry.analyses.points_lost(game.match, decision, wish.line, user.id)
    return keep_cookies(_as_json(_tried(loss, game, decision, visit)), response)


def _tried(loss: float, game: Analysed, decision: Decision, visit: Visitor) -> TryFeedback:
    """Say whether a line passes, or the chance to win that it leaves: always less than with the best line."""
    t, told = texts(visit.language), words_for(game.match, visit.language)
    if loss < PASSES:
        return TryFeedback(passes=True, text=t["retry_passed"])
    best = decision.before[decision.seat]
    left = min(best - loss / points(1.0, game.match.seats), round(best, 2) - 0.01)
    said = t["retry_failed"].format(after=percent(max(0.0, left), told), before=percent(best, told))
    return TryFeedback(passes=False, text=said)


def _decision(found: Analysis, ply: int) -> Decision:
    decision = decision_at(found, ply)
    if decision is None:
        raise HTTPException(404)
    return decision


def _as_json(value: Struct) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json")
