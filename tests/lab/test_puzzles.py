"""Puzzles: those that come with the games, and how they are found, solved exactly, rated and kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from omnibus import Match, games
from omnibus.bots import bot
from omnibus.bots.search import node
from omnibus.cli.main import app
from omnibus.kernel.game import CHANCE, OVER, Game
from omnibus.kernel.i18n import LANGUAGES, words
from omnibus.lab.puzzles import look as looking
from omnibus.lab.puzzles import runner, sieve
from omnibus.lab.puzzles.check import faults, keeps_solution
from omnibus.lab.puzzles.document import ComparedLine, Puzzle, Source, puzzles_of, state_of
from omnibus.lab.puzzles.exact import solve
from omnibus.lab.puzzles.look import Look, Tried, look
from omnibus.lab.puzzles.maker import TIMES, Judged, clear, make, solved, themes
from omnibus.lab.puzzles.rating import likeliest
from omnibus.lab.puzzles.runner import make_puzzles
from omnibus.lab.puzzles.sieve import Position, begins_turn, endings, promise, recorded, solutions

SHIPPED = [(name, key) for name in games.names() for key in puzzles_of(games.find(name))]
TICKS = 3.0  # a look so long by `ticking` takes a fraction of a second


def ticking() -> Callable[[], float]:
    """Return a clock that counts how often it is asked: what is limited by it is the same every time."""
    ticks = count()
    return lambda: float(next(ticks))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let looks compare fewer lines in fewer deals, and searches be short."""
    for name, number in {"REDEALS": 8, "GROUPS": 2, "COMPARED": 3, "SLICE": 10, "WIDTH": 1}.items():
        monkeypatch.setattr(looking, name, number)
    for name, number in {"SIMULATIONS": 10, "QUICK": 10, "ENDINGS": 1, "POSITIONS": 300}.items():
        monkeypatch.setattr(sieve, name, number)


@cache
def finished(name: str, seed: int = 1) -> Match:
    """A finished game of random moves."""
    match = Match.new(name, seed=seed)
    player = bot("random", match.game, seed=seed)
    while isinstance(match.actor, int):
        match.play(player(match.view(match.actor)))
    return match


def a_turn(name: str) -> tuple[Game[Any], Position]:
    """A position in the second half of a game with as many lines as any there, the first of them."""
    match = finished(name)
    game, states = match.game, match.states
    decisions = [ply for ply, (actor, _) in enumerate(match.plies) if isinstance(actor, int)]
    ply = max(decisions[len(decisions) // 2 :], key=lambda ply: len(game.legal(states[ply])))
    state = states[ply]
    return game, Position(Source(ply, game=0), state.actor, game.position(state), match.length - ply, 0.2)


def first_shipped() -> tuple[Game[Any], Puzzle]:
    name, key = SHIPPED[0]
    return games.find(name), puzzles_of(games.find(name))[key]


@pytest.mark.parametrize(("name", "key"), SHIPPED)
def test_shipped_puzzles(name: str, key: str) -> None:
    """Each is a position of today's rules with legal lines; its solution is the best lines, and not all of them."""
    game = games.find(name)
    assert faults(game, puzzles_of(game)[key]) == []


def test_there_are_puzzles() -> None:
    """They were made for today's rules: others would not be shown. No id stands for two."""
    assert SHIPPED
    assert len({key for _, key in SHIPPED}) == len(SHIPPED)


def test_faults_are_found() -> None:
    """A puzzle whose data do not fit together is recognized."""
    game, puzzle = first_shipped()
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
    monkeypatch.setattr("omnibus.lab.puzzles.maker.GAP", -1.0)
    monkeypatch.setattr("omnibus.lab.puzzles.maker.solutions", lambda shares: 1)
    monkeypatch.setattr("omnibus.lab.puzzles.maker.rate", lambda *given, **more: (1500, 100))
    monkeypatch.setattr("omnibus.lab.puzzles.maker.TIMES", 1)
    monkeypatch.setattr("omnibus.lab.puzzles.maker.SECOND", 1)
    game, position = a_turn(name)
    view = game.view(game.place(position.document), position.seat)
    redealt = replace(position, document=game.position(game.redeal(view, Random(7).randrange)))
    first = make(game, position, seconds=TICKS, clock=ticking())
    assert first == make(game, redealt, seconds=TICKS, clock=ticking())
    if first.puzzle:
        assert game.view(state_of(game, first.puzzle), position.seat) == view


@pytest.mark.parametrize("name", games.names())
def test_a_look_compares_lines(name: str) -> None:
    """The best lines come first, each with a share and an error."""
    game, position = a_turn(name)
    view = game.view(game.place(position.document), position.seat)
    found = look(game, view, seconds=TICKS, seed="1", clock=ticking())
    shares = [each.share for each in found.tried]
    assert shares == sorted(shares, reverse=True)
    assert 2 <= len(shares) <= looking.COMPARED
    assert all(0 <= each.share <= 1 and each.error >= 0 for each in found.tried)
    assert {each.move for each in found.tried} <= set(game.legal(found.state))
    assert found.error(found.tried[0], found.tried[1]) >= 0


def test_solutions() -> None:
    """The lines above the first large gap; none where there is no gap, or where too many are good."""
    assert solutions([0.9, 0.5, 0.4]) == 1
    assert solutions([0.9, 0.85, 0.6, 0.1]) == 2
    assert solutions([0.9, 0.8, 0.7, 0.6]) == 0
    assert solutions([0.9] * 5 + [0.1]) == 0
    assert solutions([0.9]) == 0


def test_the_end_is_solved_exactly() -> None:
    """Just before the end everything that can follow is calculated, and explained; an earlier position is too large."""
    match = finished("bus")
    game = match.game
    state = next(state for state in reversed(match.states) if state.actor >= 0 and len(game.legal(state)) > 1)
    found, answer = solve(game, state, 10_000), solved(game, state)
    assert found
    assert answer
    assert answer.exact
    best = max(shares[state.actor] for shares in found.shares.values())
    assert answer.choices[0].share == pytest.approx(best, abs=0.001)
    assert all(each.turn[0] == each.line for each in answer.choices)
    assert solve(game, match.states[0], 100) is None


class Toy:
    """A state of a toy game: seat 0 chooses, then chance or seat 1 acts, as a table says."""

    seats = 3

    def __init__(self, path: str = "") -> None:
        self.path = path

    @property
    def actor(self) -> int:
        return {"": 0, "b": CHANCE, "c": 1}.get(self.path, OVER)

    def clone(self) -> Toy:
        return Toy(self.path)


def test_chance_is_weighed_and_ties_are_shared() -> None:
    """Chance counts by its weights; a seat that does not care between two lines takes each half the time."""
    ends = {"a": [0.5, 0.5, 0.0], "bx": [1.0, 0.0, 0.0], "by": [0.0, 0.0, 1.0], "cx": [0.2, 0.8, 0.0]}
    ends["cy"] = [0.0, 0.8, 0.2]
    lines = {"": "abc", "b": "xy", "c": "xy"}
    toy: Any = SimpleNamespace(
        legal=lambda state: [ord(letter) for letter in lines.get(state.path, "")],
        chances=lambda state: [(ord("x"), 3), (ord("y"), 1)],
        apply=lambda state, move: setattr(state, "path", state.path + chr(move)),
        judge=lambda state: ends.get(state.path, [0.5, 0.5, 0.0]),
        position=lambda state: {"path": state.path},
    )
    found = solve(toy, Toy(), 100)
    assert found is not None
    assert {chr(move): shares for move, shares in found.shares.items()} == {
        "a": [0.5, 0.5, 0.0],
        "b": [0.75, 0.0, 0.25],
        "c": pytest.approx([0.1, 0.8, 0.1]),
    }


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


@pytest.mark.parametrize("name", ["bus", "metromania"])
def test_shortcuts_change_nothing(name: str) -> None:
    """Solving each position once, and stopping at a sure win, gives what a walk through everything gives."""
    match = finished(name)
    game = match.game
    last = [state for state in match.states if state.actor >= 0 and len(game.legal(state)) > 1][-4:]
    for state in last:
        if found := solve(game, state, 60):
            best = max(found.shares.values(), key=lambda shares: shares[state.actor])
            assert best[state.actor] == pytest.approx(walked(state, game)[state.actor])
            for move, shares in found.shares.items():
                assert shares == pytest.approx(walked(found.solver.after(state, move), game))


def compared(*shares: float, spread: float = 0.0) -> Look:
    """A look at lines with these shares, which differ by so much between the groups."""
    groups = [spread, -spread]
    tried = [Tried(n, node(-1, 0.0, 2), [], [[share + each for each in groups]] * 4) for n, share in enumerate(shares)]
    for n, each in enumerate(tried):  # not alike for all lines: differences would have no error
        each.rounds = [row[:: (-1) ** n] for row in each.rounds]
    return Look(None, tried)


def test_what_is_clear() -> None:
    """A gap far above 15 points is a puzzle, no gap is none; what is near, or uncertain, is looked at for longer."""
    assert clear(compared(0.9, 0.5, 0.4)) is True
    assert clear(compared(0.9, 0.88, 0.5)) is True
    assert clear(compared(0.9, 0.87, 0.84, 0.81, 0.78)) is False
    assert clear(compared(0.9, 0.73, 0.4)) is None
    assert clear(compared(0.9, 0.78, 0.4)) is None
    assert clear(compared(0.9, 0.5, 0.4, spread=0.1)) is None


def test_endings_are_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other endings of an open game are played and solved; where something is hidden, none are."""
    monkeypatch.setattr(sieve, "solutions", lambda shares, gap=0.0: 1)
    match = finished("metromania")
    found = endings(match, Source(0, seed=1, game=0))
    assert 0 < len(found) <= sieve.KEPT
    assert len({(each.source.ending, each.source.ply) for each in found}) == len(found)
    for each in found:
        assert each.left <= sieve.ENDGAME
        assert match.game.place(each.document).actor == each.seat
    assert found == endings(match, Source(0, seed=1, game=0))
    assert endings(finished("times_square"), Source(0, seed=1, game=0)) == []


class Place(SimpleNamespace):
    """A state that is only a line."""

    def clone(self) -> Place:
        return Place(**vars(self))


def of_terms(**worths: dict[str, float]) -> tuple[Game[Any], Any, list[ComparedLine]]:
    """A game in which each line leads to these terms, a state, and its lines."""

    def play(state: Place, line: str) -> None:
        state.line = line

    game = SimpleNamespace(apply=play, parse=lambda state, line: line, terms=lambda state, seat: worths[state.line])
    return game, Place(actor=0), [ComparedLine(line, 0.5) for line in worths]  # type: ignore[return-value]


def test_themes() -> None:
    """They are what all lines of the solution have over the others; a small difference counts if there is no other."""
    lines = {"a": {"due": 0.0, "time": 0.3}, "b": {"due": 0.8, "time": 0.3}, "c": {"due": 0.1, "time": 0.0}}
    assert themes(*of_terms(**lines), 2) == ["due", "time"]
    small = {"a": {"due": 0.0, "time": 0.01}, "b": {"due": 0.8, "time": 0.0}}
    assert themes(*of_terms(**small), 1) == ["time"]
    assert themes(*of_terms(a={"due": 0.001}, b={"due": 0.0}), 1) == []


@pytest.mark.parametrize("name", games.names())
def test_shipped_puzzles_have_themes(name: str) -> None:
    """Nearly all of them; what the evaluation does not see has no name."""
    shipped = puzzles_of(games.find(name)).values()
    assert sum(not puzzle.themes for puzzle in shipped) <= 0.1 * len(shipped)


def test_ratings() -> None:
    """The more is solved, and by the weaker players, the lower; attempts make it surer."""
    hard, deviation = likeliest([(1200.0, 0.0, 8.0), (2000.0, 2.0, 8.0)])
    easy, _ = likeliest([(1200.0, 6.0, 8.0), (2000.0, 8.0, 8.0)])
    assert easy < 1200 < 1500 < hard
    assert likeliest([(1200.0, 0.0, 80.0), (2000.0, 20.0, 80.0)])[1] < deviation
    assert likeliest([])[0] == 1500


def test_turns_begin() -> None:
    """A turn begins when somebody else has decided last, whatever chance did."""
    assert begins_turn([], 0)
    assert begins_turn([(1, "a"), ("chance", "b")], 0)
    assert not begins_turn([(1, "a"), (0, "b"), ("chance", "c")], 0)


def test_forced_moves_are_no_puzzles() -> None:
    """With a few lines there is nothing to find."""
    match = finished("times_square")
    game = match.game
    forced = next(state for state in match.states if state.actor >= 0 and len(game.legal(state)) < sieve.LEAST_LINES)
    assert not promise(game, forced, [])


def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the log has is not looked at again; a torn last line is done again; another seed needs another file."""
    game, out = games.find("times_square"), tmp_path / "puzzles.json"
    asked: list[str] = []
    monkeypatch.setattr(runner, "search_one", lambda game, seats, seed, texts, name: _found(asked, name))
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


def _found(asked: list[str], name: str) -> runner.Searched:
    asked.append(name)
    return runner.Searched(name, [Position(Source(int(name), game=0), 0, {}, 9, 0.2)])


def test_records_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions of a record at the beginning of turns, wherever a short search sees something."""
    monkeypatch.setattr(sieve, "HINT", 0.01)
    match = finished("times_square").at(40)
    found = recorded(match.record(), seed=1)
    assert all(begins_turn(match.plies[: each.source.ply], each.seat) for each in found)
    assert all(match.game.position(match.states[each.source.ply]) == each.document for each in found)


def test_make_command(tmp_path: Path) -> None:
    """It searches records and writes a file; records of another game are refused."""
    record = tmp_path / "one.game"
    record.write_text(finished("times_square").at(20).record(), "utf-8")
    command = ["puzzles", "make", "times_square", "--records", str(record), "--seconds", "0.001"]
    done = CliRunner().invoke(app, [*command, "--out", str(tmp_path / "puzzles.json")])
    assert done.exit_code == 0, done.output
    assert "0 puzzles in" in done.output
    assert "1 game or record in" in " ".join(done.output.split())
    promised = CliRunner().invoke(app, [*command, "--out", str(tmp_path / "other.json"), "--promise", "2"])
    assert promised.exit_code == 2
    assert "--promise" in promised.output
    command[2] = "bus"
    refused = CliRunner().invoke(app, [*command, "--out", str(tmp_path / "other.json")])
    assert isinstance(refused.exception, ValueError)


def test_check_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """It tells how many puzzles keep their solution."""
    monkeypatch.setattr("omnibus.cli.puzzles.keeps_solution", lambda *given, **more: True)
    name = SHIPPED[0][0]
    done = CliRunner().invoke(app, ["puzzles", "check", name, "--sample", "1"])
    assert "1 of 1 puzzles keep their solution" in " ".join(done.output.split())


def test_a_solution_is_checked() -> None:
    """An exact one is solved again, another one looked at again."""
    match = finished("bus")
    game = match.game
    state = next(state for state in reversed(match.states) if state.actor >= 0 and len(game.legal(state)) > 1)
    answer = solved(game, state)
    assert answer
    some, puzzle = first_shipped()
    exact = replace(puzzle, exact=True, position=game.position(state), seat=state.actor, solution=answer.solution)
    assert keeps_solution(game, exact, seconds=0.0, seed=1)
    assert not keeps_solution(game, replace(exact, solution=["no such line"]), seconds=0.0, seed=1)
    impossible = replace(puzzle, exact=False, solution=["no such line"])
    assert not keeps_solution(some, impossible, seconds=TICKS / TIMES, seed=1, clock=ticking())


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_the_terminal(language: str) -> None:
    """A wrong line is told so, the right one is explained; giving up shows the solution."""
    game, puzzle = first_shipped()
    state = state_of(game, puzzle)
    legal = [game.write(state, move) for move in game.legal(state)]
    wrong = next(line for line in legal if line not in puzzle.solution)
    told = words(language, game.folder, str(Path(game.folder).parents[1]))
    command = ["puzzle", game.name, "--id", puzzle.id, "--lang", language]
    done = CliRunner().invoke(app, command, input=f"nonsense\n{wrong}\n{puzzle.solution[0]}\n")
    assert done.exit_code == 0, done.output
    for text in ("There is something much better. Try again.", "Right!"):
        assert " ".join(told.gettext(text).split()) in " ".join(done.output.split())
    given_up = CliRunner().invoke(app, command, input="quit\n").output
    assert told.gettext("This is the solution.") in " ".join(given_up.split())
    assert any(len(choice.turn) > 1 for choice in puzzle.choices)
    assert told.gettext("Then: {moves}").partition("{")[0] in given_up
    assert all(told.gettext(game.phrases[theme][0]) in " ".join(given_up.split()) for theme in puzzle.themes)


def test_leaving_at_the_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-D shows the solution below the prompt; Ctrl-C leaves with status 130 and shows nothing."""
    game, puzzle = first_shipped()
    command = ["puzzle", game.name, "--id", puzzle.id, "--lang", "en"]
    prompt = "quit shows the solution): \n"
    given_up = CliRunner().invoke(app, command, input="")
    assert given_up.exit_code == 0
    assert f"{prompt}This is the solution.\n" in given_up.output

    def interrupted() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    left = CliRunner().invoke(app, command)
    assert left.exit_code == 130
    assert left.output.endswith(prompt)


def test_long_turns_are_indented(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told of a line of the solution is indented also where it is broken."""
    game, puzzle = first_shipped()
    turn = ["Goes on " * 20] * 3
    monkeypatch.setattr("omnibus.cli.puzzle.turn_labels", lambda *given: turn)
    output = CliRunner().invoke(app, ["puzzle", game.name, "--id", puzzle.id, "--lang", "en"], input="quit\n").output
    lines = [line for line in output.splitlines() if "Goes on" in line]
    assert len(lines) > 3 * len(puzzle.choices)
    assert all(re.match(r"[✓ ] +\d+% Goes| {7}\S", line) for line in lines)
    assert all(len(line) <= 80 for line in lines)


def test_no_such_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names it, or says that the game has none."""
    name = SHIPPED[0][0]
    assert "nothing" in str(CliRunner().invoke(app, ["puzzle", name, "--id", "nothing"]).exception)
    monkeypatch.setattr("omnibus.cli.puzzle.puzzles_of", lambda game: {})
    monkeypatch.setattr("omnibus.cli.puzzles.puzzles_of", lambda game: {})
    assert "no puzzles" in str(CliRunner().invoke(app, ["puzzle", name]).exception)
    assert "no puzzles" in str(CliRunner().invoke(app, ["puzzles", "check", name]).exception)
