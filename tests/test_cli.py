"""The command `omnibus`, as people type it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from omnibus import Match
from omnibus.cli import main as program
from support.command_line import TERMINAL, omnibus

ENVIRONMENT = {**os.environ, **TERMINAL}


def unwrapped(text: str) -> str:
    """Take all white space out, as a long line may have been broken anywhere."""
    return "".join(text.split())


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    match = Match.new("times_square", seed=3)
    while match.actor is not None:
        match.play(match.lines()[0])
    path = tmp_path_factory.mktemp("records") / "played.game"
    path.write_text(match.record(), encoding="utf-8")
    return path


def test_bare_command_helps() -> None:
    """Called bare, it says what it offers."""
    answer = omnibus()
    said = answer.stdout + answer.stderr
    assert all(command in said for command in ("play", "replay", "draw", "perft", "simulate", "games", "verify"))
    assert omnibus("--version").stdout.startswith("omnibus 0.")


def test_the_command_with_the_distributions_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """`omnibus-games`, as `uvx` and `pipx run` know it, opens the page unless a command is named."""
    run: list[list[str]] = []
    monkeypatch.setattr(program, "app", run.append)
    monkeypatch.setattr(program, "_repair_streams", lambda: None)
    for typed in ("", "--port 0", "play bus", "--version"):
        monkeypatch.setattr(sys, "argv", ["omnibus-games", *typed.split()])
        with pytest.raises(SystemExit):
            program.open_page()
    assert [" ".join(each) for each in run] == ["serve", "serve --port 0", "play bus", "--version"]


def test_games() -> None:
    """The games with seats and options, and whether the core is compiled; the same in a process of its own."""
    answer = omnibus("games")
    command = [sys.executable, "-m", "omnibus", "games"]
    started = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, check=True)
    assert (answer.returncode, answer.stdout) == (0, started.stdout)
    assert "times_square" in answer.stdout
    assert "royal_visit" in answer.stdout
    assert "The core runs interpreted." in answer.stdout or "The core runs compiled." in answer.stdout


def test_play_by_lines_commands_and_mistakes(tmp_path: Path) -> None:
    """Lines, help, hint, undo, log, save; mistakes are explained and nothing is lost."""
    saved = tmp_path / "half.game"
    said = ["undo", "?", "hint", "nonsense", "999", "done", "drop", "1", "undo", "1", "log", "DONE", "1"]
    said += ["save", f"save {tmp_path}/no/where", f"save {saved}", "quit", ""]
    answer = omnibus("play", "times_square", "--seed", "4", "--seat", "1", "--opponent", "easy", say="\n".join(said))
    assert answer.returncode == 0, answer.stderr
    expected = ["There is nothing to undo.", "§1.5", "Your share of the win with each of the best moves:"]
    expected += ["There is no such move.", "(§3.4)", "Name a file: save FILE", "No such file or directory"]
    expected += [f"The record is in {saved}.", "Your turn: "]
    assert [text for text in expected if unwrapped(text) not in unwrapped(answer.stdout)] == []
    assert Match.read(saved.read_text(encoding="utf-8")).actor == 1


def test_play_at_one_keyboard_hides_hands() -> None:
    """Hot-seat: the keyboard is handed over, and each sees only the own hand."""
    answer = omnibus("play", "times_square", "--seed", "4", "--opponent", "none", say="Drop  SUE\ndone\n1\nquit\n")
    assert answer.returncode == 0, answer.stderr
    before, after = answer.stdout.split("It is Blue’s turn.")
    assert "Pink drops Sue 1." in before
    assert "Pink drops Sue 1." in after, "the other seat has not been told yet"
    assert "Pink draws a card." in after
    assert "Pink draws Sue 1." not in after


@pytest.mark.parametrize(("language", "word"), [("it", "mossa"), ("fr", "coup"), ("de", "Zug")])
def test_play_in_other_languages(language: str, word: str) -> None:
    """By option, or as the terminal is set."""
    by_option = omnibus("play", "times_square", "--seed", "4", "--lang", language, say="?\nq\n")
    by_terminal = omnibus("play", "times_square", "--seed", "4", say="?\nq\n", LANG=f"{language}_XX.UTF-8")
    assert word in by_option.stdout
    assert by_option.stdout == by_terminal.stdout


def test_record_is_kept_move_by_move(tmp_path: Path) -> None:
    """With --record nothing is lost, whatever ends the game; a place that cannot be written is told at once."""
    kept, game = tmp_path / "kept.game", ("play", "times_square", "--seed", "4", "--record")
    omnibus(*game, kept, "--seat", "1", say="1\n")
    assert Match.read(kept.read_text(encoding="utf-8")).plies[-1][0] == 1
    answer = omnibus(*game, kept, "--opponent", "random", say="1\n" * 400)
    assert answer.returncode == 0, answer.stderr
    assert "wins" in answer.stdout or "a draw" in answer.stdout
    assert Match.read(kept.read_text(encoding="utf-8")).outcome is not None
    answer = omnibus(*game, tmp_path / "no" / "where.game", say="1\n" * 200)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "where.game: No such file or directory" in answer.stderr


def test_odd_names_are_shown_as_they_are(record: Path, tmp_path: Path) -> None:
    """Names and file names that look like markup are neither lost nor fatal."""
    odd = tmp_path / "odd.game"
    text = record.read_text(encoding="utf-8").replace("seats: 2\n", 'seats: 2\nnames: ["[/b]", "[red]Ann"]\n')
    odd.write_text(text, encoding="utf-8")
    answer = omnibus("replay", odd)
    assert answer.returncode == 0, answer.stderr
    assert "[/b]" in answer.stdout
    assert "[red]Ann" in answer.stdout
    saved = tmp_path / "[red]x.game"
    played = omnibus("play", "times_square", "--seed", "4", say=f"save {saved}\nsave a\0b\nq\n")
    assert played.returncode == 0, played.stderr
    assert "[red]x.game." in unwrapped(played.stdout)
    assert saved.exists()


def test_closed_streams() -> None:
    """Without standard input a game is left at once; without standard output it goes nowhere. No traceback."""
    for closed in ("<&-", ">&-"):
        command = ["sh", "-c", f"{sys.executable} -m omnibus play times_square {closed}"]
        answer = subprocess.run(command, input="q\n", capture_output=True, text=True, env=ENVIRONMENT, check=False)
        assert answer.returncode == 0, answer.stderr
        assert "Traceback" not in answer.stderr


def test_replay(record: Path) -> None:
    """The log and the board, whole or up to a ply, as a spectator or a seat."""
    whole = omnibus("replay", record)
    assert whole.returncode == 0, whole.stderr
    assert "wins" in whole.stdout
    assert "draws a card." in whole.stdout
    early = omnibus("replay", record, "--ply", "3", "--seat", "0")
    assert "draws a card." not in early.stdout
    assert "Blue is dealt cards." in early.stdout


def test_verify(record: Path, tmp_path: Path) -> None:
    """Exit code 0 and what was checked for an honest record; 1 and the first wrong line for another."""
    answer, text, wrong = omnibus("verify", record), record.read_text(encoding="utf-8"), tmp_path / "wrong.game"
    rolls = sum(" #" in line for line in text.splitlines())
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.startswith("The dice are verified.\nThe SHA-256 of the seed is the commitment.\n")
    assert f"{rolls} rolls were repeated from the seed" in answer.stdout
    assert f"Seed  {3:064x}\n" in answer.stdout
    assert "I dadi sono verificati." in omnibus("verify", record, "--lang", "it").stdout
    for honest, false, said in (
        (" #5\n", " #4\n", "The dice are not verified.\nLine 13: roll 4 comes after roll 4"),
        (f'seed: "{3:064x}"\n', "", "does not reveal the seed"),
    ):
        wrong.write_text(text.replace(honest, false), encoding="utf-8")
        answer = omnibus("verify", wrong)
        assert answer.returncode == 1, answer.stderr
        assert said in answer.stdout


def test_draw(record: Path, tmp_path: Path) -> None:
    """A picture of any ply, for any seat, to standard output or to a file, but not over the record."""
    picture = tmp_path / "out.svg"
    answer = omnibus("draw", record, "--ply", "20", "--seat", "0", "-o", picture)
    assert (answer.returncode, answer.stdout) == (0, "")
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    assert omnibus("draw", record, "--ply", "20", "--seat", "0").stdout.strip() == picture.read_text().strip()
    assert omnibus("draw", record, "-o", record).returncode == 2
    assert Match.read(record.read_text(encoding="utf-8")).outcome is not None


def test_simulate(tmp_path: Path) -> None:
    """Statistics of many games, the same for the same seed; `--option NAME=@FILE` reads a JSON document."""
    edition = tmp_path / "edition.json"
    edition.write_text('"royal_visit"')
    command = ("simulate", "times_square", "--games", "40", "--seed", "5", "--option")
    one, two = (omnibus(*command, f"edition={chosen}") for chosen in ("royal_visit", f"@{edition}"))
    assert one.returncode == 0, one.stderr
    assert "40 games" in one.stdout
    assert "ended by" in one.stdout
    assert one.stdout.splitlines()[:-1] == two.stdout.splitlines()[:-1]
    mixed = omnibus("simulate", "times_square", "--games", "5", "--bots", "easy,random")
    assert "seat 0 (easy) wins" in mixed.stdout


def test_perft(tmp_path: Path) -> None:
    """Counts from the start or from a position, whole or split."""
    position = tmp_path / "position.json"
    position.write_text(json.dumps(Match.new("times_square", dice=False).position()))
    assert "334 nodes at depth 3" in omnibus("perft", "times_square", "3").stdout
    answer = omnibus("perft", "times_square", "2", "--position", position, "--split")
    assert "side 0: 13" in answer.stdout
    assert "26 nodes at depth 2" in answer.stdout


MISTAKES = [
    (("play", "chess"), "there is no game 'chess'; there are: "),
    (("play", "times_square", "--seats", "4"), "2 seats"),
    (("play", "times_square", "--seat", "2"), "there is no seat 2"),
    (("play", "times_square", "--opponent", "oracle"), "there is no bot 'oracle'"),
    (("play", "times_square", "--option", "edition"), "an option is NAME=VALUE"),
    (("play", "times_square", "--option", "edition=deluxe"), "royal_visit"),
    (("play", "times_square", "--option", "edition=@none.json"), "none.json: No such file or directory"),
    (("play", "times_square", "--option", f"edition=@{__file__}"), f"{__file__}: this is not JSON"),
    (("play", "times_square", "--option", "x=y"), "has no option 'x'"),
    (("play", "times_square", "--lang", "xx"), "there is no language 'xx'"),
    (("play", "times_square", "--seed", "-1"), "a seed is"),
    (("replay", "missing.game"), "missing.game: No such file or directory"),
    (("replay", "."), "Is a directory"),
    (("draw", sys.executable), f"{sys.executable}: this is not text"),
    (("perft", "times_square", "2", "--position", "x.json", "--seats", "2"), "leave out --seats and --option"),
    (("draw", __file__), "line 1: "),
    (("verify", __file__), "line 1: "),
    (("verify", "missing.game"), "missing.game: No such file or directory"),
    (("verify", sys.executable), "this is not text"),
    (("verify", "missing.game", "--lang", "xx"), "there is no language 'xx'"),
    (("perft", "chess", "2"), "there is no game"),
    (("perft", "times_square", "2", "--position", __file__), "this is not JSON"),
    (("simulate", "times_square", "--bots", "random,random,random"), "there are 2 seats, but 3 bots"),
    (("simulate", "times_square", "--bots", "oracle"), "there is no bot 'oracle'"),
]


@pytest.mark.parametrize(("arguments", "sentence"), MISTAKES, ids=lambda value: " ".join(value)[:40])
def test_mistakes_end_with_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    """Bad files, unknown games and wrong values: one sentence, exit code 2, no traceback."""
    answer = omnibus(*arguments)
    assert answer.returncode == 2
    assert sentence in answer.stderr
    assert len(answer.stderr.strip().splitlines()) == 1


def test_illegal_line_in_a_record(record: Path, tmp_path: Path) -> None:
    """A record with an illegal line is refused by number and reason; so is a ply it does not have."""
    broken = tmp_path / "broken.game"
    text = record.read_text(encoding="utf-8")
    first = next(line for line in text.splitlines() if line.startswith(("0 ", "1 ")))
    broken.write_text(text.replace(first, first[0] + " done", 1), encoding="utf-8")
    answer = omnibus("replay", broken)
    assert answer.returncode == 2
    assert "broken.game: line 26: done: Do something before you end your turn (§3.4)" in answer.stderr
    beyond = omnibus("replay", record, "--ply", "9999")
    assert beyond.returncode == 2
    assert "the record has plies 0 to" in beyond.stderr


def test_mistakes_are_explained_in_the_readers_language(record: Path, tmp_path: Path) -> None:
    """By option, or as the terminal is set: in records, in positions, and in what a game itself finds wrong."""
    broken, position = tmp_path / "broken.game", tmp_path / "position.json"
    broken.write_text(record.read_text("utf-8").replace("seats: 2\n", "seats: 2\nseats: 2\n"), encoding="utf-8")
    for command in ("replay", "draw", "verify"):
        told = f"omnibus: {broken}: riga 4: l’intestazione seats compare due volte\n"
        assert omnibus(command, broken, "--lang", "it") == (2, "", told)
    assert "Zeile 4: die Kopfzeile seats steht zweimal da" in omnibus("replay", broken, LANG="de_DE.UTF-8").stderr
    position.write_text(json.dumps(Match.new("times_square").position() | {"hands": 1}), encoding="utf-8")
    wrong = omnibus("perft", "times_square", "1", "--position", position, LANG="de_DE.UTF-8")
    assert wrong == (2, "", f"omnibus: {position}: hands muss eine Liste von zwei Kartenlisten sein\n")
    strict = omnibus("perft", "metromania", "1", "--option", "town_hall=strict", LANG="fr_FR.UTF-8")
    assert strict.stderr == "omnibus: town_hall\u00a0: strict est pour quatre joueurs (§3.3)\n"
