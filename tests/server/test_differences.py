"""Pages are sent scenes as differences: they are small, and make the same scenes as those that are sent whole."""

from __future__ import annotations

import json
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnibus import games
from omnibus.server.errors import Rejected
from omnibus.server.http import connection
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables import actions
from omnibus.server.tables.board_view import Drawn, Kept, differences
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from support.scenes import Scene, whole
from support.seats import Seat, bus_with, code_of, friends, opened, play_first, received

SETUPS = [(name, seats) for name in games.names() for seats in {games.find(name).seats[0], games.find(name).seats[-1]}]
LARGEST = [("bus", 5, 1 / 4), ("metromania", 4, 1 / 2), ("times_square", 2, 3 / 5)]
STEPS = 40

PIECES = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("xy"), st.just(0.0), st.just(1.0), st.just("")),
    unique_by=lambda piece: piece[0],
)


class Page:
    """A page that shows scenes, whole or put together from differences, and counts what it has received."""

    def __init__(self, registry: TableRegistry, table: Table, user: User | None, *, differences: bool) -> None:
        self.seat = Seat(registry, table, user)
        self.differences = differences
        self.scene: Scene = {}
        self.bytes = self.scenes = self.wholes = 0

    async def sync(self, *, wide: bool = False) -> None:
        await self.seat.say(sync=True, wide=wide, differences=self.differences, ground=self.ground)
        self.read()

    @property
    def ground(self) -> str:
        return str(self.scene["position"]["ground"]) if self.scene else ""

    def read(self) -> None:
        """Take in all that was sent."""
        for message in received(self.seat.session):
            assert message is not None
            told = json.loads(message)
            if told["type"] == "scene":
                self.bytes += len(message)
                self.scenes += 1
                self.wholes += told["base"] is None
                self.scene = whole(told, self.scene)


async def page_at(registry: TableRegistry, table: Table, user: User | None, *, differences: bool) -> Page:
    """Open a page at a table, and let it forget what the first scene took."""
    page = Page(registry, table, user, differences=differences)
    await page.sync()
    page.bytes = page.scenes = page.wholes = 0
    return page


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
    registry: TableRegistry, name: str, seats: int, share: float
) -> None:
    """Of a whole game with as many seats as it may have; nothing has to be sent whole but what was asked for."""
    people = await friends(registry, seats)
    table = await opened(registry, people[0].id, name, {}, [Sitter(user=user.id, name=user.name) for user in people])
    pages = [await page_at(registry, table, people[0], differences=differences) for differences in (False, True)]
    random = Random(seats)
    while table.standing == "live":
        assert table.actor is not None
        await actions.play(registry, table, table.actor, random.choice(table.match.lines()), table.event)
        for page in pages:
            page.read()
    usual, small = pages
    assert small.scenes == usual.scenes
    assert small.wholes == 0
    assert small.scene == usual.scene
    assert small.bytes < share * usual.bytes


@pytest.mark.walk
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("name", "seats"), SETUPS)
async def test_differences_make_the_same_scenes(registry: TableRegistry, name: str, seats: int, seed: int) -> None:
    """For players, several on one device and spectators, whatever is played, undone, asked for, and handed over."""
    random = Random(f"{name} {seats} {seed}")
    ann, ben = await friends(registry, 2)
    sitters = [Sitter(user=(ben if seat == seats - 1 else ann).id) for seat in range(seats)]
    table = await opened(registry, ann.id, name, {}, sitters)
    pairs = [
        [await page_at(registry, table, user, differences=differences) for differences in (False, True)]
        for user in (ann, ben, None)
    ]
    for _ in range(STEPS):
        await something(registry, table, [ann, ben], pairs, random)
        for usual, small in pairs:
            usual.read()
            small.read()
            assert usual.scene["event"] == table.event
            assert shown(small.scene) == shown(usual.scene)
        if table.standing != "live":
            break
    assert any(small.wholes < small.scenes for _, small in pairs)


async def something(
    registry: TableRegistry, table: Table, people: list[User], pairs: list[list[Page]], random: Random
) -> None:
    """Do something at a table, or ask for something."""
    pair, what = random.choice(pairs), random.random()
    actor = table.actor
    assert actor is not None
    undo = [seat for seat in range(table.match.seats) if table.can_undo(seat)]
    if what < 0.1 and undo:
        await actions.undo(registry, table, undo[0], table.event)
    elif what < 0.2:
        wide = random.random() < 0.5
        for page in pair:
            await page.sync(wide=wide)
    elif what < 0.35:
        seat = random.choice([-1, *pair[0].seat.session.viewpoint.own])
        for page in pair:
            await page.seat.say(look=seat)
    elif what < 0.4:
        own = [seat for seat in range(table.match.seats) if table.owner(seat) == people[1].id]
        await (actions.hand_over(registry, table, own, "easy", None) if own else resume(registry, table, people[1]))
    elif what < 0.42 and table.seats_of(people[1].id):
        await actions.resign(registry, people[1], table.setup.id)
    else:
        line, by_bot = random.choice(table.match.lines()), table.awaits is None
        with suppress(Rejected):  # the bot itself was faster
            await actions.play(registry, table, actor, line, table.event, by_bot=by_bot)


async def resume(registry: TableRegistry, table: Table, user: User) -> None:
    """Let somebody play again, if a bot plays for them."""
    own = [seat for seat in table.setup.seats_of(user.id) if table.handed_over(seat)]
    if own:
        await actions.resume_seats(registry, table, own, None)


def shown(scene: Scene) -> Scene:
    """Return what a page shows of a scene, without what depends on what it has been sent before."""
    known = {"since": 0, "log": [], "steps": []}
    return {**scene, **known, "position": {**scene["position"], "svg": None}}


async def test_scenes_are_whole_unless_differences_are_asked_for(registry: TableRegistry) -> None:
    """Programs that know nothing of differences get none; another sync also ends them."""
    ann, ben = await friends(registry, 2)
    table = await bus_with(registry, [ann, ben, ann])
    page = await page_at(registry, table, ann, differences=False)
    await play_first(registry, table)
    page.read()
    page.differences = True
    await page.sync()
    assert (page.scenes, page.wholes) == (2, 2)
    await play_first(registry, table)
    page.read()
    assert (page.scenes, page.wholes) == (3, 2)
    page.differences = False
    await page.sync()
    await play_first(registry, table)
    page.read()
    assert (page.scenes, page.wholes) == (5, 4)


async def test_a_reader_who_is_behind_is_sent_a_whole_scene(
    registry: TableRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scenes it would differ from were never sent; those after it are differences to it."""
    ann, ben = await friends(registry, 2)
    table = await bus_with(registry, [ann, ben, ann])
    usual, small = [await page_at(registry, table, ann, differences=differences) for differences in (False, True)]
    with monkeypatch.context() as patched:
        patched.setattr(connection, "BEHIND_BYTES", 1)
        await play_first(registry, table, times=3)
    usual.read()
    small.read()
    assert (small.scenes, small.wholes) == (1, 1)
    await play_first(registry, table)
    usual.read()
    small.read()
    assert (small.scenes, small.wholes) == (2, 1)
    assert shown(small.scene) == shown(usual.scene)


async def test_the_mover_is_sent_differences_too(registry: TableRegistry) -> None:
    """Though the scene waits for the acknowledgement; a rejected move sends none."""
    (ann,) = await friends(registry, 1)
    table = await bus_with(registry, [ann, ann, ann])
    page = await page_at(registry, table, ann, differences=True)
    await page.seat.say(play="nothing", event=table.event, id="1")
    assert await code_of(page.seat) == "malformed"
    await page.seat.say(play=table.match.lines()[0], event=table.event, id="2")
    page.read()
    assert (page.scenes, page.wholes) == (1, 0)
    assert page.scene["event"] == table.event


async def test_a_closed_table_is_shown_whole(registry: TableRegistry) -> None:
    """Nobody has a turn there, which the pieces no longer say."""
    (ann,) = await friends(registry, 1)
    table = await bus_with(registry, [ann, ann, ann])
    usual, small = [await page_at(registry, table, None, differences=differences) for differences in (False, True)]
    await actions.abandon(registry, ann, table.setup.id)
    usual.read()
    small.read()
    assert table.standing == "closed"
    assert not small.scene["live"]
    assert shown(small.scene) == shown(usual.scene)


async def test_a_table_that_was_forgotten_is_shown_whole(registry: TableRegistry) -> None:
    """After some quiet minutes the server no longer knows what readers were shown."""
    ann, ben = await friends(registry, 2)
    table = await bus_with(registry, [ann, ben, ann])
    usual, small = [await page_at(registry, table, ben, differences=differences) for differences in (False, True)]
    table.rest()
    table.rest()
    for wholes in (1, 1):
        await play_first(registry, table)
        usual.read()
        small.read()
        assert small.wholes == wholes
        assert shown(small.scene) == shown(usual.scene)


async def test_a_picture_is_sent_once(registry: TableRegistry) -> None:
    """Two players on one device see two pictures in turns; a program is sent one whenever it is another."""
    (ann,) = await friends(registry, 1)
    table = await opened(registry, ann.id, "metromania", {}, [Sitter(user=ann.id)] * 2)
    usual, small = [await page_at(registry, table, ann, differences=differences) for differences in (False, True)]
    sent: dict[bool, list[bool]] = {False: [], True: []}
    for seat in (1, 0, 1, 0):  # the first was shown when the pages were opened
        for page in (usual, small):
            await page.seat.say(look=seat)
            page.read()
            sent[page.differences].append(page.scene["position"]["svg"] is not None)
        assert small.scene["position"]["ground"] == usual.scene["position"]["ground"]
    assert sent == {False: [True] * 4, True: [True, False, False, False]}
    await small.sync()
    await small.seat.say(look=1)
    small.read()
    assert small.scene["position"]["svg"] is not None  # whoever syncs says what is known
