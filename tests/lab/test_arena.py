"""The arena: fair schedules, games that can be told again, contests that can be interrupted."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from omnibus import Match, games
from omnibus.bots import bot
from omnibus.cli.main import app
from omnibus.kernel.dice import Dice
from omnibus.kernel.game import Document
from omnibus.lab.arena import contestants as entering
from omnibus.lab.arena.contest import Contest, play_game
from omnibus.lab.arena.contestants import Contestant, contestant, program
from omnibus.lab.arena.results_log import FILE, ResultsLog
from omnibus.lab.arena.runner import contest, run
from omnibus.lab.arena.schedule import schedule, seed_of
from omnibus.lab.arena.standings import ContestResults, standings
from omnibus.lab.arena.statistics import SequentialTest
from omnibus.lab.game_loop import GameLoop
from support.command_line import TERMINAL
from support.command_line import omnibus as run_command
from support.processes import left_of_group

ENVIRONMENT = {**os.environ, **TERMINAL, "COLUMNS": "120"}
omnibus = partial(run_command, COLUMNS="120")
EASY, RANDOM = Contestant("easy"), Contestant("random")


def held(made: Contest, wanted: int, **settings: Any) -> ContestResults:
    """Run a contest to its end."""
    results = ContestResults(made, made.schedule.games(wanted))
    run(results, **settings)
    return results


def told(results: ContestResults) -> list[Document]:
    """Return everything that must be the same when a contest is repeated: all but the times."""
    return [
        {**played.document(), "thinking": [one.moves for one in played.thinking]}
        for _, played in sorted(results.played.items())
    ]


# GameLoop


@pytest.mark.parametrize("name", games.names())
def test_a_game_of_the_arena_is_a_match(name: str) -> None:
    """The views given to players, the plies and the record are those of a `Match` with the same dice."""
    match, dice, random = Match.new(name, seed=5), Dice(5), Random(1)
    loop = GameLoop(match.game, match.game.setup(match.seats, match.options), dice)

    def player(view: Document) -> str:
        assert view == match.view(view["viewer"])
        line = random.choice(match.lines())
        match.play(line)
        return line

    loop.play([player] * match.seats)
    assert (loop.record(dice=dice), loop.plies, match.actor) == (match.record(), match.length, None)


# Schedule


@given(st.lists(st.integers(0, 4), min_size=1, max_size=5), st.integers(2, 5), st.integers(0, 30))
def test_rounds_are_balanced(named: list[int], seats: int, number: int) -> None:
    """In every round every contestant has every seat equally often, and no seating comes twice."""
    named = [sorted(set(named)).index(one) for one in named]
    if len(named) > seats:
        named = sorted(set(named))
    plan = schedule(named, seats)
    seatings = plan.round(number)
    assert len(seatings) == plan.size == len(set(seatings))
    for one in set(named):
        by_seat = Counter(seat for seating in seatings for seat in range(seats) if seating[seat] == one)
        assert len({by_seat[seat] for seat in range(seats)}) == 1
        assert by_seat[0] > 0
    assert [plan.seating(number * plan.size + game) for game in range(plan.size)] == seatings


@pytest.mark.parametrize(
    ("named", "seats", "seatings"),
    [
        ([0, 1], 3, [(0, 1, 1), (1, 1, 0), (1, 0, 1)]),
        ([0, 1, 1], 3, [(0, 1, 1), (1, 1, 0), (1, 0, 1)]),
        ([0], 2, [(0, 0)]),
        ([0, 1, 2], 2, [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]),
    ],
)
def test_who_meets_whom(named: list[int], seats: int, seatings: list[tuple[int, ...]]) -> None:
    """Contestants fill the seats, the last one repeatedly; with more of them than seats, all combinations meet."""
    assert schedule(named, seats).round(0) == seatings


def test_orders_around_the_table_take_turns() -> None:
    """Over the rounds everybody plays after everybody; games are rounded up to whole rounds."""
    plan = schedule([0, 1, 2], 3)
    behind = Counter((seating[0], seating[1]) for number in range(4) for seating in plan.round(number))
    assert len(set(behind.values())) == 1
    assert len(behind) == 6
    assert [plan.games(wanted) for wanted in (1, 3, 4)] == [3, 3, 6]


def test_dice_belong_to_the_round() -> None:
    """All games of a round have the same dice, and other rounds have others."""
    made = contest("times_square", [EASY, RANDOM], seed=4)
    records = [play_game(made, number).record for number in range(4)]
    commitments = [record.split("commitment: ")[1][:70] for record in records]
    assert commitments[0] == commitments[1] != commitments[2] == commitments[3]
    assert seed_of(4, 0, "seat 0") != seed_of(4, 0, "seat 1") != seed_of(4, 1, "seat 1")


# Contestants


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("easy", EASY),
        ("hard:seconds=0.2", Contestant("hard", seconds=0.2)),
        ("hard:simulations=500", Contestant("hard", simulations=500)),
        ("hard:seconds=0.1,simulations=9", Contestant("hard", seconds=0.1, simulations=9)),
        ("medium:errors=no", Contestant("medium", errors=False)),
    ],
)
def test_contestants_as_they_are_written(text: str, expected: Contestant) -> None:
    """A contestant has its own limits, whatever limits are common; without any there is a default."""
    assert contestant(text, None, None) == contestant(expected.label, 7.0, 7) == expected
    assert contestant("hard", None, None) == Contestant("hard", seconds=0.2)
    assert contestant("hard", 1.0, 30) == Contestant("hard", seconds=1.0, simulations=30)


def test_names_of_programs() -> None:
    """Programs are named by their command, as far as it can be shown."""
    long = program("./mybot\t" + "--flag " * 20, 1.0, None)
    assert len(long.name) == 60
    assert long.name.isprintable()


# Contests


@pytest.mark.parametrize(
    ("game", "seats", "games", "fair"), [("times_square", 2, 20, (1 / 2, 1 / 2)), ("bus", 3, 3, (1 / 3, 2 / 3))]
)
def test_figures_add_up(game: str, seats: int, games: int, fair: tuple[float, float]) -> None:
    """Easy beats random; its shares and those of random add up to 1, decisions to the thinking of all."""
    results = held(contest(game, [EASY, RANDOM], seats=seats, seed=1), games)
    easy, aimless = standings(results.contest, results.rounds())
    assert easy.games == games
    assert (easy.fair, aimless.fair) == pytest.approx(fair)
    assert easy.share > 1.2 * easy.fair
    assert easy.share + aimless.share == pytest.approx(1)
    assert easy.interval[0] < easy.share <= easy.interval[1]
    assert easy.rating
    assert easy.rating[0] > 100
    assert all(sorted(played.seating) == [0, *[1] * (seats - 1)] for played in results.played.values())
    decisions = sum(played.decisions for played in results.played.values())
    assert easy.thinking.moves + aimless.thinking.moves == decisions
    assert easy.thinking.longest <= easy.thinking.seconds


def test_three_are_rated() -> None:
    """More contestants than seats meet each other; ratings are 0 on average."""
    results = held(contest("times_square", [EASY, RANDOM, Contestant("hard", simulations=2)], seed=3), 12)
    found = standings(results.contest, results.rounds())
    assert [one.games for one in found] == [8, 8, 8]
    assert sum(one.rating[0] for one in found if one.rating) == pytest.approx(0, abs=1e-6)


def test_same_seed_same_games_in_any_number_of_processes() -> None:
    """The seed determines a contest, even with bots that search, if they are limited by simulations."""
    made = contest("times_square", [Contestant("hard", simulations=2), RANDOM], seed=9)
    alone = told(held(made, 4))
    assert alone == told(held(made, 4, jobs=2))
    assert alone != told(held(contest("times_square", made.contestants, seed=10), 4))


def test_resumed_is_as_if_never_interrupted(tmp_path: Path) -> None:
    """A contest interrupted anywhere ends with the same games, and the records can be read; it can be made shorter."""
    made = contest("times_square", [EASY, RANDOM], seed=5)
    whole = held(made, 6, log=ResultsLog(tmp_path / "whole", made))
    for stop in (0, 1, 4):
        folder, tick = tmp_path / str(stop), Mock(side_effect=[*[None] * stop, KeyboardInterrupt])
        with pytest.raises(KeyboardInterrupt):
            run(ContestResults(made, 6), log=ResultsLog(folder, made), tick=tick)
        again = ResultsLog(folder, made)
        assert len(again.played) == stop
        assert told(held(made, 6, log=again)) == told(whole)
        assert told(held(made, 4, log=ResultsLog(folder, made))) == told(whole)[:4]
        for number in range(6):
            text = (folder / f"{number:06}.game").read_text(encoding="utf-8")
            assert text == (tmp_path / "whole" / f"{number:06}.game").read_text(encoding="utf-8")
            assert Match.read(text).outcome is not None


def test_incomplete_and_foreign_results_logs(tmp_path: Path) -> None:
    """An incomplete last line is played again; the folder of another contest and nonsense are refused."""
    made = contest("times_square", [EASY, RANDOM], seed=5)
    whole = held(made, 4, log=ResultsLog(tmp_path, made))
    path = tmp_path / FILE
    path.write_bytes(path.read_bytes()[:-40])
    assert len(ResultsLog(tmp_path, made).played) == 3
    assert told(held(made, 4, log=ResultsLog(tmp_path, made))) == told(whole)
    for other in (contest("times_square", [EASY, RANDOM], seed=6), contest("times_square", [RANDOM, EASY], seed=5)):
        with pytest.raises(ValueError, match="holds another contest"):
            ResultsLog(tmp_path, other)
    for now, then, sentence in (
        ('"sources": "', '"sources": "0', "other bots or rules"),
        ('"rules": 1', '"rules": 2', "holds another contest; --keep needs a separate folder for each"),
    ):
        folder = tmp_path / sentence[:5]
        folder.mkdir()
        (folder / FILE).write_text(path.read_text().replace(now, then))
        with pytest.raises(ValueError, match=sentence):
            ResultsLog(folder, made)
    for nonsense, sentence in (("{]\n", "line 6 cannot be read"), ('{"number": 4}\n', "line 6 is not a game")):
        path.write_text("\n".join(path.read_text().splitlines()[:5]) + "\n" + nonsense)
        with pytest.raises(ValueError, match=sentence):
            ResultsLog(tmp_path, made)


def test_sequential_test_stops_a_contest() -> None:
    """It sees whole rounds in order and stops the contest; games beyond do not count."""
    made = contest("times_square", [EASY, RANDOM], seed=1)
    alone, spread = (ContestResults(made, 400, SequentialTest(0, 50)) for _ in range(2))
    run(alone, jobs=1)
    run(spread, jobs=2)
    assert alone.verdict == spread.verdict == "H1"
    assert len(alone.rounds()) == len(spread.rounds()) < 100
    assert alone.ratio() == spread.ratio() > 2.9


@pytest.mark.parametrize("mistake", ["nonsense", "done", ZeroDivisionError()])
def test_a_bug_of_ours_stops_the_arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mistake: Any) -> None:
    """An illegal line or an exception in a built-in bot: exit code 1, what went wrong, and the record so far."""

    def make(name: str, game: Any, seed: int) -> Any:
        real, moves = bot(name, game, seed=seed), iter(range(3))
        return lambda view: real(view) if next(moves) < 2 else Mock(side_effect=[mistake])()

    monkeypatch.setattr(entering, "bot", make)
    monkeypatch.chdir(tmp_path)
    answer = CliRunner().invoke(app, ["arena", "times_square", "easy", "--jobs", "1"])
    assert answer.exit_code == 1
    assert "Traceback" in answer.stdout
    assert "its record is in fault-000000.game" in " ".join(answer.stdout.split())
    match = Match.read((tmp_path / "fault-000000.game").read_text(encoding="utf-8"))
    assert match.outcome is None
    assert len(match.plies) > 4


def test_times_are_counted() -> None:
    """Moves over time and over 110 % of it, the longest, and the simulations of bots that count them."""
    made = contest("times_square", [Contestant("hard", seconds=1e-6), Contestant("hard", simulations=2)], seed=5)
    timed, untimed = (each.thinking for each in standings(made, held(made, 2).rounds()))
    assert 0 < timed.over == timed.late == timed.moves <= (timed.simulations or 0), "everything takes longer"
    assert 1e-6 < timed.longest <= timed.seconds
    assert (untimed.over, untimed.late) == (0, 0)
    assert 0 < (untimed.simulations or 0) <= 2 * untimed.moves


# The command


def test_command(tmp_path: Path) -> None:
    """A contest in two processes, reported with shares, intervals and times; repeated, nothing is played twice."""
    arguments = ("arena", "times_square", "easy", "random", "--games", "7", "--jobs", "2", "--keep", tmp_path / "kept")
    answer = omnibus(*arguments)
    assert answer.returncode == 0, answer.stderr
    for expected in ("7 games are rounded up to 8", "8 games (4 rounds of 2)", "win share", "wins by seat", "longest"):
        assert expected in answer.stdout
    again = omnibus(*arguments)
    assert "8 games are already in" in again.stdout
    assert again.stdout.split("Times Square,")[1] == answer.stdout.split("Times Square,")[1]
    tested = omnibus("arena", "times_square", "easy", "random", "--sprt", "--elo", "0,100", "--jobs", "1")
    assert "SPRT: H1 accepted, easy leads random by 100 Elo" in tested.stdout
    undecided = omnibus("arena", "times_square", "easy", "random", "--sprt", "--games", "2", "--jobs", "1")
    assert "SPRT: undecided" in undecided.stdout


def test_interrupted_command_resumes(tmp_path: Path) -> None:
    """Ctrl-C ends all processes and says how to resume, and the contest can be finished."""
    arguments = ("arena", "times_square", "easy", "random", "--keep", str(tmp_path), "--games")
    command = [sys.executable, "-m", "omnibus", *arguments, "100000", "--jobs", "2"]
    with subprocess.Popen(command, stdout=-1, env=ENVIRONMENT, text=True, start_new_session=True) as process:
        deadline = time.monotonic() + 60
        while len(list(tmp_path.glob("*.game"))) < 6 and time.monotonic() < deadline:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        said, _ = process.communicate(timeout=60)
        assert process.returncode == 130
    assert "Run the same command again to resume" in " ".join(said.split())
    assert not left_of_group(process.pid)
    answer = omnibus(*arguments, "4")
    assert answer.returncode == 0, answer.stderr
    assert "games are already in" in answer.stdout
    made = contest("times_square", [EASY, RANDOM])
    assert told(held(made, 4, log=ResultsLog(tmp_path, made))) == told(held(made, 4))


MISTAKES = [
    (("chess", "easy"), "there is no game 'chess'"),
    (("times_square",), "name at least one contestant"),
    (("times_square", "oracle"), "there is no bot 'oracle'"),
    (("times_square", "easy:seconds=1"), "takes no limits"),
    (("times_square", "random:errors=no"), "takes no limits"),
    (("times_square", "hard:depth=3"), "cannot be read"),
    (("times_square", "hard:seconds=0"), "cannot be read"),
    (("times_square", "hard:seconds=nan"), "cannot be read"),
    (("times_square", "hard:simulations=1.5"), "cannot be read"),
    (("times_square", "easy", "--seats", "3"), "is for 2 seats"),
    (("times_square", "easy", "easy", "random"), "each may be named only once"),
    (("times_square", "hard", "easy", "--seconds", "0"), "a bot may think for more than 0"),
    (("times_square", "hard", "easy", "--simulations", "0"), "at least one simulation"),
    (("times_square", "easy", "--program", "/no/such/program"), "cannot be started: No such file"),
    (("times_square", "easy", "--program", "'"), "cannot be read"),
    (("times_square", "easy", "--program", " "), "--program needs a command"),
    (("times_square", "easy", "random", "--sprt", "--elo", "5"), "two leads in Elo"),
    (("times_square", "easy", "--sprt"), "between two contestants, not 1"),
    (("times_square", "easy", "--keep", __file__), "File exists"),
]


@pytest.mark.parametrize(("arguments", "sentence"), MISTAKES, ids=lambda value: " ".join(value)[:40])
def test_mistakes_are_told_in_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    """An impossible contest is refused before anything is played: one sentence, exit code 2, no traceback."""
    answer = omnibus("arena", *arguments)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert re.fullmatch(f"omnibus: .*{re.escape(sentence)}.*\n", answer.stderr)
