"""Verify the dice of a record: every roll is repeated from the revealed seed (docs/dice.md).

A record can prove that the seed was fixed by the commitment, that each rolled line is what its roll gives, and that no
roll was used twice. It cannot prove why a roll was left out; such gaps are reported. Of a game that began from a
position set up by hand it proves the rolls after that position, and nothing about what led to it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from omnibus.kernel import record as records
from omnibus.kernel.dice import Dice
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import COMMON_TEXTS, Message, mark, words
from omnibus.kernel.match import Match, begin, replay
from omnibus.kernel.record import BadRecord, Ply, Record


class Why(StrEnum):
    """Why a record is not verified."""

    NO_COMMITMENT = "no_commitment"
    NO_SEED = "no_seed"
    OTHER_SEED = "other_seed"
    USED = "used"
    PASSED_OVER = "passed_over"
    DIFFERS = "differs"
    UNPLAYABLE = "unplayable"


@dataclass(frozen=True, slots=True)
class Fault:
    """The first problem: why, on which line (None if it is missing), and what fills the blanks of its message."""

    why: Why
    line: int | None = None
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Gap:
    """Rolls that no line of the record uses, from first to last; `line` uses the next one."""

    line: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of checking a record."""

    commitment: str | None
    seed: str | None
    checked: int = 0
    """How many rolls are right, up to the first fault."""
    gaps: tuple[Gap, ...] = ()
    by_hand: tuple[int, ...] = ()
    """The lines on which chance was set by hand."""
    fault: Fault | None = None
    placed: bool = False
    """Whether the game began from a position set up by hand, of which nothing is proved."""

    @property
    def rolls_verified(self) -> bool:
        """Whether everything chance did in the lines of the record follows from the seed."""
        return self.fault is None and not self.by_hand

    @property
    def verified(self) -> bool:
        """Whether everything chance did in the game follows from the seed. Gaps are reported, but are not a fault."""
        return self.rolls_verified and not self.placed


VERIFIED: Final = mark("The dice are verified.")
VERIFIED_WITH_GAPS: Final = mark("The dice are verified, but rolls were left out.")
ONLY_ROLLS: Final = mark("The rolls are verified, but not the position from which the game began.")
NOT_VERIFIED: Final = mark("The dice are not verified.")

SEED_FITS: Final = mark("The SHA-256 of the seed is the commitment.")
NOTHING_ROLLED: Final = mark("Nothing was rolled in this game.")
PLACED: Final = mark(
    "This game began from a position that was set up by hand. Nothing is proved about how that position came about, "
    "for example which cards had been drawn."
)
EVERY_NUMBER: Final = mark("Every number from the first roll to the last is used, once and in order.")
WHY_GAPS: Final = mark(
    "Rolls are left out when something is undone after a roll. If nobody undid anything there, someone "
    "may have chosen among several rolls."
)
COMPARE: Final = mark("Make sure that the commitment is the one shown when the game began.")

_FAULTS: Final = {
    Why.NO_COMMITMENT: mark("The record has no commitment, so there is nothing to check the dice against."),
    Why.NO_SEED: mark("This record does not reveal the seed, so its rolls cannot be repeated."),
    Why.OTHER_SEED: mark("Line {line}: the SHA-256 of this seed is not the commitment, so it is a different seed."),
    Why.USED: mark("Line {line}: roll {roll} comes after roll {last}, but rolls are used once and in order."),
    Why.PASSED_OVER: mark("Line {line}: roll {roll} is one that the dice skip here."),
    Why.DIFFERS: mark("Line {line}: roll {roll} gives “{given}”, but the record says “{said}”."),
    Why.UNPLAYABLE: mark("Line {line}: this cannot be played: {reason}."),
}


def verify(text: str) -> Proof:
    """Check the dice of a record; BadRecord if it cannot be read."""
    record = records.parse(text)
    match = begin(record)
    missing = _missing(record)
    if missing is not None or record.seed is None:
        return Proof(record.commitment, record.seed, fault=missing, placed=record.position is not None)
    return _Check(match, record, record.seed).proof()


def _missing(record: Record) -> Fault | None:
    """Check the headers: commitment and seed must be there and match."""
    if record.commitment is None:
        return Fault(Why.NO_COMMITMENT)
    if record.seed is None:
        return Fault(Why.NO_SEED)
    if hashlib.sha256(bytes.fromhex(record.seed)).hexdigest() != record.commitment:
        return Fault(Why.OTHER_SEED, record.lines["seed"])
    return None


class _Check:
    """The replay of a record, and the last roll used in it."""

    def __init__(self, match: Match, record: Record, seed: str) -> None:
        self.match = match
        self.record = record
        self.dice = Dice(int(seed, 16))
        self.last = 0
        self.checked = 0
        self.gaps: list[Gap] = []
        self.by_hand: list[int] = []

    def proof(self) -> Proof:
        fault = self._first_fault()
        found = (self.checked, tuple(self.gaps), tuple(self.by_hand))
        return Proof(self.record.commitment, self.record.seed, *found, fault, placed=self.record.position is not None)

    def _first_fault(self) -> Fault | None:
        try:
            for line, ply in replay(self.match, self.record):
                fault = self._fault(line, ply)
                if fault is not None:
                    return fault
        except BadRecord as error:
            return Fault(Why.UNPLAYABLE, error.line, {"reason": error.reason})
        return None

    def _fault(self, line: int, ply: Ply) -> Fault | None:
        """Check a chance ply; the replay itself finds out whether it may come here."""
        if ply.actor != "chance" or self.match.actor != "chance":
            return None
        if ply.roll is None:
            self.by_hand.append(line)
            return None
        if ply.roll <= self.last:
            return Fault(Why.USED, line, {"roll": ply.roll, "last": self.last})
        return self._fault_of_roll(line, ply, ply.roll)

    def _fault_of_roll(self, line: int, ply: Ply, roll: int) -> Fault | None:
        next_roll, number = self._rolled_after(self.last)
        gap = roll > next_roll
        if gap:
            next_roll, number = self._rolled_after(roll - 1)
        if roll != next_roll:
            return Fault(Why.PASSED_OVER, line, {"roll": roll})
        game, state = self.match.game, self.match.state
        given = game.write(state, game.chance_at(state, number))
        if given != ply.line:
            said = ply.line if ply.line.isprintable() else ascii(ply.line)  # it may be anything
            return Fault(Why.DIFFERS, line, {"roll": roll, "given": given, "said": said})
        if gap:
            self.gaps.append(Gap(line, self.last + 1, roll - 1))
        self.last = roll
        self.checked += 1
        return None

    def _rolled_after(self, roll: int) -> tuple[int, int]:
        """Return the number of the next roll that counts after a roll, and what it gives."""
        self.dice.rolled = roll
        number = self.dice.roll(self.match.game.chance_total(self.match.state))
        return self.dice.rolled, number


def tell(proof: Proof, language: str) -> list[str]:
    """Describe in a language what was checked and what was found; the first sentence is the verdict."""
    spoken = words(language, COMMON_TEXTS)
    told = [spoken.gettext(_verdict(proof))]
    if proof.fault is not None:
        fault = Message(_FAULTS[proof.fault.why], line=proof.fault.line, **proof.fault.args)
        told.append(fault.told(language))
    if proof.fault is None or proof.checked:
        told += [spoken.gettext(SEED_FITS), _told_rolls(proof, spoken)]
    told += _told_by_hand(proof, spoken) + _told_gaps(proof, spoken)
    if proof.placed:
        told.append(spoken.gettext(PLACED))
    if proof.rolls_verified:
        told.append(spoken.gettext(COMPARE))
    return told


def _verdict(proof: Proof) -> str:
    if not proof.rolls_verified:
        return NOT_VERIFIED
    if proof.placed:
        return ONLY_ROLLS
    return VERIFIED_WITH_GAPS if proof.gaps else VERIFIED


def _told_rolls(proof: Proof, words: Words) -> str:
    number = proof.checked
    if number == 0:
        return words.gettext(NOTHING_ROLLED)
    if proof.fault is not None:
        told = words.ngettext(
            "The {number} roll before it is correct.", "The {number} rolls before it are correct.", number
        )
        return told.format(number=number)
    return words.ngettext(
        "{number} roll was repeated from the seed and matches the record.",
        "{number} rolls were repeated from the seed, and all match the record.",
        number,
    ).format(number=number)


def _told_by_hand(proof: Proof, words: Words) -> list[str]:
    if not proof.by_hand:
        return []
    told = words.ngettext(
        "Chance was set by hand, not rolled, on line {lines}.",
        "Chance was set by hand, not rolled, on lines {lines}.",
        len(proof.by_hand),
    )
    return [told.format(lines=", ".join(map(str, proof.by_hand)))]


def _told_gaps(proof: Proof, words: Words) -> list[str]:
    if not proof.gaps:
        return [words.gettext(EVERY_NUMBER)] if proof.rolls_verified and proof.checked > 1 else []
    return [*(_told_gap(gap, words) for gap in proof.gaps), words.gettext(WHY_GAPS)]


def _told_gap(gap: Gap, words: Words) -> str:
    if gap.first == gap.last:
        return words.gettext("Roll {first} was left out before line {line}.").format(first=gap.first, line=gap.line)
    told = words.gettext("Left out before line {line}: rolls {first} to {last}.")
    return told.format(first=gap.first, last=gap.last, line=gap.line)
