"""Games begun by the first version of the rules replay and go on by them (§5.3, §8.3)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from omnibus import BadPosition, Match, games
from omnibus.kernel.record import BadRecord
from support.rules import play, refused

pytestmark = pytest.mark.engine

Place = Callable[..., Match]
LAST_WALK = (Path(__file__).parent / "records" / "times_square-last-walk.game").read_text(encoding="utf-8")
GAME = games.find("times_square")

DEB_FIRST: dict[str, Any] = {"hands": ("deb3 deb2 deb1", ""), "deb": 2, "sue": 0}


def first_record(match: Match) -> str:
    """Write a match as a program of the first rules wrote it: without the option that names them."""
    text = match.record().replace("\nrules: 2\n", "\nrules: 1\n")
    return text.replace(', "rules": 1}', "}")


def test_charlie_won_after_the_second_exhaustion() -> None:
    """§8.3 A finished game in which Charlie's last walk won replays to that end; by today's rules it would not."""
    match = Match.read(LAST_WALK)
    assert match.outcome is not None
    assert (match.outcome.reason, match.outcome.winners) == ("charlie", (0,))
    assert match.at(match.length - 1).position()["figures"]["charlie"] > -7
    with pytest.raises(BadRecord, match="supply-sue"):
        Match.read(LAST_WALK.replace("\nrules: 1\n", "\nrules: 2\n"))


def test_running_game_keeps_its_lock(place: Place) -> None:
    """§5.3 A game that is still running refuses what its rules refuse: a joker after a card that moved Deb."""
    old = Match.read(first_record(play(place(rules=1, **DEB_FIRST), "deb3 left")))
    assert old.options == {"edition": "times_square", "rules": 1}
    assert refused(old, "deb2 hal left") == ("other-joker", "§5.3")
    assert old.lines() == ["deb1 left", "deb1 right", "deb2 left", "deb2 right", "done"]
    assert "deb2 hal left" in play(place(**DEB_FIRST), "deb3 left").lines()


def test_running_game_keeps_its_end(place: Place) -> None:
    """§8.3 Charlie walks once more after the second exhaustion, and may win."""
    facts: dict[str, Any] = {"hands": ("hal1 sue", "hal2"), "supply": "deb1", "exhausted": 1, "sue": 2, "b": 4}
    old = Match.read(first_record(place(rules=1, hal=-6, deb=3, charlie=-4, **facts)))
    play(old, "hal1 left", "done", "draw deb1")
    assert old.position()["figures"]["charlie"] == -5
    assert old.outcome is not None
    assert (old.outcome.reason, old.outcome.winners) == ("supply-sue", (1,))
    won = play(place(rules=1, hal=-6, deb=3, charlie=-6, **facts), "hal1 left", "done", "draw deb1")
    assert won.outcome is not None
    assert (won.outcome.reason, won.outcome.winners) == ("charlie", (0,))


def test_royal_visit_has_not_changed() -> None:
    """§5.3, §11.4 A record of royal_visit needs no other rules than today's."""
    match = Match.new("times_square", options={"edition": "royal_visit"}, seed=1)
    assert Match.read(first_record(match)).options == {"edition": "royal_visit"}


def test_rules_are_in_position_and_view(place: Place) -> None:
    """§13 The position document and the options in a view name the first rules, and no others."""
    old = place(rules=1, **DEB_FIRST)
    assert old.position()["rules"] == 1
    assert old.view(0)["options"] == {"edition": "times_square", "rules": 1}
    assert Match.from_position("times_square", old.position()).options == old.options
    assert "rules" not in place().position()
    assert place().view(None)["options"] == {"edition": "times_square"}
    with pytest.raises(BadPosition, match="rules"):
        place(rules=3)


def test_redeal_keeps_the_rules(place: Place) -> None:
    """A bot at an old table thinks by the rules of that table."""
    match = play(place(rules=1, **DEB_FIRST), "deb3 left")
    assert GAME.legal(GAME.redeal(match.view(0), lambda n: 0)) == GAME.legal(match.state)


def test_first_rules_are_not_offered() -> None:
    """Nobody chooses them for a new game."""
    assert list(GAME.offered) == ["edition"]
