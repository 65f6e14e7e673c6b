"""You: your name, your devices, whom you have muted, and how you are told that it is your turn."""

from __future__ import annotations

from typing import Annotated, Any, Final
from urllib.parse import urlsplit

import segno
from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup
from msgspec import Struct

from omnibus.kernel.i18n import COMMON_TEXTS, mark, words
from omnibus.server import text_input
from omnibus.server.config import is_loopback
from omnibus.server.http.visitor import (
    TOKEN,
    PageUser,
    PageVisitor,
    Registry,
    Visitor,
    config_of,
    keep_cookies,
    own_page,
    set_cookie,
)
from omnibus.server.notices.mailer import BAD_MAIL, is_address
from omnibus.server.notices.turn_notifier import TOO_OFTEN, Delivery, TooOften, TurnNotifier
from omnibus.server.notices.webhook import Undelivered
from omnibus.server.pages import texts
from omnibus.server.pages.account_texts import ACCOUNT, SAID
from omnibus.server.pages.templates import render
from omnibus.server.store.models import Token, TokenKind, User
from omnibus.server.store.users import hashed
from omnibus.server.tables.registry import TableRegistry

# What holds a token is kept nowhere and named to nobody: of a page with such an address a browser tells only the house.
# It has to tell that much: with no-referrer, forms would come from nowhere, and be refused.
SECRET: Final = {"cache-control": "no-store", "referrer-policy": "strict-origin"}
NO_MAIL_HERE: Final = mark("This server cannot send emails.")

router = APIRouter(dependencies=[Depends(own_page)])


class News(Struct, frozen=True):
    """What the page says beside what is always there: what was done, what went wrong where, what was just made."""

    said: str = ""
    link: str = ""
    wrong: dict[str, str] = {}
    filled: dict[str, str] = {}
    """What was typed and not taken, to be put right."""
    trial: list[Delivery] = []


def notifier_of(request: Request) -> TurnNotifier:
    """Return the herald of this house."""
    notifier: TurnNotifier = request.app.state.notifier
    return notifier


Notifier = Annotated[TurnNotifier, Depends(notifier_of)]


# the page


@router.get("/you", response_class=HTMLResponse)
async def you(request: Request, visit: PageVisitor, said: str = "") -> Response:
    """Show visitors what is known of them."""
    return _page(request, visit, visit.user, News(said=said))


def _page(request: Request, visit: Visitor, user: User | None, news: News) -> Response:
    """Show the page about oneself."""
    spoken = words(visit.language, COMMON_TEXTS)
    registry = request.app.state.registry
    your = texts.told(ACCOUNT, spoken)
    return _private(
        render(
            request,
            visit,
            "account.html",
            status=400 if news.wrong else 200,
            here="/you",
            your=your,
            user=user,
            profile=registry.user_store.profile(user.id) if user else None,
            recoverable=user is not None and registry.user_store.has_token(user.id, "recovery"),
            muted=_muted(registry, user, your["nameless"]) if user else [],
            can_mail=notifier_of(request).mailer is not None,
            said=spoken.gettext(SAID[news.said]) if news.said in SAID else "",
            link=news.link,
            local=is_loopback(urlsplit(news.link).hostname or ""),
            qr=_qr(news.link) if news.link else "",
            wrong={where: spoken.gettext(why) for where, why in news.wrong.items()},
            filled=news.filled,
            trial=[(told.way, _outcome(told, visit)) for told in news.trial],
        )
    )


def _private(page: Response) -> Response:
    page.headers.update(SECRET)
    return page


def _muted(registry: TableRegistry, user: User, nameless: str) -> list[tuple[str, str]]:
    """Return whom a user has muted: a key that says nothing to anybody else, and a name."""
    found = [registry.user_store.find(other) for other in registry.user_store.muted(user.id)]
    return sorted(((hashed(one.id), one.name or nameless) for one in found if one), key=lambda one: one[1].casefold())


def _qr(link: str) -> Markup:
    """Draw a link as a QR code: dark on light by day and by night, with its margin, without any style."""
    drawn = segno.make(link, error="m", micro=False)
    return Markup(drawn.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None))


def _outcome(told: Delivery, visit: Visitor) -> str:
    """Say how a test went."""
    fine = ACCOUNT["arrived"] if told.way == "webhook" else ACCOUNT["taken"]
    return words(visit.language, COMMON_TEXTS).gettext(told.wrong or fine).format(**told.blanks)


def _back(response: Response, said: str) -> Response:
    """Go back to the page, and say what was done."""
    return keep_cookies(RedirectResponse(f"/you?said={said}", 303), response)


async def _text(request: Request, field: str) -> str:
    """Read what was typed into a field."""
    form = await request.form(max_files=0, max_fields=5)
    value = form.get(field)
    return value.strip() if isinstance(value, str) else ""


# name, devices, muted people


@router.post("/you/name")
async def rename(request: Request, user: PageUser, registry: Registry, response: Response) -> Response:
    """Take another name."""
    await registry.rename(user, text_input.clean_name(await _text(request, "name")))
    return _back(response, "name")


@router.post("/you/link")
async def make_link(
    request: Request, user: PageUser, visit: PageVisitor, registry: Registry, response: Response
) -> Response:
    """Make a recovery link and show it, this once."""
    token = await registry.user_store.add_token("recovery", user=user.id)
    link = config_of(request).link(request, f"/recover/{token}")
    return keep_cookies(_page(request, visit, user, News(link=link)), response)


@router.post("/you/link/withdraw")
async def withdraw_link(user: PageUser, registry: Registry, response: Response) -> Response:
    """Make the recovery link worthless."""
    await registry.user_store.drop_tokens(user.id, "recovery")
    return _back(response, "withdrawn")


@router.post("/you/devices")
async def sign_out_others(request: Request, user: PageUser, registry: Registry, response: Response) -> Response:
    """Let no other device be recognized any more; what is open there is interrupted."""
    await registry.user_store.drop_tokens(user.id, "device", keep=request.cookies.get(TOKEN, ""))
    registry.interrupt(user.id)
    return _back(response, "alone")


@router.post("/you/hear")
async def hear(request: Request, user: PageUser, registry: Registry, response: Response) -> Response:
    """Hear somebody again."""
    whom = await _text(request, "whom")
    for other in registry.user_store.muted(user.id):
        if hashed(other) == whom:
            await registry.user_store.mute(user.id, other, muted=False)
    return _back(response, "heard")


# being told


@router.post("/you/webhook")
async def keep_webhook(
    request: Request, user: PageUser, visit: PageVisitor, registry: Registry, notifier: Notifier, response: Response
) -> Response:
    """Keep a webhook, if messages can be sent there."""
    address = await _text(request, "webhook")
    why = await _wrong_webhook(address, notifier, user) if address else ""
    if why:
        wrong = News(wrong={"webhook": why}, filled={"webhook": address})
        return keep_cookies(_page(request, visit, user, wrong), response)
    await registry.user_store.keep_webhook(user.id, address)
    await registry.user_store.speak(user.id, visit.language)
    return _back(response, "webhook" if address else "no-webhook")


async def _wrong_webhook(address: str, notifier: TurnNotifier, user: User) -> str:
    """Say why nothing can be sent to an address, if so."""
    try:
        await notifier.examine(user.id, address)
    except Undelivered as error:
        return error.why
    except TooOften:
        return TOO_OFTEN
    return ""


@router.post("/you/mail")
async def keep_mail(
    request: Request, user: PageUser, visit: PageVisitor, registry: Registry, notifier: Notifier, response: Response
) -> Response:
    """Keep a mail address, and ask there whether mails are wanted."""
    address = await _text(request, "mail")
    profile = registry.user_store.profile(user.id)
    if address and profile.confirmed and address == profile.mail:
        return _back(response, "")
    why = _wrong_mail(address, notifier)
    if not why:
        await registry.user_store.speak(user.id, visit.language)
        await registry.user_store.keep_mail(user.id, address)
        why = await _asked_to_confirm(notifier, user) if address else ""
    if why:
        wrong = News(wrong={"mail": why}, filled={"mail": address})
        return keep_cookies(_page(request, visit, user, wrong), response)
    return _back(response, "mail" if address else "no-mail")


def _wrong_mail(address: str, notifier: TurnNotifier) -> str:
    """Say what is wrong with an address; nothing with none."""
    if notifier.mailer is None:
        return NO_MAIL_HERE
    return BAD_MAIL if address and not is_address(address) else ""


async def _asked_to_confirm(notifier: TurnNotifier, user: User) -> str:
    """Ask whether mails are wanted; say why that could not be asked, if so."""
    try:
        await notifier.ask_to_confirm(user.id)
    except Undelivered as error:
        return error.why
    except TooOften:
        return TOO_OFTEN
    return ""


@router.post("/you/test")
async def try_out(
    request: Request, user: PageUser, visit: PageVisitor, notifier: Notifier, response: Response
) -> Response:
    """Send a test, and say in words how it went."""
    try:
        news = News(trial=await notifier.try_out(user.id))
    except TooOften:
        news = News(wrong={"test": TOO_OFTEN})
    return keep_cookies(_page(request, visit, user, news), response)


# links


def _owner(registry: TableRegistry, token: str, kind: TokenKind) -> User | None:
    """Find whose token it is, if it is one of this kind."""
    found: Token | None = registry.user_store.token(token)
    return registry.user_store.find(found.user) if found and found.kind == kind and found.user else None


@router.get("/recover/{token}", response_class=HTMLResponse)
async def recovery(request: Request, token: str, visit: PageVisitor, registry: Registry) -> Response:
    """Ask whether to go on as the owner of a link; a link that is merely looked at does nothing."""
    return _recovery(request, visit, registry, _owner(registry, token, "recovery"))


@router.post("/recover/{token}")
async def recover(request: Request, token: str, visit: PageVisitor, registry: Registry) -> Response:
    """Go on as the owner of a link on this device; who was somebody else until now has to be willing to leave."""
    leaves = await _text(request, "leave") == "yes"  # read first: the link may be withdrawn while a slow form comes in
    owner = _owner(registry, token, "recovery")
    if owner is None or (_left_behind(registry, visit, owner) and not leaves):
        return _recovery(request, visit, registry, owner)
    onward = RedirectResponse("/", 303)
    if visit.user is None or visit.user.id != owner.id:
        set_cookie(onward, request, TOKEN, await registry.user_store.add_token("device", user=owner.id), httponly=True)
    return _private(onward)


def _left_behind(registry: TableRegistry, visit: Visitor, owner: User) -> int:
    """Return at how many tables somebody else has sat on this device."""
    another = visit.user is not None and visit.user.id != owner.id
    return len(registry.table_store.entries(visit.user.id)) if visit.user and another else 0


def _recovery(request: Request, visit: Visitor, registry: TableRegistry, owner: User | None) -> Response:
    your = texts.told(ACCOUNT, words(visit.language, COMMON_TEXTS))
    if owner is None:
        return _private(render(request, visit, "recover.html", status=404, your=your, name=""))
    names: dict[str, Any] = {
        "name": owner.name or your["nameless"],
        "other": (visit.user.name if visit.user else "") or your["nameless"],
        "number": _left_behind(registry, visit, owner),
        "same": visit.user is not None and visit.user.id == owner.id,
    }
    return _private(render(request, visit, "recover.html", your=your, **names))


@router.get("/mail/{token}", response_class=HTMLResponse)
async def mails(request: Request, token: str, visit: PageVisitor, registry: Registry) -> Response:
    """Ask the reader of a mail whether there are to be any; a link that is merely looked at does nothing."""
    return _mails(request, visit, registry, _owner(registry, token, "mail"))


@router.post("/mail/{token}")
async def decide_mails(request: Request, token: str, visit: PageVisitor, registry: Registry) -> Response:
    """Confirm an address, or end the mails; mail programs with a button for the latter ask for it here, too."""
    wanted = await _text(request, "mails") == "yes"  # read first: another address may be named while a slow form comes
    owner = _owner(registry, token, "mail")
    if owner is None:
        return _mails(request, visit, registry, None)
    mail = registry.user_store.profile(owner.id).mail
    await registry.user_store.keep_mail(owner.id, mail if wanted else "", confirmed=wanted)
    return _mails(request, visit, registry, owner, done="mails_confirmed" if wanted else "mails_stopped")


def _mails(
    request: Request, visit: Visitor, registry: TableRegistry, owner: User | None, *, done: str = ""
) -> Response:
    your = texts.told(ACCOUNT, words(visit.language, COMMON_TEXTS))
    profile = registry.user_store.profile(owner.id) if owner else None
    name = (owner.name if owner else "") or your["nameless"]
    done = your[done] if done else ""
    status = 200 if owner else 404
    return _private(
        render(request, visit, "email_choice.html", status=status, your=your, profile=profile, name=name, done=done)
    )
