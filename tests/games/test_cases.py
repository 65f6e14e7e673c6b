"""Cases that say something wrong fail, each with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.cases import check, read

BEGUN = """§4.1 A case.
let hand {"hands": ["sue hal1", ""]}
place hand {"hal": 3}
play hal1 left
"""


@pytest.mark.parametrize(
    "line",
    [
        "actor = 1",
        "hands.0 = []",
        "hands.0 # 2",
        'figures >= {"hal": 3}',
        "view.supply = 0",
        "outcome.winners = [0]",
        "lines = hal1 left, done",
        "lines =",
        "lines >= sue left",
        "lines hal = hal1 left",
        "not done: nothing-done §3.4",
        "not sue left: other-colour §4.2",
        "not sue left: playing §4.1",
        'not sue left: other-colour §4.1 {"colour": "red"}',
        "not no line: other-colour §4.1",
        'no "done"',
        "impossible hand: supply",
        'impossible with {"exhausted": 2}: figures.sue',
        "| Ann plays Hal 1: Hal right to +4.",
        "| Ann plays Hal 1: Hal left to +2.\n| Ann is done.",
        "status = Ann draws.",
        "label done = Draw",
        "reason sue left = No",
        "click card-sue = No",
        "parts done = supply, table",
        "piece turn = Nobody",
        'tip = ["act", "Play."]',
        "play hal1 left",
        "play done\nactor = 0",
        "something else",
        "",
    ],
)
def test_wrong_cases_fail(tmp_path: Path, line: str) -> None:
    """Whatever a case claims is held against the game; a case that claims nothing fails, too."""
    path = tmp_path / "some.cases"
    path.write_text(BEGUN + line, "utf-8")
    (case,) = read("times_square", path)
    with pytest.raises(AssertionError, match=r"some.cases:\d: |nothing is checked"):
        check(case)


def test_right_cases_pass(tmp_path: Path) -> None:
    """The same place, told as it is."""
    path = tmp_path / "some.cases"
    told = "| Ann plays Hal 1: Hal left to +2.\nlines = done\nnot sue left: other-colour §4.1\n"
    path.write_text(BEGUN + told, "utf-8")
    (case,) = read("times_square", path)
    check(case)
