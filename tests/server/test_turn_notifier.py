"""Turn notifications: users who are away are told that it is their turn, only when it is, and not too often."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from contextvars import ContextVar

import pytest

from omnibus.server.http.connection import Connection
from omnibus.server.notices.mailer import Mailer, MailServer
from omnibus.server.notices.message_sender import MessageSender
from omnibus.server.notices.turn_notifier import Timing, TurnNotifier
from omnibus.server.notices.webhook import WebhookSender
from omnibus.server.store.models import LIVE_PATIENCE, Sitter, User
from omnibus.server.tables import actions
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from support.receivers import Listener, listener, mailbox
from support.seats import opened

QUICK = Timing(wait=0.02, wait_live=0.01, rest=0.2, retry=0.02)
SLOW = 30.0
SERVER_ERROR = b"HTTP/1.1 500 Oh\r\n\r\n"
CALLER = ContextVar("CALLER", default="nobody")
"""In whose name something is done, as rate limits count it."""


def at_home(path: str) -> str:
    return "https://games.example.org" + path


@asynccontextmanager
async def notifier(
    registry: TableRegistry, mailer: Mailer | None = None, timing: Timing = QUICK
) -> AsyncIterator[TurnNotifier]:
    """A notifier that is quick, may send to this machine, and sends in nobody's name."""

    async def resolve(host: str, _: int) -> list[str]:
        assert CALLER.get() == "nobody"
        return [host]

    sender = MessageSender(registry.user_store, WebhookSender(private=True, resolve=resolve), mailer, at_home)
    notifier = TurnNotifier(sender, registry.table_store, registry.online, timing)
    registry.publisher.notify = notifier.notify_later
    yield notifier
    await notifier.close()


async def friends(registry: TableRegistry, user: User, listening: Listener, **more: float) -> tuple[Table, User]:
    """A table at which the user has the turn, and a friend is to be told by webhook when it is theirs."""
    friend, _ = await registry.user_store.add_user("Zoë", "de")
    await registry.user_store.keep_webhook(friend.id, listening.url)
    return await sit_down(registry, user, friend, **more), friend


async def sit_down(registry: TableRegistry, first: User, second: User, **more: float) -> Table:
    """A table at which the first begins, who also has the third seat; nobody is notified yet."""
    sitters = [Sitter(user=user.id, name=user.name) for user in (first, second, first)]
    notify, registry.publisher.notify = registry.publisher.notify, None
    table = await opened(registry, first.id, "bus", {}, sitters, **more)
    while awaited(table) != first.id:  # who begins is drawn
        await registry.remove(table.setup)
        table = await opened(registry, first.id, "bus", {}, sitters, **more)
    registry.publisher.notify = notify
    return table


async def take_turn(registry: TableRegistry, table: Table) -> None:
    """Play until it is somebody else's turn."""
    user = awaited(table)
    while awaited(table) == user:
        assert table.actor is not None
        await actions.play(registry, table, table.actor, table.match.lines()[-1], table.event)


def awaited(table: Table) -> str | None:
    assert table.actor is not None
    return table.owner(table.actor)


def far_off(due: float | None) -> bool:
    return due is not None and due > asyncio.get_running_loop().time() + SLOW / 2


async def quiet(seconds: float = 0.3) -> None:
    """Wait for longer than a quick notifier does."""
    await asyncio.sleep(seconds)


def said(listening: Listener) -> list[dict[str, str]]:
    return [json.loads(body) for _, body in listening.heard]


def written_down(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what the log has of messages that were sent, which is something."""
    lines = [str(vars(record)) for record in caplog.records if record.name == "omnibus.notices"]
    assert lines
    return lines


async def test_told_by_webhook(registry: TableRegistry, user: User, caplog: pytest.LogCaptureFixture) -> None:
    """In their language, with a link, and with nothing of what happens at the table; no address is written down.

    It is not sent in the name of who has just played, whose rate limits do not count it.
    """
    caplog.set_level(logging.DEBUG)
    async with listener() as listening, notifier(registry) as going:
        table, _ = await friends(registry, user, listening)
        CALLER.set("who has just played")
        await take_turn(registry, table)
        await listening.until(1)
        (message,) = said(listening)
        link = at_home(f"/tables/{table.setup.id}")
        text = f"Du bist in einer Partie Bus am Zug. {link}"
        told = {"server": at_home("/"), "game": "Bus", "table": link, "name": "Zoë", "text": text, "content": text}
        assert message == told
        while going.sending:
            await asyncio.sleep(0.01)
        assert not any(str(listening.port) in line or "/hook" in line for line in written_down(caplog))


async def test_nobody_is_told_who_is_here(registry: TableRegistry, user: User) -> None:
    """Neither who never left, nor who comes back in time or has decided meanwhile; nor who has not asked for it."""
    async with listener() as listening, notifier(registry, timing=Timing(wait=SLOW)) as going:
        table, friend = await friends(registry, user, listening)
        page = Connection(friend, "en")
        await registry.online.add(page)
        await take_turn(registry, table)
        assert going.due(friend.id) is None
        registry.online.remove(page)
        for _ in range(2):
            await take_turn(registry, table)
        await registry.online.add(page)
        await going.notify(friend.id)
        registry.online.remove(page)
        for _ in range(3):
            await take_turn(registry, table)
        await going.notify(friend.id)
        assert awaited(table) == user.id
        await registry.user_store.keep_webhook(friend.id, "")
        await take_turn(registry, table)
        assert going.due(friend.id) is None
        await registry.user_store.keep_mail(friend.id, "zoe@example.org", confirmed=True)
        await going.notify_later(friend.id, table)  # there is no mail server
        assert going.due(friend.id) is None
        await quiet(0.1)
        assert listening.heard == []


async def rest_is_over(registry: TableRegistry, going: TurnNotifier) -> None:
    """Let it be long ago that anybody was sent a message, by this process or another."""
    going._last.clear()
    await registry.database.execute("UPDATE notices SET sent = 0 WHERE sent IS NOT NULL")


async def test_one_message_for_several_tables(registry: TableRegistry, user: User) -> None:
    """And not another one before a while has passed; what is still true then is told then."""
    async with listener() as listening, notifier(registry, timing=Timing(wait=0.01, rest=SLOW)) as going:
        before, friend = await friends(registry, user, listening)
        first, second = [await sit_down(registry, user, friend) for _ in range(2)]
        await take_turn(registry, before)
        await listening.until(1)
        await take_turn(registry, first)
        await take_turn(registry, second)
        assert far_off(going.due(friend.id))
        await rest_is_over(registry, going)
        await going.notify(friend.id)
        await listening.until(2)
        assert said(listening)[1]["table"].endswith(first.setup.id)
        assert "Auch andere Tische warten auf dich." in said(listening)[1]["text"]
        await take_turn(registry, second)
        await take_turn(registry, second)
        assert far_off(going.due(friend.id))
        await rest_is_over(registry, going)
        await going.notify(friend.id)
        await listening.until(3)
        assert said(listening)[2]["table"].endswith(second.setup.id)
        assert going.due(friend.id) is None


async def test_who_is_told_soon(registry: TableRegistry, user: User) -> None:
    """At live tables, even when a slow one has begun to wait before; and who begins at a table of somebody else."""
    timing = Timing(wait=SLOW, wait_live=0.01, rest=0.01)
    async with listener() as listening, notifier(registry, timing=timing):
        slow, friend = await friends(registry, user, listening)
        await take_turn(registry, slow)
        live = await sit_down(registry, user, friend, patience=LIVE_PATIENCE)
        await take_turn(registry, live)
        await listening.until(1)
        other, _ = await registry.user_store.add_user()
        await registry.user_store.keep_webhook(other.id, listening.url)
        await opened(registry, user.id, "bus", {}, [Sitter(user=other.id)] * 3, patience=LIVE_PATIENCE)
        await listening.until(2)


@pytest.mark.parametrize(
    ("errors", "way", "requests"), [(0, "", 1), (1, "", 2), (5, "", 2), (1, "has come", 1), (1, "server stops", 1)]
)
async def test_once_for_a_turn(registry: TableRegistry, user: User, errors: int, way: str, requests: int) -> None:
    """However often the notifier is called; what did not arrive is sent once more, unless the user has come.

    What is being sent is cancelled when the server stops, and nothing keeps it waiting.
    """
    timing = Timing(wait=0.02, wait_live=0.01, rest=0.2, retry=SLOW if way == "server stops" else 0.02)
    async with listener(*[SERVER_ERROR] * errors) as listening:
        async with notifier(registry, timing=timing) as going, asyncio.timeout(SLOW):
            table, friend = await friends(registry, user, listening)
            await take_turn(registry, table)
            await going.notify_later(friend.id, table)
            await listening.until(1)
            if way == "has come":
                await registry.online.add(Connection(friend, "en"))
            await listening.until(requests)
            await going.notify_later(friend.id, table)
            await quiet(0 if way == "server stops" else 0.3)
        await quiet(0.1)
        assert len(listening.heard) == requests


async def test_told_by_mail(registry: TableRegistry, user: User, caplog: pytest.LogCaptureFixture) -> None:
    """Only at an address that was confirmed; every mail holds a link that ends them."""
    caplog.set_level(logging.DEBUG)
    with mailbox() as (box, port), closing(Mailer(MailServer("127.0.0.1", port, "games@example.org"))) as mailer:
        async with notifier(registry, mailer) as going:
            friend, _ = await registry.user_store.add_user("Zoë\r\nBcc: all@example.org", "fr")
            await registry.user_store.keep_mail(friend.id, "zoe@example.org")
            table = await sit_down(registry, user, friend)
            await take_turn(registry, table)
            await quiet(0.1)
            assert box.mails == []
            await registry.user_store.keep_mail(friend.id, "zoe@example.org", confirmed=True)
            await going.notify_later(friend.id, table)
            async with asyncio.timeout(60):
                while not box.mails or going.sending:
                    await asyncio.sleep(0.01)
    (mail,) = box.mails
    subject = "À vous de jouer\N{NO-BREAK SPACE}: Bus"
    assert (mail["to"], mail["subject"], mail["bcc"]) == ("zoe@example.org", subject, None)
    body = str(mail.get_content()).replace("\r\n", "\n")
    assert at_home(f"/tables/{table.setup.id}") in body
    stop = mail["list-unsubscribe"].strip(" <>")
    assert mail["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
    assert stop in body
    token = await registry.user_store.token(stop.removeprefix(at_home("/mail/")))
    assert token
    assert (token.kind, token.user) == ("mail", friend.id)
    assert not any("zoe@" in line for line in written_down(caplog))


async def test_a_restart_loses_no_message(registry: TableRegistry, user: User) -> None:
    """What was planned is sent after a restart, once: not again after the next one, nor too soon after another."""
    async with listener() as listening:
        async with notifier(registry, timing=Timing(wait=SLOW)):
            table, friend = await friends(registry, user, listening)
            await take_turn(registry, table)
        assert said(listening) == []
        async with notifier(registry) as second:
            await second.resume()
            await listening.until(1)
            while second.sending:
                await asyncio.sleep(0.01)
        assert said(listening)[0]["table"] == at_home(f"/tables/{table.setup.id}")
        async with notifier(registry, timing=Timing(wait=0.01, wait_live=0.01)) as third:
            await third.resume()
            assert third.due(friend.id) is None
            await third.notify_later(friend.id, table)  # the same turn
            assert third.due(friend.id) is None
            await take_turn(registry, table)
            await take_turn(registry, table)
            assert far_off(third.due(friend.id))
        assert len(said(listening)) == 1


async def test_a_message_nobody_needs_any_more_is_not_sent_after_a_restart(registry: TableRegistry, user: User) -> None:
    """The user was there in time, or has decided, or the table is gone."""
    slow = Timing(wait=SLOW)
    async with listener() as listening:
        async with notifier(registry, timing=slow) as first:
            table, friend = await friends(registry, user, listening)
            await take_turn(registry, table)
            page = Connection(friend, "en")
            await registry.online.add(page)
            await first.notify(friend.id)
            registry.online.remove(page)
        for planned in (False, True, False):
            async with notifier(registry, timing=slow) as later:
                await later.resume()
                assert (later.due(friend.id) is not None) == planned
                if planned:
                    await later.notify(friend.id)
                    assert not later.sending
                elif awaited(table) == friend.id:
                    await later.notify_later(friend.id, table)
            if planned:
                await registry.remove(table.setup)
            elif awaited(table) == friend.id:
                await take_turn(registry, table)  # while no notifier runs
    assert said(listening) == []
