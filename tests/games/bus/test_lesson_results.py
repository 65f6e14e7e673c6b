"""What the tutorial of Bus says about numbers and buildings is so."""

from __future__ import annotations

from omnibus import games
from omnibus.kernel.lessons import LEARNER, match_at, play_step

GAME = games.find("bus")
FIELDS = ("line", "passengers", "buildings")


def test_buildings_stay() -> None:
    """What stands when the learner's round ends still stands some rounds later."""
    for later in [number for number in range(2, len(GAME.lessons) + 1) if GAME.lessons[number - 1].start]:
        match = match_at(GAME, later - 1)
        play_step(match, GAME.lessons[later - 2], GAME.lessons[later - 2].wanted[0])
        assert match.position()["buildings"].items() <= match_at(GAME, later).position()["buildings"].items()


def test_numbers_change_as_told() -> None:
    """The learner's bus raises what Passengers and Buildings yield by one, and not Line (§5.4)."""
    number = next(number for number, step in enumerate(GAME.lessons, 1) if step.wanted == ("take bus",))
    match = match_at(GAME, number)
    assert {action: match.view(LEARNER)["yields"][action][0] for action in FIELDS} == dict.fromkeys(FIELDS, 1)
    play_step(match, GAME.lessons[number - 1], "take bus")
    yields = match.view(LEARNER)["yields"]
    assert yields["line"][:2] == [1, 0]
    assert yields["passengers"][:2] == yields["buildings"][:2] == [2, 1]
