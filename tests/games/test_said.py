"""What tips, status lines, labels, help and log say: asked in every edition and option, and held against the engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from omnibus import Match, games
from omnibus.kernel.i18n import COMMON_TEXTS, LANGUAGES, words
from support.games_played import ALONG, WHOLE, GamePlayed, in_positions
from support.said import Said, log_of, read_by

LEFT_OPEN = re.compile(r"[{}]|None|\bTrue\b|\bFalse\b")


class Claim(NamedTuple):
    """A part of an English sentence, and when the engine makes it true: it must be said exactly then."""

    kind: str
    says: str
    true: Callable[[Match], bool]
    within: Callable[[Match], bool]
    """Where the sentence has to be said whenever it is true."""


def after(match: Match, line: str) -> Match:
    """Return another match in which a line has been played."""
    other = Match.from_position(match.game.name, match.position(), dice=False)
    other.play(line)
    return other


def at(*steps: str) -> Callable[[Match], bool]:
    return lambda match: match.position()["step"] in steps


def offers(start: str) -> Callable[[Match], bool]:
    return lambda match: any(line.startswith(start) for line in match.lines())


def idle(match: Match) -> bool:
    return match.lines() == ["done"]


def draws_none_after_luring(match: Match) -> bool:
    """§6.3 Luring leaves the hand as it is."""
    lures = [line for line in match.lines() if line.startswith("lure")]
    hand = match.position()["hands"][match.actor]
    then = [after(match, line).position() for line in lures]
    return not idle(match) and all(now["step"] != "refill" and now["hands"][match.actor] == hand for now in then)


def draws_after_playing(match: Match) -> bool:
    """§8.1 Once a card has been played, ending the turn begins the refill."""
    plays = [line for line in match.lines() if not line.startswith(("lure", "drop", "done"))]
    if not plays:
        return not idle(match)
    then = after(match, plays[0])
    if then.actor is not None:
        then = after(then, "done")
    return then.position()["step"] in ("refill", "over")


def stopping(does: Callable[[dict[str, Any], dict[str, Any]], bool]) -> Callable[[Match], bool]:
    """§10.1, §10.2, §14 Compare the positions before and after the clock is stopped."""
    return lambda match: does(match.position(), after(match, "stop").position())


def ends(_before: dict[str, Any], then: dict[str, Any]) -> bool:
    return bool(then["step"] == "over" and then["stones"] == 0)


def back(before: dict[str, Any], then: dict[str, Any]) -> bool:
    return not ends(before, then) and before["clock"] != then["clock"]


def stays(before: dict[str, Any], then: dict[str, Any]) -> bool:
    return not ends(before, then) and before["clock"] == then["clock"]


def nothing_begun(match: Match) -> bool:
    return not any(match.position()["lines"][match.actor].values())


def no_dig(match: Match) -> bool:
    """§4.2 With no tunnel possible, a station is compulsory."""
    return all(line.startswith("station") for line in match.lines())


def whole_turn_left(match: Match) -> bool:
    """§4.1 A station takes the whole turn."""
    return match.position()["dug"] == 0 and not nothing_begun(match) and not no_dig(match)


CLAIMS = {
    "times_square": (
        Claim("tip", "or drop some", offers("drop"), at("act")),
        Claim("tip", "draw none", draws_none_after_luring, at("act")),
        Claim("tip", "draw up to eight", draws_after_playing, at("act")),
        Claim("status", "or drop cards", offers("drop"), at("act")),
        Claim("status", "or choose Done", lambda match: not idle(match), at("playing", "dropping")),
        Claim("status", "Choose Done", idle, at("act", "playing", "dropping")),
    ),
    "bus": (
        Claim("tip", "passengers still want the same", stopping(stays), at("clock")),
        Claim("tip", "passengers want the kind before", stopping(back), at("clock")),
        Claim("tip", "ends the game at once", stopping(ends), at("clock")),
        Claim("status", "stop the clock", stopping(stays), at("clock")),
        Claim("status", "turn the clock back", stopping(back), at("clock")),
        Claim("status", "ends the game", stopping(ends), at("clock")),
        Claim("label", "Stop the clock", stopping(stays), at("clock")),
        Claim("label", "Turn the clock back", stopping(back), at("clock")),
        Claim("label", "the game ends", stopping(ends), at("clock")),
        Claim("status", "or pass", offers("pass"), at("choose")),
    ),
    "metromania": (
        Claim("tip", "Begin a line", nothing_begun, at("act")),
        Claim("status", "begin a line", nothing_begun, at("act")),
        Claim("status", "or build an intermediate station", whole_turn_left, at("act")),
        Claim("tip", "or build a station", whole_turn_left, at("act")),
        Claim("status", "no tunnel can be dug", no_dig, at("act")),
        Claim("tip", "No tunnel can be dug", no_dig, at("act")),
    ),
}


@in_positions(3, ways=ALONG)
def test_what_is_said_is_so(played: GamePlayed) -> None:
    """In every edition and option, tips, status lines and labels claim of a decision what the engine makes of it."""
    for match in decisions(played):
        said = list(read_by(match, match.state.actor, "en", Random(1), labels=None))
        for claim in CLAIMS.get(played.game.name, ()):
            texts = [text for kind, _, text in said if kind == claim.kind]
            wanted = claim.within(match) and claim.true(match)
            assert any(claim.says in text for text in texts) == wanted, (claim.says, texts, match.position())


@in_positions(3)
def test_everything_is_said_in_every_language(played: GamePlayed) -> None:
    """Whoever reads, in whichever language: no blank is left open, nothing is empty, and nothing is left in English."""
    match = played.match()
    for reader in (match.state.actor, None) if isinstance(match.actor, int) else ():
        check({told: list(read_by(match, reader, told, Random(7))) for told in LANGUAGES})
    for reader in (0, None):
        check({told: list(log_of(match, reader, told)) for told in LANGUAGES})


@in_positions(1, ways=WHOLE)
def test_the_end_is_said_in_every_language(played: GamePlayed) -> None:
    """Of a whole game: the log to its end, who has won, and why."""
    match = played.match()
    check({told: list(read_by(match, None, told, Random(7))) for told in LANGUAGES})
    for reader in (0, None):
        check({told: list(log_of(match, reader, told)) for told in LANGUAGES})


def decisions(played: GamePlayed) -> Iterator[Match]:
    return (match for match in played.matches() if isinstance(match.actor, int))


@pytest.mark.parametrize("name", games.names())
def test_the_goal_is_that_of_every_seat(name: str) -> None:
    """The goal is told at everybody's first tables, in every edition: it names no seat's colour and no dropping."""
    goal = games.find(name).goal.lower()
    assert [word for word in ("blue", "pink", "left", "right", "drop") if word in goal] == []


@pytest.mark.parametrize("name", games.names())
def test_help_is_said_in_every_language(name: str) -> None:
    """The short help has the same paragraphs, each with its §, in every language."""
    game = games.find(name)
    check(
        {
            told: [Said("help", *paragraph) for paragraph in game.help(words(told, game.folder, COMMON_TEXTS))]
            for told in LANGUAGES
        }
    )


def check(texts: dict[str, list[Said]]) -> None:
    for told, said in texts.items():
        assert [(kind, about) for kind, about, _ in said] == [(kind, about) for kind, about, _ in texts["en"]]
        for english, (kind, _, text) in zip(texts["en"], said, strict=True):
            assert text.strip()
            assert not LEFT_OPEN.search(text), text
            assert told == "en" or kind not in ("tip", "status", "help") or text != english.text, text
