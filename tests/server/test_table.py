"""Tables: every event is stored, and a table loaded from its events is the same."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from anyio import fail_after

from omnibus import Match, games
from omnibus.bots import names as bot_names
from omnibus.server.errors import Code, NotReplayable, Rejected, TableNotFound
from omnibus.server.store.models import DEFAULT_BOT, Sitter, User
from omnibus.server.tables import actions
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from support.seats import Seat, opened, play_first

pytestmark = pytest.mark.both_databases

WEAK = bot_names()[0]


async def alone(registry: TableRegistry, user: User, game: str, seats: int, **options: Any) -> Table:
    """A table at which one user has all seats, so that nothing happens by itself."""
    return await opened(registry, user.id, game, options, [Sitter(user=user.id)] * seats)


async def reloaded(registry: TableRegistry, table: Table) -> Table:
    """The same table, loaded from the database."""
    return await TableRegistry(registry.table_store.database, registry.bot_pool).table(table.setup.id)


@pytest.mark.parametrize(("game", "seats"), [("bus", 3), ("metromania", 4), ("times_square", 2)])
async def test_a_loaded_table_is_the_same(registry: TableRegistry, user: User, game: str, seats: int) -> None:
    """After every event, undo included: plies, rolls, position, record."""
    table = await alone(registry, user, game, seats)
    for step in range(25):
        lines = table.match.lines()
        assert table.actor is not None
        await table.play(table.actor, lines[step % len(lines)], table.event)
        if step % 4 == 3 and table.can_undo(table.actor):
            await table.undo(table.actor, table.event)
        again = await reloaded(registry, table)
        assert (again.event, again.actor) == (table.event, table.actor)
        assert again.match.written() == table.match.written()
        assert again.match.position() == table.match.position()
        assert again.record() == table.record()


async def test_a_loaded_table_rolls_the_same_dice(registry: TableRegistry, user: User) -> None:
    """Past undone rolls too; its record replays."""
    table = await alone(registry, user, "times_square", 2)
    await play_until_drawn(table)
    other = await reloaded(registry, table)
    line = table.match.lines()[0]
    table.match.play(line)
    other.match.play(line)
    while table.match.actor is not None and len(table.match.plies) < 200:
        line = table.match.lines()[0]
        table.match.play(line)
        other.match.play(line)
    assert table.match.written() == other.match.written()
    assert Match.read(table.record()).plies == table.match.plies


async def play_until_drawn(table: Table) -> None:
    """Play until chance has acted after a decision."""
    begun = len(table.match.plies)
    while not any(actor == "chance" for actor, _ in table.match.plies[begun:]):
        assert table.actor is not None
        await table.play(table.actor, table.match.lines()[-1], table.event)


async def test_what_is_rejected(registry: TableRegistry, user: User) -> None:
    """Each request is rejected with its code, and changes nothing."""
    table = await alone(registry, user, "times_square", 2)
    seat, event = table.actor, table.event
    assert seat is not None
    line = table.match.lines()[0]
    cases = [
        (table.play(seat, line, event - 1), Code.STALE),
        (table.play(1 - seat, line, event), Code.NOT_YOUR_TURN),
        (table.play(seat, "dance", event), Code.MALFORMED),
        (table.play(seat, "done", event), Code.REFUSED),
        (table.undo(seat, event), Code.NOT_YOUR_TURN),
    ]
    for doing, code in cases:
        with pytest.raises(Rejected) as caught:
            await doing
        assert caught.value.code is code
        assert (caught.value.refusal is not None) == (code is Code.REFUSED)
    assert table.event == event
    await table.abandon()
    with pytest.raises(Rejected) as caught:
        await table.play(seat, line, event + 1)
    assert caught.value.code is Code.OVER
    assert (await reloaded(registry, table)).standing == "closed"


async def test_a_repeated_request_is_carried_out_once(registry: TableRegistry, user: User) -> None:
    """It is answered with the first event, by the live table and by one loaded again."""
    table = await alone(registry, user, "bus", 3)
    assert table.actor is not None
    asked = (table.actor, table.match.lines()[0], table.event, "the same")
    answers = [
        await table.play(*asked),
        await table.play(*asked),
        await (await reloaded(registry, table)).play(*asked),
    ]
    assert [(change.event, change.new) for change in answers] == [(2, True), (2, False), (2, False)]
    assert table.event == 2


async def test_a_repeated_request_is_answered_before_a_seat_is_chosen(registry: TableRegistry, user: User) -> None:
    """At a shared device with hidden hands a page that comes back has yet to choose; its move was stored."""
    table = await alone(registry, user, "times_square", 2)
    seat = Seat(registry, table, user)
    await seat.say(look=table.actor)
    asked = {"play": table.match.lines()[0], "event": table.event, "id": "the same"}
    await seat.say(**asked)
    back = Seat(registry, table, user)
    await back.say(**asked)
    assert await back.hear() == {"type": "done", "id": "the same", "event": 2}
    await back.say(**{**asked, "id": "another"})
    assert (await back.hear())["code"] == Code.NOT_YOUR_SEAT
    assert table.event == 2


async def test_what_can_be_undone(registry: TableRegistry, user: User) -> None:
    """A decision within one's own turn; not after a draw or another seat's decision."""
    table = await alone(registry, user, "times_square", 2)
    seat = table.actor
    assert seat is not None
    assert not table.can_undo(seat)
    card = next(line for line in table.match.lines() if not line.startswith(("lure", "drop", "done")))
    before = table.match.position()
    await table.play(seat, card, table.event)
    assert table.actor == seat
    assert table.can_undo(seat)
    assert not table.can_undo(1 - seat)
    await table.undo(seat, table.event)
    assert table.match.position() == before
    assert table.event == 3
    await table.play(seat, card, table.event)
    await table.play(seat, "done", table.event)
    assert not table.can_undo(seat)
    assert not table.can_undo(1 - seat)


@pytest.mark.walk
async def test_a_whole_game_against_bots(registry: TableRegistry, user: User) -> None:
    """Bots play their turns until the end, and the list of tables says that it is over."""
    table = await opened(
        registry, user.id, "metromania", {}, [Sitter(user=user.id), Sitter(bot=WEAK), Sitter(bot=WEAK)]
    )
    seat = Seat(registry, table, user)
    while (scene := await seat.asked())["live"]:
        await seat.say(play=scene["moves"][0]["line"], event=scene["event"], id=str(scene["event"]))
    assert table.match.outcome
    winners = [panel["seat"] for panel in scene["position"]["panels"] if panel["winner"]]
    assert winners == list(table.match.outcome.winners)
    assert scene["position"]["breakdown"][-1][1] == [
        str(score).replace("-", "−") for score in table.match.outcome.scores
    ]
    (entry,) = await registry.table_store.entries(user.id)
    assert (entry.standing, entry.awaits) == ("over", None)


async def test_resigning(registry: TableRegistry, user: User) -> None:
    """Of two players, the other wins; of more, a bot plays on while there are other people."""
    table = await opened(registry, user.id, "times_square", {}, [Sitter(user=user.id), Sitter(bot=WEAK)])
    await actions.resign(registry, user, table.setup.id)
    assert (table.standing, table.actor) == ("over", None)
    other, _ = await registry.user_store.add_user()
    sitters = [Sitter(user=user.id), Sitter(user=other.id), Sitter(user=other.id)]
    table = await opened(registry, user.id, "bus", {}, sitters)
    await actions.resign(registry, user, table.setup.id)
    assert table.seats_of(user.id) == []
    assert table.standing == "live"
    with fail_after(60):
        while table.actor not in table.seats_of(other.id):
            await asyncio.sleep(0.02)
    assert (await reloaded(registry, table)).sitter(0).bot == DEFAULT_BOT


async def test_a_record_that_no_longer_replays(registry: TableRegistry, user: User) -> None:
    """The table says why, its events stay as they are, and other tables are not affected."""
    table, fine = await alone(registry, user, "bus", 3), await alone(registry, user, "bus", 3)
    await registry.table_store.database.execute("UPDATE tables SET rules = 99 WHERE id = ?", table.setup.id)
    before = await registry.table_store.database.read("SELECT * FROM events")
    with pytest.raises(NotReplayable, match="needs version 99 of the rules of Bus"):
        await reloaded(registry, table)
    assert (await reloaded(registry, fine)).event == 1
    assert await registry.table_store.database.read("SELECT * FROM events") == before


async def test_removed_tables_are_gone(registry: TableRegistry, user: User) -> None:
    """With their events; open connections are closed."""
    table = await alone(registry, user, "bus", 3)
    seat = Seat(registry, table, user)
    await registry.remove(table.setup)
    assert seat.waiting() == [None]
    assert await registry.table_store.database.read("SELECT count(*) FROM events") == [(0,)]
    with pytest.raises(TableNotFound):
        await registry.table(table.setup.id)


async def test_every_game_can_be_set_up(registry: TableRegistry, user: User) -> None:
    """With every allowed number of seats; another number or an unknown bot is a ValueError with a sentence."""
    for name in games.names():
        for seats in games.find(name).seats:
            assert (await alone(registry, user, name, seats)).match.seats == seats
    with pytest.raises(ValueError, match="Bus is for 3, 4 or 5 seats, not 2"):
        await alone(registry, user, "bus", 2)
    with pytest.raises(ValueError, match="no bot 'genius'"):
        await opened(registry, user.id, "bus", {}, [Sitter(bot="genius")] * 3)


async def test_a_table_at_rest_is_shown_the_same(registry: TableRegistry, user: User) -> None:
    """What was cached for readers is forgotten while nothing happens, and made again when they ask."""
    table = await opened(registry, user.id, "bus", {}, [Sitter(user=user.id)] * 3)
    seat = Seat(registry, table, user)
    await play_first(registry, table, 9)
    await seat.say(sync=True)
    shown, cached = await seat.scene(), table.view_cache
    table.rest()
    assert table.view_cache is cached  # something has happened since
    table.rest()
    assert table.view_cache is not cached
    await seat.say(sync=True)
    assert await seat.scene() == shown
