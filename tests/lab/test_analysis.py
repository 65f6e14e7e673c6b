"""The analysis of finished games: what decisions lost, luck and skill, and how an analysis is kept."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from omnibus import Match, games
from omnibus.bots import strongest
from omnibus.cli.main import app
from omnibus.kernel.game import CHANCE
from omnibus.kernel.i18n import LANGUAGES, MessageError
from omnibus.lab.analysis import runner
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
    """What everybody got is start, luck, own and others' decisions and a remainder; luck and skill are zero in sum."""
    books = accounts(analysis)
    for account in books:
        entries = (account.start, account.luck, account.own, account.others, account.remainder)
        assert sum(entries) == pytest.approx(account.result)
        assert account.own <= 1e-9
    for entry in ("luck", "skill", "remainder"):
        assert sum(getattr(account, entry) for account in books) == pytest.approx(0, abs=1e-9)
    for event in analysis.chance:
        assert sum(event.worth) == pytest.approx(0, abs=1e-9)


def test_the_course_ends_where_the_books_close(analysis: Analysis) -> None:
    """Luck and skill add up ply by ply to what the books say, and to nothing over all seats at every ply."""
    courses = [course(analysis, seat) for seat in range(analysis.seats)]
    for each, account in zip(courses, accounts(analysis), strict=True):
        assert each[0] == (0, 0.0, 0.0)
        assert [ply for ply, _, _ in each] == list(range(len(analysis.chance) + len(analysis.decisions) + 1))
        assert each[-1][1:] == pytest.approx((account.luck, account.skill))
    for now in zip(*courses, strict=True):
        assert sum(point[1] for point in now) == pytest.approx(0, abs=1e-9)
        assert sum(point[2] for point in now) == pytest.approx(0, abs=1e-9)


def test_the_strongest_bot_judges(analysis: Analysis) -> None:
    """`master` where there is one for these seats and options, else `hard`; the analysis says which."""
    match = Match.new(analysis.game, dice=False)
    assert analysis.judge == strongest(match.game, match.state)
    assert (analysis.game, analysis.judge) != ("times_square", "hard")


def test_every_decision_is_judged(analysis: Analysis) -> None:
    """Shares add up to one; the line played comes first; the best line is the one that is worth the most."""
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
    game = match.game
    drawn = [state for state in match.states if state.actor == CHANCE]
    assert drawn
    for state in drawn[::5]:
        mean = [0.0] * state.seats
        for move, weight in game.chances(state):
            after = state.clone()
            game.apply(after, move)
            for seat, worth in enumerate(luck(game, state, after)):
                mean[seat] += weight * worth
        assert mean == pytest.approx([0.0] * state.seats, abs=1e-6)


def decision(gap: float, *, error: float = 0.0, seats: int = 2, seat: int = 0, before: float = 0.5) -> Decision:
    rest = (1 - before) / (seats - 1)
    shares = [before if number == seat else rest for number in range(seats)]
    return Decision(0, seat, "a", "b", 2, shares, shares, gap, error, [])


def test_grades() -> None:
    """At 5, 10 and 15 points, less with more seats, and only where the loss is sure."""
    assert [grade(decision(gap)) for gap in (0.0, 0.049, 0.05, 0.1, 0.15)] == [
        "",
        "",
        "inaccuracy",
        "mistake",
        "blunder",
    ]
    assert [grade(decision(gap, seats=4)) for gap in (0.024, 0.025, 0.05, 0.075)] == [
        "",
        "inaccuracy",
        "mistake",
        "blunder",
    ]
    assert grade(decision(0.2, error=0.11)) == ""
    assert grade(decision(-0.1)) == "only"
    assert grade(decision(-0.1, error=0.06)) == ""


def test_accuracy() -> None:
    """All of it without a loss, and less the more is lost; quiet stretches do not hide a blunder."""
    assert accuracy(0) == pytest.approx(100, abs=0.01)
    assert accuracy(10) == pytest.approx(63.6, abs=0.1)
    assert accuracy(200) == 0
    assert points(0.1, 3) == pytest.approx(15)
    perfect, spoilt = [decision(0.0)] * 10, [*[decision(0.0)] * 9, decision(0.4)]
    assert accuracies(perfect, 2) == [pytest.approx(100, abs=0.01), None]
    found = accuracies(spoilt, 2)[0]
    assert found is not None
    assert found < 80
    assert accuracies([replace(decision(0.3), choices=1)], 2) == [None, None]


def test_moments() -> None:
    """Those that clearly lost the most, in the order of the game: what may be chance does not count."""
    told = [replace(decision(gap), ply=ply) for ply, gap in enumerate((0.01, 0.3, -0.2, 0.2, 0.05))]
    assert [each.ply for each in moments(told)] == [1, 3, 4]
    told.append(replace(decision(0.4), ply=5, error=0.2))
    assert [each.ply for each in moments(told)] == [1, 3, 4]
    assert moments([decision(-0.1)]) == []


def test_an_interrupted_analysis_goes_on(
    record: str, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was judged is kept, also when the last line is torn, be it the first one."""
    keep = tmp_path / "kept"
    whole = analyse(record, seconds=QUICK, keep=kept)
    lines = kept.read_bytes().splitlines(keepends=True)
    keep.write_bytes(b"".join(lines[:5]) + lines[5][:10])
    judged: list[int] = []

    def judge(text: str, seconds: float, ply: int) -> Decision:
        judged.append(ply)
        return real(text, seconds, ply)

    real = runner.judge_ply
    monkeypatch.setattr(runner, "judge_ply", judge)
    again = analyse(record, seconds=QUICK, keep=keep)
    assert len(judged) == len(whole.decisions) - 4
    assert again.decisions[:4] == whole.decisions[:4]
    analyse(record, seconds=QUICK, keep=keep)
    assert len(judged) == len(whole.decisions) - 4
    for begun in (b"", lines[0][:10]):
        keep.write_bytes(begun)
        del judged[:]
        analyse(record, seconds=QUICK, keep=keep)
        assert len(judged) == len(whole.decisions)
        assert keep.read_bytes().splitlines(keepends=True)[0] == lines[0]


def test_other_files_are_not_overwritten(record: str, kept: Path, tmp_path: Path) -> None:
    """A file with anything but the analysis of this game with these seconds is refused by name, and left as it is."""
    other, notes = tmp_path / "other", tmp_path / "notes"
    analyse(resigned("times_square", 10).record(), seconds=QUICK, keep=other)
    analyse(record, seconds=QUICK, keep=kept)
    game = tmp_path / "one.game"
    game.write_text(record, encoding="utf-8")
    for file, content, seconds in (
        (notes, b"Buy milk", QUICK),
        (notes, b"Buy milk\n", QUICK),
        (notes, b"\n", QUICK),
        (notes, other.read_bytes(), QUICK),
        (notes, kept.read_bytes(), 2 * QUICK),
    ):
        file.write_bytes(content)
        refused = CliRunner().invoke(app, ["analyse", str(game), "--seconds", str(seconds), "--keep", str(file)])
        assert isinstance(refused.exception, ValueError)
        assert str(refused.exception).startswith(f"{file} holds something else, or the analysis of another game")
        assert file.read_bytes() == content


def test_two_processes(record: str) -> None:
    """Every decision once, in the order of the game."""
    ticks: list[tuple[int, int]] = []
    found = analyse(record, seconds=QUICK, jobs=2, tick=lambda done, total: ticks.append((done, total)))
    plies = [each.ply for each in found.decisions]
    assert plies == sorted(set(plies))
    assert ticks == [(done, len(plies)) for done in range(len(plies) + 1)]


def test_a_resigned_game_counts_as_it_ended() -> None:
    """Whoever resigns has lost, however good the position is."""
    assert analyse(resigned("times_square", 10).record(), seconds=QUICK).result == [0.0, 1.0]


def test_a_game_that_is_not_over() -> None:
    """Only finished games are analysed: the others would be told what they may not know."""
    with pytest.raises(NotOver):
        analyse(Match.new("bus", seed=1).record())


def test_a_saved_analysis_is_shown_again(record: str, kept: Path, tmp_path: Path) -> None:
    """As it was saved, or as a server returns it; not that of another game, nor anything else."""
    file, saved, other = tmp_path / "one.game", tmp_path / "one.json", tmp_path / "other.json"
    file.write_text(record, encoding="utf-8")
    asked = ["analyse", str(file), "--lang", "en"]
    made = ["--seconds", str(QUICK), "--keep", str(kept)]
    first = CliRunner().invoke(app, [*asked, *made, "--save", str(saved)])
    assert first.exit_code == 0, first.output
    found = load(saved.read_bytes(), Match.read(record))
    assert CliRunner().invoke(app, [*asked, "--load", str(saved)]).output == first.output
    assert load(b'{"state":"done","analysis":' + saved.read_bytes() + b"}", Match.read(record)) == found
    other.write_bytes(to_document(replace(found, decisions=found.decisions[1:])))
    refused = CliRunner().invoke(app, [*asked, "--load", str(other)])
    assert refused.exit_code != 0
    for wrong in (b"", b"{}", b"[]", to_document(replace(found, version=0)), other.read_bytes()):
        with pytest.raises(MessageError):
            load(wrong, Match.read(record))


def test_where_it_is_saved_is_checked_first(record: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that cannot be written is told before anything is judged; until the end nothing is written."""
    begun: list[str] = []

    def begin(text: str, **asked: object) -> Analysis:
        begun.append(text)
        raise KeyboardInterrupt

    monkeypatch.setattr("omnibus.cli.analysis.analyse_record", begin)
    file, saved = tmp_path / "one.game", tmp_path / "one.json"
    file.write_text(record, encoding="utf-8")
    refused = CliRunner().invoke(app, ["analyse", str(file), "--save", str(tmp_path / "none" / "one.json")])
    assert isinstance(refused.exception, FileNotFoundError)
    assert not begun
    asked = ["analyse", str(file), "--save", str(saved)]
    assert CliRunner().invoke(app, asked).exit_code == 130
    assert not saved.exists()
    saved.write_bytes(b"an earlier one")
    assert CliRunner().invoke(app, asked).exit_code == 130
    assert saved.read_bytes() == b"an earlier one"
    assert len(begun) == 2


def test_a_game_that_is_not_over_is_refused_by_name(tmp_path: Path) -> None:
    """The command names the record."""
    file = tmp_path / "one.game"
    file.write_text(Match.new("bus", seed=1).record(), encoding="utf-8")
    refused = CliRunner().invoke(app, ["analyse", str(file)])
    assert str(refused.exception) == f"{file}: {NotOver()}"


def test_long_lines_are_indented(record: str, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told of a decision is indented also where a line is broken."""
    monkeypatch.setattr("omnibus.cli.analysis.seat_names", lambda seats, told: ["Anna " * 20] * seats)
    file = tmp_path / "one.game"
    file.write_text(record, encoding="utf-8")
    asked = ["analyse", str(file), "--seconds", str(QUICK), "--lang", "en", "--keep", str(kept), "--all"]
    lines = CliRunner().invoke(app, asked).output.splitlines()
    decisions = lines[next(number for number, line in enumerate(lines) if re.match(r" +\d+  Anna", line)) :]
    assert all(re.match(r" *\d+  \S| {6}\S", line) for line in decisions)
    assert all(len(line) <= 80 for line in decisions)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_command(record: str, kept: Path, tmp_path: Path, code: str) -> None:
    """A table of the players, then the moments that decided, in every language."""
    file = tmp_path / "one.game"
    file.write_text(record, encoding="utf-8")
    asked = ["analyse", str(file), "--seconds", str(QUICK), "--lang", code, "--keep", str(kept)]
    answer = CliRunner().invoke(app, asked)
    assert answer.exit_code == 0, answer.output
    heading = {"en": "accuracy", "it": "precisione", "fr": "précision", "de": "Genauigkeit"}
    assert heading[code] in answer.output
    assert "%" in answer.output
    accounts = re.findall(r"^\w+ +(\d+) +([+−]?\d+) +([+−]?\d+) +([+−]?\d+) +([+−]?\d+) +(\d+)$", answer.output, re.M)
    assert len(accounts) == 2
    for *parts, result in accounts:
        assert sum(int(part.replace("−", "-")) for part in parts) == int(result)  # in whole points too
    every = CliRunner().invoke(app, [*asked, "--all"])
    assert len(every.output.splitlines()) > len(answer.output.splitlines())
