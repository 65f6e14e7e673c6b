"""How it is told: labels with their preview, the log, reasons and help."""

from __future__ import annotations

from typing import Any

import pytest

from omnibus import games
from omnibus.games.metromania.telling.names import WAYS, side
from omnibus.games.metromania.telling.reasons import REASONS
from omnibus.kernel.game import Refusal
from omnibus.kernel.i18n import ENGLISH, LANGUAGES, words
from support.games_played import ALONG, GamePlayed, in_positions

GAME = games.find("metromania")
NAMES = ["Ann", "Bob", "Cy", "Di"]
POSSIBLE = {"possible": 2, "most": 3}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_sentence(language: str) -> None:
    """§13 Every refusal is told in every language, with all its blanks filled."""
    args = {"piece": 3, "kind": "home", "letter": "C", "line": "solid", "vertex": "2,-1", "stock": 1} | POSSIBLE
    for code in REASONS:
        sentence = GAME.explain(Refusal(code, "§4.2", args), words(language, GAME.folder))
        assert sentence
        assert "{" not in sentence
    several = Refusal("letter-touches", "§8.3", {"letter": "A, C"})
    told = "This cell touches the letters of all your destinations that fit it: A, C"
    assert language != "en" or GAME.explain(several, ENGLISH) == told


def test_tunnels_are_named_by_their_place_on_the_map() -> None:
    """§1.5 Left of a track is a quarter turn counter-clockwise from its direction, right the other way."""
    compass = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")
    for number, heading in enumerate(WAYS):
        for hand, turn in (("l", 90), ("r", -90)):
            angle = (60 * number + turn) % 360
            assert side(heading, hand, words("en")) == f"to the {compass[round(angle / 45) % 8]}"


@in_positions(5, of="metromania", ways=ALONG)
def test_a_dig_that_blocks_the_line_says_so(played: GamePlayed) -> None:
    """§9.2 Before a dig its label warns, after it the log says why no tunnel can follow; no other dig does."""
    before: dict[str, Any] = {}
    for match in played.matches():
        seat, line = match.plies[-1] if match.plies else ("chance", "")
        after = match.view(seat if isinstance(seat, int) else None)
        if line.startswith(("start", "dig")) and after["turn"] > before["turn"]:
            blocked = f"{seat} {line.split(' ')[1]}" in after["blocked"]
            assert ("the line is blocked" in GAME.label(before, line, ENGLISH)) == blocked, line
            told = GAME.tell(before, line, after, NAMES[: match.seats], ENGLISH)
            reasons = [each for each in told if each.startswith("No tunnel can follow at its tip: ") and "§" in each]
            assert reasons or not blocked
        before = match.view(match.actor if isinstance(match.actor, int) else None)
