"""Tournaments on the server: entering, rounds that open their tables, results, time limits, restarts."""

from __future__ import annotations

import asyncio
import json
import time
from itertools import combinations
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.kernel.game import Document
from omnibus.kernel.i18n import LANGUAGES
from omnibus.server.config import ServerConfig
from omnibus.server.errors import Forbidden, Rejected
from omnibus.server.http.connection import Connection
from omnibus.server.notices.message_sender import MessageSender
from omnibus.server.notices.turn_notifier import Timing, TurnNotifier
from omnibus.server.notices.webhook import WebhookSender
from omnibus.server.people import accounts, blocks
from omnibus.server.store.erasing import remove_texts
from omnibus.server.store.errors import StoreError
from omnibus.server.store.models import TimeControl, User
from omnibus.server.store.moderation import Ban
from omnibus.server.store.tournaments import TournamentSetup
from omnibus.server.tables import actions
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tournaments.service import KEPT_APART, MOST_AT_ONCE, TABLE_OPEN, TournamentService
from omnibus.server.tournaments.setup import LATEST_S, check
from omnibus.server.tournaments.state import TournamentState
from omnibus.server.tournaments.view import describe
from omnibus.tournaments.tournament import TournamentFormat
from support.api_client import Caller
from support.receivers import listener
from support.seats import told
from support.wall_clock import WallClock

WEAK = bot_names()[0]
CLOCK = TimeControl(bank=600.0, increment=10.0)
NAMES = ("Anna", "Bert", "Cleo", "Dora", "Emil", "Fritz")


def cup(game: str, format_: TournamentFormat, options: Document | None = None, **more: Any) -> TournamentSetup:
    """Describe a tournament."""
    return TournamentSetup(game, games.find(game).version, options or {}, format_, **more)


SWISS = cup("times_square", "swiss", rounds=3)


async def claimed(registry: TableRegistry, name: str) -> tuple[User, str]:
    """Make somebody who has claimed a name; return them with their token."""
    user, token = await registry.user_store.add_user(name)
    await registry.user_store.add_token("recovery", user=user.id)
    await accounts.claim(registry, user, name)
    return user, token


@pytest.fixture
async def players(registry: TableRegistry) -> list[User]:
    """Six people with claimed names."""
    return [(await claimed(registry, name))[0] for name in NAMES]


@pytest.fixture
def service(registry: TableRegistry) -> TournamentService:
    """The tournaments on the registry."""
    return TournamentService(registry)


async def started(service: TournamentService, players: list[User], setup: TournamentSetup) -> str:
    """Start a tournament of some players, and let its first tables open."""
    id_ = await service.store.add("Cup", players[0].id, setup)
    for player in players:
        await service.join(player, id_)
    await service.start(players[0], id_)
    await service.runner.sweep()
    return id_


async def end(service: TournamentService, players: list[User], id_: str) -> TournamentState:
    """Let every table end: of two players the one who comes first in the list wins. Then let the next round open."""
    state = await service.state(id_)
    order = [player.id for player in players]
    for pairing in state.unfinished:
        loser = max(pairing.players, key=order.index)
        await actions.resign(service.registry, players[order.index(loser)], pairing.table)
    await service.runner.sweep()
    return await service.state(id_)


@pytest.mark.both_databases
async def test_a_whole_swiss(registry: TableRegistry, service: TournamentService, players: list[User]) -> None:
    """Three rounds of five players: tables open by themselves, everybody plays, and a restart changes nothing."""
    id_ = await started(service, players[:5], SWISS)
    for number in range(1, 4):
        registry.live.unload_all()
        service = TournamentService(registry)  # as after a restart
        state = await service.state(id_)
        assert (state.row.status, len(state.rounds)) == ("live", number)
        assert len(state.unfinished) == 2
        table = await registry.table(state.unfinished[0].table)
        assert (table.setup.tournament, table.keeps_going) == (id_, True)
        assert {sitter.name for sitter in table.setup.sitters} <= set(NAMES)
        state = await end(service, players, id_)
    assert state.row.status == "over"
    met = [frozenset(pair) for pairing in state.pairings for pair in combinations(pairing.players, 2)]
    assert len(set(met)) == len(met) == 6
    assert len({user for each in state.rounds for user in each.byes}) == 3
    assert state.standings[0].player == players[0].id
    info = await describe(service, state, players[0], 2)
    assert (info.round, info.played, info.rounds, info.standings[0].name) == (2, 3, 3, "Anna")


@pytest.mark.both_databases
async def test_a_scheduled_start(registry: TableRegistry, service: TournamentService, players: list[User]) -> None:
    """It starts when its time has come, also after a restart; with too few players it is cancelled."""
    for wrong in (time.time() - 1, time.time() + 2 * LATEST_S):
        with pytest.raises(ValueError, match="in the future"):
            await service.create(players[0], "", SWISS, wrong)
    ids = [await service.create(players[0], "", SWISS, time.time() + 3600) for _ in range(3)]
    for player in players[:3]:
        await service.join(player, ids[0])
        await service.join(player, ids[2])
    await service.join(players[0], ids[1])
    await service.start(players[0], ids[2])
    await service.runner.sweep()
    assert [(await service.state(id_)).row.status for id_ in ids] == ["open", "open", "live"]
    await registry.table_store.database.execute("UPDATE tournaments SET starts = starts - 3600")
    await asyncio.gather(*(TournamentService(registry).runner.sweep() for _ in range(2)))
    states = [await TournamentService(registry).state(id_) for id_ in ids]
    assert [state.row.status for state in states] == ["live", "cancelled", "live"]
    assert [len(state.rounds) for state in states] == [1, 0, 1]
    assert len(states[0].unfinished) == 1


@pytest.mark.both_databases
async def test_two_processes(registry: TableRegistry, players: list[User]) -> None:
    """Two runners at once pair every round once, and open every table once."""
    one, two = TournamentService(registry), TournamentService(registry)
    id_ = await one.store.add("Cup", players[0].id, SWISS)
    await asyncio.gather(*(service.join(player, id_) for player in players for service in (one, two)))
    await one.start(players[0], id_)
    for number in range(1, 4):
        await asyncio.gather(one.runner.sweep(), two.runner.sweep())
        state = await one.state(id_)
        assert (len(state.rounds), len(state.unfinished)) == (number, 3)
        for pairing in state.unfinished:
            loser = next(player for player in players if player.id == pairing.players[0])
            await actions.resign(registry, loser, pairing.table)
    await asyncio.gather(one.runner.sweep(), two.runner.sweep())
    assert (await two.state(id_)).row.status == "over"
    assert await registry.table_store.count_tables() == 9


async def test_stopped_between_pairing_and_opening(
    registry: TableRegistry, service: TournamentService, players: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables that were paired are opened later, by whichever process comes first."""

    async def stopped(*_given: object) -> None:
        raise StoreError("the server was stopped")

    with monkeypatch.context() as patched:
        patched.setattr(registry, "set_up", stopped)
        id_ = await started(service, players[:4], SWISS)
        paired = [pairing.table for pairing in (await service.state(id_)).unfinished]
        assert (len(paired), await registry.table_store.count_tables()) == (2, 0)
    await TournamentService(registry).runner.sweep()
    assert sorted(await registry.table_store.ids()) == sorted(paired)


async def test_a_round_ends_by_the_clock(
    registry: TableRegistry, service: TournamentService, players: list[User]
) -> None:
    """Games that are not over are closed, and whoever is to move is last."""
    id_ = await started(service, players[:2], cup("times_square", "swiss", rounds=1, time_limit=0))
    state = await service.state(id_)
    assert state.row.status == "over"
    (pairing,) = state.pairings
    table = await registry.table(pairing.table)
    actor = table.match.actor
    assert isinstance(actor, int)
    assert table.standing == "closed"
    assert pairing.ranks is not None
    assert (pairing.ranks[actor], sorted(pairing.ranks)) == (2, [1, 2])


async def test_time_stands_still_while_the_server_does(
    service: TournamentService, players: list[User], wall: WallClock
) -> None:
    """A round is not shorter because the server was down meanwhile."""
    id_ = await started(service, players[:2], SWISS)
    wall.jumped += 7200
    await service.runner.sweep()
    assert len((await service.state(id_)).unfinished) == 1
    wall.seconds += 7200
    await service.runner.sweep()
    state = await service.state(id_)
    assert len(state.rounds) == 2
    assert state.results[0].tables[0].ranks in ((1, 2), (2, 1))


async def test_knock_out(service: TournamentService, players: list[User]) -> None:
    """The winners play on; places go by the round in which one leaves; nobody can enter late."""
    id_ = await started(service, players[:5], cup("times_square", "knock_out"))
    with pytest.raises(Rejected):
        await service.join(players[5], id_)
    for _ in range(3):
        state = await end(service, players, id_)
    assert state.row.status == "over"
    assert [each.place for each in state.standings] == [1, 2, 3, 3, 5]
    assert state.standings[0].player == players[0].id


async def test_entering_late_and_withdrawing(service: TournamentService, players: list[User]) -> None:
    """A Swiss tournament takes late entries until its last round; whoever withdraws plays no more, but may return."""
    id_ = await service.store.add("Cup", players[0].id, SWISS)
    for player in players[:4]:
        await service.join(player, id_)
    await service.withdraw(players[3], id_)
    assert len((await service.state(id_)).entrants) == 3
    await service.start(players[0], id_)
    await service.runner.sweep()
    await service.join(players[3], id_)
    await service.withdraw(players[1], id_)
    state = await end(service, players, id_)
    second = [*(user for pairing in state.tables(2) for user in pairing.players), *state.rounds[1].byes]
    assert sorted(second) == sorted(players[number].id for number in (0, 2, 3))
    await service.join(players[1], id_)
    state = await end(service, players, id_)
    assert len(state.rounds) == 3
    with pytest.raises(Rejected):
        await service.join(players[4], id_)
    assert len(state.tables(3)) == 2


@pytest.mark.both_databases
async def test_erasing_somebody(registry: TableRegistry, service: TournamentService, players: list[User]) -> None:
    """Whoever erases their texts has withdrawn, and a tournament they have set up has the name of its game."""
    id_ = await started(service, players[:4], SWISS)
    await remove_texts(registry.database, players[0].id)
    state = await end(service, players, id_)
    assert players[0].id not in {user for pairing in state.tables(2) for user in pairing.players}
    info = await describe(service, state, None)
    assert (info.summary.name, info.summary.host) == (info.summary.title, "–")


@pytest.mark.both_databases
async def test_blocked_players_are_kept_apart(
    registry: TableRegistry, service: TournamentService, players: list[User]
) -> None:
    """The pairings avoid that they meet, in a Swiss and in an arena; they cannot both enter a round robin."""
    ann, bert, cleo, dora = players[:4]
    for one, other in ((ann, cleo), (dora, bert)):  # who would meet first
        await blocks.block(registry, one, other.id)
    apart = [{ann.id, cleo.id}, {bert.id, dora.id}]
    for setup in (SWISS, cup("times_square", "arena", clock=CLOCK), cup("times_square", "knock_out")):
        state = await service.state(await started(service, players[:4], setup))
        assert len(state.pairings) == 2
        assert all({*pairing.players} not in apart for pairing in state.pairings)
    id_ = await service.store.add("Cup", ann.id, cup("times_square", "round_robin"))
    for player in (ann, bert):
        await service.join(player, id_)
        await service.join(player, id_)
    for player in (cleo, dora):
        with pytest.raises(Rejected) as refused:
            await service.join(player, id_)
        assert refused.value.why == KEPT_APART


@pytest.mark.both_databases
async def test_banned_players_are_withdrawn(
    registry: TableRegistry, service: TournamentService, players: list[User]
) -> None:
    """From tournaments that have started and from those that have not; they cannot enter others, or come back."""
    id_ = await started(service, players[:4], SWISS)
    later = await service.store.add("Cup", players[0].id, SWISS)
    for player in players[:2]:
        await service.join(player, later)
    await registry.ban_store.ban(Ban(players[1].id, "", time.time(), None))
    assert (await service.state(later)).playing == [players[0].id]
    state = await end(service, players, id_)
    second = [*(user for pairing in state.tables(2) for user in pairing.players), *state.rounds[1].byes]
    assert sorted(second) == sorted(players[number].id for number in (0, 2, 3))
    for entered in (id_, later):
        with pytest.raises(Forbidden):
            await service.join(players[1], entered)
    await registry.ban_store.unban(players[1].id)
    await service.join(players[1], id_)


async def test_round_robin(service: TournamentService, players: list[User]) -> None:
    """Everybody meets everybody; those who would have met somebody who withdrew have a bye."""
    id_ = await started(service, players[:4], cup("times_square", "round_robin"))
    await service.withdraw(players[3], id_)
    state = await end(service, players, id_)
    assert [len(state.tables(number)) for number in (1, 2)] == [2, 1]
    state = await end(service, players, id_)
    state = await end(service, players, id_)
    assert state.row.status == "over"
    assert state.standings[0].player == players[0].id


async def test_bots_fill_pods(registry: TableRegistry, service: TournamentService, players: list[User]) -> None:
    """Bots take the seats nobody has, and do not count: players are ranked among themselves."""
    setup = cup("bus", "swiss", size=4, rounds=1, time_limit=0, bots=WEAK)
    id_ = await started(service, players[:3], setup)
    state = await service.state(id_)
    (pairing,) = state.pairings
    table = await registry.table(pairing.table)
    assert [sitter.bot for sitter in table.setup.sitters] == [None, None, None, WEAK]
    assert not table.setup.rated
    assert pairing.ranks is not None
    assert sorted(pairing.ranks) in ([1, 1, 1], [1, 1, 3])
    assert (await describe(service, state, None)).tables[0].bots == 1


async def test_tables_that_are_gone(registry: TableRegistry, service: TournamentService, players: list[User]) -> None:
    """A table that was deleted counts as a tie, and one that could not be opened too."""
    id_ = await started(service, players[:4], cup("times_square", "swiss", rounds=1))
    for pairing in (await service.state(id_)).unfinished:
        await registry.remove((await registry.table(pairing.table)).setup)
    await service.runner.sweep()
    state = await service.state(id_)
    assert [pairing.ranks for pairing in state.pairings] == [(1, 1), (1, 1)]
    assert state.row.status == "over"


async def test_rated_tables(registry: TableRegistry, service: TournamentService, players: list[User]) -> None:
    """Tables of a rated tournament are rated, with a clock, and seats are those of the pairing."""
    setup = cup("times_square", "swiss", rounds=1, clock=CLOCK, rated=True)
    id_ = await started(service, players[:2], setup)
    (pairing,) = (await service.state(id_)).pairings
    table = await registry.table(pairing.table)
    assert (table.setup.rated, table.setup.clock) == (True, CLOCK)
    assert tuple(sitter.user for sitter in table.setup.sitters) == pairing.players


async def test_an_arena(
    registry: TableRegistry, service: TournamentService, players: list[User], wall: WallClock
) -> None:
    """Whoever is free plays again, but not against the same opponent; after its time no more tables open."""
    id_ = await started(service, players[:4], cup("times_square", "arena", clock=CLOCK))
    first, second = (await service.state(id_)).unfinished
    await actions.resign(registry, _user(players, first.players[0]), first.table)
    await service.runner.sweep()
    assert len((await service.state(id_)).unfinished) == 1  # they have just met
    await service.join(players[4], id_)
    await service.runner.sweep()
    state = await service.state(id_)
    assert len(state.unfinished) == 2
    await actions.resign(registry, _user(players, second.players[0]), second.table)
    await service.runner.sweep()
    assert len((await service.state(id_)).unfinished) == 2
    wall.seconds += 7200
    with pytest.raises(Rejected):
        await service.join(players[5], id_)
    state = await end(service, players, id_)
    assert state.row.status == "over"
    assert sum(each.points for each in state.standings) == len(state.pairings)


def _user(players: list[User], id_: str) -> User:
    return next(player for player in players if player.id == id_)


async def test_players_are_told(registry: TableRegistry, players: list[User]) -> None:
    """Those who are away get a message at once, unless they get the one that it is their turn."""
    slow, webhooks = Timing(wait=3600, wait_live=3600), WebhookSender(private=True)
    sender = MessageSender(registry.user_store, webhooks, None, str)
    notifier = TurnNotifier(sender, registry.table_store, registry.online, slow)
    registry.publisher.notify = notifier.notify_later
    async with listener() as listening:
        for player in players[:2]:
            await registry.user_store.keep_webhook(player.id, listening.url)
        service = TournamentService(registry, notifier=notifier)
        id_ = await started(service, players[:2], SWISS)
        await listening.until(1)
        (pairing,) = (await service.state(id_)).pairings
        awaited = (await registry.table(pairing.table)).awaited_user
        (message,) = [json.loads(body) for _, body in listening.heard]
        assert message["text"] == f"{TABLE_OPEN.format(tournament='Cup')} /tables/{pairing.table}"
        assert [player.name for player in players[:2] if player.id != awaited] == [message["name"]]
        await notifier.close()


@pytest.mark.both_databases
async def test_pages_announce_a_table(registry: TableRegistry, service: TournamentService, players: list[User]) -> None:
    """Every page that its players have open does, until they have come to it or it is over."""
    pages = [Connection(player, "en") for player in players[:2]]
    for page in pages:
        await registry.online.add(page)
        assert "opened" not in await told(page)
    assert not await service.store.plays_in_any(players[0].id)
    id_ = await started(service, players[:2], SWISS)
    assert await service.store.plays_in_any(players[0].id)
    (pairing,) = (await service.state(id_)).pairings
    setup = (await registry.table(pairing.table)).setup
    for page in pages:
        while (heard := await told(page)).get("opened") != [pairing.table]:
            assert "opened" not in heard
    await registry.online.come_to(setup, players[0])
    while "opened" in await told(pages[0]):
        pass
    assert (await registry.table_store.waiting(players[1].id))[1] == [pairing.table]
    await actions.resign(registry, players[0], pairing.table)
    assert (await registry.table_store.waiting(players[1].id))[1] == []


async def test_who_may_set_up_a_tournament(registry: TableRegistry, players: list[User]) -> None:
    """Everybody who has claimed a name, unless the server says who; a few at a time."""
    stranger, _ = await registry.user_store.add_user("Zoe")
    service = TournamentService(registry)
    id_ = await service.create(players[0], "", SWISS)
    with pytest.raises(Rejected):
        await service.create(stranger, "", SWISS)
    with pytest.raises(Rejected):
        await service.join(stranger, id_)
    for _ in range(MOST_AT_ONCE - 1):
        await service.create(players[0], "", SWISS)
    with pytest.raises(Rejected):
        await service.create(players[0], "", SWISS)
    service = TournamentService(registry, hosts=["BERT"])
    id_ = await service.create(players[1], "", SWISS)
    with pytest.raises(Forbidden):
        await service.create(players[2], "", SWISS)
    with pytest.raises(Forbidden):
        await service.start(players[2], id_)
    with pytest.raises(Rejected):
        await service.start(players[1], id_)  # alone
    await service.cancel(players[1], id_)
    with pytest.raises(Rejected):
        await service.join(players[1], id_)


@pytest.mark.parametrize(
    "setup",
    [
        cup("bus", "swiss", size=2),
        cup("bus", "round_robin", size=3),
        cup("times_square", "swiss", time_limit=1),
        cup("times_square", "swiss", rounds=999),
        cup("times_square", "arena"),
        cup("times_square", "swiss", clock=TimeControl(bank=1)),
        cup("bus", "swiss", size=3, bots=WEAK, rated=True),
        cup("bus", "swiss", size=3, bots="clever"),
        cup("times_square", "swiss", bots=WEAK),
        cup("times_square", "swiss", options={"nothing": 1}),
        TournamentSetup("chess", 1, {}, "swiss"),
    ],
)
def test_what_cannot_be_played(setup: TournamentSetup) -> None:
    """Whatever is wrong is said before anybody enters."""
    with pytest.raises(ValueError, match=r"\w"):
        check(setup)


async def test_the_api(app: FastAPI, client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Set up, enter, withdraw, start, cancel, look."""
    ann, bo = [Caller(client, (await claimed(registry, name))[1]) for name in ("Anna", "Bert")]
    zoe = Caller(client, (await registry.user_store.add_user("Zoe"))[1])
    wish = {"name": "Cup", "game": "times_square", "clock": {"pace": "blitz"}}
    await zoe.ask("POST tournaments", wish, status=409)
    await ann.ask("POST tournaments", wish | {"size": 5}, status=400)
    await ann.ask("POST tournaments", wish | {"game": "chess"}, status=400)
    await ann.ask("POST tournaments", wish | {"starts": 1}, status=400)
    scheduled = await ann.ask("POST tournaments", wish | {"starts": time.time() + 3600}, status=201)
    assert scheduled["summary"]["starts"] > time.time()
    id_ = (await ann.ask("POST tournaments", wish, status=201))["summary"]["id"]
    await ann.ask(f"POST tournaments/{id_}/join")
    info = await bo.ask(f"POST tournaments/{id_}/join")
    assert (info["joined"], info["mine"]) == (True, False)
    assert [each["name"] for each in info["standings"]] == ["Anna", "Bert"]
    await bo.ask(f"POST tournaments/{id_}/start", status=403)
    assert not (await bo.ask(f"POST tournaments/{id_}/withdraw"))["joined"]
    await bo.ask(f"POST tournaments/{id_}/join")
    assert (await ann.ask(f"POST tournaments/{id_}/start"))["summary"]["status"] == "live"
    await ann.ask(f"POST tournaments/{id_}/start", status=409)
    service: TournamentService = app.state.tournaments
    await service.runner.sweep()
    info = await ann.ask(f"GET tournaments/{id_}")
    assert info["your_table"] == info["tables"][0]["table"]
    assert (await ann.ask(f"GET tables/{info['your_table']}"))["standing"] == "live"
    assert (await zoe.ask("GET tournaments"))["tournaments"][0]["entrants"] == 2
    assert (await ann.ask(f"POST tournaments/{id_}/cancel"))["summary"]["status"] == "cancelled"
    await zoe.ask("GET tournaments/none", status=404)


async def test_programs_alone(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """From no user at all to a table of the tournament by the API alone: a link, a name, the entry."""
    callers = []
    for name in NAMES[:2]:
        caller = Caller(client, (await Caller(client).ask("POST users", {"name": name}, status=201))["token"])
        assert (await caller.ask("POST users/me/recovery", status=201))["link"]
        assert (await caller.ask("POST users/me/claim", {"name": name}))["name"] == name
        callers.append(caller)
    host, other = callers
    cup = (await host.ask("POST tournaments", {"game": "times_square"}, status=201))["summary"]["id"]
    for caller in callers:
        await caller.ask(f"POST tournaments/{cup}/join")
    await host.ask(f"POST tournaments/{cup}/start")
    await TournamentService(registry).runner.sweep()
    table = (await other.ask(f"GET tournaments/{cup}"))["your_table"]
    assert (await other.ask(f"GET tables/{table}/scene"))["own"]


async def test_the_pages(app: FastAPI, client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """The list, the form and a tournament in every language; its part that changes is sent when it has."""
    _, token = await claimed(registry, "Anna")
    client.cookies.set("omnibus_user", token)
    form = {"game": "bus", "name": "Cup", "format": "swiss", "size": "3", "rounds": "0", "limit": "60", "bots": WEAK}
    made = await client.post("/tournaments", data=form | {"clock": "blitz"})
    path = made.headers["location"]
    for action in ("join", "withdraw", "join"):
        assert (await client.post(f"{path}/{action}")).headers["location"] == path
    for language in LANGUAGES:
        for page in ("/tournaments", "/tournaments/new", "/tournaments/new?game=bus", path, f"{path}?round=1"):
            answer = await client.get(page, headers={"accept-language": language})
            assert answer.status_code == 200, page
            assert ("Cup" in answer.text) == ("new" not in page)
    service: TournamentService = app.state.tournaments
    other, _ = await claimed(registry, "Bert")
    id_ = path.rsplit("/", 1)[1]
    await service.join(other, id_)
    version = (await service.state(id_)).row.version
    assert (await client.get(f"{path}/live?version={version}")).status_code == 204
    assert (await client.post(f"{path}/start")).status_code == 303
    await service.runner.sweep()
    part = await client.get(f"{path}/live?version={version}")
    assert part.status_code == 200
    assert 'id="your-table"' in part.text
    assert "<html" not in part.text
    table = (await service.state(id_)).pairings[0].table
    assert f'href="{path}"' in (await client.get(f"/tables/{table}")).text
    scheduled = await client.post("/tournaments", data=form | {"starts": str(time.time() + 3600)})
    for page in (scheduled.headers["location"], "/tournaments"):
        assert " UTC</time>" in (await client.get(page)).text
    assert (await client.post("/tournaments", data=form | {"starts": "1"})).status_code == 400
    assert (await client.post("/tournaments", data={"game": "chess"})).status_code == 400
    assert (await client.post("/tournaments", data=form | {"size": "9"})).status_code == 400
    assert (await client.post(f"{path}/win")).status_code == 404


@pytest.mark.server_config(ServerConfig(tournament_hosts=("Bert",)))
async def test_the_server_says_who(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Others do not see the button, and are refused."""
    _, token = await claimed(registry, "Anna")
    client.cookies.set("omnibus_user", token)
    assert "/tournaments/new" not in (await client.get("/tournaments")).text
    form = {"game": "times_square", "size": "2", "limit": "60"}
    assert (await client.post("/tournaments", data=form)).status_code == 403
