"""What a seat may see: everything."""

from __future__ import annotations

from random import Random

import pytest

from omnibus import Match, games

pytestmark = pytest.mark.engine

GAME = games.find("bus")


def somewhere(seed: int, plies: int) -> Match:
    random = Random(seed)
    match = Match.new("bus", seats=3 + seed % 3, seed=seed)
    for _ in range(plies):
        if match.actor is not None:
            match.play(random.choice(match.lines()))
    return match


@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_hidden(seed: int) -> None:
    """§2 Every seat and every spectator sees the same, and the same as the position document tells."""
    match = somewhere(seed, seed * 25)
    position = match.position()
    for seat in (None, *range(match.seats)):
        view = match.view(seat)
        assert view["viewer"] == seat
        assert {key: view[key] for key in position} == position
        assert GAME.position(GAME.redeal(view, Random(1).randrange)) == position


def test_plies_are_seen_by_all() -> None:
    """§15 Everybody reads every line."""
    match = somewhere(2, 60)
    assert [tuple(ply) for ply in match.view(1)["plies"]] == list(match.plies)


def test_yields_follow_the_fleets() -> None:
    """§5.2, §11.2 A field of vrroomm is worth its owner's fleet, a free one that of the seat to decide."""
    match = somewhere(1, 0)
    while match.position()["step"] != "choose":
        match.play(match.lines()[0])
    assert match.view(None)["yields"]["vrroomm"] == [1] * 6
    assert match.view(None)["largest_fleet"] == 1
