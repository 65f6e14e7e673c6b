"""Whole analyses as JSON documents: the same that the API of a server returns and `omnibus export` archives."""

from __future__ import annotations

from typing import Final

import msgspec

from omnibus.kernel.i18n import MessageError, mark
from omnibus.kernel.match import Match
from omnibus.lab.analysis.document import VERSION, Analysis

NO_ANALYSIS: Final = mark("this is not an analysis by this version of Omnibus: analyse the game again")
OTHER_GAME: Final = mark("this is the analysis of another game")


class _Answer(msgspec.Struct):
    """What the API returns: an analysis, and more that can be worked out from it."""

    analysis: Analysis | None = None


def saved(analysis: Analysis) -> bytes:
    """Write an analysis."""
    return msgspec.json.encode(analysis) + b"\n"


def load(text: bytes, match: Match) -> Analysis:
    """Read the analysis of a match, as it was saved or as the API returned it; MessageError if it is none."""
    try:
        found = msgspec.json.decode(text, type=_Answer).analysis or msgspec.json.decode(text, type=Analysis)
    except msgspec.MsgspecError:
        raise MessageError(NO_ANALYSIS) from None
    if (found.version, found.rules) != (VERSION, match.game.version):
        raise MessageError(NO_ANALYSIS)
    if not _is_of(found, match):
        raise MessageError(OTHER_GAME)
    return found


def _is_of(analysis: Analysis, match: Match) -> bool:
    """Tell whether an analysis is of this match, decision by decision."""
    judged = [(each.ply, each.seat, each.line) for each in analysis.decisions]
    chance = [(event.ply, "chance", event.line) for event in analysis.chance]
    played = [(ply, actor, line) for ply, (actor, line) in enumerate(match.plies)]
    same = (analysis.game, analysis.seats) == (match.game.name, match.seats)
    return same and sorted([*judged, *chance], key=lambda each: each[0]) == played
