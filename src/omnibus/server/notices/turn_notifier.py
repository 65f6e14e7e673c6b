"""Messages to users who are away when it is their turn: by webhook, email and Web Push, and never too often."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable, Coroutine, Iterable
from contextvars import Context
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from omnibus import games
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import COMMON_TEXTS, mark, words
from omnibus.server import metrics
from omnibus.server.http.rate_limits import CALLER, Quota, Throttle, spend
from omnibus.server.notices.mailer import Email, Mailer, mailbox
from omnibus.server.notices.web_push import PushSender
from omnibus.server.notices.web_push import check as check_keys
from omnibus.server.notices.webhook import Undelivered, WebhookSender
from omnibus.server.people.online import OnlineUsers
from omnibus.server.store.counters import CounterStore
from omnibus.server.store.errors import StoreError
from omnibus.server.store.models import LIVE_PATIENCE, Profile
from omnibus.server.store.notices import NoticeRow, NoticeStore
from omnibus.server.store.push import PushSubscription
from omnibus.server.store.tables import TableStore
from omnibus.server.store.users import UserStore
from omnibus.server.tables.table import Table

LOG: Final = logging.getLogger("omnibus.notices")
MOST_AT_ONCE: Final = 16  # webhook requests
TAKE_OVER_S: Final = 30.0  # after a message was due, before another process sends it
T = TypeVar("T")
CONFIRMATIONS: Final = {
    "user": "5 per 1 day",
    "mail": "3 per 1 day",
    "address": "10 per 1 hour",  # of the visitor, where visitors are counted
    "all": "500 per 1 hour",
}
"""How many emails for confirmation are sent: for one user, to one mailbox, at one address, and in all."""

YOUR_TURN: Final = mark("Your turn: {game}")
TURN_TEXT: Final = mark("It is your turn in {game}.")
OTHER_TABLES: Final = mark("Other tables are waiting for you too.")
HELLO: Final = mark("Hello {name},")
UNSUBSCRIBE: Final = mark("Stop these emails: {link}")
TEST_TITLE: Final = mark("Test message")
TEST: Final = mark("This is a test. When a table is waiting for you, you will get a message here.")
CONFIRM_TITLE: Final = mark("Confirm your email address")
CONFIRM: Final = mark(
    "Someone entered this address on Omnibus, a board game site, to get an email when it is their turn. "
    "If that was you, please confirm it here:"
)
IGNORE: Final = mark("If it was not you, you do not need to do anything. You will get no further emails.")
TOO_MANY_ATTEMPTS: Final = mark("Too many attempts. Please wait a while.")


class Timing(Struct, frozen=True):
    """How long the notifier waits, in seconds."""

    wait: float = 60.0
    """Before the message: the user may be back in a moment."""
    wait_live: float = 15.0
    """The same in live games."""
    rest: float = 600.0
    """Between two messages to the same user."""
    retry: float = 30.0
    """Before the second attempt when the first one failed."""


class Notice(Struct, frozen=True):
    """A message to a user. It says that it is their turn, and nothing about the game."""

    title: str
    text: str
    link: str
    game: str = ""


class Delivery(Struct, frozen=True):
    """How a message went: which way it was sent, and the error, if any, as a message to translate."""

    way: str
    error: str = ""
    values: dict[str, Any] = {}
    """What to fill into the error."""


class TooManyAttempts(Exception):
    """Something that reaches other servers was asked for too often."""


class TurnNotifier:
    """Sends users who are away a message when it is their turn. `link` makes a URL of this server out of a path."""

    def __init__(
        self,
        user_store: UserStore,
        table_store: TableStore,
        online: OnlineUsers,
        webhooks: WebhookSender,
        mailer: Mailer | None,
        link: Callable[[str], str],
        timing: Timing | None = None,
        push: PushSender | None = None,
    ) -> None:
        self.mailer = mailer
        self.push = push
        self.link = link
        self._user_store = user_store
        self._table_store = table_store
        self._online = online
        self._webhooks = webhooks
        self._timing = timing or Timing()
        self._waiting: dict[str, dict[str, int]] = {}
        self._notified: dict[str, dict[str, int]] = {}
        self._last: dict[str, float] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._notices = NoticeStore(user_store.database)
        self._writes: set[asyncio.Task[None]] = set()
        self._writing = asyncio.Lock()  # one after the other: what is planned last is what is stored
        self._slots = asyncio.Semaphore(MOST_AT_ONCE)
        database = user_store.database
        counters = CounterStore(database) if database.shared else None
        self._tests = Throttle("3 per 1 minute", "test", counters)
        self._checks = Throttle("10 per 1 minute", "check", counters)
        self._confirmations = {kind: Throttle(limit, kind, counters) for kind, limit in CONFIRMATIONS.items()}

    # turns

    async def resume(self) -> None:
        """Plan again what was planned before a restart; those with a page open have time to come back first."""
        self._take_in(await self._notices.all())
        for user in self._waiting:
            self._set_timer(user, max(self._now() + self._timing.wait, self._earliest(user)))

    def _take_in(self, rows: Iterable[NoticeRow]) -> None:
        """Take in what is stored."""
        now, ago = self._now(), self._now() - time.time()
        for row in rows:
            if row.sent is None:
                self._waiting.setdefault(row.user, {})[row.table] = row.event
            else:
                self._notified.setdefault(row.user, {})[row.table] = row.event
                if self._waiting.get(row.user, {}).get(row.table, math.inf) <= row.event:
                    del self._waiting[row.user][row.table]  # another process has sent it
                if row.sent + ago > now - self._timing.rest:
                    self._last[row.user] = min(now, max(row.sent + ago, self._last.get(row.user, -math.inf)))

    async def take_over(self) -> None:
        """Send what another process has planned and not sent in time."""
        for user in await self._notices.overdue(time.time() - TAKE_OVER_S):
            if user not in self._timers:
                self._set_timer(user, self._now())

    async def notify_later(self, user: str, table: Table) -> None:
        """Send a user a message after a while, because a table waits for them, unless they come before."""
        id_, event = table.setup.id, table.event
        known = event <= self._notified.get(user, {}).get(id_, -1)
        if known or not self._ways(await self._user_store.profile(user)):
            return
        self._waiting.setdefault(user, {})[id_] = event
        live = table.setup.patience <= LIVE_PATIENCE
        due = max(self._now() + (self._timing.wait_live if live else self._timing.wait), self._earliest(user))
        self._store(self._notices.plan(user, id_, event, time.time() + due - self._now()))
        timer = self._timers.get(user)
        if timer is None or timer.when() > due:
            self._set_timer(user, due)

    async def announce(self, user: str, table: str, game: str, title: str, text: str, /, **values: str) -> None:
        """Send a user who is away a message about a table at once; `title` and `text` are messages to translate.

        If the table waits for them, they get the message about that and no other.
        """
        ways = self._ways(await self._user_store.profile(user))
        if not ways or table in self._waiting.get(user, {}) or await self._online.is_online(user):
            return
        told = await self._words(user)
        title, text = (told.gettext(each).format(**values) for each in (title, text))
        notice = Notice(title, text, self.link(f"/tables/{table}"), game)
        for way in ways:
            self._keep(asyncio.create_task(self._deliver(user, way, notice)))

    async def _deliver(self, user: str, way: str, notice: Notice) -> None:
        await self._attempt(user, way, notice)

    def due(self, user: str) -> float | None:
        """Return when the next message to a user is sent, as a time of the event loop; None when none is planned."""
        return self._timers[user].when() if user in self._timers else None

    @property
    def sending(self) -> bool:
        """Whether messages are being sent."""
        return bool(self._tasks)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def _earliest(self, user: str) -> float:
        """Return when a user may be sent the next message."""
        return self._last[user] + self._timing.rest if user in self._last else 0

    def _set_timer(self, user: str, due: float) -> None:
        """Notify a user later, in an empty context: the caller's rate limits must not count what is sent then."""
        if user in self._timers:
            self._timers[user].cancel()
        self._timers[user] = asyncio.get_running_loop().call_at(due, self._notify, user, context=Context())

    def _notify(self, user: str) -> None:
        """Notify a user now, without waiting for it."""
        self._keep(asyncio.create_task(self.notify(user)))

    def _keep(self, task: asyncio.Task[None]) -> None:
        """Keep a task until it is done."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def notify(self, user: str) -> None:
        """Send a user the message that is planned, if tables still wait for them and they have no page open."""
        self._timers.pop(user).cancel()
        if self._notices.database.shared:
            self._take_in(await self._notices.of(user))
            if not self._waiting.get(user):
                return
            if self._earliest(user) > self._now():
                self._set_timer(user, self._earliest(user))  # another process has sent something meanwhile
                return
        waiting = self._waiting.pop(user, {})
        awaited = await self._table_store.awaited(user)
        new = [table for table in awaited if table in waiting]
        if not new or await self._online.is_online(user):
            self._store(self._notices.cancel(user))
            return
        now = self._now()
        self._last = {other: at for other, at in self._last.items() if now - at < self._timing.rest} | {user: now}
        known = self._notified.get(user, {}) | waiting
        self._notified[user] = {table: known[table] for table in awaited if table in known}
        self._keep(asyncio.create_task(self._send_all(user, new[0])))

    def _store(self, write: Coroutine[Any, Any, None]) -> None:
        """Store something without waiting for it."""
        task = asyncio.create_task(self._stored(write))
        self._writes.add(task)
        task.add_done_callback(self._writes.discard)

    async def _stored(self, write: Coroutine[Any, Any, T]) -> T | None:
        """Store something that is not worth failing for: without it a restart loses or repeats a message."""
        try:
            async with self._writing:
                return await write
        except StoreError as error:
            LOG.warning("not kept", extra={"why": str(error)})
            return None
        finally:
            write.close()  # if this was cancelled before its turn came

    async def _send_all(self, user: str, table: str) -> None:
        """Tell a user that a table waits, in every way; stored first, so that it is never done twice."""
        if await self._stored(self._notices.mark_sent(user, self._notified[user])) is False:
            return
        ways = self._ways(await self._user_store.profile(user))
        await asyncio.gather(*(self._send(way, user, table) for way in ways))

    async def _send(self, way: str, user: str, table: str) -> None:
        """Tell a user one way that a table waits; try once more if that fails and the table still waits."""
        delivery = await self._attempt(user, way, await self._turn_notice(user, table))
        if delivery.error:
            await asyncio.sleep(self._timing.retry)
            if table in await self._table_store.awaited(user) and not await self._online.is_online(user):
                await self._attempt(user, way, await self._turn_notice(user, table))

    async def _turn_notice(self, user: str, table: str) -> Notice:
        """Write the message that a table waits for a user, and whether others do too."""
        translated = await self._words(user)
        entry = await self._table_store.entry(table)
        game = games.find(entry.setup.game).title if entry else ""
        others = len(await self._table_store.awaited(user)) > 1
        text = translated.gettext(TURN_TEXT).format(game=game)
        if others:
            text += " " + translated.gettext(OTHER_TABLES)
        return Notice(translated.gettext(YOUR_TURN).format(game=game), text, self.link(f"/tables/{table}"), game)

    # delivery

    async def _words(self, user: str) -> Words:
        return words((await self._user_store.profile(user)).language, COMMON_TEXTS)

    def _ways(self, profile: Profile) -> list[str]:
        """Return how messages reach a user: webhook, mail, push, several of them or not at all."""
        mail = ["mail"] if self.mailer and profile.mail and profile.confirmed else []
        push = ["push"] if self.push and profile.push else []
        return [*(["webhook"] if profile.webhook else []), *mail, *push]

    async def _attempt(self, user: str, way: str, notice: Notice) -> Delivery:
        """Send a message one way; log how it went, but not the address."""
        try:
            await {"webhook": self._by_webhook, "mail": self._by_mail, "push": self._by_push}[way](user, notice)
        except Undelivered as error:
            why = error.why.format(**error.values)
            metrics.NOTICES.add("failed")
            LOG.warning("message not delivered", extra={"user": user, "way": way, "why": why})
            return Delivery(way, error.why, error.values)
        metrics.NOTICES.add("delivered")
        LOG.info("message delivered", extra={"user": user, "way": way})
        return Delivery(way)

    async def _by_webhook(self, user: str, notice: Notice) -> None:
        found = await self._user_store.find(user)
        text = f"{notice.text} {notice.link}"
        content = {
            "server": self.link("/"),
            "house": self.link("/"),  # its name in earlier versions; receivers may still read it
            "game": notice.game,
            "table": notice.link if notice.game else "",
            "name": found.name if found else "",
            "text": text,
            "content": text,  # read by Discord, while Slack and Mattermost read `text`
        }
        async with self._slots:
            await self._webhooks.deliver((await self._user_store.profile(user)).webhook, msgspec.json.encode(content))

    async def _by_push(self, user: str, notice: Notice) -> None:
        assert self.push
        content = {"title": notice.title, "text": notice.text, "link": notice.link}
        topic = notice.link.rpartition("/")[2] if notice.game else ""
        async with self._slots:
            await self.push.deliver(user, msgspec.json.encode(content), topic)

    async def _by_mail(self, user: str, notice: Notice) -> None:
        found, translated = await self._user_store.find(user), await self._words(user)
        choice = await self._choice_link(user)
        greeting = [translated.gettext(HELLO).format(name=found.name)] if found and found.name else []
        unsubscribe = translated.gettext(UNSUBSCRIBE).format(link=choice)
        await self._mail(user, choice, notice.title, [*greeting, f"{notice.text}\n{notice.link}", unsubscribe])

    async def _choice_link(self, user: str) -> str:
        """Create the link in an email with which its reader turns emails on or off."""
        await spend(Quota.TOKEN)
        return self.link(f"/mail/{await self._user_store.add_token('mail', user=user)}")

    async def _mail(self, user: str, choice: str, title: str, paragraphs: list[str]) -> None:
        assert self.mailer
        text = "\n\n".join(paragraphs) + "\n"
        await self.mailer.deliver(Email((await self._user_store.profile(user)).mail, title, text, choice))

    # on request

    async def check_webhook(self, user: str, webhook: str) -> None:
        """Check whether messages can be sent to a webhook; Undelivered says why not."""
        if not await self._checks.allows(user):
            raise TooManyAttempts
        await self._webhooks.check(webhook)

    async def subscribe(self, user: str, device: str, subscription: PushSubscription) -> None:
        """Send push messages to a device from now on; Undelivered says why that is not possible."""
        assert self.push
        check_keys(subscription)
        await self.check_webhook(user, subscription.endpoint)
        await self.push.store.add(user, device, subscription)

    async def send_test(self, user: str) -> list[Delivery]:
        """Send a test message in every way that reaches the user, and return how each went."""
        if not await self._tests.allows(user):
            raise TooManyAttempts
        translated = await self._words(user)
        notice = Notice(translated.gettext(TEST_TITLE), translated.gettext(TEST), self.link("/you"))
        ways = self._ways(await self._user_store.profile(user))
        return list(await asyncio.gather(*(self._attempt(user, way, notice) for way in ways)))

    async def send_confirmation(self, user: str) -> None:
        """Send the email with which an address is confirmed; Undelivered says why it could not be sent.

        It contains no text the user has chosen, so that nobody can send messages to strangers this way.
        """
        caller = CALLER.get()
        counted = {"user": user, "mail": mailbox((await self._user_store.profile(user)).mail)}
        if caller is not None:
            counted["address"] = caller.address
        for kind, key in (counted | {"all": ""}).items():  # everybody's comes last: nobody uses it up alone
            if not await self._confirmations[kind].allows(key):
                raise TooManyAttempts
        translated, choice = await self._words(user), await self._choice_link(user)
        paragraphs = [f"{translated.gettext(CONFIRM)}\n{choice}", translated.gettext(IGNORE)]
        await self._mail(user, choice, translated.gettext(CONFIRM_TITLE), paragraphs)

    async def close(self) -> None:
        """Cancel what has not been sent yet; it is stored, and planned again when the server is back."""
        for timer in self._timers.values():
            timer.cancel()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *self._writes, return_exceptions=True)
        if self.mailer:
            self.mailer.close()
