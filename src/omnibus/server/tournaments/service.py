"""What people do with tournaments: set one up, enter it, withdraw, start it, cancel it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from omnibus import games
from omnibus.kernel.i18n import mark
from omnibus.server import text_input
from omnibus.server.errors import Code, Forbidden, Rejected, TableNotFound
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.notices.turn_notifier import TurnNotifier
from omnibus.server.people.bans import expect_not_banned
from omnibus.server.people.name_folding import folded
from omnibus.server.store.claims import Claim
from omnibus.server.store.models import User
from omnibus.server.store.tournaments import (
    Pairing,
    TournamentRow,
    TournamentSetup,
    TournamentStatus,
    TournamentStore,
)
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tournaments.runner import TournamentRunner
from omnibus.server.tournaments.setup import check, check_start
from omnibus.server.tournaments.state import TournamentState, TournamentStates

MOST_AT_ONCE: Final = 5  # tournaments of one person that are not over
MOST_ENTRANTS: Final = 1000
MOST_IN_ROUND_ROBIN: Final = 100

NEEDS_CLAIM: Final = mark(
    "Tournaments are for players who have claimed their name. You can do that on your account page."
)
NOT_A_HOST: Final = mark("On this server only some players may set up tournaments.")
TOO_MANY: Final = mark("You have set up several tournaments that are not over yet.")
NOT_YOURS: Final = mark("Only the player who set up this tournament can do that.")
TOO_LATE: Final = mark("It is too late to enter this tournament, or it is full.")
KEPT_APART: Final = mark(
    "In this tournament everybody meets everybody, and you have blocked somebody who plays in it, or somebody has "
    "blocked you."
)
TABLE_OPEN_TITLE: Final = mark("Tournament: {tournament}")
TABLE_OPEN: Final = mark("Your table in the tournament “{tournament}” is open.")


class TournamentService:
    """The tournaments of a server. `hosts` are the names of those who may set one up; None: everybody with a claim."""

    def __init__(
        self,
        registry: TableRegistry,
        *,
        hosts: Collection[str] | None = None,
        notifier: TurnNotifier | None = None,
    ) -> None:
        self.registry = registry
        self.store = TournamentStore(registry.table_store.database)
        self.states = TournamentStates(self.store)
        self.runner = TournamentRunner(registry, self.store, self.states, self._tell)
        self._hosts = None if hosts is None else {folded(name) for name in hosts}
        self._notifier = notifier

    async def state(self, id_: str) -> TournamentState:
        """Return a tournament as it is now; raises TableNotFound."""
        state = await self.states.load(id_)
        if state is None:
            raise TableNotFound
        return state

    async def listed(self) -> list[TournamentRow]:
        """Return the tournaments people can enter, watch or look up, the latest first."""
        return await self.store.listed()

    async def create(self, user: User, name: str, setup: TournamentSetup, starts: float | None = None) -> str:
        """Set up a tournament and return its id; ValueError says what is wrong with it.

        It starts by itself at a time of day (`starts`), or (None) when the user starts it.
        """
        if not await self.may_create(user):
            raise Forbidden(NOT_A_HOST)
        await self._claim(user)
        check(setup)
        check_start(starts)
        if await self.store.count_of(user.id) >= MOST_AT_ONCE:
            raise Rejected(Code.REFUSED, why=TOO_MANY)
        await spend(Quota.TABLE)
        return await self.store.add(text_input.clean_name(name), user.id, setup, starts)

    async def may_create(self, user: User | None) -> bool:
        """Tell whether a user is among those who may set up tournaments; whether they have a claim is asked later."""
        if self._hosts is None:
            return True
        claim = await self.registry.rating_service.claims.of(user.id) if user else None
        return claim is not None and folded(claim.name) in self._hosts

    async def join(self, user: User, id_: str) -> None:
        """Enter a tournament, or come back to it."""
        state = await self.state(id_)
        await self._claim(user)
        await self._expect_welcome(state, user)
        most = MOST_IN_ROUND_ROBIN if state.setup.format == "round_robin" else MOST_ENTRANTS
        statuses: list[TournamentStatus] = ["open", "live"] if await self.accepts_late(state) else ["open"]
        if not await self.store.enter(id_, user.id, statuses, most):
            raise Rejected(Code.REFUSED, why=TOO_LATE)
        self.runner.wake()

    async def _expect_welcome(self, state: TournamentState, user: User) -> None:
        """Reject somebody who would certainly have to play with somebody who has blocked them, or is blocked by them.

        In other formats the pairings keep the two apart.
        """
        others = {*state.playing} - {user.id}
        blocked = await self.registry.block_store.between([user.id]) if state.setup.format == "round_robin" else ()
        if any(other in others for _, other in blocked):
            raise Rejected(Code.REFUSED, why=KEPT_APART)

    async def accepts_late(self, state: TournamentState) -> bool:
        """Tell whether somebody who enters after the start would still play: in a Swiss tournament or an arena."""
        if state.row.status != "live":
            return False
        if state.is_arena:
            return await self.runner.time_left(state) > 0
        return state.setup.format == "swiss" and len(state.rounds) < state.setup.rounds

    async def withdraw(self, user: User, id_: str) -> None:
        """Withdraw from a tournament; a table at which the user plays goes on."""
        await self.state(id_)
        await self.store.withdraw(id_, user.id)

    async def start(self, user: User, id_: str) -> None:
        """Start one's own tournament now; the first tables open at once."""
        await self._own(user, id_)
        await self.runner.start(id_)
        self.runner.wake()

    async def cancel(self, user: User, id_: str) -> None:
        """Cancel one's own tournament; tables that are open become tables like any other."""
        await self._own(user, id_)
        await self.store.cancel(id_)

    async def _own(self, user: User, id_: str) -> TournamentState:
        state = await self.state(id_)
        if state.row.owner != user.id:
            raise Forbidden(NOT_YOURS)
        return state

    async def _claim(self, user: User) -> Claim:
        await expect_not_banned(self.registry.ban_store, user.id)
        claim = await self.registry.rating_service.claims.of(user.id)
        if claim is None:
            raise Rejected(Code.REFUSED, why=NEEDS_CLAIM)
        return claim

    async def _tell(self, row: TournamentRow, pairing: Pairing) -> None:
        """Tell the players of a table that it is open, those of them who are away."""
        if self._notifier:
            game = games.find(row.setup.game).title
            for user in pairing.players:
                texts = (TABLE_OPEN_TITLE, TABLE_OPEN)
                await self._notifier.announce(user, pairing.table, game, *texts, tournament=row.name or game)
