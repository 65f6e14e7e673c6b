"""Luck and skill over time: a picture for each player, and the same as a table."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup
from msgspec import Struct

from omnibus.kernel.match import Match
from omnibus.lab.analysis.accounts import course, signed
from omnibus.lab.analysis.document import Analysis
from omnibus.server.pages.win_curve import luck_curve, luck_scale


class Course(Struct, frozen=True):
    """How a player's luck and skill added up."""

    seat: int
    name: str
    luck: str
    skill: str
    picture: Markup


class Row(Struct, frozen=True):
    """What everybody's luck and skill had come to after a decision and what chance did then."""

    number: int
    player: str
    parts: list[tuple[str, str]]
    """Luck and skill by seat."""


class LuckReport(Struct, frozen=True):
    """Luck and skill of all players over time."""

    courses: list[Course]
    rows: list[Row]


def luck_report(match: Match, analysis: Analysis, names: Sequence[str]) -> LuckReport:
    """Tell how luck and skill added up in a game."""
    points = [course(analysis, seat) for seat in range(analysis.seats)]
    scale = luck_scale(points)
    courses = [
        Course(
            seat=seat,
            name=names[seat],
            luck=signed(own[-1][1]),
            skill=signed(own[-1][2]),
            picture=luck_curve(own, match.length, scale, seat),
        )
        for seat, own in enumerate(points)
    ]
    return LuckReport(courses, _rows(analysis, points, names))


def _rows(analysis: Analysis, points: Sequence[Sequence[tuple[int, float, float]]], names: Sequence[str]) -> list[Row]:
    """Tell what things had come to before each next decision, and in the end; nothing if nobody decided anything."""
    if not analysis.decisions:
        return []
    known = {point[0]: at for at, point in enumerate(points[0])}
    last = len(points[0]) - 1
    ends = [known.get(each.ply, 0) for each in analysis.decisions[1:]] + [last]
    return [
        Row(number, names[each.seat], [(signed(own[at][1]), signed(own[at][2])) for own in points])
        for number, (each, at) in enumerate(zip(analysis.decisions, ends, strict=True), 1)
    ]
