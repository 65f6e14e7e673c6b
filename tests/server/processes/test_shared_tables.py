"""Tables that several processes share: every move is played once, and everybody sees it."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random

import pytest

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.server.errors import Code, Rejected, TableNotFound
from omnibus.server.people import accounts
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables import actions, chat
from omnibus.server.tables.other_processes import OtherProcesses
from omnibus.server.tables.rematches import ask_for_rematch
from omnibus.server.tables.session import TableSession
from omnibus.server.tables.table import Table
from omnibus.server.tables.waiting_session import WaitingSession
from support.postgres import missing
from support.seats import Seat, bus_with, friends, next_of, play_first, received, told
from support.two_processes import Pair, nothing, until

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "all is there")

WEAK = bot_names()[0]


@pytest.mark.parametrize("game", games.names())
async def test_both_play_the_same_game(pair: Pair, game: str) -> None:
    """Every move is made at one of them at random, by whoever asked for the table there; the dice stay the same."""
    (ann,) = await friends(pair[0], 1)
    seats = games.find(game).seats[0]
    setup = await pair[0].open(ann.id, game, {}, [Sitter(user=ann.id)] * seats)
    random = Random(1)
    for _ in range(40):
        registry = random.choice(pair)
        table = await registry.table(setup.id)
        if table.actor is None:
            break
        await actions.play(registry, table, table.actor, random.choice(table.match.lines()), table.event)
        if random.random() < 0.2 and table.can_undo(table.actor):
            await actions.undo(registry, table, table.actor or 0, table.event)
    one, other = [await registry.table(setup.id) for registry in pair]
    assert one.event == other.event
    assert one.match.written() == other.match.written()
    assert one.match.position() == other.match.position()
    again = await Table.loaded(pair[0].table_store, setup)
    assert again.match.written() == one.match.written()


async def test_pages_of_the_other_process_are_shown_every_move(pair: Pair) -> None:
    """Also what happens besides moves: somebody leaves a seat to a bot, comes back, and resigns."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    seat = Seat(pair[1], await pair[1].visit(table.setup.id), people[1])
    await seat.say(sync=True)
    assert (await seat.scene())["event"] == 1
    await play_first(pair[0], table)
    assert (await seat.scene())["event"] == 2
    await actions.hand_over(pair[0], table, [1], WEAK)
    while (await seat.scene())["event"] < 3:
        pass
    assert seat.session.table.handed_over(1)
    await actions.resign(pair[0], people[2], table.setup.id)
    await until(lambda: 2 in seat.session.table.resigned)


async def test_of_two_moves_one_is_stale(pair: Pair) -> None:
    """Whoever appends first wins; the other is told so, is shown what was played, and can go on."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    tables = [table, await pair[1].visit(table.setup.id)]
    for _ in range(10):
        event, actor = tables[0].event, tables[0].actor
        assert actor is not None
        lines = tables[0].match.lines()
        results = await asyncio.gather(
            *(
                actions.play(registry, one, actor, line, event)
                for registry, one, line in zip(pair, tables, (lines[0], lines[-1]), strict=True)
            ),
            return_exceptions=True,
        )
        (lost,) = [result for result in results if isinstance(result, BaseException)]
        assert isinstance(lost, Rejected)
        assert lost.code is Code.STALE
        for one in tables:
            await one.read_on()
        assert tables[0].event == tables[1].event == event + 1
        assert tables[0].match.written() == tables[1].match.written()
    assert not any(one.broken for one in tables)


async def test_a_repeated_request_is_answered_by_the_other_process(pair: Pair) -> None:
    """Whoever reconnects elsewhere and sends a move again gets the first answer, even before hints arrive."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    other, line, actor = await pair[1].visit(table.setup.id), table.match.lines()[0], table.actor
    assert actor is not None
    results = await asyncio.gather(
        actions.play(pair[0], table, actor, line, 1, "same"), actions.play(pair[1], other, actor, line, 1, "same")
    )
    assert [change.event for change in results] == [2, 2]
    assert Counter(change.new for change in results) == {True: 1, False: 1}


async def test_the_socket_of_whoever_was_slower_stays_open(pair: Pair) -> None:
    """It is told that the move is stale, and shown the table as it is."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    assert table.actor is not None
    seat = Seat(pair[1], await pair[1].visit(table.setup.id), people[table.actor])
    await seat.say(sync=True)
    line = (await seat.scene())["moves"][0]["line"]
    seat.session.table.read_on = lambda: asyncio.sleep(0)  # type: ignore[method-assign]  # hints come too late
    await play_first(pair[0], table)
    await seat.say(play=line, event=1, id="x")
    heard = {message["type"]: message for message in [await seat.hear(), await seat.hear()]}
    assert heard["error"]["code"] == "stale"
    assert heard["scene"]["event"] == 2
    assert not seat.session.closed


async def test_a_lost_listener_is_renewed(pair: Pair) -> None:
    """What happened meanwhile is found out, and hints arrive again."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    seat = Seat(pair[1], await pair[1].visit(table.setup.id), people[0])
    await seat.say(sync=True)
    await seat.scene()
    for _ in range(2):
        ended = await pair[0].database.read(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'omnibus hints' AND datname = current_database()"
        )
        assert ended
        await play_first(pair[0], table)
        while (await seat.scene())["event"] < table.event:
            pass


async def test_looking_everywhere_finds_what_no_hint_said(pair: Pair) -> None:
    """Moves, chat, seats and deleted tables, even if every hint was lost."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    pair[0].database.hint = lambda subject: None  # type: ignore[method-assign]
    one, other = pair[1], OtherProcesses(pair[1], nothing)
    seat = Seat(one, await one.visit(table.setup.id), people[1])
    await seat.say(sync=True)
    await seat.scene()
    open_table = await pair[0].open(people[0].id, "bus", {}, [Sitter(user=people[0].id), Sitter(), Sitter()])
    waiting = WaitingSession(one, await one.presence(open_table), people[1], "en")
    waiting.presence.enter(waiting)
    received(waiting)
    await play_first(pair[0], table)
    await chat.say(pair[0], pair[0].live.presence_at(table), people[0], "hello")
    await actions.fill(pair[0], people[0], open_table.id, 1, WEAK)
    await actions.fill(pair[0], people[0], open_table.id, 2, WEAK)
    await other.look_everywhere(missed=True)
    assert (await seat.scene())["event"] == 2
    assert [line["text"] for line in (await next_of(seat, "chat"))["lines"]] == ["hello"]
    while (await told(waiting))["type"] != "changed":
        pass


async def test_chat_reaches_everybody_in_order(pair: Pair) -> None:
    """However quickly people answer each other in different processes."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    seats = [
        Seat(registry, await registry.visit(table.setup.id), user)
        for registry, user in zip(pair, people[:2], strict=True)
    ]
    for number in range(6):
        for seat in seats:
            await seat.say(chat=f"{number}", id=f"{number}")
    for seat in seats:
        numbers: list[int] = []
        while len(numbers) < 12:
            numbers += [line["number"] for line in (await next_of(seat, "chat"))["lines"]]
        assert numbers == list(range(1, 13))


async def test_the_last_free_seat_is_taken_once(pair: Pair) -> None:
    """Two people sit down at once in different processes; the game starts with one of them, and both know it."""
    ann, *others = await friends(pair[0], 3)
    for _ in range(5):
        sitters = [Sitter(user=ann.id), Sitter(), Sitter(bot=WEAK)]
        setup = await pair[0].open(ann.id, "bus", {}, sitters, listed=True)
        results = await asyncio.gather(
            *(actions.sit(registry, user, setup.id, 1) for registry, user in zip(pair, others, strict=True)),
            return_exceptions=True,
        )
        (lost,) = [result for result in results if result is not None]
        assert isinstance(lost, Rejected)
        winner = others[results.index(None)]
        for registry in pair:
            assert (await registry.table(setup.id)).owners() == [ann.id, winner.id, None]


async def test_two_free_seats_are_both_taken(pair: Pair) -> None:
    """Nobody unseats anybody, and names that change at the same moment are kept."""
    ann, bo, cleo = await friends(pair[0], 3)
    for number in range(5):
        setup = await pair[0].open(ann.id, "bus", {}, [Sitter(user=ann.id), *[Sitter()] * 2], listed=True)
        await asyncio.gather(
            actions.sit(pair[0], bo, setup.id, 1),
            actions.sit(pair[1], cleo, setup.id, 2),
            accounts.rename(pair[number % 2], ann, f"Ann {number}"),
        )
        assert (await pair[1].table(setup.id)).owners() == [ann.id, bo.id, cleo.id]
        ann = User(ann.id, f"Ann {number}")


async def test_one_rematch(pair: Pair) -> None:
    """Two who ask for it at once in different processes get the same table."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people[:2], Sitter(bot=WEAK))
    await actions.resign(pair[0], people[0], table.setup.id)
    await actions.resign(pair[0], people[1], table.setup.id)
    found = await asyncio.gather(
        *(ask_for_rematch(registry, user, table.setup.id) for registry, user in zip(pair, people[:2], strict=True))
    )
    assert found[0] == found[1]


async def test_a_deleted_table_is_gone_everywhere(pair: Pair) -> None:
    """Also for those who have it open in another process."""
    (ann,) = await friends(pair[0], 1)
    setup = await pair[0].open(ann.id, "bus", {}, [Sitter(user=ann.id)] * 3)
    session = TableSession(pair[1], await pair[1].visit(setup.id), ann, "en")
    session.presence.enter(session)
    await actions.delete(pair[0], ann, setup.id)
    with pytest.raises(TableNotFound):
        await pair[1].table(setup.id)
    await until(lambda: session.closed)
