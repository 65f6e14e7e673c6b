"""The pages of team matches: set one up, take a seat, and see how both tables stand."""

from __future__ import annotations

from typing import Annotated, Any, Final, NamedTuple

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse

from omnibus import games
from omnibus.kernel.i18n import COMMON_TEXTS, error_text, words
from omnibus.kernel.svg import seat_name
from omnibus.server.background import in_background
from omnibus.server.http.forms import name_in, onward
from omnibus.server.http.visitor import PageUser, PageVisitor, Registry, config_of, own_page
from omnibus.server.pages.error_pages import problem_page
from omnibus.server.pages.templates import render
from omnibus.server.people import accounts
from omnibus.server.tables.setup import CANNOT_SET_UP
from omnibus.server.tables.team_matches import TEAMS, TeamMatches, nothing_hidden

router = APIRouter(prefix="/team-matches")
PAIR: Final = "pair"


async def matches_of(registry: Registry) -> TeamMatches:
    """Return the team matches of this server."""
    return TeamMatches(registry)


TheMatches = Annotated[TeamMatches, Depends(matches_of)]


class TeamGame(NamedTuple):
    """A game that teams can play."""

    name: str
    title: str
    seats: list[int]
    pair: bool
    """Whether two people can play a match alone."""


def _choices() -> list[TeamGame]:
    """Return the games that teams can play."""
    found = []
    for name in games.names():
        game = games.find(name)
        if seats := [seats for seats in game.seats if seats % TEAMS == 0]:
            found.append(TeamGame(name, game.title, seats, TEAMS in seats and nothing_hidden(name, TEAMS, b"{}")))
    return found


@router.get("/new", response_class=HTMLResponse)
async def new(request: Request, visit: PageVisitor, game: str = "") -> Response:
    """Show the form that sets up a match."""
    choices = await in_background(_choices)
    return render(request, visit, "team_match_new.html", choices=choices, chosen=game, teams=TEAMS)


@router.post("", dependencies=[Depends(own_page)])
async def set_up(
    request: Request, user: PageUser, visit: PageVisitor, registry: Registry, matches: TheMatches, response: Response
) -> Response:
    """Set up a match as the form describes it."""
    form = await request.form(max_files=0, max_fields=5)
    game, seats, kind = _wish(form.get("match"))
    name = name_in(form)
    await accounts.introduce(registry, user, name)
    try:
        match = await matches.open(user, game, seats, {}, pair=kind == PAIR, name=name or user.name)
    except ValueError as error:
        return problem_page(request, visit, CANNOT_SET_UP, status=400, reason=error_text(error, visit.language))
    return onward(response, f"/team-matches/{match}")


def _wish(value: Any) -> tuple[str, int, str]:
    """Read the choice of the form: game, seats and kind, as in `metromania 2 pair`."""
    parts = value.split(" ") if isinstance(value, str) else []
    if len(parts) != 3 or parts[0] not in games.names() or not parts[1].isdecimal() or len(parts[1]) > 1:
        raise HTTPException(400)
    return parts[0], int(parts[1]), parts[2]


@router.get("/{match_id}", response_class=HTMLResponse)
async def show(request: Request, match_id: str, visit: PageVisitor, matches: TheMatches) -> Response:
    """Show a match: both tables with the teams' seats, and what each team has reached."""
    told = words(visit.language, COMMON_TEXTS)
    match = await matches.standing(match_id, visit.user, told)
    in_game = words(visit.language, games.find(match.game).folder, COMMON_TEXTS)
    return render(
        request,
        visit,
        "team_match.html",
        match=match,
        colours=[seat_name(seat.seat, in_game) for seat in match.tables[0].seats],
        link=config_of(request).link(request, f"/team-matches/{match_id}"),
    )


@router.post("/{match_id}/sit/{table}/{seat}", dependencies=[Depends(own_page)])
async def sit(
    request: Request,
    match_id: str,
    table: int,
    seat: int,
    user: PageUser,
    registry: Registry,
    matches: TheMatches,
    response: Response,
) -> Response:
    """Take a free seat of a match."""
    name = name_in(await request.form(max_files=0, max_fields=5))
    await accounts.introduce(registry, user, name)
    await matches.sit(user, match_id, table, seat, name or user.name)
    return onward(response, f"/team-matches/{match_id}")


@router.post("/{match_id}/leave", dependencies=[Depends(own_page)])
async def leave(match_id: str, user: PageUser, matches: TheMatches, response: Response) -> Response:
    """Give up one's seat before the game starts."""
    await matches.leave(user, match_id)
    return onward(response, f"/team-matches/{match_id}")
