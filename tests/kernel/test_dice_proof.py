"""Verified dice: what is right passes, and whatever a dishonest host might write is caught or told."""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from omnibus import BadRecord, Match, games
from omnibus.kernel import dice_proof, registry
from omnibus.kernel.dice import Dice
from omnibus.kernel.dice_proof import Gap, Proof, Why, tell, verify
from omnibus.kernel.game import Game
from omnibus.kernel.i18n import COMMON_TEXTS, LANGUAGES, words
from support.games_played import random_match

SEED = 11
Spoil = Callable[[str], str]


def played(name: str = "times_square") -> Match:
    return random_match(name, SEED)


@pytest.fixture(scope="module")
def text() -> str:
    return played().record()


def numbered(text: str) -> list[tuple[int, str]]:
    """The rolled lines with their numbers, which count from 1."""
    return [(number, line) for number, line in enumerate(text.splitlines(), 1) if " #" in line]


def changed(text: str, number: int, line: str) -> str:
    lines = text.splitlines()
    lines[number - 1] = line
    return "\n".join(lines) + "\n"


def fault(wrong: str) -> tuple[Why, int | None]:
    """Why a record is not verified, and where."""
    found = verify(wrong)
    assert not found.verified
    assert found.fault
    return found.fault.why, found.fault.line


@pytest.mark.parametrize("name", games.names())
def test_an_honest_record_is_verified(name: str) -> None:
    """Every roll of a finished game is checked, and nothing was left out."""
    match = played(name)
    rolls = len([line for line in match.written() if " #" in line])
    found = verify(match.record())
    assert found == Proof(Dice(SEED).commitment, Dice(SEED).seed, checked=rolls)
    assert found.verified
    assert rolls == len([actor for actor, _ in match.plies if actor == "chance"]) > 0


def test_a_position_set_up_by_hand_is_not_verified() -> None:
    """Its rolls are, and the report says what is proved and what is not; a fault in them is still one."""
    middle = played()
    while len(middle.plies) > 60:
        middle.undo()
    match, random = Match.from_position("times_square", middle.position(), seed=SEED), Random(SEED)
    while match.actor is not None:
        match.play(random.choice(match.lines()))
    found = verify(match.record())
    assert found.placed
    assert found.rolls_verified
    assert found.checked > 0
    assert not found.verified
    told = tell(found, "en")
    assert told[0] == dice_proof.ONLY_ROLLS
    assert dice_proof.PLACED in told
    assert dice_proof.COMPARE in told
    wrong = verify(match.record().replace(f'"{found.commitment}"', f'"{"0" * 64}"'))
    assert (wrong.placed, tell(wrong, "en")[0]) == (True, dice_proof.NOT_VERIFIED)


def test_what_no_terminal_should_be_told_is_not_told(text: str) -> None:
    """A line that is none of the game may hold anything; it is quoted harmlessly."""
    number, line = numbered(text)[5]
    found = verify(changed(text, number, f"- draw \x1b[2J {line.split()[-1]}"))
    assert r"says “'draw \x1b[2J'”" in tell(found, "en")[1]


def test_every_changed_chance_is_caught(text: str) -> None:
    """Wherever it is, and whatever else chance might have done there."""
    record = Match.read(text)
    tried = 0
    for ply, (actor, line) in enumerate(record.plies):
        if actor != "chance":
            continue
        number = 9 + ply
        for other in record.at(ply).lines():
            if other != line:
                roll = record.written()[ply].rsplit("#")[1]
                assert fault(changed(text, number, f"- {other} #{roll}")) == (Why.DIFFERS, number)
                tried += 1
                break
    assert tried > 15


def test_a_changed_number(text: str) -> None:
    """A number used before, or one whose roll says something else."""
    (_, before), (number, line) = numbered(text)[3:5]
    head = line.rsplit("#")[0]
    used = before.rsplit("#")[1]
    assert fault(changed(text, number, f"{head}#{used}")) == (Why.USED, number)
    assert fault(changed(text, number, f"{head}#1")) == (Why.USED, number)
    state = Match.read(text).states[number - 9]
    game = games.find("times_square")
    for roll in range(int(used) + 2, int(used) + 40):
        dice = Dice(SEED)
        dice.rolled = roll - 1
        if f"- {game.write(state, game.chance_at(state, dice.roll(game.chance_total(state))))} " != head:
            assert fault(changed(text, number, f"{head}#{roll}")) == (Why.DIFFERS, number)
            return
    pytest.fail("forty rolls in a row give the same card")


def swapped(text: str, *, with_numbers: bool) -> str:
    """Put two rolls in each other's place."""
    (one, first), (two, second) = numbered(text)[2:4]
    if not with_numbers:
        numbers = [line.rsplit("#")[1] for line in (second, first)]
        first, second = (f"{line.rsplit('#')[0]}#{at}" for line, at in zip((first, second), numbers, strict=True))
    return changed(changed(text, one, second), two, first)


def without(text: str, number: int) -> str:
    return "".join(line for at, line in enumerate(text.splitlines(keepends=True), 1) if at != number)


OTHER = Dice(SEED + 1)
SPOILT: dict[str, tuple[Spoil, set[Why], Container[int | None]]] = {
    "verified": (lambda text: text, set(), ()),
    "by hand": (lambda text: text.replace(" #4\n", "\n").replace(" #6\n", "\n"), set(), ()),
    "differs": (lambda text: re.sub(r"- side (\d)", lambda at: f"- side {1 - int(at[1])}", text), {Why.DIFFERS}, (9,)),
    "used": (lambda text: text.replace(" #4\n", " #2\n"), {Why.USED}, (12,)),
    "unplayable": (lambda text: text + "0 done\n", {Why.UNPLAYABLE}, range(30, 1000)),
    "another result": (
        lambda text: text.replace('"tie_break": null', '"tie_break": "luck"'), {Why.UNPLAYABLE}, (7,),
    ),
    "other seed": (lambda text: text.replace(Dice(SEED).seed, OTHER.seed), {Why.OTHER_SEED}, (6,)),
    "other seed and commitment": (
        lambda text: text.replace(Dice(SEED).seed, OTHER.seed).replace(Dice(SEED).commitment, OTHER.commitment),
        {Why.DIFFERS}, range(9, 13),
    ),
    "rolls in each other's place": (
        lambda text: swapped(text, with_numbers=True), {Why.DIFFERS, Why.USED}, range(11, 13),
    ),
    "lines in each other's place": (lambda text: swapped(text, with_numbers=False), {Why.DIFFERS}, (11,)),
    "no seed": (lambda text: text.replace(f'seed: "{Dice(SEED).seed}"\n', ""), {Why.NO_SEED}, (None,)),
    "by hand throughout": (
        lambda _: Match.new("times_square", dice=False).record(), {Why.NO_COMMITMENT}, (None,),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SPOILT)
def test_what_does_not_fit_is_named(text: str, case: str) -> None:
    """Another seed, rolls in each other's place, a result that was made up, nothing to check: why, and the line."""
    spoil, reasons, lines = SPOILT[case]
    assert (spoil(text) != text) == (case != "verified")
    if reasons:
        why, line = fault(spoil(text))
        assert why in reasons
        assert line in lines
        assert line or verify(spoil(text)).checked == 0
    else:
        assert verify(spoil(text)).fault is None


def test_a_roll_left_out_of_the_record(text: str) -> None:
    """A record that no longer replays is not verified, and the line is named."""
    number, _ = numbered(text)[-2]  # not the last one: it may end the game, and nothing would come after it
    why, line = fault(without(text, number))
    assert why in (Why.UNPLAYABLE, Why.DIFFERS)
    assert line == number


def test_chance_by_hand_is_said(text: str) -> None:
    """A chance line without a number was not made by the dice, in the first place or after they were read."""
    number, line = numbered(text)[4]
    found = verify(changed(text, number, line.rsplit(" #")[0]))
    assert (found.by_hand, found.fault, found.verified) == ((number,), None, False)
    assert found.checked == len(numbered(text)) - 1
    assert found.gaps == (Gap(number + 1, 5, 5),)


def test_taken_back_rolls_leave_gaps() -> None:
    """An honest undo and a host who rolls until they like it look the same: both are told."""
    match = Match.new("times_square", seed=SEED)
    for _ in range(3):
        drop = next(line for line in match.lines() if line.startswith("drop"))
        match.play(drop)
        match.play("done")
        match.undo()
        match.undo()
    match.play(next(line for line in match.lines() if line.startswith("drop")))
    match.play("done")
    found = verify(match.record(reveal=True))
    assert found.verified
    first = 9 + 17 + 2
    assert found.gaps == (Gap(first, 18, 20),)
    assert found.checked == 18
    told = " ".join(tell(found, "en"))
    assert told.startswith(dice_proof.VERIFIED_WITH_GAPS)
    assert f"Left out before line {first}: rolls 18 to 20." in told
    assert "chosen among several rolls" in told


def test_rolls_left_out_before_the_first() -> None:
    """Rolls skipped before the first one are reported, too."""
    fresh = Match.new("times_square", dice=False)
    dice = Dice(SEED)
    for _ in range(4):
        dice.roll(2)
    match = Match(fresh.game, fresh.state.clone(), dice=dice)
    found = verify(match.record(reveal=True))
    assert found.verified
    assert found.gaps == (Gap(9, 1, 4),)


def test_what_is_no_record_is_a_bad_record() -> None:
    """Only what cannot be read raises."""
    for junk in ("", "hello", "game: 3"):
        with pytest.raises(BadRecord):
            verify(junk)


def test_a_record_that_breaks_off_is_as_good_as_it_goes(text: str) -> None:
    """Of a closed table every roll made is checked."""
    match = Match.new("times_square", seed=SEED)
    match.play(match.lines()[0])
    found = verify(match.record(reveal=True))
    assert (found.verified, found.checked) == (True, 17)


def test_nothing_rolled() -> None:
    """Where chance did nothing, the seed still has to fit."""
    position = Match.new("times_square", seed=SEED).position()
    match = Match.from_position("times_square", position, seed=SEED)
    found = verify(match.record(reveal=True))
    assert (found.rolls_verified, found.verified, found.checked) == (True, False, 0)
    assert "nothing was rolled" in " ".join(tell(found, "en")).lower()


@pytest.fixture
def wasteful(monkeypatch: pytest.MonkeyPatch) -> Game[Any]:
    """Times Square with weights so large that the dice pass over about every other number."""
    game = games.find("times_square")
    large = 249  # of 2**256: the supply has at most 60 cards or so

    def total(state: Any) -> int:
        return int(game.chance_total(state)) << large

    def at(state: Any, number: int) -> int:
        return int(game.chance_at(state, number >> large))

    made = replace(game, chance_total=total, chance_at=at)
    monkeypatch.setattr(registry, "find", lambda _name: made)
    return made


def test_numbers_the_dice_pass_over_are_no_gaps(wasteful: Game[Any]) -> None:
    """Rejection sampling skips numbers; a record that uses one of them is wrong."""
    match = played()
    rolls = [int(line.rsplit("#")[1]) for line in match.written() if "#" in line]
    assert rolls != list(range(1, len(rolls) + 1))
    found = verify(match.record())
    assert (found.verified, found.gaps) == (True, ())
    later = next(roll for before, roll in pairwise(rolls) if roll > before + 1)
    number = 9 + next(ply for ply, line in enumerate(match.written()) if line.endswith(f" #{later}"))
    said = match.written()[number - 9].rsplit("#")[0]
    assert fault(changed(match.record(), number, f"{said}#{later - 1}")) == (Why.PASSED_OVER, number)


def test_gaps_and_numbers_passed_over_together(wasteful: Game[Any]) -> None:
    """After a gap, too, a number the dice pass over cannot have been rolled."""
    match = Match.new("times_square", seed=SEED)
    number, line = 9 + 16, match.written()[16]
    last, total = int(line.rsplit("#")[1]), wasteful.chance_total(match.states[16])
    dice = Dice(SEED)
    dice.rolled = last
    rolls: list[int] = []
    while not rolls or rolls[-1] == last + len(rolls):
        dice.roll(total)
        rolls.append(dice.rolled)
    passed = rolls[-1] - 1
    assert passed > last
    wrong = changed(match.record(reveal=True), number, f"{line.rsplit('#')[0]}#{passed}")
    assert fault(wrong) == (Why.PASSED_OVER, number)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", SPOILT)
def test_told_in_words(text: str, case: str, language: str) -> None:
    """A verdict first, then what was checked or what is wrong, with its line; no blank is left open."""
    found = verify(SPOILT[case][0](text))
    told = tell(found, language)
    assert told[0] == words(language, COMMON_TEXTS).gettext(
        dice_proof.VERIFIED if found.verified else dice_proof.NOT_VERIFIED
    )
    assert len(told) > 1
    assert not any(re.search(r"{\w*}", sentence) for sentence in told)
    if found.fault and found.fault.line:
        assert str(found.fault.line) in " ".join(told)


def test_hostile_records_get_a_verdict(text: str) -> None:
    """Lines left out, doubled, swapped or spoilt: BadRecord for what cannot be read, a verdict for everything else."""
    random = Random(5)
    verdicts: set[bool | None] = set()
    for _ in range(150):
        lines = text.splitlines()
        one, two = random.randrange(len(lines)), random.randrange(len(lines))
        kind = random.randrange(4)
        if kind == 0:
            lines[one], lines[two] = lines[two], lines[one]
        elif kind == 1:
            del lines[one]
        elif kind == 2:
            lines.insert(two, lines[one])
        else:
            at = random.randrange(len(lines[one]) or 1)
            lines[one] = lines[one][:at] + random.choice("0129- #ax\u00e9") + lines[one][at + 1 :]
        try:
            verdicts.add(verify("\n".join(lines)).verified)
        except BadRecord:
            verdicts.add(None)
    assert None in verdicts
    assert False in verdicts
