"""The pages about people: friends, invitations by name, blocked players, and the players at a table."""

from __future__ import annotations

from typing import Annotated, Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from msgspec.structs import replace

from omnibus import games
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.server.errors import Forbidden, NotReplayable, NotStarted, Rejected
from omnibus.server.http.forms import name_in, onward
from omnibus.server.http.visitor import PageUser, PageVisitor, Registry, Visitor, keep_cookies, own_page
from omnibus.server.notices.turn_notifier import TurnNotifier
from omnibus.server.pages.open_table import open_table_page
from omnibus.server.pages.templates import render, texts
from omnibus.server.people import blocks, persons
from omnibus.server.people.friends import Friends
from omnibus.server.people.invitations import INVITED, INVITED_TITLE, Invitations
from omnibus.server.people.reports import Reports
from omnibus.server.store.models import ChatLine, TableSetup, User
from omnibus.server.store.users import hashed
from omnibus.server.tables.names import names_of
from omnibus.server.tables.registry import TableRegistry

MOST_LINES: Final = 50  # of a chat that can be reported on the page
MOST_DIGITS: Final = 10

router = APIRouter(dependencies=[Depends(own_page)])


async def friends_of(registry: Registry) -> Friends:
    """Return the friends of the users of this server."""
    return Friends(registry)


async def invitations_of(request: Request, registry: Registry) -> Invitations:
    """Return the invitations by name on this server."""
    notifier: TurnNotifier = request.app.state.notifier

    async def notify(user: str, host: str, setup: TableSetup) -> None:
        game = games.find(setup.game).title
        await notifier.announce(user, setup.id, game, INVITED_TITLE, INVITED, name=host, game=game)

    return Invitations(registry, notify)


TheFriends = Annotated[Friends, Depends(friends_of)]
TheInvitations = Annotated[Invitations, Depends(invitations_of)]


@router.get("/friends", response_class=HTMLResponse)
async def show_friends(
    request: Request,
    visit: PageVisitor,
    registry: Registry,
    friends: TheFriends,
    invitations: TheInvitations,
    reported: str = "",
) -> Response:
    """Show the visitor's invitations, friend requests, friends and blocked players."""
    return await _friends_page(request, visit, registry, friends, invitations, reported=bool(reported))


async def _friends_page(
    request: Request,
    visit: Visitor,
    registry: TableRegistry,
    friends: Friends,
    invitations: Invitations,
    *,
    reported: bool = False,
    problem: str = "",
    name: str = "",
) -> HTMLResponse:
    """Show the page; `problem` says why nobody could be asked under a `name`."""
    user = visit.user
    invited = await invitations.of(user.id) if user else []
    return render(
        request,
        visit,
        "friends.html",
        status=409 if problem else 200,
        here="/friends",
        reported=reported,
        problem=words(visit.language, COMMON_TEXTS).gettext(problem) if problem else "",
        name=name,
        invited=[(games.find(each.game).title, each) for each in invited],
        listed=await friends.of(user.id) if user else None,
        blocked=await blocked_players(registry, user, texts(visit.language)["unnamed"]) if user else [],
    )


async def blocked_players(registry: TableRegistry, user: User, unnamed: str) -> list[tuple[str, str]]:
    """Return whom a user has blocked, by name; the key beside it is a hash, since ids are not shown to others."""
    found = [await registry.user_store.find(other) for other in await registry.block_store.blocked(user.id)]
    return sorted(((hashed(one.id), one.name or unnamed) for one in found if one), key=lambda one: one[1].casefold())


def _back(path: str = "/friends") -> Response:
    return RedirectResponse(path, 303)


async def _person(request: Request, registry: TableRegistry) -> str:
    """Return the user a form is about: by a claimed name, or by a seat at a table."""
    form = await request.form(max_files=0, max_fields=5)
    table, seat = form.get("table"), form.get("seat")
    if isinstance(table, str) and isinstance(seat, str) and seat.isdecimal() and len(seat) <= 2:
        return await persons.at_seat(registry, table, int(seat))
    return await persons.named(registry, name_in(form))


@router.post("/friends/ask")
async def ask_friend(
    request: Request,
    user: PageUser,
    visit: PageVisitor,
    registry: Registry,
    friends: TheFriends,
    invitations: TheInvitations,
    response: Response,
) -> Response:
    """Ask somebody to be a friend, or accept their request; what stands against it is said on the page of friends."""
    try:
        await friends.ask(user, await _person(request, registry))
    except Rejected as rejected:
        name = name_in(await request.form(max_files=0, max_fields=5))
        visit = replace(visit, user=user)
        page = await _friends_page(request, visit, registry, friends, invitations, problem=rejected.why, name=name)
        return keep_cookies(page, response)
    return onward(response, "/friends")


@router.post("/friends/part")
async def part(request: Request, user: PageUser, registry: Registry, friends: TheFriends) -> Response:
    """Decline a request, withdraw one, or end a friendship."""
    await friends.part(user, await _person(request, registry))
    return _back()


@router.post("/friends/block")
async def block(request: Request, user: PageUser, registry: Registry) -> Response:
    """Block somebody."""
    await blocks.block(registry, user, await _person(request, registry))
    return _back("/friends#blocked")


@router.post("/friends/unblock")
async def unblock(request: Request, user: PageUser, registry: Registry) -> Response:
    """Unblock somebody."""
    whom = (await request.form(max_files=0, max_fields=5)).get("whom")
    for other in await registry.block_store.blocked(user.id):
        if hashed(other) == whom:
            await blocks.unblock(registry, user, other)
    return _back("/friends#blocked")


# invitations by name


@router.post("/tables/{table_id}/invited")
async def invite_by_name(
    request: Request, table_id: str, user: PageUser, visit: PageVisitor, registry: Registry, invitations: TheInvitations
) -> Response:
    """Invite somebody to one's own table; what stands against it is said on the page of the table."""
    try:
        await invitations.invite(user, table_id, name_in(await request.form(max_files=0, max_fields=5)))
    except Forbidden:
        raise
    except Rejected as rejected:
        setup = await registry.waiting_setup(table_id)
        return await open_table_page(request, visit, setup, problem=rejected.why)
    return _back(f"/tables/{table_id}")


@router.post("/tables/{table_id}/invited/accept")
async def accept(table_id: str, user: PageUser, invitations: TheInvitations) -> Response:
    """Take a seat at a table one is invited to."""
    await invitations.accept(user, table_id)
    return _back(f"/tables/{table_id}")


@router.post("/tables/{table_id}/invited/decline")
async def decline(table_id: str, user: PageUser, invitations: TheInvitations) -> Response:
    """Decline an invitation."""
    await invitations.decline(user, table_id)
    return _back()


# reports


@router.post("/reports")
async def report(request: Request, user: PageUser, registry: Registry) -> Response:
    """Report a player, or a line of chat, to the host."""
    form = await request.form(max_files=0, max_fields=5)
    table, line, reason = (str(form.get(field, "")) for field in ("table", "line", "reason"))
    if line.isdecimal() and len(line) < MOST_DIGITS:
        await Reports(registry).report_line(user, table, int(line), reason)
    else:
        await Reports(registry).report_player(user, await _person(request, registry), reason, table)
    return _back(f"/tables/{quote(table, safe='')}/players?reported=yes" if table else "/friends?reported=yes")


# the players at a table


@router.get("/tables/{table_id}/players", response_class=HTMLResponse)
async def players(
    request: Request, table_id: str, visit: PageVisitor, registry: Registry, reported: str = ""
) -> Response:
    """List the people at a table, with what one can do about each of them and about what they wrote."""
    try:
        setup = (await registry.table(table_id)).setup
    except (NotStarted, NotReplayable) as other:
        setup = other.setup
    names = names_of(setup, words(visit.language, COMMON_TEXTS))
    claims = await registry.rating_service.claims.names(sorted(setup.people()))
    found: list[dict[str, Any]] = [
        {"seat": seat, "name": names[seat], "claimed": claims.get(sitter.user, ""), "own": _is(visit.user, sitter.user)}
        for seat, sitter in enumerate(setup.sitters)
        if sitter.user is not None
    ]
    title = games.find(setup.game).title if setup.game in games.names() else setup.game
    lines = await _reportable(registry, table_id, visit.user) if visit.user and visit.user.id in setup.people() else []
    said = [(names[line.seat], line) for line in lines]
    return render(
        request, visit, "players.html", id=table_id, title=title, players=found, said=said, reported=bool(reported)
    )


async def _reportable(registry: TableRegistry, table_id: str, user: User) -> list[ChatLine]:
    """Return the last lines of others that a user can read in the chat of a table, the latest first."""
    said, unheard = await registry.table_store.said(table_id), await registry.user_store.unheard(user.id)
    return [line for line in said if line.user not in {user.id, *unheard}][: -MOST_LINES - 1 : -1]


def _is(user: User | None, id_: str | None) -> bool:
    return user is not None and user.id == id_
