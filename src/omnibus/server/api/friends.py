"""API: friends, blocked players, and invitations by name."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from omnibus.server.api.auth import Somebody, TheUser
from omnibus.server.api.models.common import TYPED
from omnibus.server.api.models.friends import BlockedPlayer, Blocks, Invited, MyInvitations, Whom
from omnibus.server.api.models.tables import TableInfo
from omnibus.server.api.responses import answers, json_response
from omnibus.server.api.tables import TableId, table_info
from omnibus.server.http.visitor import Registry
from omnibus.server.pages.friends import TheFriends, TheInvitations, blocked_players
from omnibus.server.people import blocks, persons
from omnibus.server.people.friends import FriendList
from omnibus.server.store.models import User
from omnibus.server.store.users import hashed
from omnibus.server.tables.registry import TableRegistry

Name = Annotated[str, Path(max_length=TYPED, description="A claimed name.", examples=["Ann"])]

router = APIRouter(tags=["Friends"])


async def person(registry: TableRegistry, whom: Whom) -> str:
    """Return the user a request is about."""
    if whom.table:
        return await persons.at_seat(registry, whom.table, whom.seat)
    return await persons.named(registry, whom.name)


@router.get("/users/me/friends", responses=answers(FriendList, 401))
async def list_friends(user: TheUser, friends: TheFriends) -> Response:
    """List my friends, with who is online, and who has asked whom."""
    return json_response(await friends.of(user.id))


@router.put("/users/me/friends/{name}", responses=answers(FriendList, 401, 409))
async def ask_friend(name: Name, user: TheUser, registry: Registry, friends: TheFriends) -> Response:
    """Ask somebody to be my friend, or accept their request. Both of us have claimed a name."""
    await friends.ask(user, await persons.named(registry, name))
    return json_response(await friends.of(user.id))


@router.delete("/users/me/friends/{name}", responses=answers(FriendList, 401, 409))
async def part_with_friend(name: Name, user: TheUser, registry: Registry, friends: TheFriends) -> Response:
    """Decline a request, withdraw mine, or end a friendship."""
    await friends.part(user, await persons.named(registry, name))
    return json_response(await friends.of(user.id))


@router.get("/users/me/blocks", responses=answers(Blocks, 401))
async def list_blocks(user: TheUser, registry: Registry) -> Response:
    """List whom I have blocked."""
    return await _blocks(registry, user)


@router.post("/users/me/blocks", responses=answers(Blocks, 401, 409))
async def block_player(body: Whom, user: TheUser, registry: Registry) -> Response:
    """Block somebody: we do not meet at tables, and they can neither invite me nor ask to be my friend."""
    await blocks.block(registry, user, await person(registry, body))
    return await _blocks(registry, user)


@router.delete("/users/me/blocks/{key}", responses=answers(Blocks, 401))
async def unblock_player(
    key: Annotated[str, Path(max_length=64, description="The key of a blocked player.")],
    user: TheUser,
    registry: Registry,
) -> Response:
    """Unblock somebody."""
    for other in await registry.block_store.blocked(user.id):
        if hashed(other) == key:
            await blocks.unblock(registry, user, other)
    return await _blocks(registry, user)


async def _blocks(registry: TableRegistry, user: User) -> Response:
    return json_response(Blocks([BlockedPlayer(key, name) for key, name in await blocked_players(registry, user, "")]))


@router.get("/users/me/invitations", responses=answers(MyInvitations, 401))
async def list_my_invitations(user: TheUser, invitations: TheInvitations) -> Response:
    """List the tables to which I am invited by name, the latest first."""
    return json_response(MyInvitations(await invitations.of(user.id)))


@router.post("/users/me/invitations/{table_id}", responses=answers(TableInfo, 401, 409))
async def accept_my_invitation(
    request: Request,
    table_id: TableId,
    user: TheUser,
    visit: Somebody,
    registry: Registry,
    invitations: TheInvitations,
) -> Response:
    """Take a free seat at a table to which I am invited by name."""
    await invitations.accept(user, table_id)
    return json_response(await table_info(request, registry, visit, table_id))


@router.delete("/users/me/invitations/{table_id}", status_code=204, responses=answers(None, 401, status=204))
async def decline_my_invitation(table_id: TableId, user: TheUser, invitations: TheInvitations) -> Response:
    """Decline an invitation."""
    await invitations.decline(user, table_id)
    return Response(status_code=204)


@router.put("/tables/{table_id}/invited/{name}", responses=answers(Invited, 401, 409))
async def invite_by_name(table_id: TableId, name: Name, user: TheUser, invitations: TheInvitations) -> Response:
    """Invite somebody by a claimed name to my own table; they see it on every page, or get a message."""
    await invitations.invite(user, table_id, name)
    return json_response(Invited(await invitations.invited(table_id)))


@router.delete("/tables/{table_id}/invited/{name}", responses=answers(Invited, 401, 409))
async def withdraw_invitation(table_id: TableId, name: Name, user: TheUser, invitations: TheInvitations) -> Response:
    """Take back an invitation by name."""
    await invitations.withdraw(user, table_id, name)
    return json_response(Invited(await invitations.invited(table_id)))
