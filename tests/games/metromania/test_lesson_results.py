"""What the tutorial of MetroMania says about test rides and the end is so."""

from __future__ import annotations

from omnibus import Match, games
from omnibus.games.metromania import scoring
from omnibus.games.metromania.board import LETTERS
from omnibus.kernel.lessons import match_at, play_step

GAME = games.find("metromania")


def ride_between_letters(match: Match, letter: str) -> tuple[int, list[int]]:
    """Return the minutes and scores of a test ride if the game ended now."""
    ride = scoring.ride_letter(match.state, scoring.network(match.state), LETTERS.index(letter))
    return ride.minutes, ride.scores


def test_rides_are_as_told() -> None:
    """The station makes the ride possible, the dig takes it from five minutes to two (§11.2 – §11.5)."""
    station = next(number for number, step in enumerate(GAME.lessons, 1) if step.wanted == ("station solid -1,4",))
    assert ride_between_letters(match_at(GAME, station), "B") == (scoring.IMPOSSIBLE, [-6, 0])
    match = match_at(GAME, station + 1)
    assert ride_between_letters(match, "B") == (5, [0, 0])
    play_step(match, GAME.lessons[station], "dig solid E r")
    assert ride_between_letters(match, "B") == (2, [6, 0])


def test_the_end_is_as_told() -> None:
    """The learner alone rides from A to A, a ride that both share scores nothing (§11.5), and 13 to −3."""
    match = match_at(GAME, len(GAME.lessons))
    play_step(match, GAME.lessons[-1], GAME.lessons[-1].wanted[0])
    assert match.outcome
    assert match.outcome.scores == (13, -3)
    rides = {test["test"]: test for test in match.outcome.details["tests"]}
    assert rides["A"]["scores"] == [6, 0]
    assert {stretch["seat"] for stretch in rides["C"]["stretches"]} == {0, 1}
    assert rides["C"]["scores"] == [0, 0]
