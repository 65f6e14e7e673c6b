"""The report of a contest in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from statistics import fmean

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from omnibus import games as catalogue
from omnibus.lab.arena.contest import Contest
from omnibus.lab.arena.standings import ContestantStanding, ContestResults, Round, by_seat, mean_share, standings
from omnibus.lab.arena.statistics import Interval, SequentialTest


def report(results: ContestResults) -> RenderableType:
    """Report how a contest stands."""
    rounds = results.rounds()
    found = standings(results.contest, rounds)
    parts: list[RenderableType] = [Text(_headline(results.contest, rounds), "bold")]
    if found:
        parts += [_shares(found), Text(_seats(rounds)), Text(), _times(found)]
    parts += [Text(line) for line in _losses(found)]
    if results.test:
        parts.append(Text(_verdict(results, results.test), "bold"))
    return Group(*parts)


def running(results: ContestResults) -> str:
    """Summarise the win shares so far, for a progress bar."""
    rounds = results.rounds()
    labels = [one.label for one in results.contest.contestants]
    return "  ".join(f"{label} {mean_share(rounds, index):.1%}" for index, label in enumerate(labels) if rounds)


def _headline(contest: Contest, rounds: Sequence[Round]) -> str:
    size = contest.schedule.size
    games = len(rounds) * size
    title = catalogue.find(contest.game).title
    each = f"{len(rounds):,} rounds of {size}" if size > 1 else "one seating"
    if not games:
        return f"{title}: no complete round was played"
    decisions = fmean(played.decisions for games in rounds for played in games)
    return (
        f"{title}, {contest.seats} seats: {games:,} games ({each}), seed {contest.seed}, {decisions:.1f} decisions each"
    )


def _shares(found: Sequence[ContestantStanding]) -> Grid:
    grid = _grid("contestant", "games", "win share", "95 %", "fair", "Elo", "95 %")
    for one in found:
        rating = ("", "") if one.rating is None else (_elo(one.rating[0]), _elos(one.rating[1]))
        low, high = one.interval
        shares = f"{one.share:.1%}", f"{low:.1%} – {high:.1%}", f"{one.fair:.1%}"
        grid.add_row(Text(one.label), f"{one.games:,}", *shares, *rating)
    return grid


def _times(found: Sequence[ContestantStanding]) -> Grid:
    grid = _grid("thinking", "moves", "mean", "longest", "over time", "over 110 %", "simulations/s")
    for one in found:
        thinking = one.thinking
        moves = thinking.moves or 1
        over = (_part(thinking.over, moves), _part(thinking.late, moves)) if one.allowed else ("", "")
        speed = "" if thinking.simulations is None else f"{thinking.simulations / (thinking.searched or 1):,.0f}"
        mean = f"{thinking.seconds / moves:.4f} s", f"{thinking.longest:.3f} s"
        grid.add_row(Text(one.label), f"{thinking.moves:,}", *mean, *over, speed)
    return grid


def _grid(first: str, *columns: str) -> Grid:
    grid = Grid(first, box=None, pad_edge=False)
    for column in columns:
        grid.add_column(column, justify="right")
    return grid


def _seats(rounds: Sequence[Round]) -> str:
    told = ", ".join(f"seat {seat} {share:.1%}" for seat, share in enumerate(by_seat(rounds)))
    return f"wins by seat: {told}"


def _losses(found: Sequence[ContestantStanding]) -> Iterator[str]:
    for one in found:
        if one.lost:
            told = ", ".join(f"{kind} {times:,}" for kind, times in sorted(one.lost.items()))
            yield f"{one.label} forfeited {one.lost.total():,} games: {told}"


def _verdict(results: ContestResults, test: SequentialTest) -> str:
    first, second = (one.label for one in results.contest.contestants)
    ratio = f"log likelihood ratio {results.ratio():+.2f}, bounds ±{test.bound:.2f}"
    if results.verdict is None:
        return f"SPRT: undecided between a lead of {test.low:g} and of {test.high:g} Elo for {first} ({ratio})"
    lead = test.high if results.verdict == "H1" else test.low
    name = f"{first} leads {second} by {test.high:g} Elo" if lead == test.high else f"its lead is {test.low:g} Elo"
    return f"SPRT: {results.verdict} accepted, {name} rather than {test.low + test.high - lead:g} ({ratio})"


def _part(count: int, moves: int) -> str:
    return f"{count:,} ({count / moves:.2%})" if count else "0"


def _elo(value: float) -> str:
    if abs(value) == inf:
        return "+∞" if value > 0 else "−∞"
    return f"{value:+.0f}".replace("-", "−")


def _elos(interval: Interval) -> str:
    low, high = interval
    return f"{_elo(low)} … {_elo(high)}"
