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
from omnibus.lab.analysis.accounts import INSTEAD, accounts, entries, moments, signed
from omnibus.lab.analysis.document import LATER, Account, Alternative, Analysis, Decision, Grade
from omnibus.lab.analysis.grades import ERRORS, GRADES, ONLY, THRESHOLDS, accuracies, grade, points
from omnibus.server.pages.win_curve import SIGNS, curve, luck_bar
from omnibus.server.tables.board_view import words_for
from omnibus.server.tables.steps import after

PERCENT: Final = mark("{percent}%")
LUCK_AND_SKILL: Final = mark("{luck} points of luck, {skill} of skill")
NO_CHANCE: Final = mark("Nothing was left to chance in this game.")
ONE_CHANCE: Final = mark("Chance decided only one thing in this game: {event}")
CHANCES: Final = mark("Chances to win: {shares}")
CHANCES_CHANGED: Final = mark("Chances to win, with the best move → as played: {shares}")
YOU: Final = mark("{player} (you)")
MOVE: Final = mark("Move {number} of {total}")
END: Final = mark("End of the game")
NOT_SEARCHED: Final = mark("Not searched: it looked weaker from the start.")
ONLY_ONE: Final = mark("There was only one possible move.")
ONLY_GOOD: Final[Grade] = "only"
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
    later: str
    """What is said before the reasons, if they are about the next moves; empty otherwise."""
    reasons: list[str]
    doubts: list[str]
    played: bool
    best: bool
    parts: list[str]
    """The parts of the board that it touches."""


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
    when: str
    played: Line
    better: Line
    lost: str


class PlayerReport(Struct, frozen=True):
    """How a player did."""

    seat: int
    name: str
    accuracy: str
    errors: list[int]
    praised: int
    """How often the only good move was found."""
    luck: str
    bar: Markup
    account: list[str]
    """Where the result came from: start, luck, own errors, errors of others, unexplained, result; they add up."""
    mistakes: int
    """How many graded errors there are to learn from."""


class AnalysisReport(Struct, frozen=True):
    """Everything the page of an analysis shows besides the board."""

    names: list[str]
    """What the players are called; the reader's own seat says so."""
    moments: list[Moment]
    points: list[Point]
    signs: list[tuple[str, str]]
    """The signs of the grades and what they are called."""
    end: str
    players: list[PlayerReport]
    start: list[str]
    result: list[str]
    curves: list[Markup]
    chance: str
    """What there is to say about luck in a game without it."""
    limits: dict[str, str]
    """How many points of the chance to win a decision has to lose for each grade, with so many players."""


def report(
    match: Match, analysis: Analysis, names: Sequence[str], language: str, own: Sequence[int] = ()
) -> AnalysisReport:
    """Tell an analysis in a language, to whoever played in the own seats."""
    told, plies = words_for(match, language), match.length
    decided = _points(match, analysis, names, told)
    return AnalysisReport(
        names=[_named(seat, name, own, told) for seat, name in enumerate(names)],
        signs=[(SIGNS[name], told.gettext(GRADES[name])) for name in (*ERRORS, ONLY_GOOD)],
        end=told.gettext(END),
        limits=_limits(match.seats, language),
        moments=[_moment(match, each, decided, names, told) for each in moments(analysis.decisions)],
        points=decided,
        players=_players(analysis, names, told),
        start=[percent(share, told) for share in analysis.start],
        result=[percent(share, told) for share in analysis.result],
        curves=[curve(analysis, plies, *size, name, told.gettext(PERCENT)) for name, size in CURVES.items()],
        chance=_chance(match, analysis, names, told),
    )


def _named(seat: int, name: str, own: Sequence[int], told: Words) -> str:
    """Name a player, and say which one the reader is, if only one."""
    return told.gettext(YOU).format(player=name) if [seat] == [*own] else name


def _limits(seats: int, language: str) -> dict[str, str]:
    """Write from how many points of the chance to win on a decision gets each grade."""
    from babel.numbers import format_decimal  # imported late, like the catalogues

    scaled = {name: least for least, name in THRESHOLDS} | {ONLY_GOOD: ONLY}
    return {name: format_decimal(least / points(0.01, seats), "0.#", language) for name, least in scaled.items()}


def chances(decision: Decision, names: Sequence[str], told: Words) -> str:
    """Say everybody's chances to win at a decision: with the best line, and with the one that was played."""
    pairs = [
        (percent(best, told), percent(left, told)) for best, left in zip(decision.before, decision.after, strict=True)
    ]
    if decision.best == decision.line:
        return told.gettext(CHANCES).format(shares=_all_shares(decision.after, names, told))
    shares = ", ".join(f"{name} {best} → {left}" for name, (best, left) in zip(names, pairs, strict=True))
    return told.gettext(CHANCES_CHANGED).format(shares=shares)


def lost(decision: Decision, names: Sequence[str], told: Words) -> str:
    """Say what a decision did to the chance of the player who made it."""
    seat = decision.seat
    best, left = percent(decision.before[seat], told), percent(decision.after[seat], told)
    return told.gettext(INSTEAD).format(player=names[seat], after=left, before=best)


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
        later=told.gettext(LATER) if line.later else "",
        reasons=[told.gettext(reason) for reason in line.reasons],
        doubts=[told.gettext(doubt) for doubt in line.doubts],
        played=line.line == decision.line,
        best=line.line == decision.best,
        parts=_parts(match, decision, line.line),
    )


def _parts(match: Match, decision: Decision, line: str) -> list[str]:
    state = match.states[decision.ply]
    return list(match.game.parts(state, match.game.parse(state, line)))


def _shares(decision: Decision, line: Alternative) -> list[float] | None:
    """Return each seat's chance with a line; None where it was not searched.

    Of the two lines that were compared, the comparison counts, so that they agree with the grade. The others have what
    they lose in the search, where all lines were looked at together, taken from the chance with the best line. The one
    that was best in the search loses nothing by it; the comparison may have found another one better.
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
    best = max(each.shares[seat] for each in decision.alternatives if each.visits)
    return _with_share(line.shares, seat, min(most, decision.before[seat] - best + line.shares[seat]))


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


def _moment(match: Match, decision: Decision, decided: list[Point], names: Sequence[str], told: Words) -> Moment:
    point = next(point for point in decided if point.ply == decision.ply)
    return Moment(
        point=point,
        when=told.gettext(MOVE).format(number=point.number, total=len(decided)),
        played=named_line(match, decision, decision.line, names, told),
        better=named_line(match, decision, decision.best, names, told),
        lost=lost(decision, names, told),
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
                praised=own.count(ONLY_GOOD),
                luck=_luck(books[seat], told),
                bar=luck_bar(books[seat]),
                account=entries(books[seat]),
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
