"""`Match`: playing, undoing, views, positions and records."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random
from typing import Any

import pytest

import omnibus
from omnibus import BadNotation, BadPosition, IllegalMove, Match, games
from omnibus.kernel.past_states import EVERY

pytestmark = pytest.mark.engine


def begun(**facts: Any) -> Match:
    """A match in which the first seat is about to act."""
    return Match.new("times_square", seed=7, **facts)


def with_dice_played(match: Match, decisions: int) -> Match:
    for _ in range(decisions):
        match.play(match.lines()[0])
    return match


def test_dice_roll_chance_by_themselves() -> None:
    """With dice the actor is never chance, and the same seed gives the same game."""
    match = begun()
    assert match.actor in (0, 1)
    assert [actor for actor, _ in match.plies] == ["chance"] * 17
    assert begun().plies == match.plies
    assert Match.new("times_square", seed=8).plies != match.plies


def test_a_fresh_seed_is_a_new_game() -> None:
    """Without a seed no two matches are alike."""
    assert len({Match.new("times_square").plies for _ in range(5)}) == 5


def test_without_dice_chance_is_played_by_hand() -> None:
    """With dice=False chance is an actor whose lines are played like any other."""
    match = Match.new("times_square", dice=False)
    assert match.actor == "chance"
    match.play("side 1")
    match.play("draw sue")
    assert match.plies == (("chance", "side 1"), ("chance", "draw sue"))


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: Match.new("chess"), "times_square"),
        (lambda: Match.new("times_square", seats=3), "2"),
        (lambda: Match.new("times_square", seats=True), "2"),
        (lambda: Match.new("times_square", options={"colour": 1}), "edition"),
        (lambda: Match.new("times_square", options={"edition": "deluxe"}), "royal_visit"),
        (lambda: Match.new("times_square", options={"edition": None}), "royal_visit"),
        (lambda: Match.new("times_square", options={"edition": ["times_square"]}), "royal_visit"),
        (lambda: Match.new("times_square", seed=-1), "2**256"),
        (lambda: Match.new("times_square", seed=2**256), "2**256"),
        (lambda: Match.new("times_square", seed=True), "2**256"),
        (lambda: begun().view(2), "0 to 1"),
        (lambda: begun().svg(-1), "0 to 1"),
        (lambda: begun().at(18), "0 to 17"),
    ],
)
def test_wrong_arguments_name_what_is_allowed(call: Any, named: str) -> None:
    """Unknown games, seats, options, values, seeds and seats are ValueErrors that tell what there is."""
    with pytest.raises(ValueError, match=named.replace("*", r"\*")):
        call()


def test_illegal_and_nonsense_leave_the_match_alone() -> None:
    """After IllegalMove or BadNotation nothing has changed; the refusal says why, in words and with its §."""
    match = begun()
    before = match.record()
    with pytest.raises(IllegalMove) as caught:
        match.play("done")
    refusal = caught.value.refusal
    assert (refusal.code, refusal.section) == ("nothing-done", "§3.4")
    assert refusal.reason == "Do something before you end your turn"
    assert str(caught.value) == "done: Do something before you end your turn (§3.4)"
    nonsense: list[Any] = ["", "done ", "DONE", "sue", "sue up", None, 3, ["done"]]
    for line in nonsense:
        with pytest.raises(BadNotation):
            match.play(line)
    assert match.record() == before


def test_chance_lines_are_not_for_seats() -> None:
    """With dice nobody plays chance."""
    with pytest.raises(IllegalMove):
        begun().play("draw sue")


def test_undo_without_dice_undoes_one_line() -> None:
    """Without dice undo takes back the last line, chance or not."""
    match = Match.new("times_square", dice=False)
    match.play("side 1")
    match.play("draw sue")
    match.undo()
    assert match.plies == (("chance", "side 1"),)
    match.undo()
    assert match.lines() == ["side 0", "side 1"]
    with pytest.raises(ValueError, match="nothing to undo"):
        match.undo()


def test_undo_with_dice_goes_back_to_the_last_decision() -> None:
    """With dice undo takes back everything since and including the last decision of a seat; rolls are never reused."""
    match = begun()
    start = match.position()
    with pytest.raises(ValueError, match="nothing to undo"):
        match.undo()
    drop = next(line for line in match.lines() if line.startswith("drop"))
    match.play(drop)
    dropped = match.position()
    match.play("done")
    assert match.position()["seat"] != start["seat"]
    match.undo()
    assert match.position() == dropped
    match.play("done")
    rolls = [line.rsplit("#")[1] for line in match.record().splitlines() if "#" in line]
    assert rolls[-1] == "19"  # 17 for the start, one taken back, one more
    match.undo()
    match.undo()
    assert match.position() == start


def test_state_of_the_past() -> None:
    """`at` shows the match after so many plies, `states` every state, and neither disturbs the present."""
    match = with_dice_played(begun(), 5)
    now = match.position()
    early = match.at(3)
    assert len(early.plies) == 3
    assert early.position() == match.game.position(match.states[3])
    early.play(early.lines()[0])
    assert match.position() == now
    assert match.at(len(match.plies)).record() == match.record()


@pytest.mark.parametrize("name", games.names())
def test_states_of_long_games_are_played_again(name: str) -> None:
    """Few are kept; all are as they were, in whatever order somebody asks, also after undoing far back."""
    match, random, positions = Match.new(name, seed=5), Random(5), []
    while match.actor is not None and match.length < 3 * EVERY:
        match.play(random.choice(match.lines()))
    replayed = Match.read(match.record()).at(0)
    for _, line in match.plies:
        positions.append(match.game.position(replayed.state))
        replayed.play(line)
    positions.append(match.position())
    assert [match.game.position(state) for state in match.states] == positions
    for ply in random.sample(range(len(positions)), len(positions)):
        assert match.game.position(match.states[ply]) == positions[ply]
    assert match.game.position(match.states[-2]) == positions[-2]
    assert [match.game.position(state) for state in match.states[3:9:2]] == positions[3:9:2]
    decisions = sum(actor != "chance" for actor, _ in match.plies)
    for _ in range(min(12, decisions - 1)):
        match.undo()
        assert match.position() == positions[match.length]
    match.play(match.lines()[0])
    assert len(match.states) == match.length + 1
    assert match.game.position(match.states[match.length - 1]) == positions[match.length - 1]


def test_view_shows_the_record_as_the_seat_saw_it() -> None:
    """Draws of the other seat stand in a view as `draw ?`; a spectator sees none."""
    match = begun()
    deal = [line for _, line in match.plies[1:]]
    hidden = ["draw ?"] * 8
    assert [line for _, line in match.view(0)["plies"][1:]] == deal[:8] + hidden
    assert [line for _, line in match.view(1)["plies"][1:]] == hidden + deal[8:]
    assert [line for _, line in match.view(None)["plies"][1:]] == hidden + hidden
    assert json.loads(json.dumps(match.view(0))) == match.view(0)


def test_outcome_only_at_the_end() -> None:
    """There is no outcome while a game goes on; then it says why, with scores and winners."""
    match = begun()
    assert match.outcome is None
    match = with_dice_played(match, 0)
    while match.actor is not None:
        match.play(match.lines()[-1])
    outcome = match.outcome
    assert outcome is not None
    assert outcome.reason in ("sue", "charlie", "supply-sue", "supply-charlie", "draw")
    assert len(outcome.scores) == match.seats
    assert outcome.tie_break is None
    assert match.lines() == []


def test_from_position_continues_with_dice() -> None:
    """A position in mid-refill is rolled on at once when there are dice, and not when there are none."""
    match = begun()
    match.play(next(line for line in match.lines() if line.startswith("drop")))
    by_hand = Match.from_position("times_square", match.position(), dice=False)
    by_hand.play("done")
    document = by_hand.position()
    assert document["step"] == "refill"
    assert Match.from_position("times_square", document, dice=False).actor == "chance"
    rolled = Match.from_position("times_square", document, seed=3)
    assert rolled.actor == 1 - document["seat"]
    assert Match.read(rolled.record()).position() == rolled.position()
    with pytest.raises(BadPosition):
        Match.from_position("times_square", {})


def test_moves_by_number() -> None:
    """A move can be played by its number: the same as its line, refused for the same reason."""
    match, other = begun(), begun()
    move = match.game.legal(match.state)[0]
    match.play_move(move)
    other.play(other.lines()[0])
    assert match.record() == other.record()
    wrong = next(
        number for number in range(match.game.space(match.state)[0]) if number not in match.game.legal(match.state)
    )
    with pytest.raises(IllegalMove) as by_number:
        match.play_move(wrong)
    with pytest.raises(IllegalMove) as by_line:
        match.play(match.game.write(match.state, wrong))
    assert by_number.value.refusal == by_line.value.refusal
    assert match.record() == other.record()


def test_picture_and_notebook() -> None:
    """A match draws itself; in a notebook it shows what a spectator sees."""
    match = begun()
    assert match.svg(0).startswith("<svg")
    assert match.svg(0) != match.svg(1)
    assert match._repr_svg_() == match.svg(None)
    assert repr(match) == f"<Match times_square, 17 plies, actor {match.actor}>"


def test_import_is_light() -> None:
    """`import omnibus` pulls in no web, no numbers, no terminal, no translations, and no game."""
    heavy = {"fastapi", "numpy", "rich", "typer", "babel", "asyncio", "sqlite3", "omnibus.games.times_square"}
    code = "import sys; before = set(sys.modules); import omnibus; print(*set(sys.modules) - before)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not heavy & set(loaded)


def test_public_door() -> None:
    """The public names of the package."""
    assert {"Match", "games", "IllegalMove", "BadNotation"} <= set(omnibus.__all__)
    assert "times_square" in omnibus.games.names()
