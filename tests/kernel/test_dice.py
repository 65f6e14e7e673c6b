"""Dice that can be verified."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

from omnibus import Match
from omnibus.kernel.dice import Dice


def test_rolls_follow_from_the_seed() -> None:
    """Roll n is HMAC-SHA256(seed, n), modulo what is asked for; the commitment is the seed's SHA-256."""
    key = (7).to_bytes(32, "big")
    dice = Dice(7)
    for number in range(1, 50):
        expected = int.from_bytes(hmac.new(key, number.to_bytes(8, "big"), hashlib.sha256).digest(), "big")
        assert dice.roll(number) == expected % number
        assert dice.rolled == number
    assert dice.commitment == hashlib.sha256(key).hexdigest()


def test_rolls_are_fair() -> None:
    """Each of the numbers comes about as often as the others."""
    dice = Dice(1)
    counted = Counter(dice.roll(5) for _ in range(5000))
    assert set(counted) == set(range(5))
    assert all(850 < times < 1150 for times in counted.values())


def test_a_recorded_game_can_be_verified() -> None:
    """Every rolled line of a record follows from the seed, and the header commits to it."""
    match = Match.new("times_square", seed=99)
    while match.actor is not None:
        match.play(match.lines()[len(match.lines()) // 2])
    dice = Dice(99)
    assert f'commitment: "{dice.commitment}"' in match.record()
    game = match.game
    for state, (actor, line) in zip(match.states, match.plies, strict=False):
        if actor == "chance":
            assert game.write(state, game.chance_at(state, dice.roll(game.chance_total(state)))) == line
