"""Scenes: as differences they are small and make the same as those sent whole; what previews and logs promise.

That nothing secret is shown is tested in test_leaks.py, that every line can be clicked in tests/games/test_clicks.py.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from random import Random

import httpx
import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st

from omnibus import games
from omnibus.kernel.game import TURN_PIECES
from omnibus.kernel.i18n import LANGUAGES
from omnibus.server.tables.board_view import Drawn, Kept, differences
from support.live import Message, Person, Socket, alone, arrive, sit
from support.scenes import whole

SETUPS = [(name, seats) for name in games.names() for seats in {games.find(name).seats[0], games.find(name).seats[-1]}]
LARGEST = [("bus", 5, 1 / 4), ("metromania", 4, 1 / 2), ("times_square", 2, 3 / 5)]
STEPS = 40

PIECES = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("xy"), st.just(0.0), st.just(1.0), st.just("")),
    unique_by=lambda piece: piece[0],
)


class Page:
    """A page that shows scenes, whole or put together from differences, and counts what it has received."""

    def __init__(self, socket: Socket, *, differences: bool) -> None:
        self.socket, self.differences = socket, differences
        self.scene: Message = {}
        self.size = self.scenes = self.wholes = 0

    async def ask(self, **message: object) -> None:
        """Ask for a scene."""
        self.socket.say(**message)
        await self.read()

    async def sync(self, *, wide: bool = False) -> None:
        await self.ask(sync=True, wide=wide, differences=self.differences)

    async def read(self) -> None:
        """Take the next scene in."""
        told = await self.socket.hear("scene")
        self.size += len(str(told))
        self.scenes += 1
        self.wholes += told["base"] is None
        self.scene = whole(told, self.scene)


@given(before=PIECES, now=PIECES)
def test_differences_make_the_same_pieces(before: list[Drawn], now: list[Drawn]) -> None:
    """Whatever has come, gone, changed or moved up and down, in the same order; what is as it was is not told again."""
    told = differences(before, now)
    made: list[Drawn] = []
    for piece in told:
        made += before[piece.start : piece.stop] if isinstance(piece, Kept) else [piece]
    assert made == now
    assert {piece for piece in told if not isinstance(piece, Kept)} == set(now) - set(before)


@pytest.mark.walk
@pytest.mark.parametrize(("name", "seats", "share"), LARGEST)
async def test_a_game_takes_a_fraction_of_the_bytes(
    app: FastAPI, client: httpx.AsyncClient, name: str, seats: int, share: float
) -> None:
    """Of a whole game with as many seats as it may have; nothing has to be sent whole but what was asked for."""
    people, random = await arrive(app, client, *"ABCDE"[:seats]), Random(seats)
    table = await sit(people, name)
    async with people[0].open(table) as one, people[0].open(table) as other:
        usual, small = Page(one, differences=False), Page(other, differences=True)
        for page in (usual, small):
            await page.sync()
            page.size = page.scenes = page.wholes = 0
        while usual.scene["live"]:
            await decide(table, people[usual.scene["actor"]], random)
            await usual.read()
            await small.read()
        assert (small.scenes, small.wholes, small.scene) == (usual.scenes, 0, usual.scene)
        assert small.size < share * usual.size


async def decide(table: str, person: Person, random: Random) -> None:
    """Play any line."""
    scene = await person.scene(table)
    said = {"line": random.choice(scene["moves"])["line"], "event": scene["event"]}
    await person.ask(f"POST tables/{table}/play", said)


async def act(table: str, people: list[Person], actor: Person, random: Random, what: float) -> None:
    """Undo, hand a seat over or take one back, or play."""
    mine = await actor.scene(table)
    if mine["undo"] and what < 0.4:
        await actor.ask(f"POST tables/{table}/undo", {"event": mine["event"]})
    elif what < 0.5:
        other = random.choice(people)
        handed = (await other.scene(table))["handed"]
        await other.ask(f"{'DELETE' if handed else 'PUT'} tables/{table}/stand-in", None if handed else {})
    elif mine["moves"]:
        await decide(table, actor, random)
    else:
        await actor.ask(f"DELETE tables/{table}/stand-in")


@pytest.mark.walk
@pytest.mark.parametrize(("name", "seats"), SETUPS)
async def test_differences_make_the_same_scenes(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, name: str, seats: int
) -> None:
    """For players and spectators, whatever is played, undone, asked for and handed over, and at the end."""
    monkeypatch.setattr("omnibus.server.tables.bot_driver.BotDriver.drive", lambda driver, table: None)
    random, people = Random(f"{name} {seats}"), await arrive(app, client, *"ABCDE"[:seats])
    table = await sit(people, name)
    readers = [people[0], people[-1], Person(app, client)]
    async with AsyncExitStack() as stack:
        pairs = [
            [Page(await stack.enter_async_context(reader.open(table)), differences=small) for small in (False, True)]
            for reader in readers
        ]
        pages = [page for pair in pairs for page in pair]
        for page in pages:
            await page.sync()
        for _ in range(STEPS):
            scene = pages[0].scene
            if not scene["live"]:
                break
            pair, what, actor = random.choice(pairs), random.random(), people[scene["actor"]]
            if what < 0.25:
                wide, look = random.random() < 0.5, random.choice([-1, *pair[0].scene["own"]])
                for page in pair:
                    await (page.sync(wide=wide) if what < 0.12 else page.ask(look=look))
            else:
                await act(table, people, actor, random, what)
                for page in pages:
                    await page.read()
            for usual, small in pairs:
                assert shown(small.scene) == shown(usual.scene)
        if pages[0].scene["live"]:
            for person in people[1:]:
                await person.ask(f"POST tables/{table}/resign")
                for page in pages:
                    await page.read()
        for usual, small in pairs:
            assert not small.scene["live"]
            assert shown(small.scene) == shown(usual.scene)
            assert small.wholes < small.scenes


def shown(scene: Message) -> Message:
    """Return what a page shows of a scene, without what depends on what it has been sent before."""
    known = {"since": 0, "log": [], "steps": []}
    return {**scene, **known, "position": {**scene["position"], "svg": None}}


def drawn(pieces: list[list[object]]) -> list[list[object]]:
    """Return pieces without those that show whose turn it is."""
    return [piece for piece in pieces if piece[0] not in TURN_PIECES]


@pytest.mark.parametrize("name", games.names())
async def test_a_preview_shows_the_pieces_after_a_line(app: FastAPI, client: httpx.AsyncClient, name: str) -> None:
    """As they are when it is played, on a board of any shape; but the turn is still the reader's.

    Everybody reads the log in their language: what is sent bit by bit to readers of several languages in turns is what
    is sent at once in the end.
    """
    (ann,), reader = await arrive(app, client, "Ann"), Person(app, client)
    table = await alone(ann, name, games.find(name).seats[0])
    logs: dict[str, list[list[object]]] = {language: [] for language in LANGUAGES}
    since = 0
    for _ in range(12):
        for language, log in logs.items():
            reader.headers["accept-language"] = language
            log += (await reader.scene(table, since=since))["log"]
        seat = (await ann.scene(table))["actor"]
        before: Message = await ann.scene(table, seat=seat)
        since = before["position"]["plies"]
        asked = {"line": before["moves"][0]["line"], "event": before["event"], "seat": seat}
        shown, wide = [
            (await ann.ask(f"GET tables/{table}/preview", **asked, wide=wide))["pieces"] for wide in (False, True)
        ]
        assert [piece[0] for piece in wide] == [piece[0] for piece in shown]
        assert wide != shown
        turn = [piece for piece in before["position"]["pieces"] if piece[0] in TURN_PIECES]
        assert [piece for piece in shown if piece[0] in TURN_PIECES] == turn
        await ann.ask(f"POST tables/{table}/play", asked)
        after = await ann.scene(table, seat=seat)
        if after["position"]["plies"] == since + 1:  # else chance has moved pieces too
            assert drawn(after["position"]["pieces"]) == drawn(shown)
    assert len({str(log) for log in logs.values()}) == len(LANGUAGES)
    for language, log in logs.items():
        reader.headers["accept-language"] = language
        assert [said for said in (await reader.scene(table))["log"] if said[0] < since] == log


async def test_a_picture_is_sent_once(app: FastAPI, client: httpx.AsyncClient) -> None:
    """Two players on one device see two pictures in turns, and a page that has had both is not sent them again.

    A table that is closed is shown to it as to others: nobody has a turn there.
    """
    (ann,) = await arrive(app, client, "Ann")
    table = await alone(ann, "metromania", 2)
    async with ann.open(table) as one, ann.open(table) as other:
        usual, small = pages = Page(one, differences=False), Page(other, differences=True)
        sent: dict[bool, list[bool]] = {False: [], True: []}
        for page in pages:
            await page.sync()
            for seat in (1, 0, 1, 0):
                await page.ask(look=seat)
                sent[page.differences].append(page.scene["position"]["svg"] is not None)
        assert sent == {False: [True] * 4, True: [True, False, False, False]}
        assert small.scene["position"]["ground"] == usual.scene["position"]["ground"]
        await ann.ask(f"POST tables/{table}/abandon")
        for page in pages:
            await page.read()
        assert small.scene["live"] is False
        assert shown(small.scene) == shown(usual.scene)
