"""Puzzles: those that come with the games, and how they are found, solved exactly, rated and kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from omnibus import Match, games
from omnibus.cli.main import app
from omnibus.kernel.game import CHANCE, OVER, Game
from omnibus.kernel.i18n import LANGUAGES, words
from omnibus.lab.puzzles import look as looking
from omnibus.lab.puzzles import maker, runner, sieve
from omnibus.lab.puzzles.check import faults, keeps_solution
from omnibus.lab.puzzles.document import ComparedLine, Puzzle, Source, puzzles_of, state_of
from omnibus.lab.puzzles.exact import solve
from omnibus.lab.puzzles.maker import TIMES, Judged, make, solved, themes
from omnibus.lab.puzzles.rating import likeliest
from omnibus.lab.puzzles.runner import make_puzzles
from omnibus.lab.puzzles.sieve import Position, begins_turn, endings, recorded, solutions

SHIPPED = [(name, key) for name in games.names() for key in puzzles_of(games.find(name))]
TICKS = 3.0  # a look so long by `ticking` takes a fraction of a second


def ticking() -> Callable[[], float]:
    """Return a clock that counts how often it is asked: what is limited by it is the same every time."""
    return map(float, count()).__next__


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let looks compare fewer lines in fewer deals, and searches be short."""
    for name, number in {"REDEALS": 8, "GROUPS": 2, "COMPARED": 3, "SLICE": 10, "WIDTH": 1}.items():
        monkeypatch.setattr(looking, name, number)
    for name, number in {"SIMULATIONS": 10, "QUICK": 10, "ENDINGS": 1, "POSITIONS": 300}.items():
        monkeypatch.setattr(sieve, name, number)


@pytest.fixture
def shipped() -> tuple[Game[Any], Puzzle]:
    """The first puzzle of the first game."""
    name, key = SHIPPED[0]
    return games.find(name), puzzles_of(games.find(name))[key]


@cache
def finished(name: str, seed: int = 1) -> Match:
    """A finished game of random moves."""
    match, random = Match.new(name, seed=seed), Random(seed)
    while match.outcome is None:
        match.play(random.choice(match.lines()))
    return match


def choices(match: Match) -> list[Any]:
    """Return the positions of a game in which somebody has a choice."""
    return [each for each in match.states if each.actor >= 0 and len(match.game.legal(each)) > 1]


def a_turn(name: str) -> tuple[Game[Any], Position]:
    """A position in the second half of a game with as many lines as any there, the first of them."""
    match = finished(name)
    decisions = [ply for ply, (actor, _) in enumerate(match.plies) if isinstance(actor, int)]
    ply = max(decisions[len(decisions) // 2 :], key=lambda ply: len(match.game.legal(match.states[ply])))
    state = match.states[ply]
    return match.game, Position(Source(ply, game=0), state.actor, match.game.position(state), match.length - ply, 0.2)


@pytest.mark.parametrize("name", games.names())
def test_shipped_puzzles(name: str) -> None:
    """Each is a position of today's rules with legal lines; its solution is the best lines, and not all of them.

    Nearly all of them have themes: what the evaluation does not see has no name.
    """
    found = puzzles_of(games.find(name))
    assert {key: told for key, puzzle in found.items() if (told := faults(games.find(name), puzzle))} == {}
    assert sum(not puzzle.themes for puzzle in found.values()) <= 0.1 * len(found)


def test_there_are_puzzles() -> None:
    """They were made for today's rules: others would not be shown. No id stands for two."""
    assert SHIPPED
    assert len({key for _, key in SHIPPED}) == len(SHIPPED)


def test_faults_are_found(shipped: tuple[Game[Any], Puzzle]) -> None:
    """A puzzle whose data do not fit together is recognized."""
    game, puzzle = shipped
    wrong = [
        replace(puzzle, id="00000000"),
        replace(puzzle, lines=puzzle.lines + 1),
        replace(puzzle, solution=[]),
        replace(puzzle, solution=[puzzle.choices[-1].line]),
        replace(puzzle, themes=["no such term"]),
        replace(puzzle, choices=[replace(puzzle.choices[0], line="no such line"), *puzzle.choices[1:]]),
    ]
    assert all(faults(game, each) for each in wrong)


@pytest.mark.parametrize("name", games.names())
def test_a_puzzle_knows_what_its_seat_sees(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the others hold, the same puzzle is made of what the seat sees, or none."""
    easier = {"GAP": -1.0, "solutions": lambda shares: 1, "rate": lambda *_, **__: (1500, 100), "TIMES": 1, "SECOND": 1}
    for attribute, value in easier.items():
        monkeypatch.setattr(maker, attribute, value)
    game, position = a_turn(name)
    view = game.view(game.place(position.document), position.seat)
    redealt = replace(position, document=game.position(game.redeal(view, Random(7).randrange)))
    first = make(game, position, seconds=TICKS, clock=ticking())
    assert first == make(game, redealt, seconds=TICKS, clock=ticking())
    if first.puzzle:
        assert game.view(state_of(game, first.puzzle), position.seat) == view


@pytest.mark.parametrize(
    ("shares", "number"),
    [((0.9, 0.5, 0.4), 1), ((0.9, 0.85, 0.6, 0.1), 2), ((0.9, 0.8, 0.7, 0.6), 0), ((*[0.9] * 5, 0.1), 0), ((0.9,), 0)],
)
def test_solutions(shares: tuple[float, ...], number: int) -> None:
    """The lines above the first large gap; none where there is no gap, or where too many are good."""
    assert solutions(shares) == number


@pytest.mark.parametrize("name", ["bus", "metromania"])
def test_the_end_is_solved_exactly(name: str) -> None:
    """Just before the end everything that can follow is calculated, and explained; an earlier position is too large.

    Solving each position once, and stopping at a sure win, gives what a walk through everything gives.
    """
    match = finished(name)
    game, last = match.game, choices(match)[-4:]
    found = [(state, shown) for state in last if (shown := solve(game, state, 60))]
    for state, shown in found:
        best = max(shares[state.actor] for shares in shown.shares.values())
        assert best == pytest.approx(walked(state, game)[state.actor])
        for move, shares in shown.shares.items():
            assert shares == pytest.approx(walked(shown.solver.after(state, move), game))
        answer = solved(game, state)
        assert answer
        assert answer.exact
        assert answer.choices[0].share == pytest.approx(best, abs=0.001)
        assert all(each.turn[0] == each.line for each in answer.choices)
    assert found
    assert solve(game, match.states[0], 100) is None


class Toy(SimpleNamespace):
    """A state of a toy game: seat 0 chooses, then chance or seat 1 acts, as a table says."""

    seats, path = 3, ""

    @property
    def actor(self) -> int:
        return {"": 0, "b": CHANCE, "c": 1}.get(self.path, OVER)

    def clone(self) -> Toy:
        return Toy(path=self.path)


def test_chance_is_weighed_and_ties_are_shared() -> None:
    """Chance counts by its weights; a seat that does not care between two lines takes each half the time."""
    ends = {"bx": [1.0, 0.0, 0.0], "by": [0.0, 0.0, 1.0], "cx": [0.2, 0.8, 0.0], "cy": [0.0, 0.8, 0.2]}
    toy: Any = SimpleNamespace(
        legal=lambda state: list(b"xy" if state.path else b"abc"),
        chances=lambda state: [(ord("x"), 3), (ord("y"), 1)],
        apply=lambda state, move: setattr(state, "path", state.path + chr(move)),
        judge=lambda state: ends.get(state.path, [0.5, 0.5, 0.0]),
        position=lambda state: {"path": state.path},
    )
    found = solve(toy, Toy(), 100)
    assert found is not None
    assert found.shares[ord("a")] == [0.5, 0.5, 0.0]
    assert found.shares[ord("b")] == [0.75, 0.0, 0.25]
    assert found.shares[ord("c")] == pytest.approx([0.1, 0.8, 0.1])


def walked(state: Any, game: Game[Any]) -> list[float]:
    """Each seat's share, by going through everything without any shortcut."""
    if state.actor == OVER:
        return list(game.judge(state))
    results = []
    for move in game.legal(state):
        after = state.clone()
        game.apply(after, move)
        results.append(walked(after, game))
    most = max(shares[state.actor] for shares in results) - 1e-9
    best = [shares for shares in results if shares[state.actor] >= most]
    return [sum(shares) / len(best) for shares in zip(*best, strict=True)]


@pytest.mark.walk
def test_endings_are_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other endings of an open game are played and solved; where something is hidden, none are."""
    monkeypatch.setattr(sieve, "solutions", lambda shares, gap=0.0: 1)
    match, source = finished("metromania"), Source(0, seed=1, game=0)
    found = endings(match, source)
    assert 0 < len(found) == len({(each.source.ending, each.source.ply) for each in found}) <= sieve.KEPT
    assert all(each.left <= sieve.ENDGAME for each in found)
    assert all(match.game.place(each.document).actor == each.seat for each in found)
    assert found == endings(match, source)
    assert endings(finished("times_square"), source) == []


@pytest.mark.walk
def test_endings_that_are_too_large_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be solved, the most promising turn of each other ending is kept, if a longer look agrees."""
    monkeypatch.setattr(sieve, "solve", lambda *_: None)
    monkeypatch.setattr(sieve, "promise", lambda game, state, _: len(game.legal(state)) / 1000)
    match, source = finished("bus"), Source(0, seed=1, game=0)
    (found,) = endings(match, source)
    state = match.game.place(found.document)
    assert (state.actor, len(match.game.legal(state)) / 1000) == (found.seat, found.hint)
    doubts = iter([0.2, 0.0] * 1000)
    monkeypatch.setattr(sieve, "promise", lambda *_: next(doubts))
    assert endings(match, source) == []


def test_records_are_searched_where_turns_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """When somebody else has decided last, whatever chance did; and only where there is something to find."""
    assert begins_turn([], 0)
    assert begins_turn([(1, "a"), ("chance", "b")], 0)
    assert not begins_turn([(1, "a"), (0, "b"), ("chance", "c")], 0)
    monkeypatch.setattr(sieve, "HINT", 0.01)
    monkeypatch.setattr(sieve, "OBVIOUS", 0.0)
    match = finished("times_square").at(60)
    found = recorded(match.record(), seed=1)
    assert found
    for each in found:
        assert begins_turn(match.plies[: each.source.ply], each.seat)
        assert match.game.position(match.states[each.source.ply]) == each.document
        assert len(match.game.legal(match.states[each.source.ply])) >= sieve.LEAST_LINES


@pytest.mark.parametrize(
    ("worths", "number", "told"),
    [
        ([{"due": 0.0, "time": 0.3}, {"due": 0.8, "time": 0.3}, {"due": 0.1, "time": 0.0}], 2, ["due", "time"]),
        ([{"due": 0.0, "time": 0.01}, {"due": 0.8, "time": 0.0}], 1, ["time"]),
        ([{"due": 0.001}, {"due": 0.0}], 1, []),
    ],
)
def test_themes(worths: list[dict[str, float]], number: int, told: list[str]) -> None:
    """They are what the lines of the solution have over the others; a small difference counts if there is no other."""
    game: Any = SimpleNamespace(
        apply=lambda state, move: setattr(state, "path", move),
        parse=lambda state, line: line,
        terms=lambda state, seat: worths[int(state.path)],
    )
    assert themes(game, Toy(), [ComparedLine(str(line), 0.5) for line in range(len(worths))], number) == told


def test_ratings() -> None:
    """The more is solved, and by the weaker players, the lower; attempts make it surer."""
    hard, deviation = likeliest([(1200.0, 0.0, 8.0), (2000.0, 2.0, 8.0)])
    easy, _ = likeliest([(1200.0, 6.0, 8.0), (2000.0, 8.0, 8.0)])
    assert easy < 1200 < 1500 < hard
    assert likeliest([(1200.0, 0.0, 80.0), (2000.0, 20.0, 80.0)])[1] < deviation
    assert likeliest([])[0] == 1500


def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the log has is not looked at again; a torn last line is done again; another seed needs another file."""
    game, out = games.find("times_square"), tmp_path / "puzzles.json"
    asked: list[str] = []

    def search(game: str, seats: int, seed: int, texts: dict[str, str], name: str) -> runner.Searched:
        asked.append(name)
        return runner.Searched(name, [Position(Source(int(name), game=0), 0, {}, 9, 0.2)])

    monkeypatch.setattr(runner, "search_one", search)
    monkeypatch.setattr(runner, "judge_one", lambda game, seconds, position: Judged(f"0 {position.source.ply}"))
    told: list[tuple[str, int, int]] = []
    make_puzzles(game, out, number=1, seats=2, tick=lambda *given: told.append(given))
    assert told[-1] == ("positions", 1, 1)
    with (tmp_path / "puzzles.json.log").open("ab") as file:
        file.write(b'{"searched":')
    make_puzzles(game, out, number=2, seats=2)
    assert asked == ["0", "1"]
    assert b'"puzzles":[' in out.read_bytes()
    with pytest.raises(ValueError, match="another seed"):
        make_puzzles(game, out, number=2, seats=2, seed=1)
    log = out.with_name("puzzles.json.log")
    log.write_text(log.read_text("utf-8").replace('"rules":1', '"rules":2'), encoding="utf-8")
    with pytest.raises(ValueError, match=r"is of other rules, seats, .* choose another file"):
        make_puzzles(game, out, number=2, seats=2)


def test_make_command(tmp_path: Path) -> None:
    """It searches records and writes a file; records of another game are refused."""
    record, out = tmp_path / "one.game", str(tmp_path / "puzzles.json")
    record.write_text(finished("times_square").at(20).record(), "utf-8")
    options = ("--records", str(record), "--seconds", "0.001", "--out", out)
    done = omnibus("puzzles", "make", "times_square", *options)
    assert "0 puzzles in" in done
    assert "1 game or record in" in " ".join(done.split())
    promised = CliRunner().invoke(app, ["puzzles", "make", "times_square", *options, "--promise", "2"])
    assert promised.exit_code == 2
    assert "--promise" in promised.output
    refused = CliRunner().invoke(app, ["puzzles", "make", "bus", *options])
    assert isinstance(refused.exception, ValueError)


def test_check_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """It tells how many puzzles keep their solution; a game may have none, and an id may be of none."""
    name = SHIPPED[0][0]
    monkeypatch.setattr("omnibus.cli.puzzles.keeps_solution", lambda *given, **more: True)
    done = omnibus("puzzles", "check", name, "--sample", "1")
    assert "1 of 1 puzzles keep their solution" in " ".join(done.split())
    assert "nothing" in str(CliRunner().invoke(app, ["puzzle", name, "--id", "nothing"]).exception)
    for module, command in (("puzzle", ["puzzle"]), ("puzzles", ["puzzles", "check"])):
        monkeypatch.setattr(f"omnibus.cli.{module}.puzzles_of", lambda game: {})
        assert "no puzzles" in str(CliRunner().invoke(app, [*command, name]).exception)


def test_a_solution_is_checked(shipped: tuple[Game[Any], Puzzle]) -> None:
    """An exact one is solved again, another one looked at again."""
    match = finished("bus")
    game, state = match.game, choices(match)[-1]
    answer = solved(game, state)
    assert answer
    some, puzzle = shipped
    exact = replace(puzzle, exact=True, position=game.position(state), seat=state.actor, solution=answer.solution)
    assert keeps_solution(game, exact, seconds=0.0, seed=1)
    assert not keeps_solution(game, replace(exact, solution=["no such line"]), seconds=0.0, seed=1)
    impossible = replace(puzzle, exact=False, solution=["no such line"])
    assert not keeps_solution(some, impossible, seconds=TICKS / TIMES, seed=1, clock=ticking())


def omnibus(*arguments: str, say: str = "") -> str:
    """Run a command; return what it prints."""
    done = CliRunner().invoke(app, list(arguments), input=say)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_the_terminal(language: str, shipped: tuple[Game[Any], Puzzle]) -> None:
    """A wrong line is told so, the right one is explained; giving up shows the solution."""
    game, puzzle = shipped
    state = state_of(game, puzzle)
    wrong = next(line for line in map(partial(game.write, state), game.legal(state)) if line not in puzzle.solution)
    told = words(language, game.folder, str(Path(game.folder).parents[1])).gettext
    command = ("puzzle", game.name, "--id", puzzle.id, "--lang", language)
    done = omnibus(*command, say=f"nonsense\n{wrong}\n{puzzle.solution[0]}\n")
    for text in ("There is something much better. Try again.", "Right!"):
        assert " ".join(told(text).split()) in " ".join(done.split())
    given_up = omnibus(*command, say="quit\n")
    assert any(len(choice.turn) > 1 for choice in puzzle.choices)
    assert told("Then: {moves}").partition("{")[0] in given_up
    for text in ("This is the solution.", *(game.phrases[theme][0] for theme in puzzle.themes)):
        assert told(text) in " ".join(given_up.split())


def test_leaving_at_the_prompt(shipped: tuple[Game[Any], Puzzle], monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-D shows the solution below the prompt; Ctrl-C leaves with status 130 and shows nothing."""
    command = ["puzzle", shipped[0].name, "--id", shipped[1].id, "--lang", "en"]
    prompt = "quit shows the solution): \n"
    assert f"{prompt}This is the solution.\n" in omnibus(*command)
    monkeypatch.setattr("builtins.input", Mock(side_effect=KeyboardInterrupt))
    left = CliRunner().invoke(app, command)
    assert left.exit_code == 130
    assert left.output.endswith(prompt)


def test_long_turns_are_indented(shipped: tuple[Game[Any], Puzzle], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told of a line of the solution is indented also where it is broken."""
    game, puzzle = shipped
    monkeypatch.setattr("omnibus.cli.puzzle.turn_labels", lambda *given: ["Goes on " * 20] * 3)
    output = omnibus("puzzle", game.name, "--id", puzzle.id, "--lang", "en", say="quit\n")
    lines = [line for line in output.splitlines() if "Goes on" in line]
    assert len(lines) > 3 * len(puzzle.choices)
    assert all(re.match(r"[✓ ] +\d+% Goes| {7}\S", line) for line in lines)
    assert all(len(line) <= 80 for line in lines)
