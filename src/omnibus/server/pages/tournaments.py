"""The pages of tournaments: a list, the form that sets one up, and one tournament with standings and tables."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData

from omnibus import games
from omnibus.bots import names_for
from omnibus.kernel.game import Game, Words
from omnibus.kernel.i18n import COMMON_TEXTS, error_text, words
from omnibus.server.http.forms import name_in, onward
from omnibus.server.http.visitor import PageUser, PageVisitor, TheTournaments, Visitor, own_page
from omnibus.server.pages.error_pages import problem_page
from omnibus.server.pages.lobby import easiest_first, offered_options
from omnibus.server.pages.table_forms import chosen_clock, chosen_options, number_in
from omnibus.server.pages.templates import render, texts
from omnibus.server.store.models import User
from omnibus.server.store.tournaments import TournamentSetup, TournamentStatus
from omnibus.server.tables.scene import LEVELS
from omnibus.server.tables.setup import bot_choices, clock_choices, clock_label, duration, named_options
from omnibus.server.tournaments.service import TournamentService
from omnibus.server.tournaments.setup import ARENA_S, CANNOT_SET_UP, FORMATS, MOST_ROUNDS, sizes_of
from omnibus.server.tournaments.view import TournamentInfo, describe, summaries

router = APIRouter(prefix="/tournaments")
STATUSES: Final[dict[TournamentStatus, str]] = {
    "open": "tournament_open",
    "live": "tournament_live",
    "over": "tournament_over",
    "cancelled": "tournament_cancelled",
}
"""The keys of the texts that say how a tournament stands."""

Round = Annotated[int | None, Query(alias="round")]


@router.get("", response_class=HTMLResponse)
async def tournaments(request: Request, visit: PageVisitor, service: TheTournaments) -> Response:
    """List the tournaments: those one can enter, those being played, those that are over."""
    found = await summaries(service, await service.listed())
    t = texts(visit.language)
    groups = [(t[key], [each for each in found if each.status == status]) for status, key in STATUSES.items()]
    return render(
        request,
        visit,
        "tournaments.html",
        groups=groups,
        formats=_formats(words(visit.language, COMMON_TEXTS)),
        may_create=await service.may_create(visit.user),
    )


@router.get("/new", response_class=HTMLResponse)
async def new(request: Request, visit: PageVisitor, service: TheTournaments, game: str = "") -> Response:
    """Show the form that sets up a tournament of a game."""
    choices = [each for each in easiest_first() if sizes_of(each)]
    chosen = next((each for each in choices if each.name == game), choices[0])
    told = words(visit.language, chosen.folder, COMMON_TEXTS)
    return render(
        request,
        visit,
        "tournament_new.html",
        games=choices,
        game=chosen,
        formats=_formats(told),
        sizes=sizes_of(chosen),
        options=offered_options(chosen, told),
        clocks=clock_choices(chosen, told, visit.language),
        bots=bot_choices(names_for(chosen), told),
        minutes=round(ARENA_S / 60),
        most_rounds=MOST_ROUNDS,
        claimed=await _claimed(service, visit.user),
    )


def _formats(told: Words) -> dict[str, str]:
    return {name: told.gettext(text) for name, text in FORMATS.items()}


async def _claimed(service: TournamentService, user: User | None) -> bool:
    return user is not None and await service.registry.rating_service.claims.of(user.id) is not None


@router.post("", dependencies=[Depends(own_page)])
async def create(
    request: Request, user: PageUser, visit: PageVisitor, service: TheTournaments, response: Response
) -> Response:
    """Set up a tournament as the form describes it."""
    form = await request.form(max_files=0, max_fields=50)
    name = form.get("game")
    if name not in games.names():
        raise HTTPException(400)
    try:
        setup = _setup(form, games.find(str(name)))
        id_ = await service.create(user, name_in(form), setup, number_in(form, "starts") or None)
    except ValueError as error:
        return problem_page(request, visit, CANNOT_SET_UP, status=400, reason=error_text(error, visit.language))
    return onward(response, f"/tournaments/{id_}")


def _setup(form: FormData, game: Game[Any]) -> TournamentSetup:
    bots = form.get("bots")
    return TournamentSetup(
        game=game.name,
        rules=game.version,
        options=chosen_options(form, game),
        format=next((name for name in FORMATS if form.get("format") == name), "swiss"),
        size=int(number_in(form, "size")),
        rounds=int(number_in(form, "rounds")),
        time_limit=60 * number_in(form, "limit"),
        clock=chosen_clock(form, game),
        rated=form.get("rated") == "yes",
        bots=bots if isinstance(bots, str) else "",
    )


@router.get("/{tournament_id}", response_class=HTMLResponse)
async def show(
    request: Request, tournament_id: str, visit: PageVisitor, service: TheTournaments, round_: Round = None
) -> Response:
    """Show a tournament with its standings and the tables of a round, the latest by default."""
    return await _page(request, "tournament.html", tournament_id, visit, service, round_)


@router.get("/{tournament_id}/live", response_class=HTMLResponse)
async def live(
    request: Request,
    tournament_id: str,
    visit: PageVisitor,
    service: TheTournaments,
    version: int,
    round_: Round = None,
) -> Response:
    """Show what changes on the page of a tournament; nothing if its version is the same as before."""
    if (await service.state(tournament_id)).row.version == version:
        return Response(status_code=204)
    return await _page(request, "tournament_live.html", tournament_id, visit, service, round_)


async def _page(
    request: Request, template: str, id_: str, visit: Visitor, service: TournamentService, number: int | None
) -> Response:
    info = await describe(service, await service.state(id_), visit.user, number)
    return render(
        request,
        visit,
        template,
        info=info,
        standing=texts(visit.language)[STATUSES[info.summary.status]],
        chosen=number,
        left=round(info.ends - time.time()) if info.ends else 0,
        facts=_facts(info, visit.language),
        claimed=await _claimed(service, visit.user),
        winners=[each.name for each in info.standings if each.place == 1],
    )


def _facts(info: TournamentInfo, language: str) -> list[tuple[str, str]]:
    """Return what a tournament is like, by label and text."""
    t, summary = texts(language), info.summary
    game = games.find(summary.game) if summary.game in games.names() else None
    told = words(language, *([game.folder] if game else []), COMMON_TEXTS)
    limit = t["tournament_time_arena" if summary.format == "arena" else "tournament_time"]
    return [
        (t["game"], summary.title),
        (t["tournament_format"], told.gettext(FORMATS[summary.format])),
        (t["tournament_size"], str(summary.size)),
        (t["clock"], clock_label(info.clock, told, language)),
        (limit, duration(round(info.time_limit), language)),
        *([(t["tournament_bots"], told.gettext(LEVELS[info.bots]))] if info.bots else []),
        *(named_options(game, info.options, told) if game else []),
        (t["tournament_host"], summary.host),
    ]


ACTIONS: Final[dict[str, Callable[[TournamentService, User, str], Awaitable[None]]]] = {
    "join": TournamentService.join,
    "withdraw": TournamentService.withdraw,
    "start": TournamentService.start,
    "cancel": TournamentService.cancel,
}


@router.post("/{tournament_id}/{action}", dependencies=[Depends(own_page)])
async def act(tournament_id: str, action: str, user: PageUser, service: TheTournaments) -> Response:
    """Enter a tournament, withdraw from it, start or cancel one's own."""
    if action not in ACTIONS:
        raise HTTPException(404)
    await ACTIONS[action](service, user, tournament_id)
    return RedirectResponse(f"/tournaments/{tournament_id}", 303)
