"""The analysis of finished games: what decisions lost, luck and skill, and how an analysis is kept."""

from __future__ import annotations

import re
from pathlib import Path
from unittest.mock import Mock

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner, Result

from omnibus import Match, games
from omnibus.bots import strongest
from omnibus.cli.main import app
from omnibus.kernel.game import CHANCE
from omnibus.kernel.i18n import LANGUAGES, MessageError
from omnibus.lab.analysis.accounts import accounts, course, moments
from omnibus.lab.analysis.document import Analysis, Decision
from omnibus.lab.analysis.grades import accuracies, accuracy, grade, points
from omnibus.lab.analysis.judge import luck
from omnibus.lab.analysis.runner import NotOver, analyse
from omnibus.lab.analysis.saved import load
from omnibus.lab.analysis.saved import saved as to_document
from support.quick_games import finished
from support.walks import few

QUICK = 0.002


def resigned(name: str, plies: int) -> Match:
    """A game that all but the last seat have resigned after so many plies, so that there is not much to analyse."""
    match = finished(name)
    if match.length > plies:
        match = match.at(plies)
        for seat in range(match.seats - 1):
            match.resign(seat)
    return match


@pytest.fixture(scope="module")
def record() -> str:
    return resigned("times_square", 30).record()


@pytest.fixture
def file(record: str, tmp_path: Path) -> Path:
    """A file with the record."""
    (tmp_path / "one.game").write_text(record, encoding="utf-8")
    return tmp_path / "one.game"


def analysed(file: Path, *arguments: str | Path) -> Result:
    """Run the command on a record."""
    return CliRunner().invoke(app, ["analyse", str(file), *map(str, arguments)])


@pytest.fixture(scope="module")
def kept(record: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file with the analysis of the record."""
    file = tmp_path_factory.mktemp("analysis") / "kept"
    analyse(record, seconds=QUICK, keep=file)
    return file


@pytest.fixture(scope="module", params=few(games.names()[::-1]))
def analysis(request: pytest.FixtureRequest) -> Analysis:
    return analyse(resigned(request.param, 60).record(), seconds=QUICK)


def test_books_close(analysis: Analysis) -> None:
    """What everybody got is start, luck, own and others' decisions and a remainder; luck and skill are zero in sum.

    Ply by ply, too: at the end of its course everybody has the luck and skill that the books say.
    """
    books, courses = accounts(analysis), [course(analysis, seat) for seat in range(analysis.seats)]
    for account, each in zip(books, courses, strict=True):
        entries = (account.start, account.luck, account.own, account.others, account.remainder)
        assert sum(entries) == pytest.approx(account.result)
        assert account.own <= 1e-9
        assert each[0] == (0, 0.0, 0.0)
        assert [ply for ply, _, _ in each] == list(range(len(analysis.chance) + len(analysis.decisions) + 1))
        assert each[-1][1:] == pytest.approx((account.luck, account.skill))
    sums = [sum(getattr(account, entry) for account in books) for entry in ("luck", "skill", "remainder")]
    sums += [sum(event.worth) for event in analysis.chance]
    sums += [sum(point[entry] for point in now) for now in zip(*courses, strict=True) for entry in (1, 2)]
    assert sums == pytest.approx([0] * len(sums), abs=1e-9)


def test_every_decision_is_judged(analysis: Analysis) -> None:
    """By the strongest bot; shares add up to one; the line played comes first; the best line is worth the most."""
    match = Match.new(analysis.game, dice=False)
    assert analysis.judge == strongest(match.game, match.state)
    assert (analysis.game, analysis.judge) != ("times_square", "hard")
    assert analysis.decisions
    for each in analysis.decisions:
        assert sum(each.before) == pytest.approx(1)
        assert sum(each.after) == pytest.approx(1)
        assert each.alternatives[0].line == each.line
        assert each.best in [line.line for line in each.alternatives]
        assert each.loss == pytest.approx(each.before[each.seat] - each.after[each.seat])
        assert all(line.continuation[0] == line.line for line in each.alternatives)
        assert (each.loss > 0) == (each.best != each.line)


@pytest.mark.parametrize("name", games.names())
def test_luck_is_zero_on_average(name: str) -> None:
    """Weighted by how likely they are, all outcomes of a move of chance together bring nobody anything."""
    match = finished(name, seed=2)
    drawn = [state for state in match.states if state.actor == CHANCE]
    assert drawn
    for state in drawn[::5]:
        mean = [0.0] * state.seats
        for move, weight in match.game.chances(state):
            after = state.clone()
            match.game.apply(after, move)
            worth = luck(match.game, state, after)
            mean = [before + weight * each for before, each in zip(mean, worth, strict=True)]
        assert mean == pytest.approx([0.0] * state.seats, abs=1e-6)


def decision(gap: float, *, error: float = 0.0, seats: int = 2) -> Decision:
    shares = [1 / seats] * seats
    return Decision(0, 0, "a", "b", 2, shares, shares, gap, error, [])


@pytest.mark.parametrize(
    ("seats", "error", "graded"),
    [
        (2, 0.0, {0.0: "", 0.049: "", 0.05: "inaccuracy", 0.1: "mistake", 0.15: "blunder", -0.1: "only"}),
        (4, 0.0, {0.024: "", 0.025: "inaccuracy", 0.05: "mistake", 0.075: "blunder"}),
        (2, 0.11, {0.2: "", -0.1: ""}),
    ],
)
def test_grades(seats: int, error: float, graded: dict[float, str]) -> None:
    """At 5, 10 and 15 points, less with more seats, and only where the loss is sure."""
    assert {gap: grade(decision(gap, error=error, seats=seats)) for gap in graded} == graded


def test_accuracy() -> None:
    """All of it without a loss, and less the more is lost; quiet stretches do not hide a blunder."""
    assert (accuracy(0), accuracy(10), accuracy(200)) == pytest.approx((100, 63.6, 0), abs=0.1)
    assert points(0.1, 3) == pytest.approx(15)
    perfect = [decision(0.0)] * 10
    assert accuracies(perfect, 2) == [pytest.approx(100, abs=0.01), None]
    assert (accuracies([*perfect[1:], decision(0.4)], 2)[0] or 100) < 80
    assert accuracies([replace(decision(0.3), choices=1)], 2) == [None, None]


def test_moments() -> None:
    """Those that clearly lost the most, in the order of the game: what may be chance does not count."""
    told = [replace(decision(gap), ply=ply) for ply, gap in enumerate((0.01, 0.3, -0.2, 0.2, 0.05))]
    assert [each.ply for each in moments(told)] == [1, 3, 4]
    told.append(replace(decision(0.4), ply=5, error=0.2))
    assert [each.ply for each in moments(told)] == [1, 3, 4]
    assert moments([decision(-0.1)]) == []


def test_an_interrupted_analysis_goes_on(record: str, kept: Path, tmp_path: Path) -> None:
    """What was judged is kept and not judged again, also when the last line is torn, be it the first one."""
    whole, lines = analyse(record, seconds=QUICK, keep=kept), kept.read_bytes().splitlines(keepends=True)
    every, keep = len(whole.decisions), tmp_path / "kept"
    for torn, left in ((b"".join(lines[:5]) + lines[5][:10], 4), (b"", 0), (lines[0][:10], 0)):
        keep.write_bytes(torn)
        for known in (left, every):
            ticks: list[tuple[int, int]] = []
            again = analyse(record, seconds=QUICK, keep=keep, tick=lambda *told, ticks=ticks: ticks.append(told))
            assert ticks == [(done, every) for done in range(known, every + 1)]
            assert again.decisions[:left] == whole.decisions[:left]
        assert keep.read_bytes().splitlines(keepends=True)[0] == lines[0]


def test_other_files_are_not_overwritten(record: str, file: Path, kept: Path, tmp_path: Path) -> None:
    """A file with anything but the analysis of this game with these seconds is refused by name, and left as it is."""
    other, notes = tmp_path / "other", tmp_path / "notes"
    analyse(resigned("times_square", 10).record(), seconds=QUICK, keep=other)
    analyse(record, seconds=QUICK, keep=kept)
    for content in (b"Buy milk", b"Buy milk\n", b"\n", other.read_bytes(), kept.read_bytes()):
        notes.write_bytes(content)
        refused = analysed(file, "--seconds", str(2 * QUICK), "--keep", notes)
        assert str(refused.exception).startswith(f"{notes} holds something else, or the analysis of another game")
        assert notes.read_bytes() == content


def test_two_processes(record: str) -> None:
    """Every decision once, in the order of the game."""
    ticks: list[tuple[int, int]] = []
    found = analyse(record, seconds=QUICK, jobs=2, tick=lambda done, total: ticks.append((done, total)))
    plies = [each.ply for each in found.decisions]
    assert plies == sorted(set(plies))
    assert ticks == [(done, len(plies)) for done in range(len(plies) + 1)]


def test_games_that_are_not_over(tmp_path: Path) -> None:
    """Whoever resigns has lost; a game that goes on is refused by name: it would be told what it may not know."""
    assert analyse(resigned("times_square", 10).record(), seconds=QUICK).result == [0.0, 1.0]
    playing = tmp_path / "one.game"
    playing.write_text(Match.new("bus", seed=1).record(), encoding="utf-8")
    with pytest.raises(NotOver):
        analyse(playing.read_text(encoding="utf-8"))
    assert str(analysed(playing).exception) == f"{playing}: {NotOver()}"


def test_a_saved_analysis_is_shown_again(record: str, file: Path, kept: Path, tmp_path: Path) -> None:
    """As it was saved, or as a server returns it; not that of another game, nor anything else."""
    saved, other, match = tmp_path / "one.json", tmp_path / "other.json", Match.read(record)
    first = analysed(file, "--lang", "en", "--seconds", str(QUICK), "--keep", kept, "--save", saved)
    assert first.exit_code == 0, first.output
    found = load(saved.read_bytes(), match)
    assert analysed(file, "--lang", "en", "--load", saved).output == first.output
    assert load(b'{"state":"done","analysis":' + saved.read_bytes() + b"}", match) == found
    other.write_bytes(to_document(replace(found, decisions=found.decisions[1:])))
    assert analysed(file, "--load", other).exit_code != 0
    for wrong in (b"", b"{}", b"[]", to_document(replace(found, version=0)), other.read_bytes()):
        with pytest.raises(MessageError):
            load(wrong, match)


def test_where_it_is_saved_is_checked_first(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that cannot be written is told before anything is judged; until the end nothing is written."""
    saved = tmp_path / "one.json"
    monkeypatch.setattr("omnibus.cli.analysis.analyse_record", Mock(side_effect=KeyboardInterrupt))
    assert isinstance(analysed(file, "--save", tmp_path / "none" / "one.json").exception, FileNotFoundError)
    assert analysed(file, "--save", saved).exit_code == 130
    assert not saved.exists()
    saved.write_bytes(b"an earlier one")
    assert analysed(file, "--save", saved).exit_code == 130
    assert saved.read_bytes() == b"an earlier one"


def test_long_lines_are_indented(file: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told of a decision is indented also where a line is broken."""
    monkeypatch.setattr("omnibus.cli.analysis.seat_names", lambda seats, told: ["Anna " * 20] * seats)
    answer = analysed(file, "--seconds", str(QUICK), "--lang", "en", "--keep", kept, "--all")
    lines = answer.output.splitlines()
    decisions = lines[next(number for number, line in enumerate(lines) if re.match(r" +\d+  Anna", line)) :]
    assert all(re.match(r" *\d+  \S| {6}\S", line) for line in decisions)
    assert all(len(line) <= 80 for line in decisions)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_command(file: Path, kept: Path, code: str) -> None:
    """A table of the players, then the moments that decided, in every language."""
    asked = ("--seconds", str(QUICK), "--lang", code, "--keep", kept)
    answer = analysed(file, *asked)
    assert answer.exit_code == 0, answer.output
    assert {"en": "accuracy", "it": "precisione", "fr": "précision", "de": "Genauigkeit"}[code] in answer.output
    assert "%" in answer.output
    accounts = re.findall(r"^\w+ +(\d+) +([+−]?\d+) +([+−]?\d+) +([+−]?\d+) +([+−]?\d+) +(\d+)$", answer.output, re.M)
    assert len(accounts) == 2
    for *parts, result in accounts:
        assert sum(int(part.replace("−", "-")) for part in parts) == int(result)  # in whole points too
    assert len(analysed(file, *asked, "--all").output.splitlines()) > len(answer.output.splitlines())
