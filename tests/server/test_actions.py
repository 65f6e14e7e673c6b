"""What users may and may not do with tables."""

from __future__ import annotations

import asyncio
import json

import pytest

from omnibus.bots import names as bot_names
from omnibus.kernel.i18n import ENGLISH
from omnibus.kernel.record import LONGEST_NAME
from omnibus.server.errors import Code, Forbidden, NotStarted, Rejected, TableNotFound
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables import actions
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.rematches import ask_for_rematch
from omnibus.server.tables.seating import change_seat
from omnibus.server.tables.session import TableSession
from omnibus.server.tables.setup import away_limit_label
from omnibus.server.tables.waiting_session import WaitingSession
from support.seats import Seat, bus_with, friends, play_first, received

pytestmark = pytest.mark.both_databases

WEAK = bot_names()[0]


async def opened(registry: TableRegistry, user: User, *free: int, listed: bool = False) -> str:
    """Set up a table of Bus: the user in seat 0, bots in the others except those left free."""
    sitters = [Sitter(user=user.id, name="Ann"), Sitter(bot=WEAK), Sitter(bot=WEAK)]
    for seat in free:
        sitters[seat] = Sitter()
    return (await registry.open(user.id, "bus", {}, sitters, listed=listed)).id


async def begun(registry: TableRegistry, user: User) -> tuple[str, User]:
    """Set up a table with two people, and start the game."""
    friend, _ = await registry.user_store.add_user("Bo")
    table_id = await opened(registry, user, 2)
    await actions.join(registry, friend, table_id)
    return table_id, friend


async def test_sitting_down(registry: TableRegistry, user: User) -> None:
    """Everybody may take one seat at a table whose address they know; at any table its owner may take several."""
    friend, _ = await registry.user_store.add_user("Bo")
    private, listed = await opened(registry, user, 1, 2), await opened(registry, user, 1, 2, listed=True)
    await actions.sit(registry, user, private, 1, "A neighbour")
    await actions.sit(registry, friend, listed, 1)
    with pytest.raises(Rejected):
        await actions.sit(registry, friend, listed, 2)
    other, _ = await registry.user_store.add_user("Cy")
    for taken_or_none in (1, 7, -1):
        with pytest.raises(Rejected):
            await actions.sit(registry, other, listed, taken_or_none)
    await actions.sit(registry, other, listed, 2, "  Cy\n the  third ")
    assert (await registry.table(listed)).match.names == ("Ann", "Bo", "Cy the third")
    assert (await registry.waiting_setup(private)).sitters[1].name == "A neighbour"
    with pytest.raises(Rejected):
        await actions.sit(registry, other, listed, 2)


async def test_joining(registry: TableRegistry, user: User) -> None:
    """Whoever knows a table takes whatever seat is free, once; when none is, the game has started."""
    table_id = await opened(registry, user, 1, 2)
    friends = [(await registry.user_store.add_user("Bo"))[0] for _ in range(3)]
    with pytest.raises(Rejected):
        await actions.join(registry, user, table_id)
    with pytest.raises(TableNotFound):
        await actions.join(registry, friends[0], "nowhere")
    came = await asyncio.gather(*[actions.join(registry, each, table_id) for each in friends], return_exceptions=True)
    assert sorted(type(each).__name__ for each in came) == ["NoneType", "NoneType", "Rejected"]
    table = await registry.table(table_id)
    assert len(table.people()) == 3
    assert table.match.names == ("Ann", "Bo", "Bo (2)")


async def test_nobody_has_the_name_of_another(registry: TableRegistry, user: User) -> None:
    """Names at a table differ, also where they only look alike, on one device, and where they are long."""
    sitters = [Sitter(user=user.id, name="Ann"), Sitter(user=user.id, name="ann"), *[Sitter()] * 2]
    setup = await registry.open(user.id, "bus", {}, sitters)
    assert [sitter.name for sitter in setup.sitters] == ["Ann", "ann (2)", "", ""]
    friend, _ = await registry.user_store.add_user("Bo")
    await actions.join(registry, friend, setup.id, "Ánn")
    assert (await registry.waiting_setup(setup.id)).sitters[2].name == "Ánn (3)"
    long = [Sitter(user=user.id, name="x" * LONGEST_NAME)] * 2
    names = [sitter.name for sitter in (await registry.open(user.id, "times_square", {}, long)).sitters]
    assert len(set(names)) == 2
    assert max(map(len, names)) <= LONGEST_NAME


async def test_standing_up(registry: TableRegistry, user: User) -> None:
    """Players leave their own seats before the game; the owner may free any seat but the own last one."""
    friend, _ = await registry.user_store.add_user("Bo")
    table_id = await opened(registry, user, 1, 2, listed=True)
    await actions.sit(registry, friend, table_id, 1)
    with pytest.raises(Forbidden):
        await actions.stand_up(registry, friend, table_id, 0)
    with pytest.raises(Rejected):
        await actions.stand_up(registry, user, table_id, 0)
    with pytest.raises(TableNotFound):
        await actions.stand_up(registry, user, table_id, -1)
    await actions.stand_up(registry, friend, table_id, 1)
    await actions.sit(registry, friend, table_id, 2)
    await actions.stand_up(registry, user, table_id, 2)
    assert (await registry.waiting_setup(table_id)).free() == [1, 2]
    with pytest.raises(Rejected):
        await change_seat(registry, table_id, 0, Sitter(), instead_of=Sitter(user=friend.id))
    with pytest.raises(Forbidden):
        await actions.fill(registry, friend, table_id, 1, WEAK)
    with pytest.raises(Rejected):
        await actions.fill(registry, user, table_id, 1, "grandmaster")
    for seat in (1, 2):
        await actions.fill(registry, user, table_id, seat, WEAK)
    assert (await registry.table(table_id)).standing == "live"
    with pytest.raises(Rejected):
        await actions.stand_up(registry, user, table_id, 1)


async def test_a_table_with_others_stays(registry: TableRegistry, user: User) -> None:
    """While others play it can be neither abandoned nor deleted; a bot plays on for whoever resigns."""
    table_id, friend = await begun(registry, user)
    for act in (actions.abandon, actions.delete):
        with pytest.raises(Forbidden):
            await act(registry, friend, table_id)
        with pytest.raises(Rejected):
            await act(registry, user, table_id)
    with pytest.raises(Rejected):
        await ask_for_rematch(registry, user, table_id)
    await actions.resign(registry, friend, table_id)
    assert (await registry.table(table_id)).sitter(2).bot is not None
    with pytest.raises(Forbidden):
        await actions.resign(registry, friend, table_id)
    await actions.abandon(registry, user, table_id)
    with pytest.raises(Rejected) as ended:
        await actions.abandon(registry, user, table_id)
    assert ended.value.code is Code.OVER
    with pytest.raises(Rejected):
        await actions.delete(registry, user, table_id)
    again = await ask_for_rematch(registry, friend, table_id)
    assert (await registry.waiting_setup(again)).people() == {friend.id}
    assert again == await ask_for_rematch(registry, user, table_id)
    assert (await registry.table(again)).setup.people() == {user.id, friend.id}
    assert again == await ask_for_rematch(registry, user, table_id)
    with pytest.raises(Forbidden):
        await ask_for_rematch(registry, (await registry.user_store.add_user())[0], table_id)


async def test_an_open_table_can_be_deleted(registry: TableRegistry, user: User) -> None:
    """By its owner, whoever sits there; one can neither resign nor abandon it before the game."""
    friend, _ = await registry.user_store.add_user("Bo")
    table_id = await opened(registry, user, 1, 2, listed=True)
    await actions.sit(registry, friend, table_id, 1)
    for act in (actions.resign, actions.abandon, ask_for_rematch):
        with pytest.raises(Rejected):
            await act(registry, user, table_id)
    with pytest.raises(Forbidden):
        await actions.delete(registry, friend, table_id)
    await actions.delete(registry, user, table_id)
    for gone in (actions.delete, actions.resign, actions.abandon):
        with pytest.raises(TableNotFound):
            await gone(registry, user, table_id)


async def test_a_table_that_does_not_replay(registry: TableRegistry, user: User) -> None:
    """It can be deleted; everything else is rejected."""
    table_id = await opened(registry, user)
    await registry.table_store.database.execute("UPDATE tables SET rules = 99")
    registry.live.unload_all()
    for act in (actions.resign(registry, user, table_id), actions.lend(registry, user, table_id, 0)):
        with pytest.raises(Rejected) as frozen:
            await act
        assert frozen.value.code is Code.GONE
    await actions.delete(registry, user, table_id)


async def test_tokens_of_seats(registry: TableRegistry, user: User) -> None:
    """Made by the owner of a seat; a new one, withdrawing it or leaving the seat makes the old one invalid."""
    table_id, friend = await begun(registry, user)
    first = await actions.lend(registry, user, table_id, 0)
    with pytest.raises(Forbidden):
        await actions.lend(registry, friend, table_id, 0)
    with pytest.raises(TableNotFound):
        await actions.lend(registry, user, table_id, 3)
    table = await registry.table(table_id)
    program = TableSession(registry, table, user, "en", only=0)
    program.presence.enter(program)
    second = await actions.lend(registry, user, table_id, 0)
    assert None in received(program)
    assert await registry.user_store.token(first) is None
    assert await registry.user_store.token(second) is not None
    await actions.withdraw(registry, user, table_id, 0)
    assert await registry.user_store.token(second) is None
    await actions.resign(registry, friend, table_id)
    with pytest.raises(Forbidden):
        await actions.lend(registry, friend, table_id, 2)
    still_open = await opened(registry, user, 1, 2)
    await actions.sit(registry, user, still_open, 1)
    third = await actions.lend(registry, user, still_open, 1)
    await actions.stand_up(registry, user, still_open, 1)
    assert await registry.user_store.token(third) is None


async def test_chat_with_the_token_of_a_seat(registry: TableRegistry, user: User) -> None:
    """A program may speak for that seat only; with a token of another table, not at all."""
    table_id = await opened(registry, user, 1, 2)
    with pytest.raises(NotStarted):
        await registry.table(table_id)
    setup = await registry.waiting_setup(table_id)
    for only, heard in ((None, b'"done"'), (0, b'"done"'), (1, b'"error"'), (-1, b'"error"')):
        session = WaitingSession(registry, await registry.presence(setup), user, "en", only=only)
        await session.answer('{"chat": "hello", "id": "1"}')
        assert heard in (session.outbox.get_nowait() or b"")


async def test_a_seat_is_handed_over_to_a_bot(registry: TableRegistry) -> None:
    """The bot plays until the owner takes over again."""
    people = await friends(registry, 3)
    table = await bus_with(registry, people)
    actor = table.actor
    assert actor is not None
    seat = Seat(registry, table, people[actor])
    await seat.say(sync=True)
    await seat.say(hand=WEAK, id="h")
    while table.actor == actor:
        await seat.hear()
    assert await registry.table_store.awaited(people[actor].id) == []
    assert table.handed_over(actor)
    await seat.say(hand="", id="b")
    assert not table.handed_over(actor)
    while table.actor != actor:
        await play_first(registry, table)
    assert await registry.table_store.awaited(people[actor].id) == [table.setup.id]
    assert (await seat.asked())["moves"]


async def test_while_a_bot_plays_the_owner_does_not(registry: TableRegistry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their lines are rejected, and they are offered no moves."""
    monkeypatch.setattr(registry.bot_driver, "drive", lambda table: None)
    people = await friends(registry, 3)
    table = await bus_with(registry, people)
    actor = table.actor
    assert actor is not None
    await actions.hand_over(registry, table, [actor], WEAK)
    seat = Seat(registry, table, people[actor])
    await seat.say(sync=True)
    assert (await seat.scene())["moves"] == []
    await seat.say(play=table.match.lines()[0], event=table.event, id="x")
    assert (await seat.hear())["code"] == "not_your_turn"


async def test_whoever_is_sent_away_is_told(registry: TableRegistry, user: User) -> None:
    """In their language; the others are told that something has changed."""
    friend, _ = await registry.user_store.add_user("Bo")
    table_id = await opened(registry, user, 1, 2, listed=True)
    await actions.sit(registry, friend, table_id, 1)
    setup = await registry.waiting_setup(table_id)
    pages = [WaitingSession(registry, await registry.presence(setup), one, "it") for one in (user, friend)]
    for page in pages:
        page.presence.enter(page)
    for page in pages:
        received(page)
    await actions.stand_up(registry, user, table_id, 1)
    (kept, removed) = (json.loads(received(page)[0] or b"") for page in pages)
    assert kept == {"type": "changed", "reason": "", "text": ""}
    assert (removed["reason"], removed["text"]) == ("removed", "Chi ha creato questo tavolo ha liberato il tuo posto.")
    await actions.sit(registry, friend, table_id, 1)
    received(pages[1])
    await actions.stand_up(registry, friend, table_id, 1)
    assert json.loads(received(pages[1])[0] or b"")["reason"] == ""


async def test_one_seat_each_where_strangers_join_and_hands_are_hidden(registry: TableRegistry, user: User) -> None:
    """Nobody sees two hands at a listed table under two names; in open games and among friends it does no harm."""
    mine, free = Sitter(user=user.id), Sitter()
    for game, sitters, listed in (
        ("metromania", [mine, mine, free], False),
        ("metromania", [mine, mine], True),
        ("bus", [mine, mine, free], True),
    ):
        await registry.open(user.id, game, {}, sitters, listed=listed)
    with pytest.raises(Rejected):
        await registry.open(user.id, "metromania", {}, [mine, mine, free], listed=True)
    setup = await registry.open(user.id, "metromania", {}, [mine, free, free], listed=True)
    with pytest.raises(Rejected):
        await actions.sit(registry, user, setup.id, 1, "Somebody Else")


@pytest.mark.parametrize(
    ("seconds", "label"),
    [(60, "1 minute"), (90, "1 minute 30 seconds"), (600, "10 minutes (live game)"), (129_600, "1 day 12 hours")],
)
def test_the_away_limit_is_told_as_it_is(seconds: float, label: str) -> None:
    """Not the nearest of those that are offered."""
    assert away_limit_label(seconds, ENGLISH, "en") == label


async def test_a_rematch_asks(registry: TableRegistry) -> None:
    """Nobody is seated unasked; the seats of the others are kept free for them, as long as the proposer likes."""
    people = await friends(registry, 3)
    table = await bus_with(registry, people, listed=True)
    for person in people[1:]:
        await actions.resign(registry, person, table.setup.id)
    again = await ask_for_rematch(registry, people[0], table.setup.id)
    setup = await registry.waiting_setup(again)
    assert [sitter.user for sitter in setup.sitters] == [None, None, people[0].id]
    assert not setup.listed
    await actions.fill(registry, people[0], again, 0, WEAK)
    assert await ask_for_rematch(registry, people[1], table.setup.id) == again  # who was not waited for may watch
    assert people[1].id not in (await registry.waiting_setup(again)).people()
    await ask_for_rematch(registry, people[2], table.setup.id)
    assert (await registry.table(again)).owners() == [None, people[2].id, people[0].id]
