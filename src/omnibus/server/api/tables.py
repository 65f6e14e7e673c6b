"""API: set up, list, close and delete tables."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from omnibus import games
from omnibus.kernel.i18n import COMMON_TEXTS, error_text, words
from omnibus.server.api.auth import ANYBODY, Anybody, Somebody, TheUser
from omnibus.server.api.errors import Refused
from omnibus.server.api.models.tables import SeatInfo, SeatRequest, TableInfo, TableRequest, Tables
from omnibus.server.api.responses import answers, json_response
from omnibus.server.errors import Code, TableNotFound
from omnibus.server.http.visitor import Registry, Visitor, config_of
from omnibus.server.store.models import Listing, Sitter, TableRow, TimeControl, User
from omnibus.server.tables import actions
from omnibus.server.tables.clock import time_control
from omnibus.server.tables.names import names_of
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.rematches import ask_for_rematch
from omnibus.server.tables.setup import CANNOT_SET_UP, NO_OWN_SEAT

TableId = Annotated[str, Path(max_length=64, description="The id of a table.", examples=["x0YKq3vD8nLJ5w2c"])]

router = APIRouter(tags=["Tables"])


@router.post("/tables", status_code=201, responses=answers(TableInfo, 401, status=201))
async def open_table(
    request: Request, body: TableRequest, user: TheUser, visit: Somebody, registry: Registry
) -> Response:
    """Set up a table.

    At least one of its seats is yours. The game starts when no seat is free.
    """
    spoken = words(visit.language, COMMON_TEXTS)
    if not any(wish.who == "you" for wish in body.seats):
        raise Refused(Code.MALFORMED, spoken.gettext(NO_OWN_SEAT))
    try:
        setup = await registry.open(
            user.id,
            body.game,
            body.options,
            [_sitter(wish, user) for wish in body.seats],
            listed=body.listed,
            patience=body.patience,
            clock=_clock(body),
            rated=body.rated,
            random_seats=body.random_seats,
            listing=Listing(**body.listing.model_dump()) if body.listing and body.listed else None,
        )
    except ValueError as error:
        raise Refused(
            Code.MALFORMED, spoken.gettext(CANNOT_SET_UP).format(reason=error_text(error, visit.language))
        ) from None
    return json_response(await table_info(request, registry, visit, setup.id), 201)


def _clock(body: TableRequest) -> TimeControl | None:
    asked = body.clock
    if asked is None:
        return None
    if asked.pace is not None:
        return time_control(games.find(body.game), asked.pace)
    return TimeControl(asked.bank, asked.increment, asked.turn)


def _sitter(wish: SeatRequest, user: User) -> Sitter:
    if wish.who == "you":
        return actions.seated(user, wish.name)
    return Sitter(bot=wish.bot) if wish.who == "bot" else Sitter()


@router.get("/users/me/tables", responses=answers(Tables, 401))
async def list_my_tables(request: Request, user: TheUser, visit: Somebody, registry: Registry) -> Response:
    """List the tables at which I sit, the latest first."""
    return json_response(
        Tables([_table_info(request, entry, visit) for entry in await registry.table_store.entries(user.id)])
    )


@router.get("/lobby", responses=answers(Tables), openapi_extra=ANYBODY)
async def list_open_tables(request: Request, visit: Anybody, registry: Registry) -> Response:
    """List the tables with free seats for everybody, the latest first, without those of people I do not play with."""
    blocks = await registry.block_store.between([visit.user.id]) if visit.user else set()
    apart = {other for _, other in blocks}
    entries = [entry for entry in await registry.table_store.open_entries() if not entry.setup.people() & apart]
    return json_response(Tables([_table_info(request, entry, visit) for entry in entries]))


@router.get("/tables/{table_id}", responses=answers(TableInfo), openapi_extra=ANYBODY)
async def get_table(request: Request, table_id: TableId, visit: Anybody, registry: Registry) -> Response:
    """Show who sits at a table and how it stands. Everybody who knows its id may look."""
    return json_response(await table_info(request, registry, visit, table_id))


@router.delete("/tables/{table_id}", status_code=204, responses=answers(None, 401, 409, status=204))
async def delete_table(table_id: TableId, user: TheUser, registry: Registry) -> Response:
    """Delete my own table, if its game has not started or nobody else sits there."""
    await actions.delete(registry, user, table_id)
    return Response(status_code=204)


@router.post("/tables/{table_id}/abandon", responses=answers(TableInfo, 401, 409))
async def abandon_table(
    request: Request, table_id: TableId, user: TheUser, visit: Somebody, registry: Registry
) -> Response:
    """Close my own table before the end of its game, unless other people play there."""
    await actions.abandon(registry, user, table_id)
    return json_response(await table_info(request, registry, visit, table_id))


@router.post("/tables/{table_id}/rematch", responses=answers(TableInfo, 401, 409))
async def rematch_table(
    request: Request, table_id: TableId, user: TheUser, visit: Somebody, registry: Registry
) -> Response:
    """Propose the same table again, everybody one seat further; whoever asks later gets the same one.

    The seats of the other people are free until they ask as well. The game starts when everybody has.
    """
    return json_response(await table_info(request, registry, visit, await ask_for_rematch(registry, user, table_id)))


async def table_info(request: Request, registry: TableRegistry, visit: Visitor, table_id: str) -> TableInfo:
    """Describe a table to a visitor; raises TableNotFound."""
    entry = await registry.table_store.entry(table_id)
    if entry is None:
        raise TableNotFound
    return _table_info(request, entry, visit)


def _table_info(request: Request, entry: TableRow, visit: Visitor) -> TableInfo:
    setup = entry.setup
    reader = visit.user.id if visit.user else None
    return TableInfo(
        id=setup.id,
        link=page_url(request, f"tables/{setup.id}"),
        game=setup.game,
        title=games.find(setup.game).title if setup.game in games.names() else setup.game,
        options=setup.options,
        standing=entry.standing,
        listed=setup.listed,
        listing=setup.listing,
        patience=setup.patience,
        clock=setup.clock,
        rated=setup.rated,
        random_seats=setup.draws_seats,
        created=setup.created,
        updated=entry.updated,
        awaits=entry.awaits,
        mine=setup.owner == reader,
        seats=_seats(entry, visit),
    )


def _seats(entry: TableRow, visit: Visitor) -> list[SeatInfo]:
    names = names_of(entry.setup, words(visit.language, COMMON_TEXTS))
    only = visit.decides_for(entry.setup.id)
    return [
        SeatInfo(
            seat=seat,
            name="" if sitter.free else name,
            who="free" if sitter.free else "bot" if sitter.bot else "person",
            bot=sitter.bot,
            yours=visit.user is not None and sitter.user == visit.user.id and only in (None, seat),
        )
        for seat, (sitter, name) in enumerate(zip(entry.setup.sitters, names, strict=True))
    ]


def page_url(request: Request, path: str) -> str:
    """Return the URL of a page, with the host the caller uses."""
    return config_of(request).link(request, f"/{path}")
