"""Puzzles on a server: their pages and ratings, and that nothing hidden is sent; traces/puzzles has the API."""

from __future__ import annotations

import re
from datetime import date, timedelta
from random import Random
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from omnibus import games
from omnibus.kernel.i18n import LANGUAGES
from omnibus.lab.puzzles.document import Puzzle, state_of
from omnibus.server.puzzles.catalogue import BAND_NAMES, BANDS, daily, listed, nearest, next_after, puzzles, today
from omnibus.server.puzzles.glicko import NEWCOMER, UNKNOWN, after
from omnibus.server.puzzles.scene import explanation, puzzle_scene, why
from omnibus.server.store.models import DAY
from omnibus.server.store.puzzles import Rated
from omnibus.server.tables.board_view import Reader

FIRST = {game.name: puzzle for game, puzzle in reversed(puzzles().values())}
"""A puzzle of each game that has some."""
NAME, PUZZLE = next(iter(FIRST.items()))


async def solve(client: httpx.AsyncClient, puzzle: Puzzle, line: str) -> Any:
    found = await client.post(f"/puzzles/{puzzle.id}", json={"line": line})
    assert found.status_code == 200, found.text
    return found.json()


async def test_the_list(client: httpx.AsyncClient) -> None:
    """It shows all puzzles by how hard they are, or those of a game, a difficulty, a theme; or that there are none."""
    for language in LANGUAGES:
        page = (await client.get("/puzzles", headers={"accept-language": language})).text
        assert all(f"/puzzles/{key}" in page for key in puzzles())
    band = next(name for name, (low, high) in BANDS.items() if low <= PUZZLE.rating < high)
    narrowed = {"game": NAME, "level": band, "theme": f"{NAME}.{PUZZLE.themes[0]}" if PUZZLE.themes else ""}
    for key in ("game", "level", "theme"):
        page = (await client.get("/puzzles", params={key: narrowed[key]})).text
        assert f"/puzzles/{PUZZLE.id}" in page
    page = (await client.get("/puzzles", params=narrowed)).text
    assert re.findall(r"<h3[^>]*>(\w+)</h3>", page) == [BAND_NAMES[band]]
    others = [each for each in listed({}) if not each.fits(game=NAME, band=band)]
    assert not any(f"/puzzles/{each.puzzle.id}" in page for each in others)
    assert "No puzzle matches" in (await client.get("/puzzles?game=chess")).text


async def test_a_puzzle_for_everybody(client: httpx.AsyncClient) -> None:
    """The list leads to the puzzle of each game that is nearest to one's rating, and tells how the day's one went."""
    page = (await client.get("/puzzles")).text
    for name in FIRST:
        suited = nearest([each for each in listed({}) if each.game == name], tried={}, wish=NEWCOMER.rating)
        assert suited
        assert f'<a class="button" href="/puzzles/{suited.puzzle.id}" aria-describedby="puzzles-{name}"' in page
    assert "Puzzle of the day: " not in page
    of_the_day = puzzles()[today() or ""][1]
    await solve(client, of_the_day, of_the_day.solution[0])
    assert "Puzzle of the day: solved" in (await client.get("/puzzles")).text
    shown = (await client.get(f"/puzzles/{of_the_day.id}")).text
    assert "this is practice" in shown.split('id="counts"')[1]


@pytest.mark.parametrize("name", FIRST)
def test_every_level_has_puzzles(name: str) -> None:
    """No level holds nearly all puzzles of a game."""
    ratings = [puzzle.rating for game, puzzle in puzzles().values() if game.name == name]
    for low, high in BANDS.values():
        assert 0 < sum(low <= rating < high for rating in ratings) < 0.85 * len(ratings)


def test_what_was_redealt() -> None:
    """An explanation speaks of redeals only where something is hidden."""
    hidden = {name: explanation(games.find(name), puzzle, "en").hidden for name, puzzle in FIRST.items()}
    assert hidden == {"bus": False, "metromania": False, "times_square": True}


async def test_the_page_of_a_puzzle(client: httpx.AsyncClient) -> None:
    """It speaks every language, as do the reasons for clicks, and remembers the first attempt; nonsense is none."""
    for puzzle in FIRST.values():
        path, asked, said = f"/puzzles/{puzzle.id}", {"part": "turn", "picked": ["stop", "supply"]}, set()
        for language in LANGUAGES:
            spoken = {"accept-language": language}
            page = (await client.get(path, headers=spoken)).text
            assert f'<html lang="{language}"' in page
            reason = (await client.get(f"{path}/why", params=asked, headers=spoken)).json()
            said.add(reason["text"])
            assert reason["section"].startswith("§")
        assert len(said) == len(LANGUAGES)
        for nonsense in ({"line": "no such line"}, {"lines": ""}):
            assert (await client.post(path, json=nonsense)).status_code == 400
        assert not (await solve(client, puzzle, puzzle.choices[-1].line))["solved"]
        right = await solve(client, puzzle, puzzle.solution[0])
        assert right["standing"]["change"] == 0
        assert right["next"] != puzzle.id
        assert right["position"]["pieces"]
    assert (await client.get("/puzzles")).text.count("✗") == len(FIRST)


async def test_the_puzzle_of_the_day(client: httpx.AsyncClient) -> None:
    """It is the same for everybody, and another one the next day, until all have been shown."""
    day = date(2026, 11, 16)
    days = [daily(day + timedelta(number)) for number in range(len(puzzles()))]
    assert set(days) == set(puzzles())
    assert daily(day) == days[0]
    answer = await client.get("/puzzles/daily")
    assert answer.headers["location"].removeprefix("/puzzles/") in puzzles()


@pytest.mark.parametrize("name", FIRST)
def test_nothing_hidden_is_sent(name: str) -> None:
    """Whatever the others hold, a reader is sent the same bytes."""
    game, puzzle = games.find(name), FIRST[name]
    reader = Reader(puzzle.seat, "en", you=puzzle.seat)
    view = game.view(state_of(game, puzzle), puzzle.seat)
    redealt = game.position(game.redeal(view, Random(3).randrange))
    other, scene = replace(puzzle, position=redealt), puzzle_scene(game, puzzle, reader)
    assert puzzle_scene(game, other, reader) == scene
    for part in {part for move in scene.moves for part in move.parts} | {"turn", "hand", "card-sue"}:
        assert why(game, other, part, ["turn"], "en") == why(game, puzzle, part, ["turn"], "en")


def test_the_next_puzzle() -> None:
    """One of the same game that has not been tried, near to one's rating; none where there is no other."""
    *others, hardest = [each for each in listed({}) if each.game == NAME]
    key = others[0].puzzle.id if others else hardest.puzzle.id
    wanted = hardest.puzzle.id if others else None
    assert next_after(key, tried={}, rated={}, wish=9000) == wanted
    tried = {each.puzzle.id: True for each in others}
    assert next_after(key, tried=tried, rated={}, wish=0) == wanted


def test_glicko() -> None:
    """A win against a player of 1400 ± 30 lifts 1500 ± 200 as in Glickman's example; deviations grow with time."""
    player, opponent = Rated(1500.0, 200.0, 0.06), Rated(1400.0, 30.0, 0.06)
    won = after(player, opponent, 1.0, 100.0)
    assert won.rating == pytest.approx(1563.6, abs=0.1)
    assert won.deviation == pytest.approx(175.4, abs=0.1)
    assert won.volatility == pytest.approx(0.06, abs=0.0001)
    assert after(player, opponent, 0.0, 100.0).rating < 1500
    later = after(won, opponent, 1.0, 100.0 + 1000 * DAY)
    assert later.deviation > after(won, opponent, 1.0, 100.0).deviation
    surprising = after(Rated(1500.0, 50.0, 0.06), Rated(3000.0, 30.0, 0.06), 1.0, 100.0)
    assert surprising.volatility > 0.06
    assert after(NEWCOMER, opponent, 1.0, 0.0).deviation < UNKNOWN


def test_one_puzzle_changes_a_rating_by_little() -> None:
    """Neither the easiest puzzle given up nor a lucky guess at the hardest one moves a newcomer far."""
    ratings = [Rated(float(each.rating), float(each.deviation), 0.06) for _, each in puzzles().values()]
    lost = [after(NEWCOMER, puzzle, 0.0, 1.0).rating - NEWCOMER.rating for puzzle in ratings]
    won = [after(NEWCOMER, puzzle, 1.0, 1.0).rating - NEWCOMER.rating for puzzle in ratings]
    assert min(lost) > -180
    assert max(won) < 220
    near = sorted(abs(puzzle.rating - NEWCOMER.rating) for puzzle in ratings)
    assert near[len(near) // 2] < 400  # most puzzles are neither a matter of course nor hopeless


def test_earlier_ratings_stay_valid() -> None:
    """A rating stored while newcomers began at 1500 ± 350 goes on from where it is, in smaller steps."""
    earlier = Rated(884.0, 290.0, 0.06, 100.0)
    for score in (0.0, 1.0):
        later = after(earlier, Rated(880.0, 100.0, 0.06), score, 200.0)
        assert abs(later.rating - earlier.rating) < 100
        assert later.deviation < UNKNOWN
    away = after(earlier, Rated(880.0, 100.0, 0.06), 0.0, 100.0 + 100_000 * DAY)
    assert abs(away.rating - earlier.rating) < 100
