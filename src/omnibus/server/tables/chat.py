"""The chat of a table: players say something, read what was said, and mute each other."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final

from omnibus.kernel.i18n import mark
from omnibus.server import text_input
from omnibus.server.errors import ONE_SEAT, Code, Rejected
from omnibus.server.http.connection import Connection
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.people.bans import expect_not_banned
from omnibus.server.store.database import CHAT
from omnibus.server.store.models import ChatLine, User
from omnibus.server.tables.messages import Chat, Request, Said
from omnibus.server.tables.presence import Presence

if TYPE_CHECKING:
    from omnibus.server.tables.registry import TableRegistry

LONGEST_SAYING: Final = 500  # characters
EVERYBODY_STAYED: Final[Mapping[int, str]] = {}
NOTHING_SAID: Final = mark("The message is empty.")


def player(presence: Presence, user: User | None, only: int | None) -> str:
    """Return the id of a user who sits at the table (in the only seat in question, if there is one), or reject."""
    owners = presence.owners
    seats = range(len(owners)) if only is None else range(len(owners))[only : only + 1]
    if user is None or all(owners[seat] != user.id for seat in seats):
        raise Rejected(Code.NOT_YOUR_SEAT)
    return user.id


async def say(
    registry: TableRegistry,
    presence: Presence,
    user: User | None,
    text: str,
    *,
    only: int | None = None,
    request: str = "",
) -> None:
    """Store what a player says, and send it to the players; a request that is repeated is carried out once."""
    speaker = player(presence, user, only)
    text = text_input.clean_line(text, LONGEST_SAYING)
    if not text:
        raise Rejected(Code.MALFORMED, why=NOTHING_SAID)
    await expect_not_banned(registry.ban_store, speaker)
    await spend(Quota.CHAT)
    seat = presence.owners.index(speaker)
    key = f"{speaker} {request}" if request else None
    said = await registry.table_store.say(presence.table_id, speaker, seat, text, key)
    if said is not None:
        await publish(registry, presence, said)
        registry.database.hint(f"{CHAT}{presence.table_id}")


async def publish(registry: TableRegistry, presence: Presence, said: ChatLine) -> None:
    """Send what was said to the players who are here, after what was said before in other processes."""
    if registry.database.shared and said.number > presence.said + 1:
        await catch_up(registry, presence)
    else:
        await registry.publisher.publish_chat(presence, said)


async def catch_up(registry: TableRegistry, presence: Presence) -> None:
    """Send the players who are here what was said in other processes."""
    for line in await registry.table_store.said(presence.table_id, presence.said):
        await registry.publisher.publish_chat(presence, line)


async def lines_after(
    registry: TableRegistry, presence: Presence, user: User | None, number: int, *, only: int | None = None
) -> Chat:
    """Return what a player may read of what was said after the line of a number."""
    reader = player(presence, user, only)
    muted = await registry.user_store.unheard(reader)
    said = await registry.table_store.said(presence.table_id, number)
    lines = [line for line in said if line.user not in muted]
    return chat_for(muted, presence, reader, number, lines, await _left(registry, presence, lines))


async def _left(registry: TableRegistry, presence: Presence, lines: list[ChatLine]) -> dict[int, str]:
    """Return the names of authors who no longer have the seat they spoke from, by the numbers of their lines."""
    owners = presence.owners
    gone = [line for line in lines if owners[line.seat] != line.user]
    authors = {user: await registry.user_store.find(user) for user in {line.user for line in gone}}
    return {line.number: author.name if (author := authors[line.user]) else "" for line in gone}


async def toggle_mute(
    registry: TableRegistry,
    presence: Presence,
    user: User | None,
    seat: int,
    *,
    only: int | None = None,
    request: str = "",
) -> Chat:
    """Mute the owner of a seat for a player, or undo that; return the chat as the player sees it then."""
    listener = player(presence, user, only)
    if only is not None:
        raise Rejected(Code.NOT_YOUR_SEAT, why=ONE_SEAT)  # whom a user mutes concerns all their tables
    other = presence.owners[seat] if 0 <= seat < len(presence.owners) else None
    key = f"{presence.table_id} {listener} {request}"
    new = await registry.counter_store.first_time(key) if request else True
    if new and other is not None and other != listener:
        muted = await registry.user_store.muted(listener)
        await registry.user_store.mute(listener, other, muted=other not in muted)
    return await lines_after(registry, presence, user, 0)


def chat_for(
    muted: Collection[str],
    presence: Presence,
    reader: str,
    since: int,
    lines: list[ChatLine],
    left: Mapping[int, str] = EVERYBODY_STAYED,
) -> Chat:
    """Return lines of chat as a player is sent them, with the seats of the users the player has muted.

    `left` are the authors who no longer have their seat: what was said stays with who said it.
    """
    said = [
        Said(line.number, line.seat, line.text, line.at, own=line.user == reader, name=left.get(line.number))
        for line in lines
    ]
    return Chat(since, said, [seat for seat, owner in enumerate(presence.owners) if owner in muted])


async def answer(registry: TableRegistry, presence: Presence, connection: Connection, request: Request) -> None:
    """Do what a message about the chat asks: say something, send what was said, mute somebody."""
    user, only = connection.user, connection.only
    if request.chat is not None:
        await say(registry, presence, user, request.chat, only=only, request=request.id)
    elif request.heard is not None:
        connection.send(await lines_after(registry, presence, user, request.heard, only=only))
    elif request.mute is not None:
        connection.send(await toggle_mute(registry, presence, user, request.mute, only=only, request=request.id))
