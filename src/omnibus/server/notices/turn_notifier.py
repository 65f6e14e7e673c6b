"""The herald tells people who are not here that they are awaited: by webhook, by mail, and never too often."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextvars import Context
from typing import Any, Final

import msgspec
from msgspec import Struct

from omnibus import games
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import COMMON_TEXTS, mark, words
from omnibus.server.http.rate_limits import Throttle
from omnibus.server.notices.mailer import Email, Mailer
from omnibus.server.notices.webhook import Undelivered, WebhookSender
from omnibus.server.store.models import LIVE_PATIENCE, Profile
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table

LOG: Final = logging.getLogger("omnibus.herald")
MOST_AT_ONCE: Final = 16

YOUR_TURN: Final = mark("Your turn: {game}")
AWAITED: Final = mark("It is your turn in {game}.")
FURTHER: Final = mark("Other tables are waiting for you too.")
HELLO: Final = mark("Hello {name},")
NO_MORE: Final = mark("Stop these emails: {link}")
TRIAL_TITLE: Final = mark("Test message")
TRIAL: Final = mark("This is a test. When a table is waiting for you, you will get a message here.")
CONFIRM_TITLE: Final = mark("Confirm your email address")
CONFIRM: Final = mark(
    "Someone entered this address on Omnibus, a board game site, to get an email when it is their turn. "
    "If that was you, please confirm it here:"
)
IGNORE: Final = mark("If it was not you, you do not need to do anything. You will get no further emails.")
TOO_OFTEN: Final = mark("Too many attempts. Please wait a while.")


class Timing(Struct, frozen=True):
    """How long the herald waits, in seconds."""

    wait: float = 60.0
    """Before telling anybody: they may just have left, or be on their way."""
    wait_live: float = 15.0
    """The same at tables where nobody likes to wait."""
    rest: float = 600.0
    """Between two messages to the same user."""
    retry: float = 30.0


class Notice(Struct, frozen=True):
    """What there is to tell. Nothing of what happens at the table: only that it waits."""

    title: str
    text: str
    link: str
    game: str = ""


class Delivery(Struct, frozen=True):
    """How it went: by which way, and what went wrong (as a message to translate), if anything."""

    way: str
    wrong: str = ""
    blanks: dict[str, Any] = {}


class TooOften(Exception):
    """It has been done so often that people elsewhere would mind."""


class TurnNotifier:
    """Goes out when the hall summons somebody. `link` makes an address of the house out of a path."""

    def __init__(
        self,
        registry: TableRegistry,
        webhooks: WebhookSender,
        mailer: Mailer | None,
        link: Callable[[str], str],
        tempo: Timing | None = None,
    ) -> None:
        self.mailer = mailer
        self.link = link
        self._registry = registry
        self._webhooks = webhooks
        self._tempo = tempo or Timing()
        self._summoned: dict[str, dict[str, int]] = {}
        self._told: dict[str, dict[str, int]] = {}
        self._last: dict[str, float] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._errands: set[asyncio.Task[None]] = set()
        self._at_once = asyncio.Semaphore(MOST_AT_ONCE)
        self._trials = Throttle("3 per 1 minute")
        self._examinations = Throttle("10 per 1 minute")
        self._confirmations = {"user": Throttle("5 per 1 day"), "mail": Throttle("3 per 1 day")}
        self._all_confirmations = Throttle("100 per 1 hour")

    # awaited

    def summon(self, user: str, table: Table) -> None:
        """Remember that a table waits for a user, and go out after a while to tell them, unless they have come."""
        id_, event = table.setting.id, table.event
        if event <= self._told.get(user, {}).get(id_, -1) or not self._ways(self._registry.user_store.profile(user)):
            return
        self._summoned.setdefault(user, {})[id_] = event
        live = table.setting.patience <= LIVE_PATIENCE
        due = max(self._now() + (self._tempo.wait_live if live else self._tempo.wait), self._rested(user))
        timer = self._timers.get(user)
        if timer is None or timer.when() > due:
            self._set_timer(user, due)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def _rested(self, user: str) -> float:
        """Return from when on a user may be told something again."""
        return self._last[user] + self._tempo.rest if user in self._last else 0

    def _set_timer(self, user: str, due: float) -> None:
        """Go out later, on nobody's behalf: whoever made the table wait has nothing to do with it."""
        if user in self._timers:
            self._timers[user].cancel()
        self._timers[user] = asyncio.get_running_loop().call_at(due, self._go_out, user, context=Context())

    def _go_out(self, user: str) -> None:
        """Tell a user, if there still is something to tell and nobody to see it."""
        del self._timers[user]
        summoned = self._summoned.pop(user, {})
        awaited = self._registry.table_store.awaited(user)
        news = [table for table in awaited if table in summoned]
        if not news or self._registry.is_here(user):
            return
        now = self._now()
        self._last = {other: at for other, at in self._last.items() if now - at < self._tempo.rest} | {user: now}
        known = self._told.get(user, {}) | summoned
        self._told[user] = {table: known[table] for table in awaited if table in known}
        errand = asyncio.create_task(self._tell(user, news[0]))
        self._errands.add(errand)
        errand.add_done_callback(self._errands.discard)

    async def _tell(self, user: str, table: str) -> None:
        """Tell a user that a table waits, every way there is."""
        ways = self._ways(self._registry.user_store.profile(user))
        await asyncio.gather(*(self._tell_by(way, user, table) for way in ways))

    async def _tell_by(self, way: str, user: str, table: str) -> None:
        """Tell a user one way; what does not arrive is tried once more, if it is still true then."""
        told = await self._attempt(user, way, self._awaited(user, table))
        if told.wrong:
            await asyncio.sleep(self._tempo.retry)
            if table in self._registry.table_store.awaited(user) and not self._registry.is_here(user):
                await self._attempt(user, way, self._awaited(user, table))

    def _awaited(self, user: str, table: str) -> Notice:
        """Say that a table waits for a user, and whether others do."""
        spoken = self._spoken(user)
        entry = self._registry.table_store.entry(table)
        game = games.find(entry.setting.game).title if entry else ""
        further = len(self._registry.table_store.awaited(user)) > 1
        text = " ".join([spoken.gettext(AWAITED).format(game=game), *([spoken.gettext(FURTHER)] if further else [])])
        return Notice(spoken.gettext(YOUR_TURN).format(game=game), text, self.link(f"/tables/{table}"), game)

    # ways

    def _spoken(self, user: str) -> Words:
        return words(self._registry.user_store.profile(user).language, COMMON_TEXTS)

    def _ways(self, profile: Profile) -> list[str]:
        """Return by which ways a user can be told."""
        mail = ["mail"] if self.mailer and profile.mail and profile.confirmed else []
        return [*(["webhook"] if profile.webhook else []), *mail]

    async def _attempt(self, user: str, way: str, notice: Notice) -> Delivery:
        """Tell a user one way; write down how it went, but never where to."""
        try:
            await (self._by_webhook(user, notice) if way == "webhook" else self._by_mail(user, notice))
        except Undelivered as error:
            LOG.warning("not told", extra={"user": user, "way": way, "why": error.why.format(**error.blanks)})
            return Delivery(way, error.why, error.blanks)
        LOG.info("told", extra={"user": user, "way": way})
        return Delivery(way)

    async def _by_webhook(self, user: str, notice: Notice) -> None:
        found = self._registry.user_store.find(user)
        text = f"{notice.text} {notice.link}"
        content = {
            "house": self.link("/"),
            "game": notice.game,
            "table": notice.link if notice.game else "",
            "name": found.name if found else "",
            "text": text,
            "content": text,  # under this name Discord looks for it, under the other one Slack and Mattermost
        }
        async with self._at_once:
            await self._webhooks.deliver(self._registry.user_store.profile(user).webhook, msgspec.json.encode(content))

    async def _by_mail(self, user: str, notice: Notice) -> None:
        found, spoken, answer = self._registry.user_store.find(user), self._spoken(user), await self._answer(user)
        greeting = [spoken.gettext(HELLO).format(name=found.name)] if found and found.name else []
        farewell = spoken.gettext(NO_MORE).format(link=answer)
        await self._post(user, answer, notice.title, [*greeting, f"{notice.text}\n{notice.link}", farewell])

    async def _answer(self, user: str) -> str:
        """Make a link for a mail to a user: there its reader says whether there are to be any."""
        return self.link(f"/mail/{await self._registry.user_store.add_token('mail', user=user)}")

    async def _post(self, user: str, answer: str, title: str, paragraphs: list[str]) -> None:
        assert self.mailer
        text = "\n\n".join(paragraphs) + "\n"
        await self.mailer.deliver(Email(self._registry.user_store.profile(user).mail, title, text, answer))

    # asked for

    async def examine(self, user: str, webhook: str) -> None:
        """Find out whether messages can be sent to a webhook; Undelivered says why not, TooOften to ask later."""
        if not await self._examinations.allows(user):
            raise TooOften
        await self._webhooks.examine(webhook)

    async def try_out(self, user: str) -> list[Delivery]:
        """Send a test every way there is, and say how it went; TooOften when it has just been done."""
        if not await self._trials.allows(user):
            raise TooOften
        spoken = self._spoken(user)
        notice = Notice(spoken.gettext(TRIAL_TITLE), spoken.gettext(TRIAL), self.link("/you"))
        ways = self._ways(self._registry.user_store.profile(user))
        return list(await asyncio.gather(*(self._attempt(user, way, notice) for way in ways)))

    async def ask_to_confirm(self, user: str) -> None:
        """Ask by mail whether mails are wanted there. It holds nothing its sender could have chosen.

        Undelivered says why it could not be sent, TooOften that there were too many.
        """
        mail = self._registry.user_store.profile(user).mail.lower()
        own = await self._confirmations["user"].allows(user) and await self._confirmations["mail"].allows(mail)
        if not (own and await self._all_confirmations.allows("")):
            raise TooOften
        spoken, answer = self._spoken(user), await self._answer(user)
        paragraphs = [f"{spoken.gettext(CONFIRM)}\n{answer}", spoken.gettext(IGNORE)]
        await self._post(user, answer, spoken.gettext(CONFIRM_TITLE), paragraphs)

    async def close(self) -> None:
        """Go out no more."""
        for timer in self._timers.values():
            timer.cancel()
        errands = list(self._errands)
        for errand in errands:
            errand.cancel()
        await asyncio.gather(*errands, return_exceptions=True)
        if self.mailer:
            self.mailer.close()
