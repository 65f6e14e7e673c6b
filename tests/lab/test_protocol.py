"""The line protocol in both directions: our bots run by other programs, and external bots in the arena."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from omnibus import Match, games
from omnibus.bots import bot
from omnibus.cli.console import console
from omnibus.lab import external_bot, protocol
from omnibus.lab.arena.contest import Contest, play_game, shares_without
from omnibus.lab.arena.contestants import Contestant, program
from omnibus.lab.arena.report import report
from omnibus.lab.arena.results_log import ResultsLog
from omnibus.lab.arena.runner import contest, run
from omnibus.lab.arena.standings import ContestResults, standings
from omnibus.lab.external_bot import ExternalBot, Forfeit
from omnibus.lab.protocol import BotServer, Limits, listen
from support.command_line import TERMINAL
from support.processes import left_of_group
from support.winning import winning

ROOT = Path(__file__).parent.parent.parent
EXAMPLE, SEARCHES = (f"{sys.executable} {ROOT / 'examples' / name}.py" for name in ("external_bot", "ismcts_bot"))
ENVIRONMENT = {**os.environ, **TERMINAL, "COLUMNS": "120"}
OMNIBUS = (sys.executable, "-m", "omnibus")


def speak(*lines: str, level: str = "easy", seed: int = 3) -> list[str]:
    """Return everything a bot answers to some lines."""
    said: list[str] = []
    listen(BotServer(level, Limits(), seed, said.append), io.BytesIO("\n".join(lines).encode()))
    return said


def viewed(game: str = "times_square") -> str:
    match = Match.new(game, seed=3)
    assert isinstance(match.actor, int)
    return f"view {json.dumps({**match.view(match.actor), 'legal': match.lines()})}"


# Our bots, run by others


def test_a_conversation() -> None:
    """Hello, a game, a view, a move: the one the bot itself would choose."""
    game = "game " + json.dumps({"game": "times_square", "seats": 2})
    said = speak("omnibus 1", game, viewed(), "go seconds 1", "quit", "go")
    assert said[0].startswith("name Omnibus easy")
    options = [line.split()[1] for line in said if line.startswith("option")]
    assert options == ["level", "seed", "seconds", "simulations"]
    assert said[-3:-1] == ["ready", "ready"]
    match = Match.new("times_square", seed=3)
    assert isinstance(match.actor, int)
    assert said[-1] == "play " + bot("easy", match.game, seed=3)(match.view(match.actor))


@pytest.mark.parametrize("game", games.names())
def test_a_view_is_enough(game: str) -> None:
    """The game need not be announced; the line is legal, and with a number of simulations the same each time."""
    answers = [speak(viewed(game), "go simulations 5", level="hard") for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0][0].removeprefix("play ") in Match.new(game, seed=3).lines()


def test_explaining() -> None:
    """Thoughts as JSON, best first, and `ready` at their end."""
    said = speak(viewed(), "explain simulations 30")
    thoughts = [json.loads(line.removeprefix("thought ")) for line in said[:-1]]
    assert said[-1] == "ready"
    assert len(thoughts) > 1
    for thought in thoughts:
        assert set(thought) == {"line", "shares", "visits", "reasons", "doubts"}
        assert sum(thought["shares"]) == pytest.approx(1, abs=0.001)
        assert thought["line"] in Match.new("times_square", seed=3).lines()


def test_settings() -> None:
    """Level, seed and limits can be set; they hold for what follows."""
    lines = ["set level random", "set seconds 30", "set simulations 4", viewed()]
    assert len({speak(*lines, f"set seed {seed}", "go", level="hard")[-1] for seed in range(12)}) > 2
    seed, hard = "set seed 5", "set level hard"
    assert speak(hard, *lines[1:], seed, "go") == speak(*lines[1:], seed, hard, "go")


NONSENSE = [
    ("omnibus 2", "this program speaks version 1 of the protocol, not '2'"),
    ("bestmove", "there is no command 'bestmove'"),
    ("set", "there is no option ''"),
    ("set colour red", "there is no option 'colour'"),
    ("set level oracle", "there is no bot 'oracle'"),
    ("set seconds never", "not a number of seconds"),
    ("set seconds -1", "more than 0"),
    ("set seconds inf", "more than 0"),
    ("set simulations 0", "at least one simulation"),
    ("set seed x", "not a whole number"),
    ("game", "not JSON"),
    ("game []", "JSON object"),
    ('game {"game": "chess"}', "there is no game 'chess'"),
    ('game {"game": "bus", "rules": 99}', "needs version 99 of the rules of Bus, but this Omnibus plays by version 1"),
    ("view {", "not JSON"),
    ("view " + "[" * 100_000, "not JSON"),
    ('view {"game": 3}', "there is no game"),
    ("go", "no view"),
    ("explain", "no view"),
    ("go fast", "limits are"),
    ("go depth 3", "limits are"),
    ("\udcff".encode("utf-8", "surrogateescape").decode("latin-1"), "there is no command"),
]


@pytest.mark.parametrize(("line", "sentence"), NONSENSE, ids=lambda value: value[:30])
def test_nonsense_is_answered_by_an_error(line: str, sentence: str) -> None:
    """One sentence, and the conversation goes on."""
    *errors, last = speak(line, "omnibus 1")
    assert last == "ready"
    assert errors[0].startswith("error ")
    assert sentence in errors[0]
    assert [error for error in errors if error.startswith("error")] == errors[:1]


def test_broken_views_are_survived() -> None:
    """A view with anything taken out or replaced is answered by a line or an error, and a whole one by a line."""
    whole = json.loads(viewed().removeprefix("view "))
    strange: list[Any] = [None, [], -7, "x", {"x": 1}]
    lines = [{**whole, key: value} for key in whole if key != "legal" for value in strange]
    said = speak(*(part for view in lines for part in (f"view {json.dumps(view)}", "go")), viewed(), "go")
    assert said[-1].startswith("play ")
    assert all(line.startswith(("play ", "error ")) for line in said)
    assert sum(line.startswith("error ") for line in said) > len(whole)


def test_lines_that_are_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Invalid UTF-8 and overlong lines are ignored with an error."""
    monkeypatch.setattr(protocol, "LONGEST_LINE", 1000)
    said: list[str] = []
    heard = b"\xff\n" + b"view " + b"x" * 5000 + b"\n\nset seed 1\r\n"
    listen(BotServer("easy", Limits(), 3, said.append), io.BytesIO(heard))
    assert said[0] == "error this is not text in UTF-8"
    assert "more than 1000 bytes" in said[1]
    assert said[2:] == ["ready"]


def started(*command: str, say: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program to its end."""
    return subprocess.run(command, input=say, capture_output=True, text=True, env=ENVIRONMENT, check=False)


def test_the_command() -> None:
    """`omnibus protocol` speaks on standard input and output, and ends with either."""
    answer = started(*OMNIBUS, "protocol", "--level", "easy", "--seed", "3", say=f"omnibus 1\n{viewed()}\ngo\n")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.splitlines()[-1] == speak(viewed(), "go")[-1]
    deaf = started("sh", "-c", f"{' '.join(OMNIBUS)} protocol | true", say="omnibus 1\n" * 9000)
    assert (deaf.returncode, deaf.stderr) == (0, "")
    wrong = started(*OMNIBUS, "protocol", "--level", "oracle")
    assert (wrong.returncode, wrong.stderr.startswith("omnibus: there is no bot 'oracle'")) == (2, True)


# External bots in the arena

BEGINNING = """
import json, os, subprocess, sys, time
def say(*lines):
    print(*lines, sep="\\n", flush=True)
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "view":
        view = json.loads(rest)
    elif word in ("omnibus", "game"):
        say("ready")
    elif word == "quit":
        break
    elif word == "go":
"""
"""The beginning of every failing program; what follows is its answer to `go`."""

ANSWERS = {
    "crash": ["raise SystemExit", "sys.exit(3)", "os.kill(os.getpid(), 9)", "1 / 0", "os.close(1); time.sleep(60)"],
    "hang": [
        "import time; time.sleep(60)",
        "time.sleep(60)",
        "say('info thinking'); time.sleep(60)",
        "while True: say('')",
    ],
    "illegal": ["say('play done')", "say('play nonsense')", "say('play')", "say('play ' + 'x' * 9000)"],
    "nonsense": [
        "print('hello')",
        "say('bestmove e2e4')",
        "say('{}')",
        "sys.stdout.buffer.write(b'\\xff\\n'); sys.stdout.flush()",
    ],
    "flood": ["while True: say('info ' + 'x' * 50)", "while True: sys.stdout.write('x' * 5000)"],
    "error": ["say('error I give up')"],
}
NOT_READY = ("raise SystemExit", "import time; time.sleep(60)", "print('hello')")
"""What is done before anything is read, not as an answer."""


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give programs much time to answer on a busy machine, but little to exit."""
    monkeypatch.setattr(external_bot, "GRACE", 20.0)
    monkeypatch.setattr(external_bot, "STARTING", 60.0)
    monkeypatch.setattr(external_bot, "LEAVING", 0.1)


def written(folder: Path, *body: str, beginning: str = BEGINNING) -> str:
    """Write a program; return the command that starts it."""
    path = folder / "program.py"
    path.write_text(beginning + "".join(f"        {line}\n" for line in body))
    return f"{sys.executable} {path}"


def against_easy(command: str, **settings: Any) -> Contest:
    return contest("times_square", [program(command, 0.1, None), Contestant("easy")], seed=2, **settings)


@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize(("example", "limits"), [(EXAMPLE, (1.0, None)), (SEARCHES, (None, 1))])
def test_a_well_behaved_program(game: str, example: str, limits: tuple[float | None, int | None]) -> None:
    """The examples play whole games; with the seed they are given they play them again."""
    made = contest(game, [program(example, *limits), Contestant("random")], seed=2)
    first, second = play_game(made, 0), play_game(made, 0)
    assert first.lost is None
    assert not first.fault
    assert first.record == second.record
    assert Match.read(first.record).outcome is not None


@pytest.mark.parametrize("limits", ["simulations 800", "", "seconds 0.05", "seconds 0.05 simulations 5"])
def test_the_example_that_searches(limits: str) -> None:
    """§10.1 Sue one step from the door, and nothing in the way: it finds the step, or what time allows."""
    match = Match.from_position("times_square", winning("times_square")["sue walks in (§10.1)"], seed=1)
    view = json.dumps({**match.view(0), "legal": match.lines()})
    said = "\n".join(["omnibus 1", "set seed 7", f"view {view}", f"go {limits}", "quit"])
    line = started(*SEARCHES.split(), say=said).stdout.splitlines()[-1].removeprefix("play ")
    assert line in (["sue left"] if limits == "simulations 800" else match.lines())


@pytest.mark.parametrize(
    ("kind", "answer"), [(kind, answer) for kind, answers in ANSWERS.items() for answer in answers]
)
def test_a_failing_program_forfeits_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, answer: str
) -> None:
    """Whatever a program answers, or does before it is ready, it loses that game, and the record so far is there."""
    if kind == "hang":
        monkeypatch.setattr(external_bot, "GRACE", 0.4)
        monkeypatch.setattr(external_bot, "STARTING", 0.4 if answer.startswith("import") else 60.0)
    beginning = f"{answer}\n{BEGINNING}" if answer in NOT_READY else BEGINNING
    played = play_game(against_easy(written(tmp_path, answer, beginning=beginning)), 0)
    assert played.lost
    assert (played.lost["seat"], played.lost["kind"], played.shares) == (0, kind, (0.0, 1.0))
    assert not played.fault
    assert played.decisions == 0 or answer not in NOT_READY
    assert Match.read(played.record).outcome is None


def test_a_program_that_does_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that does not read its input blocks nobody."""
    command = written(tmp_path, beginning="import time; print('ready', flush=True); time.sleep(60)\n")
    with ExternalBot(command, 0.1, None, None) as deaf:
        monkeypatch.setattr(external_bot, "STARTING", 2.0)
        with pytest.raises(Forfeit, match="hang"):
            deaf.begin({"options": "x" * 1_000_000}, 1)


def test_children_are_ended_with_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left of a program that leaves children behind, neither after a hang nor after a crash."""
    monkeypatch.setattr(external_bot, "GRACE", 3.0)  # enough to have them
    groups = tmp_path / "groups"
    child = "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])"
    note = f"open({str(groups)!r}, 'a').write(str(os.getpid()) + ' ')"
    for end in ("time.sleep(60)", "sys.exit(1)"):
        assert play_game(against_easy(written(tmp_path, child, note, end)), 0).lost
    for group in groups.read_text().split():
        assert not left_of_group(int(group))
    assert len(groups.read_text().split()) == 2


def test_a_contest_with_a_program_that_crashes_at_times(tmp_path: Path) -> None:
    """It is restarted for each game; its forfeits are counted by kind, and its standard error is kept."""
    command = written(
        tmp_path,
        "print('going', file=sys.stderr, flush=True)",
        "say('play ' + view['legal'][0]) if view['viewer'] == 0 else sys.exit(1)",
    )
    made = against_easy(command)
    results = ContestResults(made, 4)
    run(results, log=ResultsLog(tmp_path / "kept", made))
    mine, easy = standings(made, results.rounds())
    assert mine.lost == {"crash": 2}
    assert [results.played[number].lost is None for number in range(4)] == [True, False, True, False]
    assert easy.share >= 0.5
    assert (tmp_path / "kept" / "program-0.stderr").read_text().startswith("going\n")
    assert len(list((tmp_path / "kept").glob("*.game"))) == 4
    out = console()
    with out.capture() as told:
        out.print(report(results))
    assert "forfeited 2 games: crash 2" in " ".join(told.get().split())


def test_at_three_seats_the_others_share() -> None:
    """Only the program that fails forfeits; the one in the other seat is not affected. Alone, it has lost to itself."""
    made = contest("bus", [program("false", 1.0, None), program(EXAMPLE, 1.0, None), Contestant("random")], seats=3)
    played = play_game(made, 0)
    assert played.lost
    assert played.shares == (0.0, 0.5, 0.5)
    assert shares_without(0, (0, 0)) == (0.5, 0.5)


def test_in_processes_of_its_own_and_by_the_command(tmp_path: Path) -> None:
    """`--program` comes before the named bots, also in worker processes; it can be `omnibus protocol`."""
    ours = f"{' '.join(OMNIBUS)} protocol --level easy"
    limits = ("--games", "2", "--seconds", "60", "--jobs", "2", "--keep", str(tmp_path))
    answer = started(*OMNIBUS, "arena", "times_square", "random", "--program", ours, *limits)
    assert answer.returncode == 0, answer.stderr
    assert "forfeited" not in answer.stdout
    assert answer.stdout.index("omnibus protocol") < answer.stdout.index("\nrandom")
    assert len(list(tmp_path.glob("*.game"))) == 2


def test_terminated_worker_ends_its_programs(tmp_path: Path) -> None:
    """Ctrl-C while a program thinks: nothing is left of it."""
    group = tmp_path / "group"
    command = written(tmp_path, f"open({str(group)!r}, 'w').write(str(os.getpid()))", "time.sleep(600)")
    arguments = ["arena", "times_square", "easy", "--program", command, "--seconds", "300", "--jobs", "2"]
    with subprocess.Popen([*OMNIBUS, *arguments], env=ENVIRONMENT, stdout=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 60
        while not (group.exists() and group.read_text()) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(2)
        assert process.wait(60) == 130
    assert not left_of_group(int(group.read_text()))


def test_a_program_that_kills_its_worker(tmp_path: Path) -> None:
    """Even then the arena ends with a sentence and says how to resume."""
    command = written(tmp_path, "os.kill(os.getppid(), 9)", "time.sleep(60)")
    answer = started(*OMNIBUS, "arena", "times_square", "easy", "--program", command, "--jobs", "2", "--games", "2")
    assert (answer.returncode, answer.stderr) == (1, "")
    assert "a worker process exited in the middle of its work, with code -9" in " ".join(answer.stdout.split())
