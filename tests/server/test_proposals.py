"""Proposals: what all people at a table have to agree to, and what happens then."""

from __future__ import annotations

import pytest

from omnibus.bots import names as bot_names
from omnibus.server.errors import Code, Rejected
from omnibus.server.http.connection import Connection
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables import actions, proposals
from omnibus.server.tables.registry import TableRegistry
from support.seats import Seat, bus_with, code_of, friends, next_of, opened, play_first

pytestmark = pytest.mark.both_databases

WEAK = bot_names()[0]


class TestAgreement:
    """A proposal is carried out when the last one has agreed, and not before."""

    async def test_undo_across_turns(self, registry: TableRegistry) -> None:
        people = await friends(registry, 3)
        table = await bus_with(registry, people)
        mover = table.actor
        await play_first(registry, table, 3)
        assert mover is not None
        others = [seat for seat in range(3) if seat != mover]
        keep, now = table.last_decision(mover), table.match.plies
        assert keep is not None
        await proposals.propose_undo(registry, table, mover, table.event)
        assert table.match.plies == now
        with pytest.raises(Rejected):
            await proposals.agree(registry, table, mover, table.event)
        await proposals.agree(registry, table, others[0], table.event)
        assert table.match.plies == now
        again = await TableRegistry(registry.table_store.database, registry.bot_pool).table(table.setup.id)
        assert proposals.asked(again, []) == {people[others[1]].id}
        await proposals.agree(registry, table, others[1], table.event)
        assert (table.match.plies, table.proposed, table.actor) == (now[:keep], None, mover)
        reloaded = await TableRegistry(registry.table_store.database, registry.bot_pool).table(table.setup.id)
        assert (reloaded.match.plies, reloaded.event) == (now[:keep], table.event)

    async def test_declined(self, registry: TableRegistry) -> None:
        table = await bus_with(registry, await friends(registry, 3))
        seat = table.actor
        await play_first(registry, table, 2)
        assert seat is not None
        now = table.match.plies
        await proposals.propose_undo(registry, table, seat, table.event)
        with pytest.raises(Rejected):
            await proposals.propose_undo(registry, table, seat, table.event)
        await proposals.decline(registry, table, (seat + 1) % 3, table.event)
        assert table.proposed is None
        assert table.match.plies == now
        with pytest.raises(Rejected):
            await proposals.agree(registry, table, (seat + 2) % 3, table.event)

    async def test_the_game_goes_on_meanwhile(self, registry: TableRegistry) -> None:
        """What others play meanwhile is undone as well."""
        table = await bus_with(registry, await friends(registry, 3))
        first = table.actor
        assert first is not None
        while table.actor == first:
            await play_first(registry, table)
        keep = table.last_decision(first)
        await proposals.propose_undo(registry, table, first, table.event)
        while table.actor != first:
            await play_first(registry, table)
        for seat in range(3):
            if seat != first:
                await proposals.agree(registry, table, seat, table.event)
        assert table.match.length == keep

    async def test_nobody_else_to_ask(self, registry: TableRegistry, user: User) -> None:
        """Against bots it is carried out at once; dice that were rolled are not rolled again."""
        table = await opened(registry, user.id, "times_square", {}, [Sitter(user=user.id)] * 2)
        while table.last_decision(0) is None or table.actor != 1:
            assert table.actor is not None
            await play_first(registry, table)
        rolled = max(int(line.rsplit("#", 1)[1]) for line in table.match.written() if "#" in line)
        await proposals.propose_undo(registry, table, 0, table.event)
        assert table.actor == 0
        while not any("#" in line for line in table.match.written()[table.last_decision(0) or 0 :]):
            await play_first(registry, table)
        fresh = [line for line in table.match.written() if "#" in line][-1]
        assert int(fresh.rsplit("#", 1)[1]) > rolled

    async def test_not_after_the_end(self, registry: TableRegistry, user: User) -> None:
        """The seed is known by then."""
        table = await opened(registry, user.id, "times_square", {}, [Sitter(user=user.id)] * 2)
        while table.actor is not None:
            await play_first(registry, table)
        with pytest.raises(Rejected) as refused:
            await proposals.propose_undo(registry, table, 0, table.event)
        assert refused.value.code == Code.OVER


class TestBotsForPeople:
    """The others may let a bot play for somebody who is away."""

    async def test_a_player_is_away_too_long(self, registry: TableRegistry) -> None:
        people = await friends(registry, 3)
        table = await bus_with(registry, people, patience=600)
        seats = [Seat(registry, table, person) for person in people[:2]]
        presence = registry.live.presence_at(table)
        await seats[0].say(propose="bot", seat=2, event=table.event, id="p")
        assert await code_of(seats[0]) == "refused"
        presence.saw(people[2].id, 601)
        assert presence.absent() == [2]
        await seats[0].say(propose="bot", seat=2, event=table.event, id="p")
        assert not table.handed_over(2)
        await seats[1].say(agree=True, event=table.event, id="a")
        assert table.handed_over(2)
        back = Seat(registry, table, people[2])
        await back.say(hand="", id="b")
        assert not table.handed_over(2)

    async def test_two_players_are_away(self, registry: TableRegistry) -> None:
        """They are not asked about each other."""
        people = await friends(registry, 3)
        table = await bus_with(registry, people, patience=600)
        presence = registry.live.presence_at(table)
        seat = Seat(registry, table, people[0])
        for person in people[1:]:
            presence.saw(person.id, 601)
        for away in (1, 2):
            await seat.say(propose="bot", seat=away, event=table.event, id=str(away))
            assert table.handed_over(away)


async def test_a_new_decision_withdraws_a_proposal_to_undo(registry: TableRegistry, user: User) -> None:
    """It would not be about the last decision any more."""
    others = [(await registry.user_store.add_user(name))[0] for name in ("Anna", "Bert")]
    table = await opened(registry, user.id, "bus", {}, [Sitter(user=one.id) for one in (user, *others)])

    async def decide() -> None:
        assert table.actor is not None
        await actions.play(registry, table, table.actor, table.match.lines()[0], table.event)

    while table.last_decision(0) is None:
        await decide()
    await proposals.propose_undo(registry, table, 0, table.event)
    before = table.last_decision(0)
    while table.last_decision(0) == before:
        assert table.proposed
        await decide()
    assert table.proposed is None
    with pytest.raises(Rejected):
        await proposals.agree(registry, table, 1, table.event)


async def test_a_player_who_comes_back_is_not_replaced(registry: TableRegistry, user: User) -> None:
    """Nobody can agree to a bot for them while they are here."""
    anna, bert = [(await registry.user_store.add_user(name))[0] for name in ("Anna", "Bert")]
    sitters = [Sitter(user=one.id) for one in (user, anna, bert)]
    table = await opened(registry, user.id, "bus", {}, sitters, patience=60.0)
    first, second = Seat(registry, table, user), Seat(registry, table, anna)
    presence = registry.live.presence_at(table)
    presence.saw(bert.id, 100)
    await first.say(propose="bot", seat=2, event=table.event)
    assert table.proposed
    back = Connection(bert, "en")
    presence.enter(back)
    await second.say(agree=True, event=table.event, id="1")
    assert not table.handed_over(2)
    presence.leave(back)
    presence.saw(bert.id, 100)
    await second.say(agree=True, event=table.event, id="2")
    assert table.handed_over(2)


async def test_a_repeated_request_proposes_once(registry: TableRegistry) -> None:
    """A page that repeats a proposal or its answer gets the first acknowledgement again."""
    people = await friends(registry, 3)
    table = await bus_with(registry, people)
    await play_first(registry, table)
    (decided,) = (actor for actor, _ in table.match.plies if isinstance(actor, int))
    event, seats = table.event, [Seat(registry, table, person) for person in people]
    for _ in range(2):
        await seats[decided].say(propose="undo", event=event, id="1")
        assert (await next_of(seats[decided], "done"))["event"] == event + 1
    other = seats[decided - 1]
    for _ in range(2):
        await other.say(agree=True, event=event + 1, id="1")
        assert (await next_of(other, "done"))["event"] == event + 2
    assert table.event == event + 2
