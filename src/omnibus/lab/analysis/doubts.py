"""What comparisons of other moves with the one that was played say about its grade, and whether that is sure."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Final

from omnibus.lab.analysis.comparison import Comparison
from omnibus.lab.analysis.document import Grade
from omnibus.lab.analysis.grades import ERRORS, SURE, grade_of, points

DOUBTFUL: Final = 2.5
"""What seems to lose so many scaled points could get a grade, after a rough look in which all find that it loses."""


def gap_of(compared: Comparison, seat: int) -> float:
    """Return by how much the first move is better for a seat."""
    return compared.first[seat] - compared.second[seat]


def most_lost(found: Sequence[Comparison], seat: int) -> int:
    """Return the number of the comparison in which the second move loses most; if several do, in the mean."""
    return max(range(len(found)), key=lambda number: (gap_of(found[number], seat), fmean(found[number].gaps)))


def doubts(found: Sequence[Comparison], seat: int) -> list[int]:
    """Return the numbers of the comparisons that could lead to a grade.

    A move is an error if it is worse than any other, and the only good one if it is better than the best of them.
    """
    errors = [number for number, each in enumerate(found) if _may_be_error(each, seat)]
    nearest = most_lost(found, seat)
    return errors or ([nearest] if _grade(found[nearest], seat) else [])


def is_doubtful(found: Sequence[Comparison], seat: int) -> bool:
    """Tell whether the second move will get a grade, or may."""
    return not is_sure(found, seat) or bool(_grade(found[most_lost(found, seat)], seat))


def is_sure(found: Sequence[Comparison], seat: int) -> bool:
    """Tell whether more time would hardly change the grade."""
    compared = found[most_lost(found, seat)]
    off = SURE * compared.noise
    return len({_grade(compared, seat, shift) for shift in (-off, 0.0, off)}) == 1


def _grade(compared: Comparison, seat: int, shift: float = 0.0) -> Grade:
    """Return the grade of the second move in the eyes of a seat, if the difference were larger by this."""
    return grade_of(gap_of(compared, seat) + shift, compared.error, len(compared.first))


def _may_be_error(compared: Comparison, seat: int) -> bool:
    """Tell whether the second move could be an error."""
    if _grade(compared, seat) in ERRORS:
        return True
    seems = points(fmean(compared.gaps), len(compared.first))
    possible = all(gap + SURE * error > 0 for gap, error in zip(compared.gaps, compared.errors, strict=True))
    return compared.rough and seems >= DOUBTFUL and possible
