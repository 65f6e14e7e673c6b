"""What a page asks and shows beside the sentences of `telling.cases`."""

from __future__ import annotations

from omnibus import Match, games
from omnibus.kernel.i18n import ENGLISH
from support.rules import play

from .positions import place, resolve

GAME = games.find("bus")


def ends_turn(match: Match, line: str) -> bool:
    before = match.state.clone()
    match.play(line)
    assert match.state.actor == before.actor
    return GAME.ends_turn(before, match.state)


def test_turns_end_even_if_the_same_player_goes_on() -> None:
    """§4.1, §3.3 The page asks before an action is taken, and before the last of several buildings or sticks."""
    passed = {"passed": True}
    match = place(fields={"line": [1, 2], "buildings": [1, 2]}, players={1: passed, 2: passed})
    assert ends_turn(match, "take passengers")
    first = play(Match.new("bus", dice=False), "first 0")
    play(first, *(f"build pub {plot}" for plot in ("10.1", "15.1", "16.1", "16.2")))
    assert not ends_turn(first, "build pub 20.1")
    play(first, "build pub 20.2", "lay 8-15", "lay 1-7")
    assert ends_turn(first, "lay 35-36")  # the last to open a line is the first to lengthen it


def test_who_reached_it_earlier_is_told() -> None:
    """§13.2 Where that broke the tie, the scores say which ride of the game was everybody's last."""
    tied = {0: {"rides": 5, "reached": 10}, 1: {"rides": 5, "reached": 9}}
    match = resolve(fields={"vrroomm": [0, 0]}, waiting=[1] * 4, players=tied)
    rows = GAME.breakdown(match.view(None), ENGLISH)
    assert rows[1] == ("The last one with ride number", ["10", "9", "–"])
    assert rows[-1] == ("Score", ["5", "5", "0"])
    plain = resolve(fields={"vrroomm": [0, 0]}, waiting=[1] * 4, players={0: {"rides": 5, "reached": 5}})
    assert len(GAME.breakdown(plain.view(None), ENGLISH)) == 3
