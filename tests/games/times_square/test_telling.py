"""How it is told: sentences people read, and labels they press."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from omnibus import IllegalMove, Match, games
from omnibus.games.times_square.board import CARDS
from omnibus.games.times_square.telling.names import CARD_NAMES
from omnibus.kernel.clicks import why_not
from omnibus.kernel.i18n import ENGLISH

Place = Callable[..., Match]
GAME = games.find("times_square")
NAMES = ["Ann", "Ben"]


def told(match: Match, *lines: str, seat: int | None = 0) -> list[str]:
    since = len(match.plies)
    for line in lines:
        match.play(line)
    return [sentence for _, sentence in match.log(seat, NAMES, ENGLISH, since)]


def test_cards(place: Place) -> None:
    """§12 Every kind of card is told with what it does and where it leads."""
    hands = ("sue sue sue hal2 guard2 guard2 close deb0", "")
    green = place(hands=hands)
    assert told(green, "sue left", "sue+sue right") == [
        "Ann plays Sue 1: Sue left to −1.",
        "Ann plays Sue 1 + Sue 1: Sue and both guards one space right.",
    ]
    assert told(place(hands=hands), "sue+sue left")[0].endswith("Sue and both guards one space left.")
    assert told(place(hands=hands), "hal2 right") == ["Ann plays Hal 2: Hal right to +3."]
    assert told(place(hands=hands), "guard2 a left b right", "guard2 a left left", "close") == [
        "Ann plays Guard 2: the left guard left to −3, the right guard right to +3.",
        "Ann plays Guard 2: the left guard left to −5.",
        "Ann plays Close in: both guards beside Sue.",
    ]
    assert told(place(hands=hands), "deb0") == ["Ann plays Deb 0: Deb to the manhole."]


def test_turns(place: Place) -> None:
    """§6, §7 Luring, dropping, being done, drawing, Charlie, and doing nothing."""
    assert told(place(hal=-8, deb=3), "lure a") == [
        "Ann lures the left guard to Hal on −8.",
        "Charlie walks 2 spaces toward Ann's club, to −2: 2 in the entrance.",
    ]
    drop = place(hands=("sue", ""), hal=-7, deb=3, supply="hal1", exhausted=0, discards="deb1")
    assert told(drop, "drop sue", "done", "draw hal1") == [
        "Ann drops Sue 1.",
        "Ann is done.",
        "Ann draws Hal 1.",
        "The supply is exhausted; the discards become the new one.",
    ]
    royal = place(edition="royal_visit", seat=1, a=-1, sue=0, b=1, hal=0, deb=7)
    assert told(royal, "done") == [
        "Ben can do nothing.",
        "Charlie walks 1 space toward Ben's club, to +1: 1 in the entrance.",
    ]


@pytest.mark.parametrize(
    ("figures", "sentence"),
    [
        (
            {"a": -7, "sue": -5, "b": -1},
            "Charlie walks 2 spaces toward Ann's club, to −2: 1 in the entrance + 1 for the trio.",
        ),
        ({"a": -3, "sue": -2, "b": -1}, "Charlie walks 1 space toward Ann's club, to −1: 1 for the trio."),
        ({"a": -7, "sue": -5, "b": 0}, "Charlie walks 1 space toward Ann's club, to −1: 1 in the entrance."),
        (
            {"a": -8, "deb": -7, "sue": -5, "b": -1, "charlie": -6},
            "Charlie walks 2 spaces toward Ann's club, to −8: 2 in the entrance + 1 for the trio "
            "(the street ends there).",
        ),
    ],
)
def test_the_sum_of_charlies_spaces_is_told(place: Place, figures: dict[str, int], sentence: str) -> None:
    """§9.1 The log counts the figures in the entrance, and the trio on the side: nobody has to guess."""
    match = place(**{"hal": 3, "deb": 4, **figures}, edition="royal_visit", hands=("hal1 hal2", ""))
    assert sentence in told(match, "hal1 left", "done")


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"sue": 1}, "The supply is exhausted and Sue stands on the side of Ben, who wins."),
        ({"charlie": -3}, "The supply is exhausted, Sue is on the manhole, Charlie on the side of Ann, who wins."),
        ({}, "The supply is exhausted with Sue and Charlie on the manhole: a draw."),
    ],
)
def test_ends(place: Place, facts: dict[str, Any], sentence: str) -> None:
    """§10.4 Every reason has its sentence, in the log and as the status."""
    match = place(hands=("hal1", ""), supply="deb1", exhausted=1, **facts)
    log = told(match, "hal1 left", "done", "draw deb1")
    assert log[-2:] == ["The supply is exhausted, and nothing more is drawn.", sentence]
    assert GAME.status(match.view(None), NAMES, ENGLISH) == sentence
    sue = told(place(hands=("sue", ""), a=-8, sue=-6), "sue left")
    assert sue[-1] == "Sue has entered the club of Ann, who wins."


def test_status(place: Place) -> None:
    """§3.4, §4.1, §5.3 The status line says whose turn it is and what may come."""
    match = place(hands=("deb1 deb2 sue", ""), deb=-4)

    def status(match: Match) -> str:
        return GAME.status(match.view(0), NAMES, ENGLISH)

    assert status(match) == "Ann: play cards of one colour, lure somebody, or drop cards."
    match.play("deb1 a left")
    assert status(match) == "Ann: play another red card on the guards, or choose Done."
    match.play("deb2 a right")
    assert status(match) == "Ann: no more red cards to play. Choose Done."
    assert GAME.status(match.view(1), NAMES, ENGLISH) == "Ann: play another red card on the guards, or choose Done."
    match.play("done")
    assert status(match) == "Ann draws."
    deb = place(hands=("deb4 deb2", ""), deb=-4)
    deb.play("deb4 right")
    assert status(deb) == "Ann: play another red card, or choose Done."
    royal = place(edition="royal_visit", hands=("deb4 deb2", ""), deb=-4)
    royal.play("deb4 right")
    assert status(royal) == "Ann: play another red card on Deb, or choose Done."
    assert status(place(edition="royal_visit")) == "Ann: play cards of one colour, or lure somebody."
    hemmed = place(edition="royal_visit", a=-1, sue=0, b=1, hal=0, deb=7)
    assert hemmed.lines() == ["done"]
    assert status(hemmed) == "Ann: no card to play, nobody to lure. Choose Done."
    assert GAME.tip(hemmed.view(0), ENGLISH) == (
        "act",
        "You can neither play a card nor lure anybody: end your turn. You draw no cards.",
    )
    assert status(Match.new("times_square", dice=False)) == "Chance decides on whose side Hal begins."


def test_labels(place: Place) -> None:
    """§12 A button says what its line does, where it leads."""
    match = place(hands=("sue deb3", ""), deb=-4, hal=5)
    labels = {line: GAME.label(match.view(0), line, ENGLISH) for line in match.lines()}
    assert labels["deb3 hal left"] == "Deb 3 (joker): Hal left to +2"
    assert labels["deb3 right"] == "Deb 3: Deb right to −1"
    assert labels["lure b"] == "Lure the right guard to Hal on +5"
    assert labels["drop sue"] == "Drop Sue 1"
    assert len(set(labels.values())) == len(labels)
    chance = Match.new("times_square", dice=False)
    assert GAME.label(chance.view(None), "side 1", ENGLISH) == "Hal begins on the side of Pink"
    assert GAME.label(chance.view(None), "draw sue", ENGLISH) == "Draw Sue 1"


@pytest.mark.parametrize(
    ("facts", "line", "reason"),
    [
        ({"hands": ("sue", "")}, "sue+sue left", "You do not have two Sue 1 cards in your hand"),
        ({"hands": ("sue", "")}, "hal1 left", "You have no Hal 1 card in your hand"),
        (
            {"hands": ("deb3", ""), "deb": 3, "sue": 1},
            "deb3 hal left",
            "Deb is on +3, not between Sue (on +1) and your club",
        ),
        ({"hands": ("sue", ""), "a": -1}, "sue left", "Sue and the left guard would share −1"),
        (
            {"hands": ("deb3", ""), "a": -2, "sue": 0, "deb": -4},
            "deb3 sue left",
            "Sue would be on −3 and the left guard on −2: they may not pass each other",
        ),
        ({"hands": ("hal3", ""), "hal": 7}, "hal3 right", "Hal would leave the board"),
        ({"hal": -2}, "lure a", "Hal can only lure a figure that is not already with him"),
        ({"hal": 6}, "lure sue", "This would break the order left guard, Sue, right guard: Hal is on +6"),
        (
            {"hands": ("sue hal1", ""), "step": "playing", "colour": "green"},
            "hal1 left",
            "Only green cards can be played for the rest of this turn",
        ),
        (
            {"hands": ("deb1 deb2", ""), "step": "playing", "colour": "red", "joker": "guards", "deb": -4},
            "deb2 hal left",
            "For the rest of this turn, red cards can only move the guards",
        ),
    ],
)
def test_reasons(place: Place, facts: dict[str, Any], line: str, reason: str) -> None:
    """§12 A refusal is a sentence about this very position."""
    with pytest.raises(IllegalMove) as caught:
        place(**facts).play(line)
    assert caught.value.refusal.reason == reason


@pytest.mark.parametrize(
    ("hand", "reason"),
    [
        ("deb3", "None of your cards can move Sue"),
        ("sue deb3", "Sue and the left guard would share −1"),
    ],
)
def test_a_figure_is_explained_by_its_own_cards(place: Place, hand: str, reason: str) -> None:
    """§4.1, §5.2 Whoever clicks Sue first is told of green cards, even if a red one in hand could be a joker."""
    state = place(hands=(hand, ""), a=-1, b=1, hal=5, deb=-4).state
    refusal = why_not(GAME, state, "figure-sue")
    assert refusal
    assert GAME.explain(refusal, ENGLISH) == reason


def test_every_card_has_a_name() -> None:
    """§2 All thirteen kinds."""
    assert sorted(CARD_NAMES) == sorted(CARDS)
