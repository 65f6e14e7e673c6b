"""Runs the tournaments: starts them when it is time, opens tables, collects results, ends rounds, pairs the next ones.

Everything follows from the database, so any process can go on where another has stopped. Of several that do the same
at once, the database lets one do it (`store/tournaments.py`); the others read again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from omnibus import games
from omnibus.kernel.dice import SEED_BITS
from omnibus.kernel.i18n import mark
from omnibus.ratings.log import pool_of
from omnibus.server.errors import Code, Rejected
from omnibus.server.store.errors import Conflict, StoreError
from omnibus.server.store.models import DAY, LIVE_PATIENCE, PATIENCE, Sitter, TableSetup
from omnibus.server.store.server_clock import CONFIRM_S
from omnibus.server.store.tournaments import Pairing, RoundRow, TournamentRow, TournamentStore
from omnibus.server.store.users import new_id
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from omnibus.server.tournaments.results import table_ranks, tied
from omnibus.server.tournaments.state import TournamentState, TournamentStates
from omnibus.tournaments.arena import next_tables
from omnibus.tournaments.tournament import next_round, rounds_of

LOG: Final = logging.getLogger("omnibus.tournaments")
SWEEP_S: Final = 1.0

STARTED: Final = mark("This tournament has already started, or was cancelled.")
TOO_FEW: Final = mark("There are not enough players yet.")

Tell = Callable[[TournamentRow, Pairing], Awaitable[None]]
"""Called with a tournament and a table of it that was opened."""


class TournamentRunner:
    """Takes all live tournaments on from where they are, every second."""

    def __init__(
        self, registry: TableRegistry, store: TournamentStore, states: TournamentStates, tell: Tell | None = None
    ) -> None:
        self._registry = registry
        self._store = store
        self._states = states
        self._tell = tell
        self._awake = asyncio.Event()

    def wake(self) -> None:
        """Look at the tournaments now: one has started."""
        self._awake.set()

    async def keep_running(self) -> None:
        """Run the tournaments for as long as the server runs."""
        while True:
            self._awake.clear()
            try:
                await self.sweep()
            except StoreError:
                LOG.exception("sweep failed")
            with suppress(TimeoutError):
                async with asyncio.timeout(SWEEP_S):
                    await self._awake.wait()

    async def sweep(self) -> None:
        """Take every live tournament on as far as possible."""
        await self._start_due()
        live = await self._store.live()
        if live:
            await self._server_clock()  # the time of a round stands still while nothing can be stored
        for id_ in live:
            try:
                await self.advance(id_)
            except Exception:
                LOG.exception("tournament not taken on", extra={"tournament": id_})  # the next sweep may do better

    # starting

    async def start(self, id_: str) -> None:
        """Start a tournament, with the strongest players first; Rejected when it has started, or too few play."""
        while True:
            state = await self._states.load(id_)
            if state is None or state.row.status != "open":
                raise Rejected(Code.STALE, why=STARTED)
            if len(state.playing) < state.tournament.fewest:
                raise Rejected(Code.REFUSED, why=TOO_FEW)
            order = await self._by_rating(state)
            setup = replace(state.setup, rounds=rounds_of(state.tournament, len(order)))
            row = replace(state.row, since=await self._server_clock())
            if await self._store.start(row, setup, order):  # else somebody has entered at this moment
                return

    async def _by_rating(self, state: TournamentState) -> list[str]:
        ratings, pool = await self._registry.rating_service.ratings(), pool_of(state.setup.game, state.setup.size)
        return sorted(state.playing, key=lambda user: -ratings.rating(pool, user).mean)

    async def _start_due(self) -> None:
        """Start the tournaments whose time has come; those with too few players are cancelled."""
        for id_ in await self._store.due(time.time()):
            try:
                await self.start(id_)
            except Rejected:
                state = await self._states.load(id_)
                if state and len(state.playing) < state.tournament.fewest:
                    await self._store.give_up(state.row)  # if nobody has entered at this moment
            except Exception:
                LOG.exception("tournament not started", extra={"tournament": id_})

    # playing

    async def advance(self, id_: str) -> None:
        """Take a tournament on, step by step, until it has to wait for something."""
        while await self._step(id_):
            pass

    async def _step(self, id_: str) -> bool:
        """Take a tournament on by one step; tell whether to look again."""
        state = await self._states.load(id_)
        if state is None or state.row.status != "live":
            return False
        if await self._open_tables(state) or await self._collect(state):
            return True
        if state.is_arena:
            return await self._pair_free(state)
        if state.unfinished:
            return await self.time_left(state) <= 0 and await self._close_tables(state)
        return await self._pair_round(state)

    async def time_left(self, state: TournamentState) -> float:
        """Return how many seconds are left of the round, or of the arena, by the server's clock."""
        server_clock = self._registry.table_store.server_clock
        await server_clock.read()
        return state.setup.time_limit - (server_clock.now - state.row.since)

    async def _server_clock(self) -> float:
        server_clock = self._registry.table_store.server_clock
        await server_clock.confirm(CONFIRM_S)
        return server_clock.now

    # tables

    async def _open_tables(self, state: TournamentState) -> bool:
        """Open the tables that were paired; tell whether there were any."""
        waiting = [pairing for pairing in state.unfinished if not pairing.opened]
        for pairing in waiting:
            await self._open(state, pairing)
            await self._store.mark_opened(state.row.id, pairing.table)
        return bool(waiting)

    async def _open(self, state: TournamentState, pairing: Pairing) -> None:
        names = await self._registry.rating_service.claims.names(pairing.players)
        try:
            await self._registry.set_up(_table_setup(state, pairing, names))
        except Conflict:
            return  # another process was quicker, or this one before it was stopped
        except ValueError:
            LOG.exception("table not opened", extra={"tournament": state.row.id, "table": pairing.table})
            return
        await self._tell_pages(pairing)
        if self._tell:
            await self._tell(state.row, pairing)

    async def _tell_pages(self, pairing: Pairing) -> None:
        """Let the pages that players have open announce a table, or announce it no more."""
        for user in pairing.players:
            await self._registry.online.tell_awaited(user)

    async def _collect(self, state: TournamentState) -> bool:
        """Store the results of the tables that have ended; tell whether there were any."""
        standings = await self._store.standings_of_tables(state.row.id)
        ended = [pairing for pairing in state.unfinished if standings.get(pairing.table, "live") != "live"]
        for pairing in ended:
            await self._store.set_ranks(state.row.id, pairing.table, await self._ranks(pairing))
            await self._tell_pages(pairing)
        return bool(ended)

    async def _ranks(self, pairing: Pairing) -> tuple[int, ...]:
        table = await self._registry.find(pairing.table)
        if table is None:
            return tied(len(pairing.players))
        if table.standing == "live":  # this copy is behind the database
            table = await Table.loaded(self._registry.table_store, table.setup)
        return table_ranks(table, len(pairing.players))

    async def _close_tables(self, state: TournamentState) -> bool:
        """Close the tables of a round whose time is over."""
        for pairing in state.unfinished:
            table = await self._registry.find(pairing.table)
            if table is None:
                await self._store.set_ranks(state.row.id, pairing.table, tied(len(pairing.players)))
                continue
            try:
                await self._registry.publisher.publish(table, table.abandon())
            except Rejected:
                LOG.info("table not closed", extra={"table": pairing.table})  # its game has just ended
        return True

    # pairings

    async def _pair_round(self, state: TournamentState) -> bool:
        """Pair the next round, or end the tournament after the last one."""
        began = time.perf_counter()
        apart = await self._registry.block_store.between(state.playing)
        rounds = (state.tournament, state.entered, state.playing, state.results, apart)
        found = await asyncio.to_thread(next_round, *rounds)  # with a thousand players longer than others wait for
        if found is None:
            await self._store.finish(state.row)
        else:
            await self._add(state, found.tables, found.byes, began=began)
        return True

    async def _pair_free(self, state: TournamentState) -> bool:
        """Pair those who are free in an arena; when the time is over and all tables are, end it."""
        if await self.time_left(state) <= 0:
            return not state.unfinished and not await self._store.finish(state.row)
        if len(state.free) < state.tournament.fewest:
            return False
        apart, began = await self._registry.block_store.between(state.free), time.perf_counter()
        others_play = bool(state.unfinished)
        found = await asyncio.to_thread(
            next_tables, state.tournament, state.free, state.finished_tables, others_play=others_play, apart=apart
        )
        if found:
            await self._add(state, found, began=began)
        return bool(found)

    async def _add(
        self, state: TournamentState, tables: Sequence[tuple[str, ...]], byes: tuple[str, ...] = (), *, began: float
    ) -> None:
        """Store a round whose pairing began at some moment."""
        number = len(state.rounds) + 1
        seconds = round(time.perf_counter() - began, 3)
        LOG.info("round paired", extra={"tournament": state.row.id, "round": number, "seconds": seconds})
        pairings = [Pairing(number, place, new_id(), players) for place, players in enumerate(tables, 1)]
        row = state.row if state.is_arena else replace(state.row, since=await self._server_clock())
        await self._store.add_round(row, RoundRow(number, time.time(), byes), pairings)


def _table_setup(state: TournamentState, pairing: Pairing, names: Mapping[str, str]) -> TableSetup:
    """Describe a table of a tournament; bots sit in the seats nobody has, where there are any."""
    setup = state.setup
    bots = [Sitter(bot=setup.bots)] * (setup.size - len(pairing.players)) if setup.bots else []
    sitters = [*(Sitter(user=user, name=names.get(user, "")) for user in pairing.players), *bots]
    return TableSetup(
        id=pairing.table,
        game=setup.game,
        rules=games.find(setup.game).version,
        seats=len(sitters),
        options=setup.options,
        seed=secrets.randbits(SEED_BITS),
        sitters=sitters,
        owner=pairing.players[0],
        created=time.time(),
        patience=LIVE_PATIENCE if setup.time_limit < DAY else PATIENCE,
        clock=setup.clock,
        rated=setup.rated and not bots,
        tournament=state.row.id,
    )
