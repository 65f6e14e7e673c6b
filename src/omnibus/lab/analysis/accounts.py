"""Luck and skill: where the result of each player came from, in books that close."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.i18n import mark
from omnibus.lab.analysis.document import Account, Analysis, Decision
from omnibus.lab.analysis.grades import SURE

ACCOUNT_HELP: Final = mark(
    "In points, hundredths of a win. Everyone starts with an equal share. Luck is what chance gave or took. Skill is "
    "what decisions gave or took: one’s own errors and those of the others. What could not be foreseen is unexplained. "
    "Together they add up to the result: 100 for a win."
)
INSTEAD: Final = mark("{player}’s chance to win: {after} instead of {before}")


def accounts(analysis: Analysis) -> list[Account]:
    """Return each seat's account."""
    return [_account(analysis, seat) for seat in range(analysis.seats)]


def _account(analysis: Analysis, seat: int) -> Account:
    luck = sum(event.worth[seat] for event in analysis.chance)
    own = sum(_change(each, seat) for each in analysis.decisions if each.seat == seat)
    others = sum(_change(each, seat) for each in analysis.decisions if each.seat != seat)
    start, result = analysis.start[seat], analysis.result[seat]
    return Account(start, luck, own, others, result - start - luck - own - others, result)


def entries(account: Account) -> list[str]:
    """Write an account in points: start, luck, own errors, errors of others, what is unexplained, and the result.

    The points are whole and add up, to the result and to the skill, which is shown beside them.
    """
    start, luck, own, skill, result = (
        round(100 * part) for part in (account.start, account.luck, account.own, account.skill, account.result)
    )
    parts = [luck, own, skill - own, result - start - luck - skill]
    return [str(start), *(signed(part / 100) for part in parts), str(result)]


def signed(share: float) -> str:
    """Write points with a sign."""
    points = round(100 * share)
    return f"{points:+d}".replace("-", "−") if points else "0"


def course(analysis: Analysis, seat: int) -> list[tuple[int, float, float]]:
    """Return how a seat's luck and skill added up: (ply, luck, skill) at the start and after each ply of the game."""
    luck = {event.ply: event.worth[seat] for event in analysis.chance}
    skill = {each.ply: _change(each, seat) for each in analysis.decisions}
    points = [(0, 0.0, 0.0)]
    for ply in sorted({*luck, *skill}):
        _, so_far, done = points[-1]
        points.append((ply + 1, so_far + luck.get(ply, 0.0), done + skill.get(ply, 0.0)))
    return points


def _change(decision: Decision, seat: int) -> float:
    """Return what a decision changed for a seat."""
    return decision.after[seat] - decision.before[seat]


def moments(decisions: list[Decision], number: int = 3) -> list[Decision]:
    """Return the decisions that decided the game, in their order: those that clearly lost the most.

    What may be chance does not count: two standard errors of a loss.
    """
    clear = {each.ply: each.loss - SURE * each.error for each in decisions}
    most = sorted(decisions, key=lambda each: (-clear[each.ply], each.ply))[:number]
    return sorted((each for each in most if clear[each.ply] > 0), key=lambda each: each.ply)
