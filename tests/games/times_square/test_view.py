"""Secrets: what a seat may not see changes no byte of what it gets (§3.2)."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from omnibus import IllegalMove, Match, games
from omnibus.kernel.game import OVER
from omnibus.kernel.i18n import ENGLISH
from support.games_played import GamePlayed, in_positions

GAME = games.find("times_square")
NAMES = ["North", "South"]


def sent(match: Match, seat: int | None) -> str:
    """Everything a seat is ever sent about a match: view, picture, log, status, its own moves, labels and refusals."""
    view = match.view(seat)
    own = match.lines() if match.actor == seat else []
    everything: dict[str, Any] = {
        "view": view,
        "svg": match.svg(seat),
        "text": GAME.text(view, ENGLISH),
        "pieces": [str(piece) for piece in GAME.pieces(view, ENGLISH)],
        "log": list(match.log(seat, NAMES, ENGLISH)),
        "status": GAME.status(view, NAMES, ENGLISH),
        "lines": own,
        "labels": [GAME.label(view, line, ENGLISH) for line in own],
        "refusals": refusals(match) if match.actor == seat else [],
    }
    return json.dumps(everything)


def refusals(match: Match) -> list[str]:
    """What the actor is told about every line of the action space."""
    answers = []
    for move in range(GAME.space(match.state)[1]):
        try:
            match.at(len(match.plies)).play(GAME.write(match.state, move))
            answers.append("")
        except IllegalMove as illegal:
            answers.append(str(illegal))
    return answers


def permuted(document: dict[str, Any], seat: int | None, random: Random) -> dict[str, Any]:
    """Deal what a seat cannot see anew among the places it cannot see."""
    hidden = [other for other in (0, 1) if other != seat]
    heap = document["supply"] + [card for other in hidden for card in document["hands"][other]]
    random.shuffle(heap)
    hands = list(document["hands"])
    for other in hidden:
        hands[other] = [heap.pop() for _ in hands[other]]
    return {**document, "hands": hands, "supply": heap}


@in_positions(8, of="times_square")
def test_nothing_hidden_is_sent(played: GamePlayed) -> None:
    """§3.2 Permute what a seat may not see: every byte sent to it stays the same."""
    if played.state.actor == OVER:  # all hands are open then
        return
    position = GAME.position(played.state)
    for seat in played.readers():
        here = Match.from_position("times_square", position, dice=False)
        other = Match.from_position("times_square", permuted(position, seat, played.random), dice=False)
        assert sent(here, seat) == sent(other, seat)


def test_draws_of_others_are_hidden_in_the_log() -> None:
    """§12 The drawing seat reads its card, everybody else reads that one was drawn."""
    match = Match.new("times_square", seed=5)
    told = {seat: [sentence for _, sentence in match.log(seat, NAMES, ENGLISH)] for seat in (0, 1, None)}
    assert told[0][9:] == ["South draws a card."] * 8
    assert told[1][1:9] == ["North draws a card."] * 8
    assert told[None][1:] == ["North draws a card."] * 8 + ["South draws a card."] * 8
    assert all("draws a card" not in sentence for sentence in told[0][1:9])


def test_view_tells_what_is_public() -> None:
    """§3.2 The own hand, the sizes of hands and supply, the discards, the exhaustions; no other hand."""
    match = Match.new("times_square", seed=5)
    position = match.position()
    view = match.view(1)
    assert view["hand"] == position["hands"][1]
    assert (view["held"], view["supply"], view["discards"], view["exhausted"]) == ([8, 8], 39, [], 0)
    assert sorted(view["unseen"]) == sorted(position["supply"] + position["hands"][0])
    assert match.view(None)["hand"] is None
    assert len(match.view(None)["unseen"]) == 55


def test_hands_are_revealed_at_the_end() -> None:
    """When the game is over everybody sees all cards in hand, in the view and on the board; before, nobody does."""
    match = Match.new("times_square", seed=5)
    random = Random(5)
    while match.actor is not None:
        assert match.view(1)["hands"][0] is None
        match.play(random.choice(match.lines()))
    hands = match.position()["hands"]
    assert hands[0]
    for seat in (0, 1, None):
        view = GAME.view(match.state, seat)
        assert view["hands"] == hands
        assert GAME.view(GAME.redeal(view, random.randrange), seat) == view
        symbols = [piece.symbol for piece in GAME.pieces(view, ENGLISH)]
        assert not any(symbol.startswith("ts-back") for symbol in symbols)
    chips = [piece.symbol for piece in GAME.pieces(match.view(1), ENGLISH) if piece.id.startswith("hand-0_")]
    assert sorted(chips) == sorted(f"ts-chip-{card}" for card in hands[0])


def test_redeal_gives_every_hand_its_chance() -> None:
    """Different rolls suppose different hands, all of the right size and made of unseen cards."""
    match = Match.new("times_square", seed=5)
    view = match.view(0)
    random = Random(0)
    hands = {tuple(GAME.position(GAME.redeal(view, random.randrange))["hands"][1]) for _ in range(50)}
    assert len(hands) > 40
    assert all(len(hand) == 8 for hand in hands)
