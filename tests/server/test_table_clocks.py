"""Clocks of tables, with a clock on the wall that the tests set: who has how much time, and what happens at zero."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.kernel.i18n import ENGLISH
from omnibus.server.errors import Rejected
from omnibus.server.people import vacations
from omnibus.server.store.errors import Conflict, StoreError
from omnibus.server.store.models import DAY, Sitter, TimeControl, User
from omnibus.server.tables import actions, events, proposals
from omnibus.server.tables.clock import Clocks, time_control
from omnibus.server.tables.periodic import resume_clocks
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.rematches import ask_for_rematch
from omnibus.server.tables.setup import clock_label
from omnibus.server.tables.table import Table
from support.api_client import known
from support.seats import Seat, bus_with, friends, opened, play_first
from support.wall_clock import WallClock

from .conftest import Person, registry_at

pytestmark = pytest.mark.both_databases

WEAK = bot_names()[0]
CONTROL = TimeControl(bank=100, increment=10)


async def two(registry: TableRegistry, control: TimeControl | None = CONTROL) -> tuple[Table, list[User]]:
    """Two people at a table with a clock."""
    people = await friends(registry, 2)
    sitters = [Sitter(user=person.id, name=person.name) for person in people]
    return await opened(registry, people[0].id, "times_square", {}, sitters, clock=control), people


def clocks(table: Table) -> Clocks:
    assert table.clock is not None
    return table.clock.clocks


async def play(registry: TableRegistry, table: Table) -> int:
    """Play the first legal line for whoever is to decide; return the seat."""
    seat = table.actor
    assert seat is not None
    await play_first(registry, table)
    return seat


async def test_thinking_takes_time_and_deciding_adds_some(registry: TableRegistry, wall: WallClock) -> None:
    """The bank of whoever decides goes down, the increment comes back up to the start, and the others keep theirs."""
    table, _ = await two(registry)
    first = table.actor
    assert first is not None
    assert (clocks(table).running, clocks(table).banks) == (first, (100, 100))
    wall.seconds += 30
    await play(registry, table)
    assert clocks(table).banks[first] == 80
    assert clocks(table).used == 30
    assert clocks(table).banks[1 - first] == 100
    assert clocks(table).running == table.actor


async def test_no_clock_runs_for_a_bot(registry: TableRegistry, user: User, wall: WallClock) -> None:
    """While bots decide nobody's time goes, and after the game nobody's."""
    table = await bus_with(registry, [user], Sitter(bot=WEAK), Sitter(bot=WEAK), clock=CONTROL)
    seat = Seat(registry, table, user)
    while (scene := await seat.asked())["live"] and table.match.length < 12:
        assert (scene["clock"]["running"], scene["clock"]["left"][0]) == (0, 100)
        wall.seconds += 7
        await actions.play(registry, table, 0, scene["moves"][0]["line"], scene["event"])
        assert clocks(table).running == table.awaits
        wall.seconds += 1000 * (clocks(table).running is None)
        assert clocks(table).banks[0] == 100
    await actions.resign(registry, user, table.setup.id)
    assert clocks(table).running is None
    assert registry.clock_keeper.watched == set()


async def test_a_bot_takes_over_at_zero_and_the_seat_can_be_taken_back(
    registry: TableRegistry, wall: WallClock
) -> None:
    """Moves come too late then; the others read why a bot plays; who comes back has some time again."""
    table, people = await two(registry)
    seat = table.actor
    assert seat is not None
    session = Seat(registry, table, people[seat], "en")
    await session.asked()
    wall.seconds += 100
    with pytest.raises(Rejected, match="refused") as refused:
        await play_first(registry, table)
    assert refused.value.why == "Your time is up."
    await actions.time_out(registry, table)
    scene = await session.scene()
    assert (scene["notice"], scene["handed"]) == (
        "You have run out of time. A bot plays for you until you are back.",
        True,
    )
    assert (table.timed_out, table.handed_over(seat)) == ({seat}, True)
    await actions.resume_seats(registry, table, [seat])
    assert clocks(table).banks[seat] == 30
    assert table.timed_out == {seat}


async def test_whoever_comes_too_late_is_told_so(
    people: list[Person], registry: TableRegistry, wall: WallClock
) -> None:
    """On the socket and by the API: not that something else has happened meanwhile, though the bot has played."""
    users = [user for user, _ in people]
    sitters = [Sitter(user=user.id, name=user.name) for user in users]
    table = await opened(registry, users[0].id, "times_square", {}, sitters, clock=CONTROL)
    seat = table.actor
    assert seat is not None
    late = Seat(registry, table, users[seat], "it")
    scene = await late.asked()
    line, event = scene["moves"][0]["line"], scene["event"]
    wall.seconds += 100
    await actions.time_out(registry, table)
    said = await told(late, play=line, event=event, id="late")
    assert (said["code"], said["text"]) == ("refused", "Il tuo tempo è scaduto.")
    body = {"line": line, "event": event, "id": "too late"}
    answer = await people[seat][1].post(f"tables/{table.setup.id}/play", json=body, headers={"accept-language": "de"})
    assert (answer.status_code, answer.json()["code"]) == (409, "refused")
    assert answer.json()["text"] == "Deine Zeit ist abgelaufen."
    await actions.resume_seats(registry, table, [seat])
    assert (await told(late, play=line, event=event, id="again"))["code"] == "stale"


async def told(seat: Seat, **message: Any) -> dict[str, Any]:
    """Return the error with which a message is answered."""
    await seat.say(**message)
    while (heard := await seat.hear())["type"] != "error":
        pass
    return heard


async def test_what_is_shown_as_nothing_is_nothing(registry: TableRegistry, wall: WallClock) -> None:
    """A decision with a few hundredths of a second left comes too late: everybody reads 0.0."""
    table, people = await two(registry)
    wall.seconds += 99.97
    assert (await Seat(registry, table, people[0]).synced())["clock"]["left"][table.actor or 0] == 0.0
    with pytest.raises(Rejected, match="refused"):
        await play_first(registry, table)


@pytest.mark.parametrize(("used", "in_time"), [(99.9, True), (99.96, False), (100.0, False), (100.001, False)])
@pytest.mark.parametrize("move_first", [True, False])
async def test_a_move_is_in_time_or_too_late(
    registry: TableRegistry, wall: WallClock, used: float, in_time: bool, move_first: bool
) -> None:
    """Around zero, whoever asks first: either the move is stored or the end of the time, never both, never neither."""
    table, _ = await two(registry)
    wall.seconds += used
    tries = [play_first(registry, table), actions.time_out(registry, table)]
    results = await asyncio.gather(*(tries if move_first else tries[::-1]), return_exceptions=True)
    assert any(isinstance(result, Rejected) for result in results) == (not in_time)
    stored = [events.read(event) for _, event, _ in await registry.table_store.events(table.setup.id)]
    assert isinstance(stored[1], events.Played if in_time else events.TimedOut)  # then the bot may have played
    assert bool(table.timed_out) == (not in_time)
    assert all(bank >= 0 for bank in clocks(table).banks)


async def test_the_timer_of_a_table_fires(registry: TableRegistry, wall: WallClock) -> None:
    """Nobody has to ask: the keeper lets a bot take over, and not before the time is over."""
    table, people = await two(registry, TimeControl(bank=5))
    seat = table.actor
    assert seat is not None
    session = Seat(registry, table, people[seat])
    await session.asked()
    wall.seconds += 4.9
    await actions.time_out(registry, table)  # too early: the timer is set again, for the rest
    assert not table.timed_out
    wall.seconds += 0.1
    assert (await session.scene())["handed"]
    assert table.timed_out == {seat}


async def test_undoing_earns_nothing(registry: TableRegistry, user: User, wall: WallClock) -> None:
    """Whoever undoes a decision and makes it again has the increment once, and the time is gone."""
    table = await bus_with(registry, [user], Sitter(bot=WEAK), Sitter(bot=WEAK), clock=CONTROL)
    seat = Seat(registry, table, user)
    while not (scene := await seat.asked())["undo"]:
        await actions.play(registry, table, 0, scene["moves"][0]["line"], scene["event"])
    wall.seconds += 50
    await actions.undo(registry, table, 0, table.event)
    assert clocks(table).banks[0] == 50
    await play_first(registry, table)
    assert clocks(table).banks[0] == 50


async def test_every_decision_tells_what_it_took(
    client: httpx.AsyncClient, registry: TableRegistry, wall: WallClock
) -> None:
    """The scene, the record and the page that replays it say so; undone thinking counts for what replaces it."""
    table, people = await two(registry)
    seat = table.actor
    assert seat is not None
    start = table.match.length
    wall.seconds += 30
    await play(registry, table)
    assert table.times() == [(start, seat, 30, 80)]
    if table.actor == seat:
        wall.seconds += 5
        await actions.undo(registry, table, seat, table.event)
        assert table.times() == []
        wall.seconds += 2
        await play(registry, table)
        assert table.times() == [(start, seat, 37, 73)]
    scene = await Seat(registry, table, people[0]).synced()
    assert scene["clock"]["bank"] == 100
    assert scene["clock"]["times"] == [list(time) for time in table.times()]
    await actions.resign(registry, people[0], table.setup.id)
    times = table.times()
    registry.live.unload_all()
    record = await actions.record(registry, None, table.setup.id)
    assert (await registry.table(table.setup.id)).times() == times
    ply, _, used, left = times[0]
    assert f'clock: {{"bank": 100.0, "increment": 10.0, "turn": 0.0, "times": [[{ply}, {used}, {left}]' in record
    page = await client.post("/records", files={"record": ("a.game", record.encode())})
    assert f'"bank":100.0,"times":[[{ply},{seat},{used},{left}]' in (await client.get(page.headers["location"])).text


async def killed(within: float = 0.0) -> None:
    """Store nothing, as a server that is killed."""


async def test_a_restart_takes_no_time_and_gives_none(tmp_path: Path, address: str, wall: WallClock) -> None:
    """What somebody had used before counts, the time the server was down does not, and the timer is set again."""
    async with registry_at(tmp_path, address) as registry:
        table, _ = await two(registry)
        seat = await play(registry, table)
        wall.seconds += 30
        await registry.table_store.server_clock.confirm()
        table_id = table.setup.id
        wall.seconds += 2
        registry.table_store.server_clock.confirm = killed  # type: ignore[method-assign]
    wall.seconds += 86_400
    async with registry_at(tmp_path, address) as registry:
        await resume_clocks(registry)
        assert registry.clock_keeper.watched == {table_id}
        table = await registry.table(table_id)
        assert table.clock is not None
        assert table.clock.left == 70
        assert table.clock.clocks.banks[seat] == 100
        wall.seconds += 69
        registry.live.unload_all()
        again = await registry.table(table_id)
        assert again is not table
        assert again.clock is not None
        assert again.clock.left == 1


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> WallClock:
    """A clock that only the test moves, and a server's clock that is late when it is not confirmed."""
    return WallClock(monkeypatch, late=True)


async def serve(registry: TableRegistry, wall: WallClock, seconds: int) -> None:
    """Let time pass while a server runs as it should."""
    for _ in range(seconds):
        wall.seconds += 1
        await registry.table_store.server_clock.confirm()


async def left(registry: TableRegistry, table_id: str, *, loaded: bool = True) -> float | None:
    """Return what the player to decide has left, as it is in memory or as the database has it."""
    if not loaded:
        registry.live.unload_all()
    table = await registry.table(table_id)
    assert table.clock is not None
    return table.clock.left


async def test_time_in_which_no_move_can_be_stored_does_not_count(
    registry: TableRegistry, late: WallClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock of 15 seconds and a database that is away for 20: nobody's time is over, and then it goes on."""
    table, _ = await two(registry, TimeControl(bank=15))
    seat = table.actor
    await serve(registry, late, 4)
    with monkeypatch.context() as failing:
        for name in ("write", "append"):
            failing.setattr(registry.database, name, unreachable)
        late.seconds += 1
        with pytest.raises(StoreError):
            await play_first(registry, table)
        for _ in range(19):
            late.seconds += 1
            with pytest.raises(StoreError):
                await actions.time_out(registry, await registry.table(table.setup.id))
        assert await left(registry, table.setup.id) == 11
    await serve(registry, late, 10)
    assert await left(registry, table.setup.id) == await left(registry, table.setup.id, loaded=False) == 2
    late.seconds += 2
    table = await registry.table(table.setup.id)
    await actions.time_out(registry, table)
    assert table.timed_out == {seat}


async def unreachable(*_: object) -> None:
    """Fail as a database that is away, or whose disk is full."""
    raise StoreError("the database does not answer")


async def test_a_process_that_stood_still_times_nobody_out(registry: TableRegistry, late: WallClock) -> None:
    """Stopped with its machine, or by a signal: what has passed meanwhile counts for nobody."""
    table, _ = await two(registry, TimeControl(bank=15))
    await serve(registry, late, 4)
    late.seconds += 3600
    await actions.time_out(registry, table)
    assert not table.timed_out
    assert await left(registry, table.setup.id) == 11
    await serve(registry, late, 3)
    assert await left(registry, table.setup.id) == await left(registry, table.setup.id, loaded=False) == 8


@pytest.mark.parametrize("jump", [3600, -3600, 365 * DAY])
@pytest.mark.parametrize("control", [TimeControl(bank=600), TimeControl(bank=DAY, turn=DAY)])
async def test_a_jump_of_the_time_of_day_changes_no_clock(
    tmp_path: Path, address: str, late: WallClock, jump: float, control: TimeControl
) -> None:
    """Neither in memory nor for a table that is loaded again, nor after a restart, nor in another process."""
    async with registry_at(tmp_path, address) as registry:
        table_id = (await two(registry, control))[0].setup.id
        await serve(registry, late, 10)
        late.jumped += jump
        await serve(registry, late, 8)
        expected = control.bank + control.turn - 18
        assert await left(registry, table_id) == await left(registry, table_id, loaded=False) == expected
    async with registry_at(tmp_path, address) as registry:
        await resume_clocks(registry)
        assert await left(registry, table_id) == expected
        await serve(registry, late, 2)
        assert await left(registry, table_id) == expected - 2


async def test_a_clock_with_much_time_costs_nothing(tmp_path: Path, address: str, wall: WallClock) -> None:
    """It has no timer until its time is nearly over; while the server is down, that moment moves."""
    async with registry_at(tmp_path, address) as registry:
        table_id = (await two(registry, TimeControl(bank=1000)))[0].setup.id
        assert registry.clock_keeper.watched == set()
        assert await registry.table_store.clocks_due(1001) == {table_id: 1000}
    wall.seconds += DAY
    async with registry_at(tmp_path, address) as registry:
        await resume_clocks(registry)
        assert registry.clock_keeper.watched == set()
        assert await registry.table_store.clocks_due(900) == {}
        wall.seconds += 750
        await resume_clocks(registry)
        assert registry.clock_keeper.watched == {table_id}


async def test_a_vacation_stops_the_clock(client: httpx.AsyncClient, registry: TableRegistry, wall: WallClock) -> None:
    """Everywhere the player sits with days per turn, seen by the others; nobody can be replaced by a bot meanwhile."""
    table, people = await two(registry, TimeControl(bank=DAY, turn=DAY))
    seat = table.actor
    assert seat is not None
    quick, _ = await two(registry)
    wall.seconds += DAY / 2
    until = await vacations.begin(registry, people[seat], 7)
    with pytest.raises(Rejected, match="refused"):
        await vacations.begin(registry, people[seat], 1)
    assert until == wall.seconds + 7 * DAY
    shown = (await Seat(registry, table, people[1 - seat]).synced())["clock"]
    assert shown["away"] == [until if each == seat else None for each in range(2)]
    wall.seconds += 6 * DAY
    await actions.time_out(registry, table)
    assert not table.timed_out
    assert table.clock is not None
    assert (table.clock.left, table.clock.due) == (1.5 * DAY, 2.5 * DAY)
    registry.live.presence_at(table).saw(people[seat].id, 90 * DAY)
    with pytest.raises(Rejected) as refused:
        await proposals.propose_bot(registry, table, 1 - seat, seat, table.event)
    assert refused.value.why == "They are on vacation."
    registry.live.unload_all()
    table = await registry.table(table.setup.id)
    assert table.clock is not None
    assert (table.clock.left, table.clock.due) == (1.5 * DAY, 2.5 * DAY)
    await vacations.end(registry, people[seat])
    assert (table.clock.left, table.clock.due) == (1.5 * DAY, 1.5 * DAY)
    assert vacations.days_left(await registry.vacation_store.of(people[seat].id), wall.seconds) == 24
    assert all(b"vacation" not in event for _, event, _ in await registry.table_store.events(quick.setup.id))


async def test_a_vacation_holds_at_new_tables_and_tables_that_were_not_told(
    registry: TableRegistry, wall: WallClock
) -> None:
    """A game that begins meanwhile knows of it; a server that was killed before it could tell does so at its start."""
    people = await friends(registry, 2)
    await vacations.begin(registry, people[0], 30)
    with pytest.raises(Rejected):
        await vacations.begin(registry, people[1], 31)
    sitters = [Sitter(user=person.id, name=person.name) for person in people]
    table = await opened(registry, people[0].id, "bus", {}, [*sitters, sitters[1]], clock=TimeControl(DAY, 0, DAY))
    assert clocks(table).away == (wall.seconds + 30 * DAY, 0, 0)
    await registry.vacation_store.begin(people[1].id, 1, wall.seconds + DAY)
    await vacations.tell_missing(registry)
    await vacations.tell_missing(registry)
    assert clocks(table).away == (wall.seconds + 30 * DAY, wall.seconds + DAY, wall.seconds + DAY)
    assert table.event == 3  # each of the two seats was told once
    with pytest.raises(Conflict):
        await registry.vacation_store.begin(people[1].id, 1, wall.seconds + 2 * DAY)


async def test_vacations_in_the_api_and_on_the_account_page(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Both begin and end one, and say how many days are left."""
    ann = await known(client, "Ann")
    assert await ann.ask("GET users/me/vacation") == {"until": None, "days_left": 30}
    assert (await ann.ask("PUT users/me/vacation", {"days": 30}))["days_left"] == 0
    await ann.ask("PUT users/me/vacation", {"days": 1}, status=409)
    assert await ann.ask("DELETE users/me/vacation") == {"until": None, "days_left": 30}
    await client.post("/you/name", data={"name": "Bo"})
    assert "You do not have that many days" in (await client.post("/you/vacation", data={"days": "31"})).text
    assert (await client.post("/you/vacation", data={"days": "3"})).headers["location"] == "/you?done=vacation"
    assert "You are on vacation until" in (await client.get("/you")).text
    await client.post("/you/vacation/end")
    assert "Days left: 30" in (await client.get("/you")).text


async def test_events_of_tables_without_a_clock_are_as_before(registry: TableRegistry) -> None:
    """Nothing is added to what is stored, and nothing is watched."""
    table, _ = await two(registry, None)
    await play_first(registry, table)
    assert table.clock is None
    stored = [event for _, event, _ in await registry.table_store.events(table.setup.id)]
    assert all(b"clock" not in event for event in stored)
    assert events.write(events.Played(["0 a"])) == b'{"type":"played","plies":["0 a"]}'
    assert registry.clock_keeper.watched == set()


async def test_a_rematch_has_the_same_clock(registry: TableRegistry) -> None:
    """And a table that waits for players shows it before."""
    table, people = await two(registry)
    await actions.resign(registry, people[0], table.setup.id)
    again = await registry.waiting_setup(await ask_for_rematch(registry, people[0], table.setup.id))
    assert again.clock == CONTROL


async def test_clocks_in_the_api(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """A table is set up with a pace or with numbers, tells them, and its scene has the clocks."""
    ann = await known(client, "Ann")
    wish = {"game": "times_square", "seats": [{"who": "you"}, {"who": "you"}]}
    normal = time_control(games.find("times_square"), "normal")
    made = await ann.ask("POST tables", wish | {"clock": {"pace": "normal"}}, status=201)
    assert made["clock"] == {"bank": normal.bank, "increment": normal.increment, "turn": 0}
    made = await ann.ask("POST tables", wish | {"clock": {"bank": 0, "turn": 86_400}}, status=201)
    assert made["clock"] == {"bank": 0, "increment": 0, "turn": 86_400}
    scene = await ann.ask(f"GET tables/{made['id']}/scene")
    assert scene["clock"]["left"][scene["actor"]] > 86_000
    assert (await ann.ask("POST tables", wish, status=201))["clock"] is None
    bad = await ann.ask("POST tables", wish | {"clock": {"bank": 2}}, status=400)
    assert "the time per game must be between 5 and" in bad["text"]


async def test_clocks_in_the_form(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """The form of the lobby offers paces with their times; the table says which it has before the game."""
    lobby = (await client.get("/")).text
    assert "Blitz: 2 minutes, plus 5 seconds per decision" in lobby
    assert "Correspondence: 1 day per turn, plus 3 days per game" in lobby

    async def chosen(**clock: str) -> TimeControl | None:
        form = {"seat-0": "you", "seat-1": "friend", "listed": "yes", **clock}
        answer = await client.post("/games/times_square/tables", data=form)
        setup = await registry.waiting_setup(answer.headers["location"].removeprefix("/tables/"))
        assert clock_label(setup.clock, ENGLISH, "en") in (await client.get(answer.headers["location"])).text
        return setup.clock

    assert await chosen(clock="blitz") == time_control(games.find("times_square"), "blitz")
    assert await chosen(clock="custom", minutes="2.5", seconds="7") == TimeControl(150, 7)
    assert await chosen(clock="") is await chosen() is None
    for minutes in ("0.01", "-3", "x", "nan", ""):
        form = {"seat-0": "you", "seat-1": "friend", "clock": "custom", "minutes": minutes, "seconds": "0"}
        assert (await client.post("/games/times_square/tables", data=form)).status_code == 400
