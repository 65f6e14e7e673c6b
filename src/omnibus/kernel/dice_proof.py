"""Whether the dice of a record were honest: every roll is made again from the revealed seed (docs/dice.md).

What a record can prove: that the seed was fixed by the commitment, that each rolled line is what its roll gives there,
and that no roll was used twice. What it cannot: why a roll was left out. Those gaps are told.
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
from omnibus.kernel.i18n import mark
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
    """The first thing wrong: why, on which line of the text (None: it is missing), and what its sentence is about."""

    why: Why
    line: int | None = None
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Gap:
    """Rolls from a first to a last that no line of the record uses; `line` is the one that uses the next."""

    line: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Proof:
    """What came of checking a record."""

    commitment: str | None
    seed: str | None
    checked: int = 0
    """How many rolls gave what the record says, up to the first fault."""
    gaps: tuple[Gap, ...] = ()
    by_hand: tuple[int, ...] = ()
    """The lines on which chance acted without a roll."""
    fault: Fault | None = None

    @property
    def verified(self) -> bool:
        """Whether everything chance did follows from the seed. Gaps are told, but no fault."""
        return self.fault is None and not self.by_hand


VERIFIED: Final = mark("The dice are verified.")
VERIFIED_WITH_GAPS: Final = mark("The dice are verified, but rolls were left out.")
NOT_VERIFIED: Final = mark("The dice are not verified.")

SEED_FITS: Final = mark("The SHA-256 of the seed is the commitment.")
NOTHING_ROLLED: Final = mark("Nothing was rolled in this game.")
EVERY_NUMBER: Final = mark("Every number from the first roll to the last is used, once and in order.")
WHY_GAPS: Final = mark(
    "Rolls are left out when something is undone after a roll. If nobody undid anything there, someone "
    "may have chosen among several rolls."
)
COMPARE: Final = mark("Make sure that the commitment is the one the table showed when the game began.")

_FAULTS: Final = {
    Why.NO_COMMITMENT: mark("The record has no commitment, so nothing was promised that could be checked."),
    Why.NO_SEED: mark("The seed has not been revealed in this record, so its rolls cannot be made again."),
    Why.OTHER_SEED: mark("Line {line}: the SHA-256 of this seed is not the commitment. It is another seed."),
    Why.USED: mark("Line {line}: roll {roll} comes after roll {last}, but rolls are used once and in order."),
    Why.PASSED_OVER: mark("Line {line}: roll {roll} is a number that the dice pass over here."),
    Why.DIFFERS: mark("Line {line}: roll {roll} gives “{given}”, but the record says “{said}”."),
    Why.UNPLAYABLE: mark("Line {line}: the game cannot have gone on like this: {reason}."),
}


def verify(text: str) -> Proof:
    """Check the dice of a record. BadRecord is raised only for what cannot be read as one."""
    record = records.parse(text)
    match = begin(record)
    missing = _missing(record)
    if missing is not None or record.seed is None:
        return Proof(record.commitment, record.seed, fault=missing)
    return _Check(match, record, record.seed).proof()


def _missing(record: Record) -> Fault | None:
    """Look at the headers alone: commitment and seed have to be there, and to fit."""
    if record.commitment is None:
        return Fault(Why.NO_COMMITMENT)
    if record.seed is None:
        return Fault(Why.NO_SEED)
    if hashlib.sha256(bytes.fromhex(record.seed)).hexdigest() != record.commitment:
        return Fault(Why.OTHER_SEED, record.lines["seed"])
    return None


class _Check:
    """A record on its way through: the state before each ply, and the last roll used."""

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
        return Proof(self.record.commitment, self.record.seed, *found, fault)

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
        """Check what chance is said to have done; whether it may act at all, the replay finds out."""
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
        """Roll once more after a roll: the number of the next that counts here, and what it gives."""
        self.dice.rolled = roll
        number = self.dice.roll(self.match.game.chance_total(self.match.state))
        return self.dice.rolled, number


def tell(proof: Proof, words: Words) -> list[str]:
    """Tell what was checked and what came of it, in sentences; the first is the verdict."""
    told = [words.gettext(_verdict(proof))]
    if proof.fault is not None:
        told.append(words.gettext(_FAULTS[proof.fault.why]).format(line=proof.fault.line, **proof.fault.args))
    if proof.fault is None or proof.checked:
        told += [words.gettext(SEED_FITS), _told_rolls(proof, words)]
    told += _told_by_hand(proof, words) + _told_gaps(proof, words)
    if proof.verified:
        told.append(words.gettext(COMPARE))
    return told


def _verdict(proof: Proof) -> str:
    if not proof.verified:
        return NOT_VERIFIED
    return VERIFIED_WITH_GAPS if proof.gaps else VERIFIED


def _told_rolls(proof: Proof, words: Words) -> str:
    number = proof.checked
    if number == 0:
        return words.gettext(NOTHING_ROLLED)
    if proof.fault is not None:
        told = words.ngettext("Up to there {number} roll is right.", "Up to there {number} rolls are right.", number)
        return told.format(number=number)
    return words.ngettext(
        "{number} roll was made again from the seed, and it gives what the record says.",
        "{number} rolls were made again from the seed, and each gives what the record says.",
        number,
    ).format(number=number)


def _told_by_hand(proof: Proof, words: Words) -> list[str]:
    if not proof.by_hand:
        return []
    told = words.ngettext(
        "Chance was not rolled but set by hand on line {lines}.",
        "Chance was not rolled but set by hand on lines {lines}.",
        len(proof.by_hand),
    )
    return [told.format(lines=", ".join(map(str, proof.by_hand)))]


def _told_gaps(proof: Proof, words: Words) -> list[str]:
    if not proof.gaps:
        return [words.gettext(EVERY_NUMBER)] if proof.verified and proof.checked > 1 else []
    return [*(_told_gap(gap, words) for gap in proof.gaps), words.gettext(WHY_GAPS)]


def _told_gap(gap: Gap, words: Words) -> str:
    if gap.first == gap.last:
        return words.gettext("Roll {first} was left out before line {line}.").format(first=gap.first, line=gap.line)
    told = words.gettext("Left out before line {line}: rolls {first} to {last}.")
    return told.format(first=gap.first, last=gap.last, line=gap.line)
