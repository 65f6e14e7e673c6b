"""What a seat may see: everything."""

from __future__ import annotations

import pytest

from omnibus import Match, games
from support.games_played import GamePlayed, in_positions, random_match

pytestmark = pytest.mark.engine

GAME = games.find("bus")


@in_positions(8, of="bus")
def test_nothing_is_hidden(played: GamePlayed) -> None:
    """§2 Every seat and every spectator sees the same, and the same as the position document tells."""
    position = GAME.position(played.state)
    for seat in played.readers():
        view = GAME.view(played.state, seat)
        assert view["viewer"] == seat
        assert {key: view[key] for key in position} == position
        assert GAME.position(GAME.redeal(view, played.random.randrange)) == position


def test_plies_are_seen_by_all() -> None:
    """§15 Everybody reads every line."""
    match = random_match("bus", 2, plies=60)
    assert [tuple(ply) for ply in match.view(1)["plies"]] == list(match.plies)


def test_yields_follow_the_fleets() -> None:
    """§5.2, §11.2 A field of vrroomm is worth its owner's fleet, a free one that of the seat to decide."""
    match = Match.new("bus", seed=1)
    while match.position()["step"] != "choose":
        match.play(match.lines()[0])
    assert match.view(None)["yields"]["vrroomm"] == [1] * 6
    assert match.view(None)["largest_fleet"] == 1
