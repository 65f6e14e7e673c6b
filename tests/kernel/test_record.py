"""The `.game` record: its format, and the reasons for refusing one."""

from __future__ import annotations

import pytest

from omnibus import BadRecord, Match
from omnibus.kernel.i18n import LANGUAGES


def finished() -> Match:
    match = Match.new("times_square", seed=3)
    while match.actor is not None:
        match.play(match.lines()[0])
    return match


@pytest.fixture(scope="module")
def text() -> str:
    return finished().record()


def test_format(text: str) -> None:
    """Headers `key: value` with JSON values, an empty line, then a ply a line: actor, notation, roll."""
    head, plies = text.split("\n\n")
    keys = [line.split(":")[0] for line in head.splitlines()]
    assert keys == ["game", "rules", "seats", "options", "commitment", "seed", "result"]
    lines = plies.splitlines()
    assert lines[0] in ("- side 0 #1", "- side 1 #1")
    assert all(line.startswith("- draw ") and line.endswith(f"#{n}") for n, line in enumerate(lines[1:17], 2))
    assert lines[17][:2] in ("0 ", "1 ")


def test_names_and_foreign_line_ends_survive(text: str) -> None:
    """Names are kept; a byte order mark, Windows line ends and a missing last line end are accepted."""
    named = text.replace("seats: 2\n", 'seats: 2\nnames: ["Zoë", "Ürs"]\n')
    read = Match.read("\ufeff" + named.replace("\n", "\r\n").rstrip())
    assert read.names == ("Zoë", "Ürs")
    assert read.record() == named


def test_a_read_match_plays_on_by_hand() -> None:
    """A match that was read has no dice; earlier rolls stay as they were."""
    match = Match.new("times_square", seed=3)
    read = Match.read(match.record())
    drop = next(line for line in read.lines() if line.startswith("drop"))
    read.play(drop)
    read.play("done")
    assert read.actor == "chance"
    assert "#" not in read.record().splitlines()[-1]
    assert Match.read(read.record()).plies == read.plies


CLOCK = '{"bank": 60, "increment": 5.5, "turn": 0, "times": [[17, 4.5, 60], [18, 0, 51.5]]}'


def test_clocks_survive(text: str) -> None:
    """The time control and what the decisions took are read and written again."""
    timed = text.replace("result: ", f"clock: {CLOCK}\nresult: ")
    assert Match.read(timed).record() == timed


WRONG = [
    ('game: "times_square"', 'game: "chess"', 1, "there is no game"),
    ('game: "times_square"', "game: times_square", 1, "not JSON"),
    ('game: "times_square"', "game: 3", 1, "name of a game"),
    ("rules: 1", "rules: 99", 2, "needs version 99"),
    ("rules: 1", "rules: 0", 2, "needs version 0"),
    ("rules: 1", "rules: true", 2, "whole number"),
    ("seats: 2", "seats: 5", 3, "2 seats"),
    ("seats: 2", "seats: NaN", 3, "not JSON"),
    ("seats: 2", "seats: 2\nseats: 2", 4, "given twice"),
    ("seats: 2", 'seats: 2\nnames: ["a"]', 4, "one name for each seat"),
    ("seats: 2", "seats: 2\nnames: [1, 2]", 4, "list of printable names"),
    ("seats: 2", 'seats: 2\nnames: ["Ann", "\\u001b[2J"]', 4, "printable"),
    ("seats: 2", f'seats: 2\nnames: ["Ann", "{"x" * 61}"]', 4, "at most 60"),
    ("seats: 2", "seats: 2\nposition: 3", 4, "position must be an object"),
    ("seats: 2", "seats: 2\nposition: {}", 4, "no edition"),
    ("seats: 2", "seats: 2\nmood: 3", 4, "key: value"),
    ("seats: 2", "seats: 2\nclock: 3", 4, "clock must have bank"),
    ("seats: 2", f"seats: 2\nclock: {CLOCK.replace('60', '-1')}", 4, "clock must have bank"),
    ("seats: 2", f"seats: 2\nclock: {CLOCK.replace('60', '1e999')}", 4, "clock must have bank"),
    ("seats: 2", f"seats: 2\nclock: {CLOCK.replace('[17, ', '[3, ')}", 4, "clock must have bank"),
    ("seats: 2", f"seats: 2\nclock: {CLOCK.replace('[17, ', '[18, ')}", 4, "clock must have bank"),
    ("seats: 2", f"seats: 2\nclock: {CLOCK.replace('4.5', '[]')}", 4, "clock must have bank"),
    ("seats: 2\n", "", 7, "seats is missing"),
    ('{"edition": "times_square"}', '{"edition": "other"}', 4, "royal_visit"),
    ('{"edition": "times_square"}', "[]", 4, "options must be an object"),
    ("commitment: ", 'commitment: "ab" ', 5, "JSON"),
    ('seed: "', 'seed: "ab', 6, "seed must be 64 hexadecimal digits"),
    ('seed: "', 'seed: 7 #"', 6, "JSON"),
    ("- side 0 #1", "0 side 0", 9, "the actor must be -, not 0"),
    ("- side", "side", 9, "expected an actor"),
    ("#1\n", "#1 \nx\n", 10, "expected an actor"),
    ("- draw", "- drew", 10, "is not a move of Times Square"),
]


@pytest.mark.parametrize(("old", "new", "line", "reason"), WRONG)
def test_first_wrong_line_is_named(text: str, old: str, new: str, line: int, reason: str) -> None:
    """A malformed record is refused with the number of its first wrong line and the reason, in every language."""
    with pytest.raises(BadRecord) as caught:
        Match.read(text.replace(old, new, 1))
    assert caught.value.line == line
    assert reason in str(caught.value)
    told = {language: caught.value.told(language) for language in LANGUAGES}
    assert told["en"] == str(caught.value)
    assert len(set(told.values())) == len(LANGUAGES)
    assert all(str(line) in each for each in told.values())
    assert told["it"] == f"riga {line}: {caught.value.reason.told('it')}"
    assert len({caught.value.reason.told(language) for language in LANGUAGES}) == len(LANGUAGES)


def test_illegal_ply_is_refused_with_its_section(text: str) -> None:
    """A ply that may not be played is refused with the §."""
    lines = text.splitlines()
    number = next(n for n, line in enumerate(lines, 1) if line.startswith(("0 ", "1 ")))
    lines[number - 1] = lines[number - 1][0] + " done"
    with pytest.raises(BadRecord, match=rf"line {number}: done: .*\(§3.4\)") as caught:
        Match.read("\n".join(lines))
    assert len({caught.value.told(language) for language in LANGUAGES}) == len(LANGUAGES)


def test_plies_after_the_end_are_refused(text: str) -> None:
    """Nobody acts once the game is over."""
    with pytest.raises(BadRecord, match="the game is already over"):
        Match.read(text + "0 done\n")


def test_wrong_result_is_refused(text: str) -> None:
    """The result in the header must be the one the replay has."""
    for wrong in (text.replace('"winners": [0]', '"winners": [1]'), text.replace('"winners": [1]', '"winners": [0]')):
        if wrong != text:
            with pytest.raises(BadRecord, match="line 7: the replayed game has the result"):
                Match.read(wrong)
    unfinished = "\n".join(text.splitlines()[:-1])
    with pytest.raises(BadRecord, match="result None"):
        Match.read(unfinished)


def test_rolls_need_a_commitment(text: str) -> None:
    """A line cannot claim to be rolled when nothing was committed to; seats do not roll."""
    lines = [line for line in text.splitlines() if not line.startswith("commitment")]
    with pytest.raises(BadRecord, match="line 5: seed needs the header commitment"):
        Match.read("\n".join(lines))
    lines = [line for line in lines if not line.startswith("seed")]
    with pytest.raises(BadRecord, match="line 7: a rolled line needs the header commitment"):
        Match.read("\n".join(lines))
    first = next(line for line in text.splitlines() if line.startswith(("0 ", "1 ")))
    with pytest.raises(BadRecord, match="only chance rolls dice"):
        Match.read(text.replace(first, first + " #40", 1))


def test_position_and_headers_agree() -> None:
    """A record from a position says the same in its headers."""
    match = Match.from_position("times_square", Match.new("times_square", seed=1).position(), dice=False)
    assert "position: " in match.record()
    with pytest.raises(BadRecord, match="differ"):
        Match.read(
            match.record().replace('options: {"edition": "times_square"}', 'options: {"edition": "royal_visit"}')
        )


@pytest.mark.parametrize("junk", ["", "\n", "\n\n\n", "x", "game:", "\x00", "game: " + "[" * 100_000])
def test_junk_is_refused(junk: str) -> None:
    """Any junk is a BadRecord and no other error."""
    with pytest.raises(BadRecord):
        Match.read(junk)


def test_the_seed_is_revealed_at_the_end(text: str) -> None:
    """The seed stays secret during the game, unless the match is abandoned; a record that has it keeps it."""
    match = Match.new("times_square", seed=3)
    secret = f'seed: "{3:064x}"'
    while match.actor is not None:
        assert match.seed is None
        assert "seed" not in match.record()
        match.play(match.lines()[0])
    assert match.seed == f"{3:064x}"
    assert match.record() == text
    assert secret in text
    for kept in (Match.read(text), match.at(20)):
        assert kept.seed == match.seed
        assert Match.read(kept.record()).record() == kept.record()
        assert secret in kept.record()
    match.undo()
    assert match.seed is None
    assert "seed" not in match.record()
    assert secret in match.record(reveal=True)
    assert Match.read(match.record(reveal=True)).record() == match.record(reveal=True)


def test_without_dice_there_is_no_seed() -> None:
    """Without dice there is nothing to reveal."""
    match = Match.new("times_square", dice=False)
    assert (match.commitment, match.seed) == (None, None)
    assert "seed" not in match.record(reveal=True)


def test_records_from_before_seeds_replay(text: str) -> None:
    """A record with a commitment and no seed still replays."""
    old = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("seed"))
    assert Match.read(old).record() == old


def test_resumed_dice_reveal_themselves(text: str) -> None:
    """A resumed match reveals the seed of its dice at the end."""
    lines = text.splitlines()
    broken_off = "\n".join([*(line for line in lines[:-1] if not line.startswith(("seed", "result"))), ""])
    rolled = max(int(line.rsplit("#")[1]) for line in lines if "#" in line)
    match = Match.resume(broken_off, seed=3, rolled=rolled)
    assert match.seed is None
    match.play(lines[-1][2:])
    assert match.record() == text
