"""Forms that set up tables and end them."""

from __future__ import annotations

from collections.abc import Awaitable
from math import isfinite
from typing import Any, Final

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.kernel.game import Game
from omnibus.kernel.i18n import LANGUAGES, error_text
from omnibus.server.errors import Code, Rejected
from omnibus.server.http.forms import name_in, onward
from omnibus.server.http.visitor import PageUser, PageVisitor, Registry, own_page
from omnibus.server.pages.error_pages import problem_page
from omnibus.server.people import accounts
from omnibus.server.store.models import DEFAULT_BOT, PATIENCE, Listing, Sitter, TimeControl, User
from omnibus.server.tables import actions
from omnibus.server.tables.clock import PACES, time_control
from omnibus.server.tables.rematches import ask_for_rematch
from omnibus.server.tables.setup import AWAY_LIMITS, CANNOT_SET_UP, NO_OWN_SEAT

LONGEST_RATING: Final = 4  # digits

router = APIRouter(dependencies=[Depends(own_page)])


def _game(name: str) -> Game[Any]:
    if name not in games.names():
        raise HTTPException(404)
    return games.find(name)


@router.post("/play/{name}")
async def play(name: str, user: PageUser, registry: Registry, response: Response) -> Response:
    """Start a game with one click: the fewest seats, the visitor in the first, bots in the others."""
    game = _game(name)
    bots = [Sitter(bot=DEFAULT_BOT)] * (game.seats[0] - 1)
    setup = await registry.open(user.id, name, {}, [Sitter(user=user.id, name=user.name), *bots])
    return onward(response, f"/tables/{setup.id}")


@router.post("/games/{name}/tables")
async def set_up_table(
    request: Request, name: str, user: PageUser, registry: Registry, visit: PageVisitor, response: Response
) -> Response:
    """Set up a table as the form describes it."""
    game = _game(name)
    form = await request.form(max_files=0, max_fields=50)
    sitters = _sitters(form, game, user)
    if form.get("seat-0") == "you":
        await accounts.introduce(registry, user, name_in(form, "name-0"))
    if not any(sitter.user for sitter in sitters):
        return problem_page(request, visit, NO_OWN_SEAT, status=400)
    try:
        setup = await registry.open(
            user.id,
            name,
            chosen_options(form, game),
            sitters,
            listed=form.get("listed") == "yes",
            patience=_away_limit(form),
            clock=chosen_clock(form, game),
            rated=form.get("rated") == "yes",
            random_seats=form.get("random_seats") == "yes",
            listing=listing_in(form) if form.get("listed") == "yes" else None,
        )
    except ValueError as error:
        return problem_page(request, visit, CANNOT_SET_UP, status=400, reason=error_text(error, visit.language))
    return onward(response, f"/tables/{setup.id}")


def _sitters(form: FormData, game: Game[Any], user: User) -> list[Sitter]:
    """Read who sits where, without the seats that stay empty."""
    found = []
    for seat in range(max(game.seats)):
        who = form.get(f"seat-{seat}")
        name = name_in(form, f"name-{seat}")
        if who == "you":
            found.append(Sitter(user=user.id, name=name or user.name))
        elif who == "friend":
            found.append(Sitter())
        elif who == "another":
            found.append(Sitter(user=user.id, name=name))
        elif isinstance(who, str) and who in bot_names():
            found.append(Sitter(bot=who))
    return found


def chosen_options(form: FormData, game: Game[Any]) -> dict[str, Any]:
    """Read the options, which the form gives by the number of the choice."""
    chosen = {}
    for name, option in game.options.items():
        numbered = {str(number): choice for number, choice in enumerate(option.choices)}
        number = form.get(f"option-{name}")
        if isinstance(number, str) and number in numbered:
            chosen[name] = numbered[number]
    return chosen


def _away_limit(form: FormData) -> float:
    """Read how long a player may be away before the others can let a bot take over."""
    return next((limit for limit in AWAY_LIMITS if form.get("patience") == str(int(limit))), PATIENCE)


def chosen_clock(form: FormData, game: Game[Any]) -> TimeControl | None:
    """Read how much time the players have; 0 where there is no number, which is refused."""
    if form.get("clock") == "custom":
        return TimeControl(60 * number_in(form, "minutes"), number_in(form, "seconds"))
    pace = next((pace for pace in PACES if form.get("clock") == pace), None)
    return None if pace is None else time_control(game, pace)


def listing_in(form: FormData) -> Listing:
    """Read whom a listed table is meant for; what is not a whole number means any rating."""
    language = form.get("language")
    spoken = language if isinstance(language, str) and language in LANGUAGES else ""
    return Listing(spoken, _rating(form, "lowest"), _rating(form, "highest"))


def _rating(form: FormData, field: str) -> int | None:
    typed = str(form.get(field, ""))
    return int(typed) if typed.isdecimal() and len(typed) <= LONGEST_RATING else None


def number_in(form: FormData, field: str) -> float:
    """Return the number in a field; 0 where there is none, or one that is no use."""
    try:
        number = float(str(form.get(field, "")))
    except ValueError:
        return 0.0
    return number if isfinite(number) else 0.0


@router.post("/tables/{table_id}/resign")
async def resign(table_id: str, user: PageUser, registry: Registry) -> Response:
    """Resign in all seats of the user."""
    await _unless_over(actions.resign(registry, user, table_id))
    return RedirectResponse(f"/tables/{table_id}", 303)


@router.post("/tables/{table_id}/abandon")
async def abandon(table_id: str, user: PageUser, registry: Registry) -> Response:
    """Close a table before the end of its game."""
    await _unless_over(actions.abandon(registry, user, table_id))
    return RedirectResponse(f"/tables/{table_id}", 303)


async def _unless_over(action: Awaitable[object]) -> None:
    """Do something at a table; it does not matter if the game has ended in the meantime."""
    try:
        await action
    except Rejected as rejected:
        if rejected.code is not Code.OVER:
            raise


@router.post("/tables/{table_id}/delete")
async def delete(table_id: str, user: PageUser, registry: Registry) -> Response:
    """Delete a table permanently."""
    await actions.delete(registry, user, table_id)
    return RedirectResponse("/", 303)


@router.post("/tables/{table_id}/rematch")
async def rematch(table_id: str, user: PageUser, registry: Registry) -> Response:
    """Propose the same table again with everybody one seat further, or accept it; both lead to the same table."""
    return RedirectResponse(f"/tables/{await ask_for_rematch(registry, user, table_id)}", 303)
