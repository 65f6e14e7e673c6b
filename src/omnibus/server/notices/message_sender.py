"""Sends messages to users: by webhook, email and Web Push; also test messages and the confirmation of an address."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Struct

from omnibus.kernel.game import Words
from omnibus.kernel.i18n import COMMON_TEXTS, mark, words
from omnibus.server import metrics
from omnibus.server.http.rate_limits import CALLER, Quota, Throttle, spend
from omnibus.server.notices.mailer import Email, Mailer, mailbox
from omnibus.server.notices.web_push import PushSender
from omnibus.server.notices.web_push import check as check_subscription
from omnibus.server.notices.webhook import Undelivered, WebhookSender
from omnibus.server.store.counters import CounterStore
from omnibus.server.store.push import PushSubscription
from omnibus.server.store.users import UserStore

LOG: Final = logging.getLogger("omnibus.notices")
MOST_AT_ONCE: Final = 16  # webhook requests
CONFIRMATIONS: Final = {
    "user": "5 per 1 day",
    "mail": "3 per 1 day",
    "address": "10 per 1 hour",  # of the visitor, where visitors are counted
    "all": "500 per 1 hour",
}
"""How many emails for confirmation are sent: for one user, to one mailbox, at one address, and in all."""

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


class MessageSender:
    """Sends users messages in every way they have chosen. `link` makes a URL of this server out of a path."""

    def __init__(
        self,
        user_store: UserStore,
        webhooks: WebhookSender,
        mailer: Mailer | None,
        link: Callable[[str], str],
        push: PushSender | None = None,
    ) -> None:
        self.mailer = mailer
        self.push = push
        self.link = link
        self._user_store = user_store
        self._webhooks = webhooks
        self._slots = asyncio.Semaphore(MOST_AT_ONCE)
        database = user_store.database
        counters = CounterStore(database) if database.shared else None
        self._tests = Throttle("3 per 1 minute", "test", counters)
        self._checks = Throttle("10 per 1 minute", "check", counters)
        self._confirmations = {kind: Throttle(limit, kind, counters) for kind, limit in CONFIRMATIONS.items()}

    async def words_of(self, user: str) -> Words:
        """Return the translations into the language of a user."""
        return words((await self._user_store.profile(user)).language, COMMON_TEXTS)

    async def ways(self, user: str) -> list[str]:
        """Return how messages reach a user: webhook, mail, push, several of them or not at all."""
        profile = await self._user_store.profile(user)
        mail = ["mail"] if self.mailer and profile.mail and profile.confirmed else []
        push = ["push"] if self.push and profile.push else []
        return [*(["webhook"] if profile.webhook else []), *mail, *push]

    async def deliver(self, user: str, way: str, notice: Notice) -> Delivery:
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
        found, translated = await self._user_store.find(user), await self.words_of(user)
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

    async def subscribe(self, user: str, device: str, subscription: PushSubscription, here: str) -> None:
        """Send push messages to a device from now on; Undelivered says why that is not possible.

        `here` is the address under which the device knows this server.
        """
        assert self.push
        check_subscription(subscription, here)
        await self.check_webhook(user, subscription.endpoint)
        await self.push.store.add(user, device, subscription)

    async def send_test(self, user: str) -> list[Delivery]:
        """Send a test message in every way that reaches the user, and return how each went."""
        if not await self._tests.allows(user):
            raise TooManyAttempts
        translated = await self.words_of(user)
        notice = Notice(translated.gettext(TEST_TITLE), translated.gettext(TEST), self.link("/you"))
        ways = await self.ways(user)
        return list(await asyncio.gather(*(self.deliver(user, way, notice) for way in ways)))

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
        translated, choice = await self.words_of(user), await self._choice_link(user)
        paragraphs = [f"{translated.gettext(CONFIRM)}\n{choice}", translated.gettext(IGNORE)]
        await self._mail(user, choice, translated.gettext(CONFIRM_TITLE), paragraphs)

    def close(self) -> None:
        """Close the connection to the mail server."""
        if self.mailer:
            self.mailer.close()
