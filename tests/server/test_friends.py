"""Several people at a table: what all must agree to, and bots that play for those who are away."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

import pytest

from omnibus.bots import names as bot_names
from omnibus.server import consent
from omnibus.server.hall import Hall
from omnibus.server.refusals import Code, Rejected
from omnibus.server.rows import Sitter, User
from seating import Seat, bus_with, code_of, friends, opened, play_first

Run = Callable[[Callable[[Hall, User], Awaitable[None]]], None]
WEAK = bot_names()[0]


class TestConsent:
    """What needs everybody's consent happens when the last one has agreed, and not before."""

    def test_undo_across_turns(self, in_hall: Run) -> None:
        async def visit(hall: Hall, _: User) -> None:
            people = await friends(hall, 3)
            table = await bus_with(hall, people)
            mover = table.actor
            await play_first(table, 3)
            assert mover is not None
            others = [seat for seat in range(3) if seat != mover]
            keep, now = table.last_decision(mover), table.match.plies
            assert keep is not None
            await consent.propose_undo(table, mover, table.event)
            assert table.match.plies == now
            with pytest.raises(Rejected):
                await consent.agree(table, mover, table.event)
            await consent.agree(table, others[0], table.event)
            assert table.match.plies == now
            again = Hall(hall.ledger.store, hall.workers).table(table.setting.id)
            assert consent.asked(again) == {people[others[1]].id}
            await consent.agree(table, others[1], table.event)
            assert (table.match.plies, table.proposed, table.actor) == (now[:keep], None, mover)
            reloaded = Hall(hall.ledger.store, hall.workers).table(table.setting.id)
            assert (reloaded.match.plies, reloaded.event) == (now[:keep], table.event)

        in_hall(visit)

    def test_one_is_against_it(self, in_hall: Run) -> None:
        async def visit(hall: Hall, _: User) -> None:
            table = await bus_with(hall, await friends(hall, 3))
            seat = table.actor
            await play_first(table, 2)
            assert seat is not None
            now = table.match.plies
            await consent.propose_undo(table, seat, table.event)
            with pytest.raises(Rejected):
                await consent.propose_undo(table, seat, table.event)
            await consent.decline(table, (seat + 1) % 3, table.event)
            assert table.proposed is None
            assert table.match.plies == now
            with pytest.raises(Rejected):
                await consent.agree(table, (seat + 2) % 3, table.event)

        in_hall(visit)

    def test_play_goes_on_while_people_think_about_it(self, in_hall: Run) -> None:
        """What others play in the meantime is taken back as well."""

        async def visit(hall: Hall, _: User) -> None:
            table = await bus_with(hall, await friends(hall, 3))
            first = table.actor
            assert first is not None
            while table.actor == first:
                await play_first(table)
            keep = table.last_decision(first)
            await consent.propose_undo(table, first, table.event)
            while table.actor != first:
                await play_first(table)
            for seat in range(3):
                if seat != first:
                    await consent.agree(table, seat, table.event)
            assert table.match.length == keep

        in_hall(visit)

    def test_nobody_else_to_ask(self, in_hall: Run) -> None:
        """Against bots one agrees with oneself; dice that were rolled are not rolled again."""

        async def visit(hall: Hall, user: User) -> None:
            table = await opened(hall, user.id, "times_square", {}, [Sitter(user=user.id)] * 2)
            while table.last_decision(0) is None or table.actor != 1:
                assert table.actor is not None
                await play_first(table)
            rolled = max(int(line.rsplit("#", 1)[1]) for line in table.match.written if "#" in line)
            await consent.propose_undo(table, 0, table.event)
            assert table.actor == 0
            while not any("#" in line for line in table.match.written[table.last_decision(0) or 0 :]):
                await play_first(table)
            fresh = [line for line in table.match.written if "#" in line][-1]
            assert int(fresh.rsplit("#", 1)[1]) > rolled

        in_hall(visit)

    def test_not_after_the_end(self, in_hall: Run) -> None:
        """The seed is known by then."""

        async def visit(hall: Hall, user: User) -> None:
            table = await opened(hall, user.id, "times_square", {}, [Sitter(user=user.id)] * 2)
            while table.actor is not None:
                await play_first(table)
            with pytest.raises(Rejected) as refused:
                await consent.propose_undo(table, 0, table.event)
            assert refused.value.code == Code.OVER

        in_hall(visit)


class TestBotsForPeople:
    """A seat is handed to a bot and taken back."""

    def test_by_its_owner(self, in_hall: Run) -> None:
        async def visit(hall: Hall, _: User) -> None:
            people = await friends(hall, 3)
            table = await bus_with(hall, people)
            actor = table.actor
            assert actor is not None
            seat = Seat(table, people[actor])
            await seat.say(sync=True)
            await seat.say(hand=WEAK, id="h")
            while table.actor == actor:
                await seat.hear()
            assert hall.ledger.awaited(people[actor].id) == []
            assert table.handed(actor)
            await seat.say(hand="", id="b")
            assert not table.handed(actor)
            while table.actor != actor:
                await play_first(table)
            assert hall.ledger.awaited(people[actor].id) == [table.setting.id]
            assert (await seat.asked())["moves"]

        in_hall(visit)

    def test_while_a_bot_plays_its_owner_does_not(self, in_hall: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        async def visit(hall: Hall, _: User) -> None:
            monkeypatch.setattr(hall, "_drive", lambda table: None)
            people = await friends(hall, 3)
            table = await bus_with(hall, people)
            actor = table.actor
            assert actor is not None
            await table.hand(actor, WEAK)
            seat = Seat(table, people[actor])
            await seat.say(sync=True)
            assert (await seat.scene())["moves"] == []
            await seat.say(play=table.match.lines()[0], event=table.event, id="x")
            assert (await seat.hear())["code"] == "not_your_turn"

        in_hall(visit)

    def test_by_the_others_when_away_too_long(self, in_hall: Run) -> None:
        async def visit(hall: Hall, _: User) -> None:
            people = await friends(hall, 3)
            table = await bus_with(hall, people, patience=600)
            seats = [Seat(table, person) for person in people[:2]]
            assert table.company
            for seat in seats:
                table.company.enter(seat.watcher)
            await seats[0].say(propose="bot", seat=2, event=table.event, id="p")
            assert await code_of(seats[0]) == "refused"
            table.company._seen[people[2].id] = time.time() - 601
            assert table.company.absent() == [2]
            await seats[0].say(propose="bot", seat=2, event=table.event, id="p")
            assert not table.handed(2)
            await seats[1].say(agree=True, event=table.event, id="a")
            assert table.handed(2)
            back = Seat(table, people[2])
            await back.say(hand="", id="b")
            assert not table.handed(2)

        in_hall(visit)

    def test_two_are_away(self, in_hall: Run) -> None:
        """They need not agree about each other."""

        async def visit(hall: Hall, _: User) -> None:
            people = await friends(hall, 3)
            table = await bus_with(hall, people, patience=600)
            assert table.company
            seat = Seat(table, people[0])
            table.company.enter(seat.watcher)
            for person in people[1:]:
                table.company._seen[person.id] = time.time() - 601
            for away in (1, 2):
                await seat.say(propose="bot", seat=away, event=table.event, id=str(away))
                assert table.handed(away)

        in_hall(visit)
