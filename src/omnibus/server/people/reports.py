"""Reports to the host: of a player, or of something a player wrote in a chat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omnibus.kernel.i18n import mark
from omnibus.server import text_input
from omnibus.server.errors import TROUBLES, Code, Forbidden, Rejected, TableNotFound
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.people.blocks import NOT_YOURSELF
from omnibus.server.people.persons import sitters
from omnibus.server.store.models import User
from omnibus.server.store.moderation import ReportStore, new_report

if TYPE_CHECKING:
    from omnibus.server.tables.registry import TableRegistry

LONGEST_REASON: Final = 500  # characters
NO_REASON: Final = mark("Please say what is wrong.")


class Reports:
    """What users report to the host of a server."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self.store = ReportStore(registry.user_store.database)

    async def report_player(self, user: User, other: str, reason: str, table_id: str = "") -> None:
        """Report a player, with a reason."""
        reason = text_input.clean_line(reason, LONGEST_REASON)
        if not reason:
            raise Rejected(Code.MALFORMED, why=NO_REASON)
        if other == user.id:
            raise Rejected(Code.REFUSED, why=NOT_YOURSELF)
        await spend(Quota.PEOPLE)
        await self.store.add(new_report(user.id, other, table_id, reason))

    async def report_line(self, user: User, table_id: str, number: int, reason: str = "") -> None:
        """Report a line of the chat of a table at which one sits; the line speaks for itself."""
        if all(sitter.user != user.id for sitter in await sitters(self._registry, table_id)):
            raise Forbidden(TROUBLES[Code.NOT_YOUR_SEAT])
        line = await self.store.chat_line(table_id, number)
        if line is None:
            raise TableNotFound
        if line.user == user.id:
            raise Rejected(Code.REFUSED, why=NOT_YOURSELF)
        await spend(Quota.PEOPLE)
        reason = text_input.clean_line(reason, LONGEST_REASON)
        await self.store.add(new_report(user.id, line.user, table_id, reason, line))
