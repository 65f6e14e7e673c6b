"""How it is told: labels with their preview, the log, reasons and help."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest

from omnibus import IllegalMove, Match, games
from omnibus.games.metromania.state import State
from omnibus.games.metromania.telling.names import WAYS, side
from omnibus.games.metromania.telling.reasons import REASONS
from omnibus.kernel.clicks import why_not
from omnibus.kernel.game import OVER, Refusal
from omnibus.kernel.i18n import ENGLISH, LANGUAGES, words

from .positions import find, place

GAME = games.find("metromania")
NAMES = ["Ann", "Bob", "Cy", "Di"]
MEETING: dict[str, Any] = {"lines": {"0 solid": "14 E, E l, E l", "1 solid": "16 NE, NE l"}, "seat": 1}


def told(match: Match, line: str, seat: int | None = 0, language: str = "en") -> list[str]:
    before = match.view(seat)
    match.play(line)
    return GAME.tell(before, line, match.view(seat), NAMES[: match.seats], words(language, GAME.folder))


def label(match: Match, line: str, language: str = "en") -> str:
    return GAME.label(match.view(match.state.actor), line, words(language, GAME.folder))


def test_labels_preview_stations_and_points() -> None:
    """§6.5 A dig's label says which stations it causes and what they bring."""
    match = place(
        lines={"0 solid": "14 E, E l, E l, E l", "1 solid": "16 NE, NE l, NW l, E r, E r"}, stations="-5,1", seat=1
    )
    assert label(match, "dig solid SE r") == "Solid line south-east, tunnel to the south-west (1 station: 1 point)"
    german = "Durchgezogene Linie nach Südosten, Tunnel im Südwesten (1 Station: 1 Punkt)"
    assert label(match, "dig solid SE r", "de") == german
    assert label(place(**MEETING), "dig solid E l") == "Solid line east, tunnel to the north"


def test_labels_name_spots_and_ends() -> None:
    """§8.1 §5.8 A dig's label says on what spot it is, or that it finishes the line."""
    match = place(lines={"0 solid": "14 E, E l, E l"})
    assert label(match, "dig solid E r").endswith("(spot: work)")
    match.play("dig solid E r")
    assert label(match, "place F") == "Place work F"
    end = place(lines={"0 solid": "14 SE, E l, E l, E l, E l, E l, E l, E r, E l, E l, E l", "0 striped": "20 NE"})
    assert label(end, "dig solid SE r").endswith("(the line is finished)")


def test_log_of_the_set_up() -> None:
    """§3.1 The six pieces of the city are told in one sentence."""
    match = Match.new("metromania", seats=2, seed=1)
    assert [line for _, line in match.log(None, NAMES, words("en", GAME.folder))][:1] == ["The city is laid out."]


def test_log() -> None:
    """§6.2 The log names the dig, the station it caused and the points."""
    assert told(place(**MEETING), "dig solid NW l") == [
        "Bob digs for the solid line, heading north-west.",
        "New station on −5,1: 0 points for Bob.",
    ]
    match = place(lines={"0 solid": "14 E, E l, E l"})
    match.play("dig solid E r")
    assert told(match, "place F") == ["Ann places work F."]


def test_deal_is_told_to_each_what_it_may_know() -> None:
    """§3.3 Everybody reads their own hand, a spectator none."""
    match = Match.new("metromania", seats=4, dice=False)
    for piece in range(1, 7):
        match.play(f"piece {piece}.0")
    before, spectator = match.view(1), match.view(None)
    state = match.state.clone()
    move = GAME.parse(state, "deal ABC/DAE/FEB/CFD")
    lines = [GAME.seen(state, move, seat) for seat in (1, None)]
    match.play("deal ABC/DAE/FEB/CFD")
    english = words("en")
    assert GAME.tell(before, lines[0], match.view(1), NAMES, english)[1:] == ["Bob holds home D, work A, leisure E."]
    assert GAME.tell(spectator, lines[1], match.view(None), NAMES, english) == ["The destinations are dealt."]


def test_passes_blocked_lines_and_the_end_are_told() -> None:
    """§4.2 §9.1 §9.2 What follows by itself is told too."""
    heard: set[str] = set()
    before: list[State] = []

    def listen(now: State) -> bool:
        last = before[-1] if before else now
        before.append(now.clone())
        if now.turn > last.turn:
            views = (GAME.view(last, None), GAME.view(now, None))
            sentences = GAME.tell(views[0], "skip", views[1], NAMES[:3], words("en"))
            heard.update(
                word
                for word in ("passes", "is blocked", "construction ends", "minutes", "wins")
                for s in sentences
                if word in s
            )
        return len(heard) == 5

    find(listen, seats=3)
    assert len(heard) == 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_sentence(language: str) -> None:
    """§13 Every refusal is told in every language, with all its blanks filled."""
    args = {
        "piece": 3,
        "kind": "home",
        "letter": "C",
        "line": "solid",
        "vertex": "2,-1",
        "stock": 1,
        "possible": 2,
        "most": 3,
    }
    for code in REASONS:
        sentence = GAME.explain(Refusal(code, "§4.2", args), words(language, GAME.folder))
        assert sentence
        assert "{" not in sentence


def test_refusals_read_as_they_should() -> None:
    """§4.2 §5.4 §8.1 §8.3 The sentences people ask about most."""
    explain = {
        code: GAME.explain(Refusal(code.removesuffix(" several"), "§", args), words("en"))
        for code, args in SAMPLES.items()
    }
    assert explain == {
        "fewer-tunnels": "After this, only 2 of the turn's 3 tunnels could be dug",
        "acute": "A line may turn this sharply only at a station that was there before",
        "no-destination": "You have no destination of this kind left in your hand: home",
        "letter-touches": "This cell touches another letter C",
        "letter-touches several": "This cell touches the letters of all your destinations that fit it: A, C",
    }
    with pytest.raises(
        IllegalMove, match=r"dig solid NW l: A line may turn this sharply only at a station .* \(§5.4\)"
    ):
        place(lines={"0 solid": "14 E, E l, E l"}).play("dig solid NW l")


SAMPLES: dict[str, dict[str, Any]] = {
    "fewer-tunnels": {"possible": 2, "most": 3},
    "acute": {},
    "no-destination": {"kind": "home"},
    "letter-touches": {"letter": "C"},
    "letter-touches several": {"letter": "A, C"},
}


def test_status() -> None:
    """§4.1 §12.1 The status says what to do, and in the end who has won."""
    match = place(lines={"0 solid": "14 E, E l"})
    english = words("en")
    assert GAME.status(match.view(0), NAMES, english) == "Ann: dig three tunnels, or build an intermediate station."
    match.play("dig solid E l")
    assert GAME.status(match.view(0), NAMES, english) == "Ann: dig the next tunnel (2 of 3)."
    new = place(lines={})
    assert GAME.status(new.view(0), NAMES, english) == "Ann: begin a line at a white arrow."
    over = find(lambda now: now.actor == OVER, seats=4)
    assert "with" in GAME.status(GAME.view(over, None), NAMES, english)


def test_the_legend_says_what_it_shows() -> None:
    """§8.1 A click on a shape of the legend explains it, except while it is how a kind is named (§3.2)."""
    state = place(lines={"0 solid": "14 E, E l"}).state
    refusal = why_not(GAME, state, "kind-work")
    assert refusal
    assert refusal.section == "§8.1"
    for language in LANGUAGES:
        assert GAME.explain(refusal, words(language, GAME.folder))


def test_tunnels_are_named_by_their_place_on_the_map() -> None:
    """§1.5 Left of a track is a quarter turn counter-clockwise from its direction, right the other way."""
    compass = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")
    for number, heading in enumerate(WAYS):
        for hand, turn in (("l", 90), ("r", -90)):
            angle = (60 * number + turn) % 360
            assert side(heading, hand, words("en")) == f"to the {compass[round(angle / 45) % 8]}"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_dig_that_blocks_the_line_says_so(seats: int) -> None:
    """§9.2 Before a dig its label warns, after it the log says why no tunnel can follow; no other dig does."""
    warned = 0
    for seed in range(4):
        match, random = Match.new("metromania", seats=seats, seed=seed), Random(seed)
        while match.actor is not None:
            seat, line = cast("int", match.actor), random.choice(match.lines())
            before, turn = match.view(seat), match.view(seat)["turn"]
            match.play(line)
            after = match.view(seat)
            if not line.startswith(("start", "dig")) or after["turn"] == turn:
                continue
            blocked = f"{seat} {line.split(' ')[1]}" in after["blocked"]
            assert ("the line is blocked" in GAME.label(before, line, ENGLISH)) == blocked, (seed, line)
            if blocked:
                warned += 1
                told = GAME.tell(before, line, after, NAMES[:seats], ENGLISH)
                assert any(each.startswith("No tunnel can follow at its tip: ") and "§" in each for each in told)
    assert warned
