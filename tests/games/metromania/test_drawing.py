"""How it looks: well-formed, complete, and never more than the view shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from omnibus import Match, games
from omnibus.games.metromania.drawing.layout import UPRIGHT
from omnibus.games.metromania.state import State
from omnibus.kernel.game import CHANCE, OVER
from omnibus.kernel.i18n import LANGUAGES, words
from omnibus.kernel.perft import step
from support.walks import few

Place = Callable[..., Match]
GAME = games.find("metromania")
ENGLISH = words("en")


def somewhere(seats: int, seed: int, decisions: int) -> State:
    state: State = GAME.setup(seats, {"town_hall": "hidden"})
    random = Random(seed)
    for _ in range(decisions):
        if state.actor == OVER:
            break
        GAME.apply(state, step(GAME, state, random.random))
    return state


def symbols(picture: str) -> set[str]:
    return set(re.findall(r'<symbol[^>]* id="([^"]+)"', picture))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("decisions", [0, 4, 8, 30, 60, 400])
@pytest.mark.parametrize("language", few(LANGUAGES))
def test_pictures_are_complete(seats: int, decisions: int, language: str) -> None:
    """§1.8 A picture is well-formed; every piece has its symbol, its own id and a name."""
    state = somewhere(seats, decisions, decisions)
    told = words(language, GAME.folder)
    for seat in (0, None):
        view = GAME.view(state, seat)
        picture = GAME.svg(view, told)
        ElementTree.fromstring(picture)
        pieces = GAME.pieces(view, told)
        assert len({piece.id for piece in pieces}) == len(pieces)
        assert {piece.symbol for piece in pieces} <= symbols(picture)
        assert all(piece.label for piece in pieces)
        assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.walk
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_is_clicked_is_drawn(seats: int) -> None:
    """§13 Every part of every legal line can be found in the picture of the one to act."""
    for seed in range(4):
        state = somewhere(seats, seed, 0)
        random = Random(seed)
        while state.actor != OVER:
            if state.actor != CHANCE and random.random() < 0.15:
                picture = GAME.svg(GAME.view(state, state.actor), ENGLISH)
                drawn = set(re.findall(r'data-part="([^"]+)"', picture))
                for move in GAME.legal(state):
                    assert set(GAME.parts(state, move)) <= drawn, GAME.write(state, move)
            GAME.apply(state, step(GAME, state, random.random))


def pieces_of(match: Match, seat: int | None = 0) -> dict[str, Any]:
    return {piece.id: piece for piece in GAME.pieces(match.view(seat), ENGLISH)}


def test_tunnels_lie_in_their_cells(place: Place) -> None:
    """§5.1 Two lines back to back on one edge lie in different cells, each with its track on that edge."""
    match = place(lines={"0 solid": "14 E, E l", "1 striped": "16 NE, NE l, NW l, E r"}, stations="-5,1")
    drawn = pieces_of(match)
    above, below = drawn["tunnel-0-solid-2"], drawn["tunnel-1-striped-4"]
    assert above.symbol == "mm-tunnel-U2-0-solid"
    assert below.symbol == "mm-tunnel-D0-1-striped"
    assert above.y < below.y


def test_digs_show_what_they_bring(place: Place) -> None:
    """§6.5 Where a dig would cause a station stands its worth, for the one to act; others do not see it."""
    match = place(
        lines={"0 solid": "14 E, E l, E l, E l", "1 solid": "16 NE, NE l, NW l, E r, E r"}, stations="-5,1", seat=1
    )
    gains = [piece for piece in GAME.targets(match.view(1), (), ENGLISH) if piece.symbol == "mm-gain-1"]
    assert {(piece.x, piece.y) for piece in gains} == {UPRIGHT.city_place((-3, 1))}
    assert not any(piece.symbol.startswith("mm-gain") for piece in GAME.pieces(match.view(1), ENGLISH))
    hidden = somewhere(4, 3, 30)
    watching = (hidden.seat + 1) % 4
    assert not GAME.view(hidden, watching)["offers"]


def test_blocked_lines_are_marked() -> None:
    """§9.2 A blocked line has a sign at its tip and in its owner's panel."""
    state = somewhere(4, 1, 0)
    random = Random(1)
    while not state.blocked:
        GAME.apply(state, step(GAME, state, random.random))
    view = GAME.view(state, None)
    seat, name = view["blocked"][0].split(" ")
    ids = {piece.id for piece in GAME.pieces(view, ENGLISH)}
    assert {f"line-{seat}-{name}_blocked", f"line-{seat}-{name}_halt"} <= ids


def test_rides_are_drawn_in_the_end() -> None:
    """§11.2 When it is over the fastest routes are drawn with their minutes, test by test; before, nothing of it."""
    assert 'class="rides"' not in GAME.svg(GAME.view(somewhere(4, 89, 60), None), ENGLISH)
    state = somewhere(4, 89, 1000)
    view = GAME.view(state, None)
    picture = GAME.svg(view, ENGLISH)
    assert 'class="rides"' in picture
    for test in view["outcome"]["details"]["tests"]:
        name = "Sunday ride" if test["test"] == "sunday" else f"{test['test']}–{test['test']}"
        time = "impossible" if test["minutes"] is None else f"{test['minutes']} minute"
        assert f"<title>{name}: {time}" in picture


def test_terminal_board() -> None:
    """§1.2 The terminal shows the same city, no wider than 80 columns."""
    for decisions in (0, 30, 1000):
        lines = GAME.text(GAME.view(somewhere(3, 2, decisions), 0), ENGLISH)
        assert all(sum(len(run) for run, _ in line) <= 80 for line in lines)
        assert sum(run.count("·") + run.count("o") + run.count("*") for line in lines[:25] for run, _ in line) >= 85


@pytest.mark.parametrize("wide", [False, True])
def test_players_have_their_names(wide: bool) -> None:
    """§2.1 The panels carry the names of the players, long ones cut; without names the reader is “You”."""
    view = GAME.view(somewhere(3, 1, 12), 0)
    named = GAME.svg(view, ENGLISH, names=["You", "Wilma", "Maximilian-Alexander"], wide=wide)
    assert all(f">{name}</text>" in named for name in ("You", "Wilma", "Maximilian-Al…"))
    assert all(f">{name}</text>" in GAME.svg(view, ENGLISH, wide=wide) for name in ("You", "Pink", "Orange"))
