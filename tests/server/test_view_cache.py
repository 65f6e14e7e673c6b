"""The view cache: what it returns is up to date, and never meant for another seat."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omnibus import Match, games
from omnibus.server.tables.board_view import Drawn, Kept, Reader, board_view, for_reader, shared_reader, words_for
from omnibus.server.tables.view_cache import ViewCache

SETUPS = [(name, games.find(name).seats[-1]) for name in games.names()]
every_game = pytest.mark.parametrize(("name", "seats"), SETUPS)


def names(match: Match) -> list[str]:
    return [f"P{seat}" for seat in range(match.seats)]


def take_a_step(match: Match, view_cache: ViewCache, random: Random) -> None:
    """Play or undo, as a table does."""
    before = match.length
    if match.actor is None or (random.random() < 0.3 and any(actor != "chance" for actor, _ in match.plies)):
        match.undo()
        view_cache.cut(match.length)
    else:
        match.play(random.choice(match.lines()))
        view_cache.cut(before)


@pytest.mark.walk
@every_game
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_cache_is_up_to_date(name: str, seats: int, seed: int) -> None:
    """Whatever is played and undone, and whoever looks in between."""
    random, match = Random(seed), Match.new(name, seats=seats, seed=seed)
    view_cache, sitters = ViewCache(match), [""] * seats
    readers = [
        Reader(seat, language, wide)
        for seat in (*range(seats), None)
        for language in ("en", "it")
        for wide in (False, True)
    ]
    for _ in range(25):
        take_a_step(match, view_cache, random)
        for reader in random.sample(readers, 3):
            told = words_for(match, reader.language)
            shown = view_cache.position(reader, names(match), sitters)
            assert shown == board_view(match, shared_reader(match, reader), names(match), sitters)
            since = random.choice([0, random.randrange(match.length + 1), match.length])
            log = match.log(reader.seat, names(match), told)
            assert view_cache.log(reader, names(match), told, since) == [said for said in log if said[0] >= since]


@pytest.mark.walk
@every_game
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_differences_lead_from_one_position_to_the_next(name: str, seats: int, seed: int) -> None:
    """To exactly the pieces of the next one, for every reader; none are told after an undo, which forgets."""
    random, match = Random(seed), Match.new(name, seats=seats, seed=seed)
    view_cache, sitters = ViewCache(match), [""] * seats
    readers = [Reader(seat, "en", wide) for seat in (*range(seats), None) for wide in (False, True)]
    shown: dict[int, list[Drawn | Kept]] = {}  # by version
    followed = 0
    for _ in range(25):
        take_a_step(match, view_cache, random)
        for reader in readers:
            seen, version = view_cache.position(reader, names(match), sitters), view_cache.version(reader)
            assert shown.setdefault(version.number, seen.pieces) == seen.pieces
            if version.before:
                before, made = shown[version.before], list[Drawn | Kept]()
                for piece in version.pieces:
                    made += before[piece.start : piece.stop] if isinstance(piece, Kept) else [piece]
                assert made == seen.pieces
                followed += 1
    assert followed


@every_game
def test_who_is_shown_the_same(name: str, seats: int) -> None:
    """Seats share views only in open games; languages and shapes of the board never do."""
    match = Match.new(name, seats=seats, seed=1)
    view_cache, sitters = ViewCache(match), [""] * seats
    one, other, spectator, abroad, broad = (
        view_cache.position(Reader(seat, language, wide), names(match), sitters)
        for seat, language, wide in (
            (0, "en", False),
            (1, "en", False),
            (None, "en", False),
            (0, "it", False),
            (0, "en", True),
        )
    )
    assert (one is other) == (one is spectator) == match.game.open
    assert one is not abroad
    assert one is not broad
    assert (one.wide, broad.wide) == (False, True)
    assert view_cache.position(Reader(0, "en"), names(match), sitters) is one


def test_shared_views_become_the_readers_own() -> None:
    """With the reader's seat, and the picture only if the reader does not have it."""
    match = Match.new("bus", seats=4, seed=1)
    shared = ViewCache(match).position(Reader(2, "en"), names(match), [""] * 4)
    own = for_reader(match, Reader(2, "en"), shared, shared.ground)
    assert (own.seat, own.svg, own.pieces) == (2, None, shared.pieces)
    drawn = match.game.bare(match.view(3), words_for(match, "en"), names=names(match))
    assert for_reader(match, Reader(3, "en"), shared, "").svg == drawn


def test_names_may_change_at_any_time() -> None:
    """A new name or another sitter is shown without any event at the table."""
    match = Match.new("bus", seats=4, seed=1)
    view_cache = ViewCache(match)
    assert view_cache.position(Reader(0, "en"), names(match), [""] * 4).panels[0].name == "P0"
    renamed = ["Ada", *names(match)[1:]]
    before = view_cache.position(Reader(0, "en"), names(match), [""] * 4)
    after = view_cache.position(Reader(0, "en"), renamed, [""] * 4)
    assert after.panels[0].name == "Ada"
    assert ">Ada</text>" in (for_reader(match, Reader(0, "en"), after, before.ground).svg or "")  # it is on the board
    assert view_cache.position(Reader(0, "en"), renamed, ["easy bot", "", "", ""]).panels[0].sitter == "easy bot"
