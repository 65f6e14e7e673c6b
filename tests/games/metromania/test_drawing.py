"""How it looks: well-formed, complete, and never more than the view shows."""

from __future__ import annotations

from typing import Any

import pytest

from omnibus import Match, games
from omnibus.games.metromania.drawing.layout import UPRIGHT
from omnibus.kernel.i18n import words
from support.games_played import random_match

from .positions import place

GAME = games.find("metromania")
ENGLISH = words("en")


def pieces_of(match: Match, seat: int | None = 0) -> dict[str, Any]:
    return {piece.id: piece for piece in GAME.pieces(match.view(seat), ENGLISH)}


def test_tunnels_lie_in_their_cells() -> None:
    """§5.1 Two lines back to back on one edge lie in different cells, each with its track on that edge."""
    match = place(lines={"0 solid": "14 E, E l", "1 striped": "16 NE, NE l, NW l, E r"}, stations="-5,1")
    drawn = pieces_of(match)
    above, below = drawn["tunnel-0-solid-2"], drawn["tunnel-1-striped-4"]
    assert above.symbol == "mm-tunnel-U2-0-solid"
    assert below.symbol == "mm-tunnel-D0-1-striped"
    assert above.y < below.y


def test_digs_show_what_they_bring() -> None:
    """§6.5 Where a dig would cause a station stands its worth, for the one to act; others do not see it."""
    match = place(
        lines={"0 solid": "14 E, E l, E l, E l", "1 solid": "16 NE, NE l, NW l, E r, E r"}, stations="-5,1", seat=1
    )
    gains = [piece for piece in GAME.targets(match.view(1), (), ENGLISH) if piece.symbol == "mm-gain-1"]
    assert {(piece.x, piece.y) for piece in gains} == {UPRIGHT.city_place((-3, 1))}
    assert not any(piece.symbol.startswith("mm-gain") for piece in GAME.pieces(match.view(1), ENGLISH))
    asked = [state for state in random_match("metromania", 3, seats=4).states if GAME.view(state, state.seat)["offers"]]
    assert asked
    for state in asked:
        others = (None, *(seat for seat in range(4) if seat != state.seat))
        assert not any(GAME.view(state, watching)["offers"] for watching in others if state.actor == state.seat)


def test_blocked_lines_are_marked() -> None:
    """§9.2 A blocked line has a sign at its tip and in its owner's panel."""
    state = next(state for state in random_match("metromania", 1, seats=4).states if state.blocked)
    view = GAME.view(state, None)
    seat, name = view["blocked"][0].split(" ")
    ids = {piece.id for piece in GAME.pieces(view, ENGLISH)}
    assert {f"line-{seat}-{name}_blocked", f"line-{seat}-{name}_halt"} <= ids


def test_rides_are_drawn_in_the_end() -> None:
    """§11.2 When it is over the fastest routes are drawn with their minutes, test by test; before, nothing of it."""
    assert 'class="rides"' not in random_match("metromania", 89, seats=4, plies=60).svg(None)
    view = random_match("metromania", 89, seats=4).view(None)
    picture = GAME.svg(view, ENGLISH)
    assert 'class="rides"' in picture
    for test in view["outcome"]["details"]["tests"]:
        name = "Sunday ride" if test["test"] == "sunday" else f"{test['test']}–{test['test']}"
        time = "impossible" if test["minutes"] is None else f"{test['minutes']} minute"
        assert f"<title>{name}: {time}" in picture


@pytest.mark.parametrize("wide", [False, True])
def test_players_have_their_names(wide: bool) -> None:
    """§2.1 The panels carry the names of the players, long ones cut; without names the reader is “You”."""
    view = random_match("metromania", 1, seats=3, plies=12).view(0)
    named = GAME.svg(view, ENGLISH, names=["You", "Wilma", "Maximilian-Alexander"], wide=wide)
    assert all(f">{name}</text>" in named for name in ("You", "Wilma", "Maximilian-Al…"))
    assert all(f">{name}</text>" in GAME.svg(view, ENGLISH, wide=wide) for name in ("You", "Pink", "Orange"))


@pytest.mark.parametrize("plies", [0, 30, 1000])
def test_terminal_shows_the_city(plies: int) -> None:
    """§1.2 Every point of the city, whatever is built on it."""
    lines = GAME.text(random_match("metromania", 2, seats=3, plies=plies).view(0), ENGLISH)
    assert sum(run.count("·") + run.count("o") + run.count("*") for line in lines[:25] for run, _ in line) >= 85
