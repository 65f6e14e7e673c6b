"""What people do with forms: open tables, leave them, bring records."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Final

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData, UploadFile

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.kernel.game import Game
from omnibus.kernel.record import BadRecord
from omnibus.kernel.words import LANGUAGES, mark, words
from omnibus.server import acts
from omnibus.server.door import LARGEST_RECORD, MUCH_RECORD
from omnibus.server.forms import name_in, onward
from omnibus.server.gatherings import PATIENCES
from omnibus.server.library import taken_in
from omnibus.server.position import HOUSE
from omnibus.server.refusals import Code, Rejected
from omnibus.server.rendering import render
from omnibus.server.rows import PATIENCE, USUAL_BOT, Sitter, User
from omnibus.server.visit import LANGUAGE, THEME, THEMES, Known, TheHall, Visit, own_page, set_cookie

NOT_TEXT: Final = mark("This file is not text.")
BAD_LINE: Final = mark("This is no record of a game. Line {line}: {reason}.")
NO_FILE: Final = mark("No file was chosen.")
BAD_TABLE: Final = mark("Such a table cannot be set up: {reason}.")
NOBODY_SITS: Final = mark("Somebody has to sit in a seat: you, or another person on this device.")

router = APIRouter(dependencies=[Depends(own_page)])


def _findable(name: str) -> Game[Any]:
    if name not in games.names():
        raise HTTPException(404)
    return games.find(name)


@router.post("/play/{name}")
async def play(name: str, user: Known, hall: TheHall, response: Response) -> Response:
    """One click: a table with the fewest seats, the visitor in the first of them, bots in the others."""
    game = _findable(name)
    bots = [Sitter(bot=USUAL_BOT)] * (game.seats[0] - 1)
    setting = await hall.open(user.id, name, {}, [Sitter(user=user.id, name=user.name), *bots])
    return onward(response, f"/tables/{setting.id}")


@router.post("/games/{name}/tables")
async def open_table(
    request: Request, name: str, user: Known, hall: TheHall, visit: Visit, response: Response
) -> Response:
    """Set a table up as a form describes it."""
    game = _findable(name)
    form = await request.form(max_files=0, max_fields=50)
    sitters = _sitters(form, game, user)
    if form.get("seat-0") == "you":
        await acts.introduce(hall, user, name_in(form, "name-0"))
    spoken = words(visit.language, HOUSE)
    if not any(sitter.user for sitter in sitters):
        return render(request, visit, "trouble.html", status=400, why=spoken.gettext(NOBODY_SITS))
    try:
        patience = _patience(form)
        listed = form.get("listed") == "yes"
        setting = await hall.open(user.id, name, _options(form, game), sitters, listed=listed, patience=patience)
    except ValueError as error:
        why = spoken.gettext(BAD_TABLE).format(reason=error)
        return render(request, visit, "trouble.html", status=400, why=why)
    return onward(response, f"/tables/{setting.id}")


def _sitters(form: FormData, game: Game[Any], user: User) -> list[Sitter]:
    """Read who sits where: seats nobody sits in are left out."""
    found = []
    for seat in range(max(game.seats)):
        who = form.get(f"seat-{seat}")
        name = name_in(form, f"name-{seat}")
        if who == "you":
            found.append(Sitter(user=user.id, name=name or user.name))
        elif who == "friend":
            found.append(Sitter())
        elif who == "another":
            found.append(Sitter(user=user.id, name=name))
        elif isinstance(who, str) and who in bot_names():
            found.append(Sitter(bot=who))
    return found


def _options(form: FormData, game: Game[Any]) -> dict[str, Any]:
    """Read the options, which a form names by the number of the choice."""
    chosen = {}
    for name, option in game.options.items():
        numbered = {str(number): choice for number, choice in enumerate(option.choices)}
        number = form.get(f"option-{name}")
        if isinstance(number, str) and number in numbered:
            chosen[name] = numbered[number]
    return chosen


def _patience(form: FormData) -> float:
    """Read how long somebody may be away before the others may let a bot play."""
    return next((known for known in PATIENCES if form.get("patience") == str(int(known))), PATIENCE)


@router.post("/tables/{table_id}/resign")
async def resign(table_id: str, user: Known, hall: TheHall) -> Response:
    """Give up the own seats."""
    await _unless_over(acts.resign(hall, user, table_id))
    return RedirectResponse(f"/tables/{table_id}", 303)


@router.post("/tables/{table_id}/abandon")
async def abandon(table_id: str, user: Known, hall: TheHall) -> Response:
    """Close an own table."""
    await _unless_over(acts.abandon(hall, user, table_id))
    return RedirectResponse(f"/tables/{table_id}", 303)


async def _unless_over(act: Awaitable[None]) -> None:
    """Do something at a table that may have come to its end in the meantime."""
    try:
        await act
    except Rejected as rejected:
        if rejected.code is not Code.OVER:
            raise


@router.post("/tables/{table_id}/delete")
async def delete(table_id: str, user: Known, hall: TheHall) -> Response:
    """Delete an own table for ever."""
    await acts.delete(hall, user, table_id)
    return RedirectResponse("/", 303)


@router.post("/tables/{table_id}/rematch")
async def rematch(table_id: str, user: Known, hall: TheHall) -> Response:
    """Set the same table up again, everybody one seat further; asked twice, it is the same one."""
    return RedirectResponse(f"/tables/{await acts.rematch(hall, user, table_id)}", 303)


@router.post("/records")
async def upload(request: Request, user: Known, hall: TheHall, visit: Visit, response: Response) -> Response:
    """Take a record in, if it is one: it becomes a page on which it can be replayed."""
    spoken = words(visit.language, HOUSE)
    try:
        text = await _uploaded(request)
        await taken_in(text)
    except BadRecord as error:
        why = spoken.gettext(BAD_LINE).format(line=error.line, reason=error.reason)
        return render(request, visit, "trouble.html", status=400, why=why)
    except ValueError as error:
        return render(request, visit, "trouble.html", status=400, why=spoken.gettext(str(error)))
    return onward(response, f"/records/{await hall.ledger.add_record(text, user.id)}")


async def _uploaded(request: Request) -> str:
    """Read the uploaded file; ValueError says what is wrong with it."""
    async with request.form(max_files=1, max_fields=2) as form:
        file = form.get("record")
        if not isinstance(file, UploadFile) or not file.filename:
            raise ValueError(NO_FILE)
        content = await file.read(LARGEST_RECORD + 1)
    if len(content) > LARGEST_RECORD:
        raise ValueError(MUCH_RECORD)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(NOT_TEXT) from None


@router.post("/settings")
async def settings(request: Request, hall: TheHall, visit: Visit) -> Response:
    """Remember language and light in cookies, and go back; messages are written in the language, too."""
    form = await request.form(max_files=0, max_fields=5)
    back, language, theme = form.get("back"), form.get("language"), form.get("theme")
    inside = isinstance(back, str) and back.startswith("/") and not back.startswith(("//", "/\\"))
    back_there = RedirectResponse(str(back) if inside else "/", 303)
    if isinstance(language, str) and language in LANGUAGES:
        set_cookie(back_there, request, LANGUAGE, language)
        if visit.user:
            await hall.register.speak(visit.user.id, language)
    if theme in THEMES:
        set_cookie(back_there, request, THEME, str(theme))
    elif theme == "device":
        back_there.delete_cookie(THEME)
    return back_there
