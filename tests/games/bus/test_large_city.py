"""A city larger than the box: more plots than there are buildings."""

from __future__ import annotations

from typing import Any

import pytest

from omnibus import Match, games
from omnibus.games.bus import cities
from omnibus.kernel.i18n import ENGLISH

from .positions import describe

pytestmark = pytest.mark.engine

GAME = games.find("bus")


def ring(crossings: int) -> dict[str, Any]:
    """A ring of crossings with two A plots each, between two stations."""
    return {
        "name": "ring",
        "stations": [1, 2],
        "centre": [3, 4, 5, 6],
        "crossings": [
            {"id": name, "xy": [name % 10, name // 10], "plots": ["A", "A"] if name > 2 else []}
            for name in range(1, crossings + 1)
        ],
        "streets": [[name, name % crossings + 1] for name in range(1, crossings + 1)],
    }


def test_no_buildings_left() -> None:
    """§2.3, §5.3 In the reprint thirty of each kind: with all ninety standing the action lapses."""
    kinds = ["house", "office", "pub"]
    plots = [f"{name}.{number}" for name in range(3, 48) for number in (1, 2)]
    document = describe(
        lines={0: "10-11-12", 1: "20-21-22", 2: "30-31-32"}, fields={"buildings": [0, 1], "vrroomm": [0, 1]},
        edition="reprint",
        waiting=[60] * 4, players={0: {"cubes": 18}, 1: {"cubes": 18, "passed": True}, 2: {"cubes": 0}}, city=ring(60),
    ) | {"buildings": {plot: kinds[number % 3] for number, plot in enumerate(plots)}}  # fmt: skip
    match = Match.from_position("bus", document, dice=False)
    assert match.view(None)["supply"] == [0, 0, 0]
    before = match.view(None)
    match.play("pass")
    told = GAME.tell(before, "pass", match.view(None), ["Ann", "Ben", "Cem"], ENGLISH)
    assert "No buildings are left: Ann builds no more." in told
    assert (match.position()["step"], match.position()["round"]) == ("choose", 2)
    endless = Match.from_position("bus", document | {"edition": "first"}, dice=False)
    endless.play("pass")
    assert endless.position()["step"] == "buildings"


def test_a_ring_is_closed() -> None:
    """§6.2c, §6.5, §6.6 On a ring lines run into each other, may go on (no way out), and end once they are around."""
    match = Match.new("bus", seats=3, options={"city": ring(12), "sticks": "unlimited"}, seed=2)
    wanted = {"take bus": 0, "take line": 1}
    while match.actor is not None:
        match.play(min(reversed(match.lines()), key=lambda line: wanted.get(line, 2)))
    players = match.position()["players"]
    around = [player for player in players if len(player["streets"]) == 12]
    assert around
    assert all(player["heads"][0] == player["heads"][1] for player in around)


def test_too_many_streets() -> None:
    """§1.4 Three streets a crossing are the most that something new may have; the bundled cities have fewer."""
    for name in cities.names():
        assert GAME.too_large(Match.new("bus", options={"city": name}, dice=False).state) is None
    streets = [[one, other] for one in range(1, 41) for other in range(one + 1, 41)]
    streets.sort(key=lambda ends: ends[1] - ends[0])  # the ring first, so that the city is connected
    for number, reason in ((120, "None"), (121, "the city has 121 streets; at most 120 can be played")):
        match = Match.new("bus", options={"city": ring(40) | {"streets": streets[:number]}}, dice=False)
        assert str(GAME.too_large(match.state)) == reason
        assert Match.read(match.record()).position() == match.position()


@pytest.mark.parametrize(("far", "large"), [(3, False), (20, True)])
def test_pictures_have_a_size(far: int, large: bool) -> None:
    """§1.4 The largest city a server takes makes a picture below a megabyte; larger ones are drawn, too."""
    streets = [[one, (one + step - 1) % 100 + 1] for step in range(1, far + 1) for one in range(1, 101)]
    match = Match.new("bus", seats=5, options={"city": ring(100) | {"streets": streets}}, dice=False)
    assert bool(GAME.too_large(match.state)) == large
    assert (len(GAME.bare(match.view(None), ENGLISH)) > 1_000_000) == large
