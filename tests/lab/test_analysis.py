"""The analysis of finished games: what decisions lost, luck and skill, and how an analysis is kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf, sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from omnibus import Match, games
from omnibus.bots import bot, strongest
from omnibus.bots.bot import Candidate, View
from omnibus.bots.hard import Hard
from omnibus.bots.search import Node
from omnibus.cli.main import app
from omnibus.kernel.game import CHANCE, Game
from omnibus.kernel.i18n import LANGUAGES, MessageError
from omnibus.lab.analysis import comparison, runner
from omnibus.lab.analysis import judge as judge_module
from omnibus.lab.analysis.accounts import accounts, course, moments
from omnibus.lab.analysis.comparison import Comparer
from omnibus.lab.analysis.document import Analysis, Decision
from omnibus.lab.analysis.grades import accuracies, accuracy, grade, points
from omnibus.lab.analysis.judge import AGAIN, Judge, luck
from omnibus.lab.analysis.runner import NotOver, analyse
from omnibus.lab.analysis.saved import load
from omnibus.lab.analysis.saved import saved as to_document
from omnibus.lab.analysis.searches import Samples
from support.walks import few

QUICK = 0.002


def finished(name: str, seed: int = 1) -> Match:
    """A game between quick bots, one of which errs more."""
    match = Match.new(name, seed=seed)
    players = [bot("medium" if seat == 0 else "easy", match.game, seed=seed + seat) for seat in range(match.seats)]
    while isinstance(match.actor, int):
        match.play(players[match.actor](match.view(match.actor)))
    return match


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


@pytest.mark.parametrize("name", games.names())
def test_what_a_seat_cannot_see_is_not_held_against_it(name: str) -> None:
    """A decision is judged alike in all states with the same view, and in the same way every time."""
    match = finished(name, seed=3)
    ply = next(
        ply for ply, (actor, _) in enumerate(match.plies) if ply > min(30, match.length // 2) and actor != "chance"
    )
    state = match.states[ply]
    move = match.game.parse(state, match.plies[ply][1])
    redealt = match.game.redeal(match.game.view(state, state.actor), Random(5).randrange)
    judge = Judge(match.game, 0.0, simulations=200)
    assert judge.decision(ply, state, move) == judge.decision(ply, redealt, move)


class Opinionated(Hard):
    """A judge that finds moves better than the last by given gaps, look after look; the last ones stay."""

    gaps: list[Sequence[float]]
    looks = 0

    def candidates(self, view: View) -> tuple[Any, list[Candidate]]:
        return bot("hard", self.game, seed=1, simulations=20).candidates(view)

    def simulate(self, root: Node, states: list[Any], number: int, deadline: float = inf) -> int:
        look, move = divmod(self.looks, len(self.gaps[0]) + 1)
        share = 0.4 + [*self.gaps[min(look, len(self.gaps) - 1)], 0.0][move]
        self.looks += 1
        root.worth = [share, *[(1 - share) / (states[0].seats - 1)] * (states[0].seats - 1)]
        return number


def opinionated(game: Game[Any], *gaps: float | Sequence[float]) -> Opinionated:
    """Return a judge with these gaps, of several moves each time or of a single one."""
    player = Opinionated(game, Random(1), None, 1)
    player.gaps = [[each] if isinstance(each, float) else each for each in gaps]
    return player


def choice(match: Match) -> tuple[Any, tuple[int, int]]:
    """Return a state in which the first seat has a choice, and two moves."""
    state = next(state for state in match.states if state.actor == 0 and len(match.game.legal(state)) > 1)
    first, second = match.game.legal(state)[:2]
    return state, (first, second)


SIMULATIONS = 64
FIRST_LOOK = 2  # pairs of searches, with so few simulations


@pytest.mark.parametrize(("first", "then", "counts"), [(0.2, 0.02, 0.02), (-0.2, 0.01, 0.01), (0.02, 0.2, 0.02)])
def test_a_decision_with_a_grade_is_compared_again(
    monkeypatch: pytest.MonkeyPatch, first: float, then: float, counts: float
) -> None:
    """Nobody is blamed or praised for what a first look found by chance; where it found nothing, it counts."""
    match = finished("times_square", seed=3)
    state, (played, _) = choice(match)
    game = match.game
    player = opinionated(game, *[first] * FIRST_LOOK, then)
    monkeypatch.setattr(Judge, "_players", lambda *_: [player])
    judged = Judge(game, 0.0, simulations=SIMULATIONS).decision(0, state, played)
    assert judged.gap == pytest.approx(counts)


@pytest.mark.parametrize("name", ["times_square", "bus"])
def test_a_line_can_be_judged_by_a_given_one(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Then no other is looked for, and one look is enough."""
    match = finished(name, seed=3)
    state, moves = choice(match)
    best, line = (match.game.write(state, move) for move in moves)
    player = opinionated(match.game, *[0.2] * FIRST_LOOK, -0.1)
    monkeypatch.setattr(Judge, "_players", lambda *_: [player])
    view = match.game.view(state, state.actor)
    judged = Judge(match.game, 0.0, simulations=SIMULATIONS).decision_against(0, view, line, best)
    assert (judged.line, judged.best) == (line, best)
    assert judged.loss == pytest.approx(0.2)


def test_a_grade_that_is_sure_needs_no_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second look ends as soon as chance can hardly change the grade, and goes on where it can."""
    match = finished("times_square", seed=3)
    state, (played, _) = choice(match)
    looks = []
    for gaps in ([0.2], [0.2] * FIRST_LOOK + [0.05, 0.15] * 1000):
        player = opinionated(match.game, *gaps)
        monkeypatch.setattr(Judge, "_players", lambda *_, player=player: [player])
        Judge(match.game, 0.0, simulations=SIMULATIONS).decision(0, state, played)
        looks.append(player.looks)
    sure, unsure = looks
    assert sure == 2 * FIRST_LOOK * (1 + AGAIN[0])
    assert unsure == 2 * FIRST_LOOK * (1 + sum(AGAIN))


class Settled(Samples):
    """Rollouts that always find the same difference."""

    least = 2

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments[:4])

    def go_on(self) -> int:
        self.found.append([*[[0.5, 0.25, 0.25]] * (len(self.moves) - 1), [0.4, 0.3, 0.3]])
        return 16


@pytest.fixture
def one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the best line of the search is compared with the one played."""
    monkeypatch.setattr(judge_module, "LINES", 1)


@pytest.mark.usefixtures("one_line")
@pytest.mark.parametrize(("first", "counts"), [(0.01, 0.01), (0.02, 0.1), (0.2, 0.1), (-0.02, -0.02), (-0.2, 0.1)])
def test_a_rough_look_at_an_open_game_may_be_wrong(
    monkeypatch: pytest.MonkeyPatch, first: float, counts: float
) -> None:
    """What seems to lose half of what an inaccuracy loses is compared thoroughly, and only that counts."""
    match = finished("bus", seed=3)
    state, (played, _) = choice(match)
    monkeypatch.setattr(comparison, "Rollouts", Settled)
    monkeypatch.setattr(Judge, "_players", lambda *_: [opinionated(match.game, first)])
    judged = Judge(match.game, 0.0, simulations=SIMULATIONS).decision(0, state, played)
    assert judged.gap == pytest.approx(counts)


@pytest.mark.usefixtures("one_line")
@pytest.mark.parametrize(("simulations", "counts"), [(0.0, 0.1), (inf, 0.2)])
def test_rollouts_need_time(monkeypatch: pytest.MonkeyPatch, simulations: float, counts: float) -> None:
    """Where one would take longer than there is time, a growing tree looks again."""
    match = finished("bus", seed=3)
    state, (played, _) = choice(match)
    monkeypatch.setattr(comparison, "Rollouts", Settled)
    monkeypatch.setattr(judge_module, "SIMULATIONS", simulations)
    monkeypatch.setattr(Judge, "_players", lambda *_: [opinionated(match.game, 0.2)])
    assert Judge(match.game, QUICK).decision(0, state, played).gap == pytest.approx(counts)


@pytest.mark.parametrize(("gaps", "gap", "error"), [((0.2,), 0.2, 0), ((0.2, 0.2), 0.2, 0), ((0.3, -0.1), 0.1, 0.2)])
def test_judges_who_differ_are_unsure(gaps: tuple[float, ...], gap: float, error: float) -> None:
    """The mean of their differences counts; how far apart they are is part of its standard error, but not chance."""
    match = finished("times_square", seed=3)
    state, moves = choice(match)
    players = [opinionated(match.game, each) for each in gaps]
    comparer = Comparer(match.game, players, match.game.view(state, 0), moves)
    comparer.search_simulations(50)
    found = comparer.results()[0]
    assert found.first[0] - found.second[0] == pytest.approx(gap)
    assert found.error == pytest.approx(error)
    assert found.noise == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("gaps", "gap"),
    [((0.2,), 0.2), ((0.2, 0.1), 0.1), ((0.1, 0.2), 0.1), ((-0.2, -0.1), -0.1), ((0.3, -0.1), 0.0), ((0.3, 0.0), 0.0)],
)
def test_judges_of_an_open_game_must_agree(gaps: tuple[float, ...], gap: float) -> None:
    """Only what all of them find is lost, or gained; what the others lose by it is in proportion."""
    match = finished("bus", seed=3)
    state, moves = choice(match)
    players = [opinionated(match.game, each) for each in gaps]
    comparer = Comparer(match.game, players, match.game.view(state, state.actor), moves)
    comparer.search_simulations(50)
    found = comparer.results()[0]
    changes = [one - other for one, other in zip(found.first, found.second, strict=True)]
    assert changes[state.actor] == pytest.approx(gap)
    assert found.gaps == pytest.approx(gaps)
    assert sum(found.first) == pytest.approx(1)
    assert sum(found.second) == pytest.approx(1)
    assert found.error == pytest.approx(0.0)


@pytest.mark.usefixtures("one_line")
@pytest.mark.parametrize(("second", "counts"), [([-0.1], 0.0), ([0.04, -0.01], 0.1), ([-0.08, -0.1], 0.0)])
def test_a_judge_alone_blames_nobody_in_an_open_game(
    monkeypatch: pytest.MonkeyPatch, second: list[float], counts: float
) -> None:
    """What only one of two judges finds bad is no error. It is looked at again only if the other is in doubt."""
    match = finished("bus", seed=3)
    state, (played, _) = choice(match)
    players = [opinionated(match.game, 0.4), opinionated(match.game, *second)]
    monkeypatch.setattr(comparison, "Rollouts", Settled)
    monkeypatch.setattr(Judge, "_players", lambda *_: players)
    judged = Judge(match.game, 0.0, simulations=SIMULATIONS).decision(0, state, played)
    assert judged.loss == pytest.approx(counts)
    assert (judged.best == judged.line) == (judged.before == judged.after) == (not counts)


@pytest.mark.parametrize(
    ("one", "other", "again", "best"),
    [
        ((0.3, 0.1, 0.0), (-0.2, 0.08, 0.0), [1], 1),  # the favourite of the search is disputed
        ((0.3, 0.2, 0.1), (0.1, 0.2, 0.1), [0, 1, 2], 0),  # all could be better; the rollouts find them equal
        ((0.01, 0.015, 0.0), (0.01, 0.015, 0.0), [], 0),  # nobody could get a grade: the favourite counts
        ((-0.3, -0.2, -0.4), (-0.3, -0.2, -0.4), [1], 1),  # an only good move is better than the best of the others
    ],
)
def test_several_lines_are_compared_in_an_open_game(
    monkeypatch: pytest.MonkeyPatch, one: tuple[float, ...], other: tuple[float, ...], again: list[int], best: int
) -> None:
    """Those that could lead to a grade are looked at again; the best is what both judges find better by the most."""
    match = finished("bus", seed=3)
    state, (played, _) = choice(match)
    players = [opinionated(match.game, each) for each in (one, other)]
    _, candidates = players[0].candidates(match.game.view(state, state.actor))
    others = [each.move for each in candidates if each.move != played]
    seen: list[tuple[int, ...]] = []

    class Seen(Settled):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            seen.append(self.moves)

    monkeypatch.setattr(comparison, "Rollouts", Seen)
    monkeypatch.setattr(Judge, "_players", lambda *_: players)
    judged = Judge(match.game, 0.0, simulations=SIMULATIONS).decision(0, state, played)
    assert seen == ([(*(others[number] for number in again), played)] * 2 if again else [])
    assert judged.alternatives[1].line == match.game.write(state, others[best])
    assert judged.gap == pytest.approx(0.1 if again else 0.01)


def test_more_time_makes_a_comparison_of_hidden_games_surer() -> None:
    """Differences between small searches are chance: the more of them there are, the less is left of it."""
    match = finished("times_square", seed=3)
    state, moves = choice(match)
    players = [opinionated(match.game, *[0.0, 0.1] * 32)]
    comparer = Comparer(match.game, players, match.game.view(state, 0), moves, size=16)
    noises = []
    for _ in range(3):
        comparer.search_simulations(16 * 32)
        noises.append(comparer.results()[0].noise)
    assert noises == pytest.approx([0.05 / sqrt(15), 0.05 / sqrt(31), 0.05 / sqrt(47)])


def test_a_comparison_of_open_games_is_as_sure_as_it_is_steady() -> None:
    """What changed in the second half of the search may change as much again."""
    match = finished("bus", seed=3)
    state, moves = choice(match)
    comparer = Comparer(match.game, [opinionated(match.game, 0.1, 0.1, 0.1, 0.2)], match.game.view(state, 0), moves)
    comparer.search_simulations(4 * 32)
    assert comparer.results()[0].noise == pytest.approx(0.1)
    comparer.search_simulations(4 * 32)
    assert comparer.results()[0].noise == pytest.approx(0.0)


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
    """Those that lost the most, in the order of the game."""
    told = [replace(decision(gap), ply=ply) for ply, gap in enumerate((0.01, 0.3, -0.2, 0.2, 0.05))]
    assert [each.ply for each in moments(told)] == [1, 3, 4]
    assert moments([decision(-0.1)]) == []


def test_an_interrupted_analysis_goes_on(
    record: str, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was judged is kept, also when the last line is torn; another record or another time begins anew."""
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
    analyse(record, seconds=2 * QUICK, keep=keep)
    assert len(judged) == 2 * len(whole.decisions) - 4


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
