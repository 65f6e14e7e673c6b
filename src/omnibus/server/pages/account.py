"""The account page: name, devices, notifications, open data, muted players."""

from __future__ import annotations

import time
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

import segno
from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup
from msgspec import Struct

from omnibus import games
from omnibus.kernel.i18n import COMMON_TEXTS, mark, words
from omnibus.server import text_input
from omnibus.server.config import is_loopback
from omnibus.server.errors import Rejected
from omnibus.server.http.forms import text_field
from omnibus.server.http.visitor import (
    TOKEN,
    PageUser,
    PageVisitor,
    Registry,
    Visitor,
    config_of,
    keep_cookies,
    own_page,
)
from omnibus.server.notices.mailer import BAD_ADDRESS, is_address
from omnibus.server.notices.message_sender import TOO_MANY_ATTEMPTS, Delivery, MessageSender, TooManyAttempts
from omnibus.server.notices.webhook import Undelivered
from omnibus.server.pages.account_texts import ACCOUNT, DONE
from omnibus.server.pages.templates import date, render, texts
from omnibus.server.people import accounts, vacations
from omnibus.server.people.moderation import Moderation
from omnibus.server.store.models import User
from omnibus.server.store.users import hashed
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.results import GameStatistics, statistics

# Pages whose address holds a token are not cached, and their address is sent to no other site as a referrer. To this
# server it must be sent: with `no-referrer`, browsers send forms with the origin `null`, and those are refused.
PRIVATE: Final = {"cache-control": "no-store", "referrer-policy": "strict-origin"}
CANNOT_SEND: Final = mark("This server cannot send emails.")

router = APIRouter(dependencies=[Depends(own_page)])


class Feedback(Struct, frozen=True):
    """What the account page says about the form that was just sent."""

    done: str = ""
    """A key of DONE."""
    link: str = ""
    """A recovery link, shown this once."""
    errors: dict[str, str] = {}
    """By field."""
    typed: dict[str, str] = {}
    """What was typed into fields with errors."""
    test: list[Delivery] = []
    """How the test messages went."""


async def sender_of(request: Request) -> MessageSender:
    """Return what sends the messages of this server."""
    sender: MessageSender = request.app.state.sender
    return sender


Sender = Annotated[MessageSender, Depends(sender_of)]


# the account page


@router.get("/you", response_class=HTMLResponse)
async def account(request: Request, visit: PageVisitor, done: str = "") -> Response:
    """Show the visitor's account."""
    return await _account_page(request, visit, visit.user, Feedback(done=done))


async def _account_page(request: Request, visit: Visitor, user: User | None, feedback: Feedback) -> Response:
    translated = words(visit.language, COMMON_TEXTS)
    registry: TableRegistry = request.app.state.registry
    users, sender = registry.user_store, await sender_of(request)
    return private(
        render(
            request,
            visit,
            "account.html",
            status=400 if feedback.errors else 200,
            here="/you",
            user=user,
            profile=await users.profile(user.id) if user else None,
            claimed=await _claimed(registry, user),
            open_reports=await Moderation(registry).open_reports(user),
            recovery=await users.recovery_link(user.id) if user else None,
            muted=await _muted(registry, user, texts(visit.language)["unnamed"]) if user else [],
            statistics=await _statistics(registry, user) if user else [],
            vacation=await _vacation(registry, user, visit.language) if user else None,
            shares_games=user is not None and await users.shares_games(user.id),
            can_mail=sender.mailer is not None,
            **await _push(sender, user),
            done=translated.gettext(DONE[feedback.done]) if feedback.done in DONE else "",
            link=feedback.link,
            local=is_loopback(urlsplit(feedback.link).hostname or ""),
            qr=_qr(feedback.link) if feedback.link else "",
            errors={field: translated.gettext(why) for field, why in feedback.errors.items()},
            typed=feedback.typed,
            test=[(delivery.way, _outcome(delivery, visit)) for delivery in feedback.test],
        )
    )


async def _claimed(registry: TableRegistry, user: User | None) -> str:
    """Return the name a user has claimed; empty if none."""
    claim = await registry.rating_service.claims.of(user.id) if user else None
    return claim.name if claim else ""


def private(page: Response) -> Response:
    """Keep a page with a token in its address, or in its text, to its reader."""
    page.headers.update(PRIVATE)
    return page


async def _muted(registry: TableRegistry, user: User, unnamed: str) -> list[tuple[str, str]]:
    """Return whom a user has muted, by name; the key beside it is a hash, since ids are not shown to others."""
    found = [await registry.user_store.find(other) for other in await registry.user_store.muted(user.id)]
    return sorted(((hashed(one.id), one.name or unnamed) for one in found if one), key=lambda one: one[1].casefold())


async def _vacation(registry: TableRegistry, user: User, language: str) -> dict[str, Any]:
    """Return until when a user is on vacation, in words and empty if they are not, and how many days are left."""
    found, now = await registry.vacation_store.of(user.id), time.time()
    until = vacations.ends(found, now)
    days = vacations.days_left(found, now)
    return {"until": date(until, language) if until else "", "left": days, "days": vacations.DAYS_A_YEAR}


async def _push(sender: MessageSender, user: User | None) -> dict[str, Any]:
    """Return the key with which browsers subscribe to push messages, and the subscriptions of a user."""
    if sender.push is None or user is None:
        return {"push_key": "", "push_devices": []}
    devices = [each.endpoint for each in await sender.push.store.of(user.id)]
    return {"push_key": await sender.push.public_key(), "push_devices": devices}


async def _statistics(registry: TableRegistry, user: User) -> list[tuple[str, GameStatistics]]:
    """Return the results of a user, with the titles of the games."""
    found = statistics(await registry.table_store.finished(user.id), user.id)
    return [(games.find(each.game).title if each.game in games.names() else each.game, each) for each in found]


def _qr(link: str) -> Markup:
    """Draw a link as a QR code, dark on light in both themes, with its margin and without inline styles."""
    drawn = segno.make(link, error="m", micro=False)
    return Markup(drawn.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None))


def _outcome(delivery: Delivery, visit: Visitor) -> str:
    """Say how a test message went."""
    success = ACCOUNT["accepted"] if delivery.way == "mail" else ACCOUNT["delivered"]
    return words(visit.language, COMMON_TEXTS).gettext(delivery.error or success).format(**delivery.values)


def _done(response: Response, done: str) -> Response:
    """Go back to the account page, which says what was done."""
    return keep_cookies(RedirectResponse(f"/you?done={done}", 303), response)


# name, devices, muted players


@router.post("/you/name")
async def rename(
    request: Request, user: PageUser, visit: PageVisitor, registry: Registry, response: Response
) -> Response:
    """Change the user's name."""
    name = text_input.clean_name(await text_field(request, "name"))
    try:
        await accounts.rename(registry, user, name)
    except Rejected as rejected:
        feedback = Feedback(errors={"name": rejected.why}, typed={"name": name})
        return keep_cookies(await _account_page(request, visit, user, feedback), response)
    return _done(response, "name")


@router.post("/you/claim")
async def claim_name(
    request: Request, user: PageUser, visit: PageVisitor, registry: Registry, response: Response
) -> Response:
    """Claim the user's name for them alone."""
    try:
        token = await accounts.claim(registry, user, user.name)
    except Rejected as rejected:
        feedback = Feedback(errors={"claim": rejected.why})
        return keep_cookies(await _account_page(request, visit, user, feedback), response)
    if token is None:
        return _done(response, "claimed")
    return await _link_page(request, visit, user, response, token, done="claimed")


@router.post("/you/link")
async def create_link(
    request: Request, user: PageUser, visit: PageVisitor, registry: Registry, response: Response
) -> Response:
    """Create a recovery link and show it, this once."""
    return await _link_page(request, visit, user, response, await accounts.create_link(registry, user))


async def _link_page(
    request: Request, visit: Visitor, user: User, response: Response, token: str, *, done: str = ""
) -> Response:
    """Show a new recovery link on the account page."""
    feedback = Feedback(done=done, link=config_of(request).link(request, f"/recover/{token}"))
    return keep_cookies(await _account_page(request, visit, user, feedback), response)


@router.post("/you/link/withdraw")
async def revoke_link(user: PageUser, registry: Registry, response: Response) -> Response:
    """Revoke the recovery link."""
    await registry.user_store.drop_tokens(user.id, "recovery")
    return _done(response, "revoked")


@router.post("/you/devices")
async def sign_out_others(request: Request, user: PageUser, registry: Registry, response: Response) -> Response:
    """Sign out all other devices and the programs in the user's seats, and revoke the recovery link."""
    await accounts.sign_out_others(registry, user, request.cookies.get(TOKEN, ""))
    return _done(response, "signed-out")


@router.post("/you/hear")
async def unmute(request: Request, user: PageUser, registry: Registry, response: Response) -> Response:
    """Unmute a player."""
    whom = await text_field(request, "whom")
    for other in await registry.user_store.muted(user.id):
        if hashed(other) == whom:
            await registry.user_store.mute(user.id, other, muted=False)
    return _done(response, "unmuted")


# vacation


@router.post("/you/vacation")
async def start_vacation(
    request: Request, user: PageUser, visit: PageVisitor, registry: Registry, response: Response
) -> Response:
    """Begin a vacation of some days."""
    days = await text_field(request, "days")
    try:
        await vacations.begin(registry, user, int(days) if days.isdecimal() and len(days) < 4 else 0)
    except Rejected as rejected:
        feedback = Feedback(errors={"days": rejected.why}, typed={"days": days})
        return keep_cookies(await _account_page(request, visit, user, feedback), response)
    return _done(response, "vacation")


@router.post("/you/vacation/end")
async def end_vacation(user: PageUser, registry: Registry, response: Response) -> Response:
    """End the vacation."""
    await vacations.end(registry, user)
    return _done(response, "no-vacation")


# open data


@router.post("/you/open-data")
async def share_games(request: Request, user: PageUser, registry: Registry, response: Response) -> Response:
    """Allow or forbid that the user's finished games are published."""
    shared = await text_field(request, "share") == "yes"
    await registry.user_store.share_games(user.id, shared=shared)
    return _done(response, "open-data" if shared else "no-open-data")


# notifications


@router.post("/you/webhook")
async def save_webhook(
    request: Request, user: PageUser, visit: PageVisitor, registry: Registry, sender: Sender, response: Response
) -> Response:
    """Save a webhook, if messages can be sent there."""
    url = await text_field(request, "webhook")
    error = await _webhook_error(url, sender, user) if url else ""
    if error:
        feedback = Feedback(errors={"webhook": error}, typed={"webhook": url})
        return keep_cookies(await _account_page(request, visit, user, feedback), response)
    await registry.user_store.keep_webhook(user.id, url)
    await registry.user_store.speak(user.id, visit.language)
    return _done(response, "webhook" if url else "no-webhook")


async def _webhook_error(url: str, sender: MessageSender, user: User) -> str:
    """Return why nothing can be sent to a webhook; empty when it can."""
    try:
        await sender.check_webhook(user.id, url)
    except Undelivered as error:
        return error.why
    except TooManyAttempts:
        return TOO_MANY_ATTEMPTS
    return ""


@router.post("/you/mail")
async def save_mail(
    request: Request, user: PageUser, visit: PageVisitor, registry: Registry, sender: Sender, response: Response
) -> Response:
    """Save an email address, and send a link there to confirm it."""
    address = await text_field(request, "mail")
    profile = await registry.user_store.profile(user.id)
    if address and profile.confirmed and address == profile.mail:
        return _done(response, "")
    error = _mail_error(address, sender)
    if not error:
        await registry.user_store.speak(user.id, visit.language)
        await registry.user_store.keep_mail(user.id, address)
        error = await _confirmation_error(sender, user) if address else ""
    if error:
        feedback = Feedback(errors={"mail": error}, typed={"mail": address})
        return keep_cookies(await _account_page(request, visit, user, feedback), response)
    return _done(response, "mail" if address else "no-mail")


def _mail_error(address: str, sender: MessageSender) -> str:
    """Return what is wrong with an email address; empty when nothing is, or there is no address."""
    if sender.mailer is None:
        return CANNOT_SEND
    return BAD_ADDRESS if address and not is_address(address) else ""


async def _confirmation_error(sender: MessageSender, user: User) -> str:
    """Send the email with the confirmation link; return why it could not be sent, if so."""
    try:
        await sender.send_confirmation(user.id)
    except Undelivered as error:
        return error.why
    except TooManyAttempts:
        return TOO_MANY_ATTEMPTS
    return ""


@router.post("/you/test")
async def send_test(
    request: Request, user: PageUser, visit: PageVisitor, sender: Sender, response: Response
) -> Response:
    """Send test messages, and show how it went."""
    try:
        feedback = Feedback(test=await sender.send_test(user.id))
    except TooManyAttempts:
        feedback = Feedback(errors={"test": TOO_MANY_ATTEMPTS})
    return keep_cookies(await _account_page(request, visit, user, feedback), response)
