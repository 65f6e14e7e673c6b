"""What another version of Omnibus wrote is refused in one sentence that says what to do, or is not used."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from omnibus import BadPosition, Match, games
from omnibus.bots import check_level
from omnibus.bots.weights import FOLDER
from omnibus.kernel.i18n import MessageError
from omnibus.kernel.record import BadRecord
from omnibus.lab.analysis.document import Analysis
from omnibus.lab.analysis.saved import load, saved
from omnibus.lab.puzzles.document import FILE as PUZZLES
from omnibus.lab.puzzles.document import puzzles_of
from support.command_line import omnibus

pytestmark = pytest.mark.uncompiled

GONE = "gone"
every_game = pytest.mark.parametrize("name", games.names())


@every_game
@pytest.mark.parametrize("other", [0, 2])
def test_records(name: str, other: int, tmp_path: Path) -> None:
    """A record names the version of its rules: with any other than today's it is refused, also by the command."""
    file = tmp_path / "other.game"
    file.write_text(Match.new(name, seed=1).record().replace("\nrules: 1\n", f"\nrules: {other}\n"), encoding="utf-8")
    sentence = (
        f"line 2: this game needs version {other} of the rules of {games.find(name).title}, but this Omnibus plays by "
        "version 1: use the version of Omnibus it was begun with"
    )
    with pytest.raises(BadRecord) as refused:
        Match.read(file.read_text("utf-8"))
    assert str(refused.value) == sentence
    answer = omnibus("replay", file)
    assert (answer.returncode, answer.stderr) == (2, f"omnibus: {file}: {sentence}\n")


@pytest.mark.parametrize(
    ("name", "change", "complaint"),
    [
        ("times_square", {"rules": 1}, "the position has an unknown key 'rules': remove it"),
        ("metromania", {"rules": 1}, "the position has an unknown key 'rules': remove it"),
        ("bus", {"edition": GONE}, "the position has no edition: add it"),
        ("bus", {"sticks": 25}, "sticks must be one of edition, unlimited, not 25"),
    ],
)
def test_positions_and_options(name: str, change: dict[str, Any], complaint: str) -> None:
    """A position in an older form is refused by what is wrong with it, and with what helps; so are older options."""
    changed = {**Match.new(name, dice=False).position(), **change}
    with pytest.raises(BadPosition) as refused:
        Match.from_position(name, {key: value for key, value in changed.items() if value != GONE})
    assert str(refused.value) == complaint
    with pytest.raises(MessageError, match=r"has no option 'rules'; it has:|(sticks|edition) may be '"):
        Match.new(name, options=change)


@pytest.mark.parametrize("change", [{"version": 0}, {"version": 2}, {"rules": 2}])
def test_saved_analyses(change: dict[str, int]) -> None:
    """An analysis of another format or of other rules is refused, whatever it is of."""
    match = Match.new("times_square", dice=False)
    nothing = Analysis(1, "times_square", 1, 2, 0.1, "hard", [], [], [0.5, 0.5], [0.5, 0.5])
    assert load(saved(nothing), match) == nothing
    with pytest.raises(MessageError) as refused:
        load(saved(msgspec.structs.replace(nothing, **change)), match)
    assert str(refused.value) == "this is not an analysis by this version of Omnibus: analyse the game again"


def _elsewhere(name: str, folder: Path) -> Any:
    """Return a game with a folder of its own."""
    return replace(games.find(name), folder=str(folder))


@pytest.mark.parametrize("change", [{"rules": 2}, {"numbering": 2}, {"seats": 3}, {"options": {}}])
def test_weights(change: dict[str, Any], tmp_path: Path) -> None:
    """A network for other rules, numbers, seats or options does not play: the strongest bot is named instead."""
    shutil.copytree(Path(games.find("times_square").folder) / FOLDER, tmp_path / FOLDER)
    for card in (tmp_path / FOLDER).glob("*.json"):
        card.write_text(json.dumps(json.loads(card.read_text("utf-8")) | change), encoding="utf-8")
    match = Match.new("times_square", seed=1)
    check_level("master", match.game, match.state)
    with pytest.raises(MessageError, match=r"has not learned to play with these rules.*the strongest bot is hard"):
        check_level("master", _elsewhere("times_square", tmp_path), match.state)


@pytest.mark.parametrize("change", [{"rules": 2}, {"version": 2}])
@every_game
def test_puzzles(name: str, change: dict[str, int], tmp_path: Path) -> None:
    """Puzzles that were made for other rules, or are written in another way, are not shown."""
    shipped = json.loads((Path(games.find(name).folder) / PUZZLES).read_text("utf-8"))
    (tmp_path / PUZZLES).write_text(json.dumps(shipped | change), encoding="utf-8")
    assert not puzzles_of(_elsewhere(name, tmp_path))
    assert puzzles_of(games.find(name))
