"""Open tables: where people wait for each other, sit down by invitation or from the lobby, and stand up again."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.kernel.dice import Dice
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import COMMON_TEXTS, mark, words
from omnibus.kernel.svg import SEATS
from omnibus.server.config import is_loopback
from omnibus.server.errors import Rejected, TableNotFound
from omnibus.server.http.forms import name_in, onward
from omnibus.server.http.visitor import PageUser, PageVisitor, Registry, Visitor, config_of, own_page
from omnibus.server.pages import texts
from omnibus.server.pages.templates import embedded, render
from omnibus.server.store.models import DAY, DEFAULT_BOT, LIVE_PATIENCE, TableRow, TableSetup
from omnibus.server.tables import actions
from omnibus.server.tables.scene import LEVELS
from omnibus.server.tables.table import names_of

PATIENCES: Final = {
    LIVE_PATIENCE: mark("10 minutes (live game)"),
    DAY: mark("1 day"),
    3 * DAY: mark("3 days"),
    7 * DAY: mark("1 week"),
}
NO_INVITATION: Final = mark("This invitation is no longer valid: the seat is taken, or the table has been deleted.")

router = APIRouter(dependencies=[Depends(own_page)])


def gathering(
    request: Request, visit: Visitor, setting: TableSetup, *, invited: tuple[int, str] | None = None
) -> HTMLResponse:
    """Show an open table; `invited` is a seat for which a link was made just now, and the link."""
    game = games.find(setting.game)
    spoken = words(visit.language, game.folder, COMMON_TEXTS)
    user = visit.user.id if visit.user else None
    return render(
        request,
        visit,
        "open_table.html",
        game.folder,
        id=setting.id,
        game=game,
        places=places(setting, user, spoken),
        mine=setting.owner == user,
        seated=user in setting.people(),
        listed=setting.listed,
        invited=invited,
        local=invited is not None and is_loopback(urlsplit(invited[1]).hostname or ""),
        options=_chosen(setting, spoken),
        patience=patience_told(setting.patience, spoken),
        commitment=Dice(setting.seed).commitment,
        bots=[(name, spoken.gettext(LEVELS[name])) for name in bot_names()],
        usual=DEFAULT_BOT,
        table_texts=embedded(texts.told(texts.TABLE, spoken)),
        tell=texts.told(texts.TABLE, spoken),
    )


def places(setting: TableSetup, user: str | None, spoken: Words) -> list[dict[str, Any]]:
    """Say who sits where."""
    names = names_of(setting.sitters, spoken)
    return [
        {
            "seat": seat,
            "letter": SEATS[seat].letter,
            "free": sitter.free,
            "mine": sitter.user is not None and sitter.user == user,
            "name": names[seat],
            "bot": spoken.gettext(LEVELS[sitter.bot]) if sitter.bot else "",
        }
        for seat, sitter in enumerate(setting.sitters)
    ]


def _chosen(setting: TableSetup, spoken: Words) -> list[tuple[str, str]]:
    """Tell the options that are not as usual."""
    options = games.find(setting.game).options
    return [
        (spoken.gettext(options[name].text), spoken.gettext(options[name].called(value)))
        for name, value in setting.options.items()
        if value != options[name].default
    ]


def patience_told(patience: float, spoken: Words) -> str:
    """Say how long somebody may be away."""
    nearest = min(PATIENCES, key=lambda known: abs(known - patience))
    return spoken.gettext(PATIENCES[nearest])


def seated_names(setting: TableSetup, spoken: Words) -> list[str]:
    """Name those who sit at a table already."""
    names = names_of(setting.sitters, spoken)
    return [name for name, sitter in zip(names, setting.sitters, strict=True) if not sitter.free]


def offered(entry: TableRow, visit: Visitor) -> dict[str, Any]:
    """Say of an open table what the lobby shows."""
    setting = entry.setting
    spoken = words(visit.language, games.find(setting.game).folder, COMMON_TEXTS)
    return {
        "id": setting.id,
        "title": games.find(setting.game).title,
        "names": seated_names(setting, spoken),
        "seated": visit.user is not None and visit.user.id in setting.people(),
        "free": setting.free(),
        "patience": patience_told(setting.patience, spoken),
        "options": _chosen(setting, spoken),
    }


def _again(table_id: str) -> Response:
    return RedirectResponse(f"/tables/{table_id}", 303)


@router.post("/tables/{table_id}/seats/{seat}/sit")
async def sit(
    request: Request, table_id: str, seat: int, user: PageUser, registry: Registry, response: Response
) -> Response:
    """Sit down at a table the lobby shows."""
    name = name_in(await request.form(max_files=0, max_fields=5))
    await actions.introduce(registry, user, name)
    await actions.sit(registry, user, table_id, seat, name or user.name)
    return onward(response, f"/tables/{table_id}")


@router.post("/tables/{table_id}/seats/{seat}/stand")
async def stand_up(table_id: str, seat: int, user: PageUser, registry: Registry) -> Response:
    """Leave a seat, or free that of somebody else at an own table."""
    await actions.stand_up(registry, user, table_id, seat)
    return _again(table_id)


@router.post("/tables/{table_id}/seats/{seat}/fill")
async def fill(request: Request, table_id: str, seat: int, user: PageUser, registry: Registry) -> Response:
    """Let a bot sit down."""
    form = await request.form(max_files=0, max_fields=5)
    bot = form.get("bot")
    await actions.fill(registry, user, table_id, seat, bot if isinstance(bot, str) else DEFAULT_BOT)
    return _again(table_id)


@router.post("/tables/{table_id}/seats/{seat}/invite")
async def invite(
    request: Request, table_id: str, seat: int, user: PageUser, visit: PageVisitor, registry: Registry
) -> Response:
    """Make a link with which somebody can sit down in a seat; it is shown this once."""
    token = await actions.invite(registry, user, table_id, seat)
    link = config_of(request).link(request, f"/join/{token}")
    return gathering(request, visit, registry.gathering(table_id), invited=(seat, link))


@router.get("/join/{token}", response_class=HTMLResponse)
async def invitation(request: Request, token: str, visit: PageVisitor, registry: Registry) -> Response:
    """Show an invitation. Nothing happens yet: programs that look ahead at links come here too."""
    try:
        setting, seat = actions.invitation(registry, token)
    except (TableNotFound, Rejected):
        return _trouble(request, visit, NO_INVITATION, 404)
    game = games.find(setting.game)
    spoken = words(visit.language, game.folder, COMMON_TEXTS)
    others = places(setting, None, spoken)
    return render(
        request,
        visit,
        "invitation.html",
        game.folder,
        game=game,
        token=token,
        about=game.help(spoken)[0][1],
        letter=SEATS[seat].letter,
        others=[place for place in others if not place["free"]],
        name=visit.user.name if visit.user else "",
        options=_chosen(setting, spoken),
        patience=patience_told(setting.patience, spoken),
    )


@router.post("/join/{token}")
async def join(
    request: Request, token: str, user: PageUser, visit: PageVisitor, registry: Registry, response: Response
) -> Response:
    """Accept an invitation."""
    form = await request.form(max_files=0, max_fields=5)
    name = name_in(form)
    await actions.introduce(registry, user, name)
    try:
        table_id = await actions.accept(registry, user, token, name or user.name)
    except TableNotFound:
        return _trouble(request, visit, NO_INVITATION, 404)
    return onward(response, f"/tables/{table_id}")


def _trouble(request: Request, visit: Visitor, why: str, status: int) -> Response:
    text = words(visit.language, COMMON_TEXTS).gettext(why)
    return render(request, visit, "error.html", status=status, why=text)
