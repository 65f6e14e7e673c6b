"""What people do with forms: open tables, leave them, bring records."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData, UploadFile

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.kernel.game import Game
from omnibus.kernel.match import Match
from omnibus.kernel.record import LONGEST_NAME, BadRecord
from omnibus.kernel.words import LANGUAGES, mark, words
from omnibus.server.hall import Hall
from omnibus.server.pages import USUAL_BOT, render
from omnibus.server.position import HOUSE
from omnibus.server.rows import Setting, Sitter, User
from omnibus.server.table import Rejected, Table
from omnibus.server.visit import LANGUAGE, THEME, THEMES, Known, TheHall, Visit, own_page, set_cookie

LARGEST_RECORD: Final = 256 * 1024  # bytes

TOO_LARGE: Final = mark("A record has at most 256 kB.")
NOT_TEXT: Final = mark("This file is not text.")
BAD_LINE: Final = mark("This is no record of a game. Line {line}: {reason}.")
NO_FILE: Final = mark("No file was chosen.")
BAD_TABLE: Final = mark("Such a table cannot be set up: {reason}.")
NOBODY_SITS: Final = mark("Somebody has to sit in a seat: you, or another person on this device.")

router = APIRouter(dependencies=[Depends(own_page)])


def _to(response: Response, path: str) -> Response:
    """Send the visitor on, with the cookies that were set on the way."""
    onward = RedirectResponse(path, 303)
    onward.raw_headers += [header for header in response.raw_headers if header[0] == b"set-cookie"]
    return onward


def _findable(name: str) -> Game[Any]:
    if name not in games.names():
        raise HTTPException(404)
    return games.find(name)


@router.post("/play/{name}")
async def play(name: str, user: Known, hall: TheHall, response: Response) -> Response:
    """One click: a table with the fewest seats, the visitor in the first of them, bots in the others."""
    game = _findable(name)
    bots = [Sitter(bot=USUAL_BOT)] * (game.seats[0] - 1)
    table = await hall.open(user.id, name, {}, [Sitter(user=user.id, name=user.name), *bots])
    return _to(response, f"/tables/{table.setting.id}")


@router.post("/games/{name}/tables")
async def open_table(
    request: Request, name: str, user: Known, hall: TheHall, visit: Visit, response: Response
) -> Response:
    """Set a table up as a form describes it."""
    game = _findable(name)
    form = await request.form(max_files=0, max_fields=50)
    sitters = _sitters(form, game, user)
    spoken = words(visit.language, HOUSE)
    if not any(sitter.user for sitter in sitters):
        return render(request, visit, "trouble.html", status=400, why=spoken.gettext(NOBODY_SITS))
    try:
        table = await hall.open(user.id, name, _options(form, game), sitters)
    except ValueError as error:
        why = spoken.gettext(BAD_TABLE).format(reason=error)
        return render(request, visit, "trouble.html", status=400, why=why)
    return _to(response, f"/tables/{table.setting.id}")


def _sitters(form: FormData, game: Game[Any], user: User) -> list[Sitter]:
    """Read who sits where: seats nobody sits in are left out."""
    found = []
    for seat in range(max(game.seats)):
        who = form.get(f"seat-{seat}")
        name = _name(form.get(f"name-{seat}"))
        if who == "you":
            found.append(Sitter(user=user.id, name=name or user.name))
        elif who == "another":
            found.append(Sitter(user=user.id, name=name))
        elif isinstance(who, str) and who in bot_names():
            found.append(Sitter(bot=who))
    return found


def _name(value: Any) -> str:
    """Read a name: printable, not too long, white space put right."""
    text = value if isinstance(value, str) else ""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:LONGEST_NAME].rstrip()


def _options(form: FormData, game: Game[Any]) -> dict[str, Any]:
    """Read the options, which a form names by the number of the choice."""
    chosen = {}
    for name, option in game.options.items():
        number = form.get(f"option-{name}")
        if isinstance(number, str) and number.isdecimal() and int(number) < len(option.choices):
            chosen[name] = option.choices[int(number)]
    return chosen


def _own(hall: Hall, table_id: str, user: User) -> Setting:
    """Find a table the user has set up."""
    entry = hall.ledger.entry(table_id)
    if entry is None:
        raise HTTPException(404)
    if entry.setting.owner != user.id:
        raise HTTPException(403)
    return entry.setting


@router.post("/tables/{table_id}/resign")
async def resign(table_id: str, user: Known, hall: TheHall) -> Response:
    """Give up the own seats. Where other people sit a bot plays on, otherwise the table ends."""
    table = hall.table(table_id)
    own = table.seats_of(user.id)
    if not own:
        raise HTTPException(403)
    others = {table.sitter(seat).user for seat in range(table.match.seats)} - {user.id, None}
    await _unless_over(table, own, USUAL_BOT if others else None)
    return RedirectResponse(f"/tables/{table_id}", 303)


async def _unless_over(table: Table, own: list[int], bot: str | None) -> None:
    first = table.actor if table.actor in own else own[0]
    for seat in own if bot else [first]:
        with suppress(Rejected):  # it may have come to its end in the meantime
            await table.resign(seat, bot)


@router.post("/tables/{table_id}/abandon")
async def abandon(table_id: str, user: Known, hall: TheHall) -> Response:
    """Close an own table."""
    _own(hall, table_id, user)
    with suppress(Rejected):  # it may have come to its end in the meantime
        await hall.table(table_id).abandon()
    return RedirectResponse(f"/tables/{table_id}", 303)


@router.post("/tables/{table_id}/delete")
async def delete(table_id: str, user: Known, hall: TheHall) -> Response:
    """Delete an own table for ever."""
    _own(hall, table_id, user)
    await hall.remove(table_id)
    return RedirectResponse("/", 303)


@router.post("/tables/{table_id}/rematch")
async def rematch(table_id: str, user: Known, hall: TheHall) -> Response:
    """Set the same table up again, everybody one seat further; asked twice, it is the same one."""
    table = hall.table(table_id)
    if user.id not in table.setting.people():
        raise HTTPException(403)
    again = hall.ledger.rematch(table_id)
    if again is None or hall.ledger.entry(again) is None:
        sitters = [*table.setting.sitters[1:], table.setting.sitters[0]]
        again = (await hall.open(user.id, table.game.name, table.setting.options, sitters, after=table_id)).setting.id
    return RedirectResponse(f"/tables/{again}", 303)


@router.post("/records")
async def upload(request: Request, user: Known, hall: TheHall, visit: Visit, response: Response) -> Response:
    """Take a record in, if it is one: it becomes a page on which it can be replayed."""
    spoken = words(visit.language, HOUSE)
    try:
        text = await _uploaded(request)
        Match.read(text)
    except BadRecord as error:
        why = spoken.gettext(BAD_LINE).format(line=error.line, reason=error.reason)
        return render(request, visit, "trouble.html", status=400, why=why)
    except ValueError as error:
        return render(request, visit, "trouble.html", status=400, why=spoken.gettext(str(error)))
    return _to(response, f"/records/{await hall.ledger.add_record(text, user.id)}")


async def _uploaded(request: Request) -> str:
    """Read the uploaded file; ValueError says what is wrong with it."""
    if int(request.headers.get("content-length") or LARGEST_RECORD * 2) > LARGEST_RECORD + 4096:
        raise ValueError(TOO_LARGE)
    async with request.form(max_files=1, max_fields=2) as form:
        file = form.get("record")
        if not isinstance(file, UploadFile) or not file.filename:
            raise ValueError(NO_FILE)
        content = await file.read(LARGEST_RECORD + 1)
    if len(content) > LARGEST_RECORD:
        raise ValueError(TOO_LARGE)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(NOT_TEXT) from None


@router.post("/settings")
async def settings(request: Request) -> Response:
    """Remember language and light in cookies, and go back."""
    form = await request.form(max_files=0, max_fields=5)
    back, language, theme = form.get("back"), form.get("language"), form.get("theme")
    inside = isinstance(back, str) and back.startswith("/") and not back.startswith(("//", "/\\"))
    onward = RedirectResponse(str(back) if inside else "/", 303)
    if isinstance(language, str) and language in LANGUAGES:
        set_cookie(onward, request, LANGUAGE, language)
    if theme in THEMES:
        set_cookie(onward, request, THEME, str(theme))
    elif theme == "device":
        onward.delete_cookie(THEME)
    return onward
