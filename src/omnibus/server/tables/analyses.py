"""Analyses of finished games: made one decision after the other in the worker processes, and kept in the database."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from typing import Final, Literal

import msgspec
from msgspec import Struct

from omnibus.kernel.game import BadNotation
from omnibus.kernel.i18n import mark
from omnibus.kernel.match import Match
from omnibus.lab.analysis.accounts import accounts
from omnibus.lab.analysis.document import Alternative, Analysis, Decision
from omnibus.lab.analysis.grades import accuracies, points
from omnibus.lab.analysis.runner import SECONDS, assemble, decided, head, judge_of
from omnibus.server.background import in_background
from omnibus.server.errors import Code, Rejected
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.store.analyses import AnalysedGame, AnalysisStore, Kind
from omnibus.server.store.errors import StoreError
from omnibus.server.tables.bot_pool import BotPool, NoAnswer
from omnibus.server.tables.bot_worker import Question
from omnibus.server.tables.shared_presence import ANALYSES, SharedPresence

LOG: Final = logging.getLogger("omnibus.analyses")
MOST_RUNNING: Final = 2  # analyses of one user at a time
MOST_KEPT: Final = 16  # finished analyses in memory
TRY_SECONDS: Final = 0.5  # for a line that somebody tries instead
PASSES: Final = 2.0  # a line passes that loses fewer points than this
SEARCHED: Final = 0.5  # a line with so much of the most visits was searched well enough
BUSY: Final = mark("Two of your games are being analysed already. Please wait until one is finished.")
NO_WORKER: Final = mark("This cannot be judged right now. Please try again.")

State = Literal["none", "running", "done"]
"""None: not begun, or interrupted; it goes on from there when somebody asks for it again."""

_DECISIONS: Final = msgspec.json.Decoder(Decision)


class Subject(Struct, frozen=True):
    """What is analysed: a table or an uploaded record, by its id."""

    kind: Kind
    id: str


class Progress(Struct, frozen=True):
    """How far an analysis is: how many decisions are judged, and of how many."""

    state: State
    done: int
    total: int


class _Running(Struct, frozen=True, eq=False):
    user: str
    task: asyncio.Task[None]


class Analyses:
    """Makes analyses, and finds those that are made. An analysis puts one question at a time to the workers."""

    def __init__(self, store: AnalysisStore, bot_pool: BotPool) -> None:
        self.store = store
        self._bot_pool = bot_pool
        self._running: dict[Subject, _Running] = {}
        self._made: dict[tuple[Subject, str], Analysis] = {}  # the longest known first
        self.shared_presence: SharedPresence | None = None
        """Knows what other processes analyse; None where there are none."""

    async def progress(self, subject: Subject, match: Match) -> Progress:
        """Return how far the analysis of a finished match is."""
        total = len(decided(match))
        done = await self.store.count(subject.kind, subject.id, basis_of(match))
        if done >= total:
            return Progress("done", done, total)
        running = subject in self._running or await self._runs_elsewhere(subject)
        return Progress("running" if running else "none", done, total)

    async def _runs_elsewhere(self, subject: Subject) -> bool:
        return self.shared_presence is not None and bool(await self.shared_presence.elsewhere([place_of(subject)]))

    def users_at(self, place: str) -> dict[str, int]:
        """Return for whom this process makes the analysis that a place stands for."""
        return {running.user: 1 for subject, running in self._running.items() if place_of(subject) == place}

    def _mark(self, subject: Subject) -> None:
        if self.shared_presence is not None:
            self.shared_presence.mark(place_of(subject))

    async def start(self, subject: Subject, match: Match, user: str) -> Progress:
        """Begin an analysis on behalf of a user, or go on with one that was interrupted."""
        if (await self.progress(subject, match)).state == "none":
            if sum(running.user == user for running in self._running.values()) >= MOST_RUNNING:
                raise Rejected(Code.TOO_FAST, why=BUSY)
            await spend(Quota.ANALYSIS)
            if subject not in self._running:  # somebody else may have asked meanwhile
                self._running[subject] = _Running(user, asyncio.create_task(self._run(subject, match, user)))
                self._mark(subject)
        return await self.progress(subject, match)

    async def finished(self, subject: Subject, match: Match) -> Analysis | None:
        """Return the analysis of a match; None while decisions are missing."""
        if (await self.progress(subject, match)).state != "done":
            return None
        key = (subject, basis_of(match))
        if key not in self._made:
            kept = await self.store.decisions(subject.kind, subject.id, key[1])
            self._made[key] = made = await in_background(_assembled, match, kept)
            if subject.kind == "table":
                accurate = accuracies(made.decisions, made.seats)
                luck = [account.luck for account in accounts(made)]
                await self.store.keep_results(subject.id, zip(accurate, luck, strict=True))
            if len(self._made) > MOST_KEPT:
                del self._made[next(iter(self._made))]
        return self._made[key]

    async def games_of(self, user: str) -> list[AnalysedGame]:
        """Return how a user did in the games that were analysed."""
        return await self.store.games_of(user)

    async def points_lost(self, match: Match, decision: Decision, line: str, user: str) -> float:
        """Return the points that a line loses which is tried in place of the one played.

        The analysis knows it of the lines it has compared or searched well; of others the judge is asked.
        """
        _expect_legal(match, decision.ply, line)
        lost = _known_loss(decision, line)
        if lost is None:
            await spend(Quota.HINT)
            try:
                judged = await self.judge_decision(match, decision.ply, line, user, TRY_SECONDS, decision.best)
            except NoAnswer:
                raise Rejected(Code.TOO_FAST, why=NO_WORKER) from None
            lost = judged.loss
        return points(lost, match.seats)

    async def close(self) -> None:
        """Stop all analyses; what is judged is kept."""
        tasks = [running.task for running in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, subject: Subject, match: Match, user: str) -> None:
        """Judge the decisions that are missing."""
        basis = basis_of(match)
        try:
            kept = map(_DECISIONS.decode, await self.store.decisions(subject.kind, subject.id, basis))
            done = {decision.ply for decision in kept}
            for ply in decided(match):
                if ply not in done:
                    decision = await self.judge_decision(match, ply, match.plies[ply][1], user, SECONDS)
                    text = msgspec.json.encode(decision).decode()
                    await self.store.add(subject.kind, subject.id, ply, basis, text)
            await self.finished(subject, match)  # so that its results are kept
        except (NoAnswer, StoreError) as error:  # it goes on when somebody asks for it again
            LOG.warning("analysis interrupted: %s", error, extra={"kind": subject.kind, "id": subject.id})
        finally:
            del self._running[subject]
            self._mark(subject)

    async def judge_decision(
        self, match: Match, ply: int, line: str, user: str, seconds: float, against: str = ""
    ) -> Decision:
        """Let a bot process judge a line of a decision, by the best one or by a given one."""
        state = match.states[ply]
        view = match.game.view(state, state.actor)
        question = Question(
            match.game.name,
            judge_of(match),
            view,
            0,
            judged=line,
            ply=ply,
            seconds=seconds,
            against=against,
        )
        answer = (await self._bot_pool.ask(question, user)).answer
        if answer.decision is None:
            raise NoAnswer("the worker sent no decision")
        return answer.decision


def place_of(subject: Subject) -> str:
    """Return the place that stands for an analysis in progress."""
    return f"{ANALYSES}{subject.kind} {subject.id}"


async def stored_analysis(store: AnalysisStore, table: str, match: Match) -> Analysis | None:
    """Return the analysis of a finished table as it is kept; None if there is none, or decisions are missing."""
    kept = await store.decisions("table", table, basis_of(match))
    return _assembled(match, kept) if kept and len(kept) >= len(decided(match)) else None


def basis_of(match: Match) -> str:
    """Return a name for what is judged and how."""
    return hashlib.sha256(msgspec.json.encode(head(match, SECONDS, judge_of(match)))).hexdigest()[:32]


def _assembled(match: Match, kept: list[str]) -> Analysis:
    return assemble(match, [_DECISIONS.decode(text) for text in kept], SECONDS, judge_of(match))


def _expect_legal(match: Match, ply: int, line: str) -> None:
    state = match.states[ply]
    try:
        refusal = match.game.refusal(state, match.game.parse(state, line))
    except BadNotation:
        raise Rejected(Code.MALFORMED) from None
    if refusal is not None:
        raise Rejected(Code.REFUSED, refusal)


def _known_loss(decision: Decision, line: str) -> float | None:
    """Return what a line loses as far as the analysis knows; None where it was not searched enough."""
    if line == decision.best:
        return 0.0
    if line == decision.line:
        return decision.loss
    enough = SEARCHED * max(each.visits for each in decision.alternatives)
    found = {each.line: each for each in decision.alternatives if each.visits >= enough}
    if line not in found or decision.best not in found:
        return None
    return max(0.0, _share(found[decision.best], decision) - _share(found[line], decision))


def _share(line: Alternative, decision: Decision) -> float:
    return line.shares[decision.seat]
