"""Find the person somebody means: by a claimed name, or by a seat at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omnibus.kernel.i18n import mark
from omnibus.server.errors import Code, NotReplayable, NotStarted, Rejected
from omnibus.server.people.name_folding import folded
from omnibus.server.store.models import Sitter

if TYPE_CHECKING:
    from omnibus.server.tables.registry import TableRegistry

NO_SUCH_NAME: Final = mark("Nobody on this server has claimed this name.")
NO_PERSON: Final = mark("Nobody sits there.")


async def named(registry: TableRegistry, name: str) -> str:
    """Return the user who has claimed a name; Rejected when nobody has."""
    claim = await registry.rating_service.claims.find(folded(name))
    if claim is None:
        raise Rejected(Code.REFUSED, why=NO_SUCH_NAME)
    return claim.user


async def at_seat(registry: TableRegistry, table_id: str, seat: int) -> str:
    """Return the user who sits or sat in a seat; Rejected when nobody did."""
    people = await sitters(registry, table_id)
    user = people[seat].user if 0 <= seat < len(people) else None
    if user is None:
        raise Rejected(Code.REFUSED, why=NO_PERSON)
    return user


async def sitters(registry: TableRegistry, table_id: str) -> list[Sitter]:
    """Return who sits at a table, whether its game has started or not; TableNotFound when there is none."""
    try:
        return (await registry.table(table_id)).setup.sitters
    except (NotStarted, NotReplayable) as other:
        return other.setup.sitters
