"""What an analysis says, in words: for its page, in a reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from markupsafe import Markup
from msgspec import Struct

from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.match import Match
from omnibus.lab.analysis.accounts import accounts, moments
from omnibus.lab.analysis.document import Account, Alternative, Analysis, Decision
from omnibus.lab.analysis.grades import ERRORS, GRADES, accuracies, grade
from omnibus.server.pages.win_curve import SIGNS, curve, luck_bar, signed
from omnibus.server.tables.board_view import words_for
from omnibus.server.tables.steps import after

PERCENT: Final = mark("{percent}%")
LUCK_AND_SKILL: Final = mark("{luck} points of luck, {skill} of skill")
NO_CHANCE: Final = mark("Nothing was left to chance in this game.")
ONE_CHANCE: Final = mark("Chance decided only one thing in this game: {event}")
INSTEAD: Final = mark("{player}’s chance to win: {after} instead of {before}")
MOVE: Final = mark("Move {number} of {total}")
END: Final = mark("End of the game")
NOT_SEARCHED: Final = mark("Not searched: it looked weaker from the start.")
ONLY_ONE: Final = mark("There was only one possible move.")
SENTENCES: Final = 4
"""So many sentences of the log are shown for a decision and what chance did after it."""
CURVES: Final = {"wide": (1000.0, 260.0), "medium": (700.0, 260.0), "narrow": (420.0, 260.0)}
"""The sizes of the curve, by the width of the window they are for: signs are to be read in each."""


class Line(Struct, frozen=True):
    """A line that could be played: what it does, each seat's chance to win, what speaks for and against it."""

    line: str
    label: str
    shares: str
    """The chances of all seats, or that they are not known."""
    then: str
    """How the turn goes on; empty where it does not."""
    reasons: list[str]
    doubts: list[str]
    played: bool
    best: bool


class Point(Struct, frozen=True):
    """A decision in the log and on the curve."""

    ply: int
    number: int
    seat: int
    player: str
    text: str
    sign: str
    grade: str
    shares: list[str]
    """The chances after it."""
    turn: bool
    """Whether a turn begins with it."""


class Moment(Struct, frozen=True):
    """A decision that decided the game."""

    point: Point
    played: Line
    better: Line
    lost: str


class PlayerReport(Struct, frozen=True):
    """How a player did."""

    seat: int
    name: str
    accuracy: str
    errors: list[int]
    luck: str
    bar: Markup
    mistakes: int
    """How many graded errors there are to learn from."""


class AnalysisReport(Struct, frozen=True):
    """Everything the page of an analysis shows besides the board."""

    moments: list[Moment]
    points: list[Point]
    players: list[PlayerReport]
    start: list[str]
    result: list[str]
    curves: list[Markup]
    chance: str
    """What there is to say about luck in a game without it."""


def report(match: Match, analysis: Analysis, names: Sequence[str], language: str) -> AnalysisReport:
    """Tell an analysis in a language."""
    told, plies = words_for(match, language), match.length
    points = _points(match, analysis, names, told)
    return AnalysisReport(
        moments=[_moment(match, each, points, names, told) for each in moments(analysis.decisions)],
        points=points,
        players=_players(analysis, names, told),
        start=[percent(share, told) for share in analysis.start],
        result=[percent(share, told) for share in analysis.result],
        curves=[curve(analysis, plies, *size, name, told.gettext(PERCENT)) for name, size in CURVES.items()],
        chance=_chance(match, analysis, names, told),
    )


def percent(share: float, told: Words) -> str:
    """Write a share as percent."""
    return told.gettext(PERCENT).format(percent=round(100 * share))


def lines(match: Match, decision: Decision, names: Sequence[str], told: Words) -> list[Line]:
    """Tell the lines that were looked at in a decision: the best one first, those that were not searched last."""

    def rank(line: Alternative) -> tuple[bool, float]:
        shares = _shares(decision, line)
        return line.line != decision.best, -shares[decision.seat] if shares else 0.0

    return [_line(match, decision, each, names, told) for each in sorted(decision.alternatives, key=rank)]


def named_line(match: Match, decision: Decision, line: str, names: Sequence[str], told: Words) -> Line:
    """Tell one of the lines that were looked at."""
    return _line(match, decision, next(each for each in decision.alternatives if each.line == line), names, told)


def _line(match: Match, decision: Decision, line: Alternative, names: Sequence[str], told: Words) -> Line:
    shares = _shares(decision, line)
    first, *others = _labels(match, decision, line, told) or [line.line]
    return Line(
        line=line.line,
        label=first,
        shares=_all_shares(shares, names, told) if shares else told.gettext(NOT_SEARCHED),
        then="; ".join(others),
        reasons=[told.gettext(reason) for reason in line.reasons],
        doubts=[told.gettext(doubt) for doubt in line.doubts],
        played=line.line == decision.line,
        best=line.line == decision.best,
    )


def _shares(decision: Decision, line: Alternative) -> list[float] | None:
    """Return each seat's chance with a line; None where it was not searched.

    Of the two lines that were compared, the comparison counts, so that they agree with the grade. The others have what
    they lose in the search, where all lines were looked at together, taken from the chance with the best line.
    """
    seat = decision.seat
    if line.line == decision.line:
        return decision.after
    if line.line == decision.best:
        return decision.before
    most = decision.before[seat] + min(0.0, decision.gap)  # with the best of the others
    if decision.best == decision.line and line == decision.alternatives[1]:
        return _with_share(line.shares, seat, most)
    if not line.visits:
        return None
    best = next(each for each in decision.alternatives if each.line == decision.best)
    lost = max(0.0, best.shares[seat] - line.shares[seat])
    return _with_share(line.shares, seat, min(most, decision.before[seat] - lost))


def _with_share(shares: Sequence[float], seat: int, own: float) -> list[float]:
    """Give a seat another share; the others keep theirs in proportion."""
    own, rest = min(1.0, max(0.0, own)), 1.0 - shares[seat]
    others = [share / rest if rest else 1 / (len(shares) - 1) for share in shares]
    return [own if number == seat else (1.0 - own) * share for number, share in enumerate(others)]


def _all_shares(shares: Sequence[float], names: Sequence[str], told: Words) -> str:
    return ", ".join(f"{name} {percent(share, told)}" for name, share in zip(names, shares, strict=True))


def _labels(match: Match, decision: Decision, line: Alternative, told: Words) -> list[str]:
    """Say what a line does, and those that follow it in the turn as long as they are legal in this game."""
    game, here = match.game, match.states[decision.ply].clone()
    labels: list[str] = []
    for written in line.continuation:
        move = game.parse(here, written)
        if here.actor != decision.seat or game.refusal(here, move) is not None:
            break
        labels.append(game.label(game.view(here, decision.seat), written, told))
        game.apply(here, move)
    return labels


def _points(match: Match, analysis: Analysis, names: Sequence[str], told: Words) -> list[Point]:
    logs = [_sentences(match, None if match.game.open else seat, names, told) for seat in _readers(match)]
    seats = [decision.seat for decision in analysis.decisions]
    return [
        Point(
            ply=each.ply,
            number=number,
            seat=each.seat,
            player=names[each.seat],
            text=_told(match, logs[each.seat % len(logs)], each.ply),
            sign=SIGNS.get(name := grade(each), ""),
            grade=told.gettext(GRADES[name]) if name else "",
            shares=[percent(share, told) for share in each.after],
            turn=number == 1 or seats[number - 2] != each.seat,
        )
        for number, each in enumerate(analysis.decisions, 1)
    ]


def _readers(match: Match) -> range:
    """Return the seats whose logs differ: each decision is told as its own seat saw it."""
    return range(1 if match.game.open else match.seats)


def _sentences(match: Match, seat: int | None, names: Sequence[str], told: Words) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for ply, sentence in match.log(seat, names, told):
        found.setdefault(ply, []).append(sentence)
    return found


def _told(match: Match, log: dict[int, list[str]], ply: int) -> str:
    """Tell a decision and what chance did after it; sentences that repeat are counted."""
    sentences = [sentence for at in range(ply, after(match, ply)) for sentence in log.get(at, [])]
    counted = [(sentence, len(list(same))) for sentence, same in groupby(sentences)]
    return " ".join(text if times == 1 else f"{text} ×{times}" for text, times in counted[:SENTENCES])


def _moment(match: Match, decision: Decision, points: list[Point], names: Sequence[str], told: Words) -> Moment:
    seat = decision.seat
    lost = told.gettext(INSTEAD).format(
        player=names[seat], after=percent(decision.after[seat], told), before=percent(decision.before[seat], told)
    )
    return Moment(
        point=next(point for point in points if point.ply == decision.ply),
        played=named_line(match, decision, decision.line, names, told),
        better=named_line(match, decision, decision.best, names, told),
        lost=lost,
    )


def _players(analysis: Analysis, names: Sequence[str], told: Words) -> list[PlayerReport]:
    found = []
    books = accounts(analysis)
    for seat, accurate in enumerate(accuracies(analysis.decisions, analysis.seats)):
        own = [grade(decision) for decision in analysis.decisions if decision.seat == seat]
        errors = [own.count(name) for name in ERRORS]
        found.append(
            PlayerReport(
                seat=seat,
                name=names[seat],
                accuracy="–" if accurate is None else percent(accurate / 100, told),
                errors=errors,
                luck=_luck(books[seat], told),
                bar=luck_bar(books[seat]),
                mistakes=sum(errors),
            )
        )
    return found


def _luck(account: Account, told: Words) -> str:
    return told.gettext(LUCK_AND_SKILL).format(luck=signed(account.luck), skill=signed(account.skill))


def _chance(match: Match, analysis: Analysis, names: Sequence[str], told: Words) -> str:
    """Say what chance decided, where that was hardly anything."""
    if not analysis.chance:
        return told.gettext(NO_CHANCE)
    if len(analysis.chance) > 1:
        return ""
    log = _sentences(match, None, names, told)
    return told.gettext(ONE_CHANCE).format(event=" ".join(log.get(analysis.chance[0].ply, [])))
