"""Resigning: who resigns does not win, records say so and replay, and the log tells it."""

from __future__ import annotations

from random import Random

import pytest

from omnibus import Match
from omnibus.kernel.dice_proof import verify
from omnibus.kernel.i18n import COMMON_TEXTS, ENGLISH, words
from omnibus.kernel.names import Names
from omnibus.kernel.record import BadRecord
from omnibus.kernel.seat_changes import SeatChange
from omnibus.kernel.status import status
from support.games_played import random_match

NAMES = ("Ann", "Bo", "Cy")


def played(name: str, seats: int, seed: int, plies: int = 10_000) -> Match:
    return random_match(name, seed, seats=seats, plies=plies)


def play_on(match: Match, seed: int, plies: int = 10_000) -> None:
    random = Random(seed)
    while match.actor is not None and match.length < plies:
        match.play(random.choice(match.lines()))


@pytest.mark.parametrize("name", ["times_square", "metromania"])
def test_of_two_players_the_other_wins_at_once(name: str) -> None:
    """The game is over, nothing can be played any more, and the record replays with its dice verified."""
    match = played(name, 2, 1, plies=30)
    line = match.lines()[0]
    match.resign(0)
    assert (match.actor, match.lines()) == (None, [])
    assert match.outcome is not None
    assert (match.outcome.reason, match.outcome.winners) == ("resigned", (1,))
    with pytest.raises(ValueError, match="resigned"):
        match.play(line)
    with pytest.raises(ValueError, match="over"):
        match.resign(1)
    again = Match.read(match.record())
    assert (again.outcome, again.resigned, again.record()) == (match.outcome, {0: match.length}, match.record())
    assert f"resigned: [[0, {match.length}]]" in match.record()
    assert verify(match.record()).verified


def test_nothing_follows_the_end() -> None:
    """A record that goes on after the last opponent has resigned is wrong."""
    match = played("times_square", 2, 1, plies=30)
    text = match.record().replace("result: null", "resigned: [[1, 20]]\nresult: null")
    with pytest.raises(BadRecord, match="already over"):
        Match.read(text)


@pytest.mark.parametrize("name", ["bus", "metromania"])
def test_of_more_players_who_resigned_does_not_win(name: str) -> None:
    """Whatever is played in the seat: the best of the others wins, and the record agrees."""
    for seed in range(6):
        natural = played(name, 3, seed)
        assert natural.outcome is not None
        winner = natural.outcome.winners[0]
        match = played(name, 3, seed, plies=40)
        resigned_at = match.length
        match.resign(winner)
        assert match.actor is not None
        play_on(match, seed)
        assert match.outcome is not None
        assert winner not in match.outcome.winners
        others = [score for seat, score in enumerate(match.outcome.scores) if seat != winner]
        assert {match.outcome.scores[seat] for seat in match.outcome.winners} == {max(others)}
        again = Match.read(match.record())
        assert (again.outcome, again.resigned) == (match.outcome, {winner: resigned_at})
        assert again.view(None)["outcome"]["winners"] == list(match.outcome.winners)
        told = status(match, match.view(None), NAMES, ENGLISH)
        assert told.endswith(f"{NAMES[winner]} resigned and is ranked last.")


def test_the_log_tells_it() -> None:
    """Before: the name. After: the bot that plays on. In between: that somebody has resigned."""
    match = played("bus", 3, 3, plies=20)
    at, seat = match.length, 1
    match.resign(seat)
    assert list(match.log(None, NAMES, ENGLISH))[-1] == (at, "Bo resigns.")
    play_on(match, 3, at + 20)
    log = list(match.log(None, NAMES, ENGLISH))
    assert (at, "Bo resigns.") in log
    assert not [line for ply, line in log if ply < at and "Bot for" in line]
    assert [line for ply, line in log if ply >= at and line.startswith("Bot for Bo ")]
    assert not [line for ply, line in log if ply >= at and line.startswith("Bo ") and line != "Bo resigns."]
    german = words("de", match.game.folder, COMMON_TEXTS)
    own = [line for _, line in match.log(None, Names(NAMES, seat), german)]
    assert "Du gibst auf." in own
    assert [line for line in own if line.startswith("Dein Bot ")]


def test_undoing_does_not_bring_anybody_back() -> None:
    """The seat has resigned as early as the record is long."""
    match = played("bus", 3, 4, plies=20)
    match.resign(2)
    play_on(match, 4, 30)
    while match.length > 12:
        match.undo()
    assert match.changes == [SeatChange(match.length, 2, "resigned")]
    assert Match.read(match.record()).resigned == {2: match.length}


def test_earlier_positions_know_nothing_of_it() -> None:
    """Before the ply at which somebody resigned, nobody had."""
    match = played("bus", 3, 4, plies=20)
    match.resign(2)
    play_on(match, 4, 30)
    assert match.at(19).resigned == {}
    assert match.at(25).resigned == {2: 20}


WRONG = (
    "1",
    "[1]",
    "[[1]]",
    "[[1, 99]]",
    "[[3, 1]]",
    "[[-1, 1]]",
    "[[1, 2], [0, 1]]",
    "[[1, 2], [1, 3]]",
    "[[true, 1]]",
)


@pytest.mark.parametrize("header", WRONG)
def test_wrong_headers(header: str) -> None:
    """Each seat once, in order, within the record."""
    text = played("bus", 3, 4, plies=20).record().replace("result: null", f"resigned: {header}\nresult: null")
    with pytest.raises(BadRecord, match=r"line 6: resigned must be a list of \[seat, number of plies\]"):
        Match.read(text)
