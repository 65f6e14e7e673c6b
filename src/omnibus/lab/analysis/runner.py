"""Analyse a record in several processes, and keep what is done, so that an interrupted analysis can go on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

import msgspec

from omnibus.bots import strongest
from omnibus.kernel.match import Match
from omnibus.lab.analysis.document import VERSION, Analysis, Decision, Luck
from omnibus.lab.analysis.judge import Judge, luck
from omnibus.lab.processes import spread

SECONDS: Final = 0.2
"""How long each decision is thought about, if nothing else is asked for."""


class NotOver(ValueError):
    """The record is of a game that has not ended; only finished games are analysed."""

    def __init__(self) -> None:
        super().__init__("the game is not over; only finished games are analysed")


class AnalysisHeader(msgspec.Struct, frozen=True):
    """The first line of a kept analysis: what it is of, and how it is made."""

    version: int
    record: str
    """A hash of the plies and the options."""
    seconds: float
    judge: str


class AnalysisFile:
    """An analysis kept in a file as it is made: a line that says what it is of, then a line for each decision.

    ValueError, and nothing is changed, if there is anything else in the file.
    """

    def __init__(self, path: Path, head: AnalysisHeader) -> None:
        self.done: dict[int, Decision] = {}
        """The decisions that are there already, by ply."""
        self._path = path
        first = msgspec.json.encode(head) + b"\n"
        kept = path.read_bytes() if path.exists() else b""
        if not first.startswith(kept[: len(first)]):  # as it does when nothing is kept, or the first line is torn
            raise ValueError(
                f"{path} holds something else, or the analysis of another game, time, judge or version; "
                "choose another file"
            )
        for line in kept.split(b"\n")[1:-1]:  # a last line without an end is torn
            if (decision := _decision(line)) is not None:
                self.done[decision.ply] = decision
        path.write_bytes(first + b"".join(msgspec.json.encode(each) + b"\n" for each in self.done.values()))

    def add(self, decision: Decision) -> None:
        """Keep a decision."""
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode(decision) + b"\n")


def analyse(
    text: str,
    *,
    seconds: float = SECONDS,
    jobs: int | None = 1,
    ray: str | None = None,
    keep: Path | None = None,
    tick: Callable[[int, int], None] = lambda done, total: None,
) -> Analysis:
    """Analyse a record; `tick` is told after each decision how many are done, and of how many.

    With `keep`, the decisions are kept in this file and not judged again. `jobs` and `ray` are those of `spread`.
    NotOver if the game has not ended; ValueError if there is anything else in the file.
    """
    match = Match.read(text)
    if match.outcome is None:
        raise NotOver
    plies = decided(match)
    file = AnalysisFile(keep, head(match, seconds, judge_of(match))) if keep else None
    done = dict(file.done) if file else {}
    missing = [ply for ply in plies if ply not in done]
    tick(len(done), len(plies))
    judge = partial(judge_ply, text, seconds)
    with closing(spread(judge, missing, jobs, ray=ray)) as judged:
        for decision in judged:
            done[decision.ply] = decision
            if file:
                file.add(decision)
            tick(len(done), len(plies))
    return assemble(match, [done[ply] for ply in plies], seconds, judge_of(match))


def decided(match: Match) -> list[int]:
    """Return the plies that are decisions of seats."""
    return [ply for ply, (actor, _) in enumerate(match.plies) if actor != "chance"]


def judge_of(match: Match) -> str:
    """Return the level of bot that judges the decisions of a match: the strongest there is for it."""
    return strongest(match.game, match.states[0])


def head(match: Match, seconds: float, judge: str) -> AnalysisHeader:
    """Return what an analysis of a match is of, and how it is made."""
    return AnalysisHeader(VERSION, _fingerprint(match), seconds, judge)


def judge_ply(text: str, seconds: float, ply: int) -> Decision:
    """Judge one decision of a record."""
    match = _read(text)
    state = match.states[ply]
    return Judge(match.game, seconds).decision(ply, state, match.game.parse(state, match.plies[ply][1]))


@lru_cache(maxsize=2)
def _read(text: str) -> Match:
    """Read a record once in each process."""
    return Match.read(text)


def assemble(match: Match, decisions: list[Decision], seconds: float, judge: str) -> Analysis:
    """Return the analysis of a match, given all its decisions in order, and the level that judged them."""
    game = match.game
    return Analysis(
        version=VERSION,
        game=game.name,
        rules=game.version,
        seats=match.seats,
        seconds=seconds,
        judge=judge,
        decisions=decisions,
        chance=list(_chance(match)),
        start=[1 / match.seats] * match.seats,
        result=_result(match),
    )


def _result(match: Match) -> list[float]:
    """Return each seat's share of the win; equal ones if nobody has won."""
    assert match.outcome is not None
    winners = match.outcome.winners or range(match.seats)
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(match.seats)]


def _chance(match: Match) -> Iterator[Luck]:
    """Yield the moves of chance, with what they were worth."""
    game, states = match.game, match.states
    for ply, (actor, line) in enumerate(match.plies):
        if actor == "chance":
            yield Luck(ply, line, luck(game, states[ply], states[ply + 1]))


def _fingerprint(match: Match) -> str:
    told = msgspec.json.encode([match.game.name, match.game.version, match.options, [list(ply) for ply in match.plies]])
    return hashlib.sha256(told).hexdigest()


def _decision(line: bytes) -> Decision | None:
    """Return the decision a line tells, or None if it cannot be read."""
    try:
        return msgspec.json.decode(line, type=Decision)
    except msgspec.MsgspecError:
        return None
