"""Messages on request: confirmations of an email address and test messages, not too many of them."""

from __future__ import annotations

import json
from contextlib import closing, suppress

import pytest

from omnibus.server.http.rate_limits import CALLER, Caller, RateLimiter
from omnibus.server.notices import message_sender
from omnibus.server.notices.mailer import Mailer, MailServer
from omnibus.server.notices.message_sender import Delivery, MessageSender, TooManyAttempts
from omnibus.server.notices.webhook import WebhookSender
from omnibus.server.people import accounts
from omnibus.server.store.models import User
from omnibus.server.tables.registry import TableRegistry
from support.receivers import listener, mailbox

SERVER_ERROR = b"HTTP/1.1 500 Oh\r\n\r\n"


def sender(registry: TableRegistry, mailer: Mailer) -> MessageSender:
    """A sender that may send to this machine."""
    webhooks = WebhookSender(private=True)
    return MessageSender(registry.user_store, webhooks, mailer, lambda path: f"https://games.example.org{path}")


async def test_asking_for_confirmation(registry: TableRegistry, user: User) -> None:
    """The email contains nothing that the user has written, and a mailbox gets only a few."""
    with mailbox() as (box, port), closing(Mailer(MailServer("127.0.0.1", port, "games@example.org"))) as mailer:
        going = sender(registry, mailer)
        await accounts.rename(registry, user, "Buy now")
        for _ in range(3):
            await registry.user_store.keep_mail(user.id, "victim@example.org")
            await going.send_confirmation(user.id)
        for address in ("Victim@example.org", "victim+tag@Example.org"):
            other, _ = await registry.user_store.add_user()
            await registry.user_store.keep_mail(other.id, address)
            with pytest.raises(TooManyAttempts):
                await going.send_confirmation(other.id)
    assert len(box.mails) == 3
    assert all("Buy now" not in str(mail) for mail in box.mails)


async def test_nobody_uses_up_the_confirmations_of_everybody(
    registry: TableRegistry, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A visitor at one address runs out first, however many users and mailboxes there are; others do not notice."""
    monkeypatch.setitem(message_sender.CONFIRMATIONS, "all", "12 per 1 hour")
    with mailbox() as (box, port), closing(Mailer(MailServer("127.0.0.1", port, "games@example.org"))) as mailer:
        going = sender(registry, mailer)
        rates = RateLimiter()
        for number, address in enumerate(["192.0.2.1"] * 30 + ["192.0.2.2"]):
            other, _ = await registry.user_store.add_user()
            await registry.user_store.keep_mail(other.id, f"mailbox{number}@example.org")
            before = CALLER.set(Caller(rates, other.id, address))
            with suppress(TooManyAttempts):
                await going.send_confirmation(other.id)
            CALLER.reset(before)
    assert len(box.mails) == 11
    assert box.mails[-1]["to"] == "mailbox30@example.org"


async def test_a_test_says_how_it_went(registry: TableRegistry, user: User) -> None:
    """Every way there is, at the same time; not too often."""
    with mailbox() as (box, port), closing(Mailer(MailServer("127.0.0.1", port, "games@example.org"))) as mailer:
        async with listener(SERVER_ERROR) as listening:
            going = sender(registry, mailer)
            assert await going.send_test(user.id) == []
            await registry.user_store.keep_webhook(user.id, listening.url)
            await registry.user_store.keep_mail(user.id, "zoe@example.org", confirmed=True)
            wrong, right = await going.send_test(user.id)
            assert (wrong.way, wrong.values, right) == ("webhook", {"status": 500}, Delivery("mail"))
            assert [delivery.error for delivery in await going.send_test(user.id)] == ["", ""]
            assert json.loads(listening.heard[1][1])["table"] == ""
            with pytest.raises(TooManyAttempts):
                await going.send_test(user.id)
    assert len(box.mails) == 2
