"""What people read in a game, in every language: checked by tests, and drawn at random for people to read.

`python -m support.said 200 --seed 1`, with the sources and `tests` on the path, prints a draw: where it is said, the
English, and what is said in the language drawn.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from omnibus import Match, games
from omnibus.kernel.i18n import COMMON_TEXTS, LANGUAGES, words
from omnibus.kernel.names import Names
from support.games_played import SETUPS

NUMBERS_AND_NAMES = re.compile(r"[−+]?\d+(?:\.\d+)?|Anna|Ivo|Martha|Oscar|Uma")
PLAYERS = ("Anna", "Ivo", "Martha", "Oscar", "Uma")
MOST_LABELS = 3


class Said(NamedTuple):
    """A text: what kind it is, its § or line, and the sentence."""

    kind: str
    about: str
    text: str


def decisions(name: str, seats: int, options: dict[str, Any], seed: int, plies: int) -> Iterator[Match]:
    """Play random moves, and yield the match, the same one again and again, wherever a seat decides."""
    random = Random(seed)
    match = Match.new(name, seats=seats, options=options, seed=seed)
    for _ in range(plies):
        if not isinstance(match.actor, int):
            break
        yield match
        match.play(random.choice(match.lines()))


def read_by(
    match: Match, reader: int | None, language: str, random: Random, labels: int | None = MOST_LABELS
) -> Iterator[Said]:
    """Yield what a reader (None: a spectator) is told in a position, with labels and why a random move is refused."""
    game = match.game
    told = words(language, game.folder, COMMON_TEXTS)
    names = Names(PLAYERS[: match.seats], reader)
    view = match.view(reader)
    yield Said("status", "", game.status(view, names, told))
    tip = game.tip(view, told) if reader == match.actor else None
    if tip:
        yield Said("tip", tip[0], tip[1])
    lines = match.lines()
    for line in random.sample(lines, min(len(lines), labels or len(lines))):
        yield Said("label", line, game.label(view, line, told))
    move = random.randrange(game.space(match.state)[0])
    refusal = game.refusal(match.state, move)
    if refusal:
        yield Said("refusal", f"{game.write(match.state, move)} {refusal.section}", game.explain(refusal, told))


def log_of(match: Match, reader: int | None, language: str) -> Iterator[Said]:
    """Yield the log of a match so far."""
    told = words(language, match.game.folder, COMMON_TEXTS)
    for ply, sentence in match.log(reader, Names(PLAYERS[: match.seats], reader), told):
        yield Said("log", match.plies[ply][1] if ply < len(match.plies) else "", sentence)


def corpus(seed: int, plies: int = 400) -> Iterator[tuple[str, Said, Said]]:
    """Yield (where, in English, in a language) for every text met in one random game of each setup.

    Texts of a game that differ in numbers and names only are yielded once.
    """
    met: set[tuple[str, str, str]] = set()
    for name, seats, options in SETUPS:
        where = f"{name}, {seats} seats, {_chosen(name, options)}"
        match = None
        for match in decisions(name, seats, options, seed, plies):
            assert isinstance(match.actor, int)
            for reader in (match.actor, None):
                for language in LANGUAGES:
                    pairs = zip(*(read_by(match, reader, told, Random(seed)) for told in ("en", language)), strict=True)
                    yield from _new(met, where, language, pairs)
        if match:
            for language in LANGUAGES:
                pairs = zip(*(log_of(match, 0, told) for told in ("en", language)), strict=True)
                yield from _new(met, where, language, pairs)
    for name in games.names():
        game = games.find(name)
        for language in LANGUAGES:
            both = (game.help(words(told, game.folder, COMMON_TEXTS)) for told in ("en", language))
            pairs = zip(*([Said("help", *paragraph) for paragraph in each] for each in both), strict=True)
            yield from _new(met, name, language, pairs)


def _chosen(name: str, options: dict[str, Any]) -> str:
    offered = games.find(name).options
    return ", ".join(f"{key} {value}" for key, value in options.items() if value != offered[key].default) or "default"


def _new(
    met: set[tuple[str, str, str]], where: str, language: str, pairs: Iterator[tuple[Said, Said]]
) -> Iterator[tuple[str, Said, Said]]:
    for english, told in pairs:
        key = (where.partition(",")[0], language, NUMBERS_AND_NAMES.sub("", told.text))
        if key not in met:
            met.add(key)
            yield f"{where}, {language}", english, told


def main() -> None:
    """Print a draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = list(corpus(given.seed))
    sys.stdout.write(f"{len(found)} different texts\n")
    for where, english, told in Random(given.seed).sample(found, given.number):
        meaning = f"  = {english.text}\n" if told.text != english.text else ""
        sys.stdout.write(f"\n[{where}] {told.kind} {told.about}\n  {told.text}\n{meaning}")


if __name__ == "__main__":
    main()
