"""Scenes: every legal move can be clicked, and nothing secret is shown."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omnibus import Match, games
from omnibus.kernel.game import CHANCE, OVER, TURN_PIECES
from omnibus.kernel.i18n import LANGUAGES
from omnibus.server.store.models import Sitter, TableSetup, User
from omnibus.server.store.tables import TableStore
from omnibus.server.tables.board_view import Drawn, Kept, Reader, words_for
from omnibus.server.tables.events import Began, History
from omnibus.server.tables.reasons import reason_at
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.scene import Scene, moves, pieces_after, scene
from omnibus.server.tables.table import Table
from support.seats import Seat, opened

SETUPS = [(name, seats) for name in games.names() for seats in games.find(name).seats]
every_setup = pytest.mark.parametrize(("name", "seats"), SETUPS)
NO_LEDGER: Any = None


def somewhere(name: str, seats: int, seed: int, plies: int | None = None) -> Table:
    """Return a table some way into a random game, which is not stored."""
    random = Random(seed)
    match = Match.new(name, seats=seats, seed=seed)
    for _ in range(random.choice([3, 15, 40, 80]) if plies is None else plies):
        if match.actor is None:
            break
        match.play(random.choice(match.lines()))
    return seen_as_table(match)


def seen_as_table(match: Match) -> Table:
    sitters = [Sitter(user="u")] * match.seats
    setup = TableSetup("t", match.game.name, 1, match.seats, match.options, 1, sitters, "u", 0.0)
    table_store: TableStore = NO_LEDGER
    return Table(table_store, setup, match, History.of([Began(match.written())]), 1)


def pieces_of(shown: Scene) -> list[Drawn]:
    """Return the pieces of a whole scene."""
    assert not any(isinstance(piece, Kept) for piece in shown.position.pieces)
    return [piece for piece in shown.position.pieces if not isinstance(piece, Kept)]


@pytest.mark.walk
@every_setup
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_every_legal_line_can_be_clicked(name: str, seats: int, seed: int) -> None:
    """All parts of a legal line are in the picture or among the targets, and clicking them leaves this line alone.

    This is what the page does: each click keeps the lines that contain the part.
    """
    table = somewhere(name, seats, seed)
    if table.actor is None:
        return
    reader = Reader(table.actor, "en")
    shown = scene(table, reader, own=[table.actor])
    there = set(re.findall(r'data-part="([^"]+)"', shown.position.svg or ""))
    there |= {piece[0].partition("_")[0] for piece in (*pieces_of(shown), *shown.targets)}
    assert [move.line for move in shown.moves] == table.match.lines()
    for move in shown.moves:
        assert set(move.parts) <= there, move
        left = shown.moves
        for part in move.parts:
            left = [other for other in left if part in other.parts]
        assert left == [move]


@pytest.mark.walk
@every_setup
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_no_byte_tells_a_secret(name: str, seats: int, seed: int) -> None:
    """Dealing anew what a seat may not see changes nothing it is sent: scene, previews, reasons."""
    table = somewhere(name, seats, seed)
    random = Random(seed)
    for seat in (*range(seats), None):
        reader = Reader(seat, "en")
        dealt = table.game.redeal(table.game.view(table.match.state, seat), random.randrange)
        one, two = (seen_as_table(Match(table.game, state, dice=None)) for state in (table.match.state.clone(), dealt))
        assert sent(one, reader) == sent(two, reader)


def sent(table: Table, reader: Reader) -> bytes:
    """Return everything a reader can ask of a table."""
    shown = scene(table, reader, own=[])
    more: list[Any] = [pieces_after(table, reader, move.line) for move in shown.moves[:3]]
    more += [reason_at(table, reader, part) for part in ("card-sue", "supply", "street-1-2", "cell-0", "stock", "pass")]
    return msgspec.json.encode([shown, more])


@every_setup
def test_a_preview_does_not_say_whose_turn_comes_next(name: str, seats: int) -> None:
    """It shows what a move does; the turn is still the reader's, as the status says."""
    for seed in range(4):
        table = somewhere(name, seats, seed)
        if table.actor is None:
            continue
        reader = Reader(table.actor, "en")
        shown = scene(table, reader, own=[table.actor])
        said = {piece for piece in pieces_of(shown) if piece[0] in TURN_PIECES}
        for move in shown.moves[:5]:
            assert {piece for piece in pieces_after(table, reader, move.line) if piece[0] in TURN_PIECES} == said


@every_setup
def test_only_what_others_did_since_the_own_decision_is_told(name: str, seats: int) -> None:
    """From the last decision of an own seat on, and of that only what is new to the reader."""
    table = somewhere(name, seats, 2, 30)
    plies = table.match.plies
    own = int(next(actor for actor, _ in reversed(plies) if actor != "chance"))
    other = next(seat for seat in range(seats) if seat != own)
    assert scene(table, Reader(own, "en"), own=[own]).steps == []
    shown = scene(table, Reader(other, "en"), own=[other])
    assert shown.steps
    assert all(step.seat != other for step in shown.steps)
    since = shown.steps[-1].ply - 1
    assert [step.ply for step in scene(table, Reader(other, "en"), own=[other], since=since).steps] == [since + 1]


def test_illegal_clicks_are_explained() -> None:
    """With the reason and the § of a move that was probably meant."""
    table = seen_as_table(Match.new("bus", seats=3, seed=1))
    assert table.actor is not None
    reader = Reader(table.actor, "en")
    reason = reason_at(table, reader, "pass")
    assert reason.section.startswith("§")
    assert reason.text
    assert reason_at(table, reader, "no-such-part").text == ""
    assert reason_at(table, Reader(None, "en"), "pass").text == ""
    assert reason_at(table, reader, "pass", ["kind-pub"]) == reason  # no move touches both


def test_a_click_that_does_not_go_with_the_choice_is_explained() -> None:
    """With a pub chosen, a plot that is taken is refused for being taken."""
    match = Match.new("bus", seats=3, seed=1)
    match.play(match.lines()[0])
    table = seen_as_table(match)
    (plot,) = match.position()["buildings"]
    reason = reason_at(table, Reader(table.actor, "en"), f"plot-{plot}", ["kind-pub"])
    assert reason.section.startswith("§")


@every_setup
def test_told_in_every_language(name: str, seats: int) -> None:
    """A whole game in every language; the cached log is the same as the whole log."""
    table = somewhere(name, seats, 5, plies=0)
    random = Random(2)
    readers = [Reader(0, language) for language in LANGUAGES]
    logs: dict[Reader, list[tuple[int, str]]] = {reader: [] for reader in readers}
    while table.match.actor is not None:
        since = len(table.match.plies)
        table.match.play(random.choice(table.match.lines()))
        for reader in readers:
            told = words_for(table.match, reader.language)
            logs[reader] += table.view_cache.log(reader, table.names(told), told, since)
    for reader in readers:
        told = words_for(table.match, reader.language)
        first = logs[reader][0][0] if logs[reader] else 0
        assert logs[reader] == list(table.match.log(0, table.names(told), told, first))


def test_marks_name_what_the_last_decision_moved() -> None:
    """The stick just placed is marked, and nothing else; before the first decision nothing is."""
    match = Match.new("bus", seats=3, seed=1)
    table = seen_as_table(match)
    assert scene(table, Reader(0, "en"), own=[0]).position.marks == []
    while not match.lines()[0].startswith("lay"):
        match.play(match.lines()[0])
    line = match.lines()[5]
    actor = match.actor
    match.play(line)
    street = line.removeprefix("lay ")
    (marked,) = scene(table, Reader(0, "en"), own=[0]).position.marks
    assert marked.startswith("street-")
    assert set(marked.removeprefix("street-").partition("_")[0].split("-")) == set(street.split("-"))
    assert marked.endswith("ABC"[int(actor or 0)])


def test_a_preview_shows_the_pieces_after_a_line() -> None:
    """As they are when it is played; the table stays as it is."""
    match = Match.new("bus", seats=3, seed=1)
    table = seen_as_table(match)
    assert isinstance(match.actor, int)
    reader = Reader(match.actor, "en")
    before = match.position()
    line = moves(table, reader, words_for(match, "en"))[0].line
    future = pieces_after(table, reader, line)
    assert match.position() == before
    match.play(line)
    assert pieces_of(scene(table, reader, own=[])) == future


async def test_a_device_is_handed_over(registry: TableRegistry, user: User) -> None:
    """With hidden hands, the page asks whose turn it is to look; open games go on without."""
    table = await opened(registry, user.id, "times_square", {}, [Sitter(user=user.id), Sitter(user=user.id)])
    seat = Seat(registry, table, user)
    await seat.say(sync=True)
    shown = await seat.scene()
    assert (shown["position"]["seat"], shown["handover"], shown["moves"]) == (None, table.actor, [])
    await seat.say(look=table.actor)
    shown = await seat.scene()
    assert shown["handover"] is None
    assert shown["moves"]
    await seat.say(look=5)
    assert (await seat.hear())["code"] == "not_your_seat"
    table = await opened(registry, user.id, "bus", {}, [Sitter(user=user.id)] * 3)
    seat = Seat(registry, table, user)
    for _ in range(6):
        shown = await seat.asked()
        assert shown["position"]["seat"] == table.actor
        await seat.say(play=shown["moves"][0]["line"], event=shown["event"], id=str(shown["event"]))


async def test_spectators_and_strangers_decide_nothing(registry: TableRegistry, user: User) -> None:
    """They see the table, but every action is rejected, and so is nonsense."""
    table = await opened(registry, user.id, "bus", {}, [Sitter(user=user.id)] * 3)
    for nobody in (None, (await registry.user_store.add_user())[0]):
        seat = Seat(registry, table, nobody)
        await seat.say(sync=True)
        shown = await seat.scene()
        assert (shown["moves"], shown["undo"], shown["own"]) == ([], False, [])
        for message in ({"play": "pass"}, {"undo": True}, {"look": 0}):
            await seat.say(**message, event=1, id="x")
            assert (await seat.hear())["code"] == "not_your_seat"
        for nonsense in ("", "{", "[]", '{"play": 3}', '{"play": "a", "undo": true}', '{"x": 1}', "x" * 9000):
            await seat.session.answer(nonsense)
            assert (await seat.hear())["code"] == "malformed"
    assert table.event == 1


def test_chance_never_waits_at_a_table() -> None:
    """After every move a seat is to decide, or the game is over."""
    for name, seats in SETUPS:
        table = somewhere(name, seats, 1)
        assert table.match.state.actor != CHANCE
        assert table.match.state.actor >= 0 or table.match.state.actor == OVER
