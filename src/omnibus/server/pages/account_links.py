"""Pages behind links with a token: recovery links sign in, links in emails confirm the address or stop emails."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from omnibus.server.http.forms import text_field
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.http.visitor import TOKEN, PageVisitor, Registry, Visitor, own_page, set_cookie
from omnibus.server.pages.account import private
from omnibus.server.pages.templates import render, texts
from omnibus.server.store.models import TokenKind, User
from omnibus.server.tables.registry import TableRegistry

router = APIRouter(dependencies=[Depends(own_page)])


async def _owner(registry: TableRegistry, token: str, kind: TokenKind) -> User | None:
    """Return the user a token of this kind belongs to."""
    found = await registry.user_store.token(token)
    return await registry.user_store.find(found.user) if found and found.kind == kind and found.user else None


@router.post("/recover")
async def come_back(request: Request, visit: PageVisitor) -> Response:
    """Go to the page of a recovery link that somebody has typed or pasted: all of it, or the token alone."""
    token = (await text_field(request, "link")).rstrip("/").rpartition("/")[2]
    return private(RedirectResponse(f"/recover/{quote(token, safe='')}" if token else "/you#come-back", 303))


@router.get("/recover/{token}", response_class=HTMLResponse)
async def recovery(request: Request, token: str, visit: PageVisitor, registry: Registry) -> Response:
    """Ask whether to continue as the owner of a recovery link; opening the link alone signs nobody in."""
    return await _recovery_page(request, visit, registry, await _owner(registry, token, "recovery"))


@router.post("/recover/{token}")
async def recover(request: Request, token: str, visit: PageVisitor, registry: Registry) -> Response:
    """Sign in as the owner of a recovery link; an account with tables is left only on purpose."""
    leave = await text_field(request, "leave") == "yes"  # first: the link may be revoked while a slow form comes in
    owner = await _owner(registry, token, "recovery")
    if owner is None or (await _tables_left(registry, visit, owner) and not leave):
        return await _recovery_page(request, visit, registry, owner)
    response = RedirectResponse("/", 303)
    if visit.user is None or visit.user.id != owner.id:
        await spend(Quota.TOKEN)
        device = await registry.user_store.recover(token)
        if device is None:
            return await _recovery_page(request, visit, registry, None)
        set_cookie(response, request, TOKEN, device, httponly=True)
    return private(response)


async def _tables_left(registry: TableRegistry, visit: Visitor, owner: User) -> int:
    """Return how many tables another account used in this browser has."""
    another = visit.user is not None and visit.user.id != owner.id
    return len(await registry.table_store.entries(visit.user.id)) if visit.user and another else 0


async def _recovery_page(request: Request, visit: Visitor, registry: TableRegistry, owner: User | None) -> Response:
    if owner is None:
        return private(render(request, visit, "recover.html", status=404, name=""))
    unnamed = texts(visit.language)["unnamed"]
    return private(
        render(
            request,
            visit,
            "recover.html",
            name=owner.name or unnamed,
            other=(visit.user.name if visit.user else "") or unnamed,
            number=await _tables_left(registry, visit, owner),
            same=visit.user is not None and visit.user.id == owner.id,
        )
    )


@router.get("/mail/{token}", response_class=HTMLResponse)
async def email_choice(request: Request, token: str, visit: PageVisitor, registry: Registry) -> Response:
    """Ask the reader of an email whether to send more; opening the link alone changes nothing."""
    return await _email_page(request, visit, registry, await _owner(registry, token, "mail"))


@router.post("/mail/{token}")
async def choose_emails(request: Request, token: str, visit: PageVisitor, registry: Registry) -> Response:
    """Confirm an email address or stop emails; the unsubscribe buttons of mail programs post here too."""
    wanted = await text_field(request, "mails") == "yes"  # first: the address may change while a slow form comes in
    owner = await _owner(registry, token, "mail")
    if owner is None:
        return await _email_page(request, visit, registry, None)
    mail = (await registry.user_store.profile(owner.id)).mail
    await registry.user_store.keep_mail(owner.id, mail if wanted else "", confirmed=wanted)
    return await _email_page(request, visit, registry, owner, done="emails_confirmed" if wanted else "emails_stopped")


async def _email_page(
    request: Request, visit: Visitor, registry: TableRegistry, owner: User | None, *, done: str = ""
) -> Response:
    t = texts(visit.language)
    return private(
        render(
            request,
            visit,
            "email_choice.html",
            status=200 if owner else 404,
            profile=await registry.user_store.profile(owner.id) if owner else None,
            name=(owner.name if owner else "") or t["unnamed"],
            done=t[done] if done else "",
        )
    )
