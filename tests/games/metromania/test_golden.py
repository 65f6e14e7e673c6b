"""Golden records: full games that must replay for ever, and that together cover every case."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from omnibus import Match
from omnibus.games.metromania.board import CITY, DIGS, TO
from omnibus.games.metromania.rules.against_digs import caused
from omnibus.games.metromania.rules.ahead import can_follow, most
from omnibus.games.metromania.rules.legal import bore_of, line_of
from omnibus.games.metromania.state import ACT, BONUS, State
from omnibus.games.metromania.telling.reasons import REASONS as REASONS_TOLD
from support.walks import few

pytestmark = pytest.mark.engine

RECORDS = Path(__file__).parent / "records"
HALLS = {2: ["hidden", "open"], 3: ["hidden", "open"], 4: ["hidden", "open", "strict"]}
REASONS = ["finished", "stock", "blocked"]
WAYS = [f"{seats}-{hall}-{reason}" for seats, halls in HALLS.items() for hall in halls for reason in REASONS]
ONCE = {"2-hidden-blocked", "3-hidden-blocked", "3-open-blocked"}  # of every other way to end there are two games
NAMES = [*WAYS, *(f"{way}-2" for way in WAYS if way not in ONCE)]


@cache
def text(name: str) -> str:
    return (RECORDS / f"{name}.game").read_text(encoding="utf-8")


@cache
def record(name: str) -> Match:
    return Match.read(text(name))


@pytest.mark.parametrize("name", few(NAMES, 9))
def test_records_replay(name: str) -> None:
    """§13 Every number of players × every town hall × every end of the construction, byte for byte."""
    match = record(name)
    seats, hall, reason = name.removesuffix("-2").split("-")
    assert (match.seats, match.options["town_hall"]) == (int(seats), hall)
    assert match.outcome is not None
    assert match.outcome.reason == reason
    assert match.record() == text(name)


@pytest.mark.parametrize("name", few(NAMES, 9))
def test_ends_of_the_construction(name: str) -> None:
    """§9.1 Both lines of a player finished, the stock empty, or lines enough; then everyone else has one more turn."""
    match = record(name)
    reason = name.split("-")[2]
    ending = next(state for state in match.states if state.ended >= 0)
    both_finished = any(ending.finished >> 2 * seat & 3 == 3 for seat in range(match.seats))
    assert both_finished == (reason == "finished")
    assert reason != "stock" or ending.stock == 0
    stuck = (ending.finished | ending.blocked).bit_count()
    assert reason != "blocked" or (ending.stock > 0 and stuck >= (4 if match.seats == 2 else 5))
    assert (match.state.turn, match.state.seat) == (ending.ended + match.seats, ending.ended % match.seats)


@pytest.mark.parametrize(("seats", "enough"), [(2, 4), (3, 5), (4, 5)])
def test_how_many_lines_end_the_construction(seats: int, enough: int) -> None:
    """§9.1 Five finished and blocked lines end it, all four with two players; one less does not."""
    going_on: set[int] = set()
    ended: set[int] = set()
    for name in [name for name in NAMES if name.startswith(str(seats))]:
        begins = [now for last, now in pairwise(record(name).states) if now.turn == last.turn + 1]
        for state in begins:
            stuck = (state.finished | state.blocked).bit_count()
            if state.ended < 0:
                going_on.add(stuck)
            elif state.reason == 3 and state.ended == state.turn - 1:
                ended.add(stuck)
    assert going_on == set(range(enough))
    assert min(ended) == enough


def test_nothing_else_lies_there() -> None:
    """Every record is named after what it covers."""
    found = [str(path.relative_to(RECORDS).with_suffix("")) for path in RECORDS.rglob("*.game")]
    assert sorted(found) == sorted(NAMES)


@pytest.mark.walk
def test_records_cover_every_case() -> None:
    """§13 Together the records hold every kind of line, of station, of turn and of ride."""
    seen: set[str] = set()
    for name in NAMES:
        match = record(name)
        states = match.states
        for ply, (actor, line) in enumerate(match.plies):
            now, then = states[ply], states[ply + 1]
            seen |= (
                {line.split()[0]}
                | _turns(now, then)
                | (_digs(now, match.game.parse(now, line)) if actor != "chance" else set())
            )
        assert match.outcome is not None
        for test in match.outcome.details["tests"]:
            seen.add("impossible" if test["minutes"] is None else "ride")
            seen |= {"penalty"} if min(test["scores"]) < 0 else set()
    assert seen >= {
        "piece", "double", "deal", "start", "dig", "place", "station", "skip",
        "separation", "meeting", "alongside", "acute angle", "finished line", "bonus station", "intermediate station",
        "spot", "pass", "short turn", "early end", "blocked", "freed", "last turn", "impossible", "ride", "penalty",
    }  # fmt: skip


@pytest.mark.walk
def test_records_give_every_reason() -> None:
    """§13 Every reason for a refusal arises in positions of these games, and no other."""
    codes: set[str] = set()
    for name in NAMES:
        match = record(name)
        states = match.states
        for ply in [*range(10), *range(10, len(match.plies), 8), *range(len(match.plies) - 7, len(match.plies) + 1)]:
            state = states[ply]
            moves = [*range(match.game.space(state)[0]), match.game.space(state)[0], match.game.space(state)[1] - 1]
            found = [match.game.refusal(state, move) for move in moves]
            codes |= {refusal.code for refusal in found if refusal}
    assert codes | {"no-tunnels", "letters-in-order"} == {code.partition(" ")[0] for code in REASONS_TOLD}


def leaves_fewer(now: State, line: int, bore: int) -> bool:
    """Tell whether after this dig fewer tunnels are possible than after another."""
    held = 0 if now.placed_now else now.hands[now.seat]
    return not can_follow(now, line, bore, most(now, DIGS - now.dug, held) - 1, held)


def _digs(now: State, move: int) -> set[str]:
    seen: set[str] = set()
    if now.step == ACT and 3 <= move < 87:
        line, bore = line_of(now, move), bore_of(now, move)
        here = caused(now, line, bore)
        seen |= {"separation"} if bore // 12 in here else set()
        seen |= {"meeting"} if here and here[-1] != bore // 12 else set()
        seen |= {"early end"} if TO[bore] >= CITY and leaves_fewer(now, line, bore) else set()
        if now.length[line]:
            seen |= {"acute angle"} if (bore % 12 // 2 - now.way[line]) % 6 in (2, 4) else set()
            seen |= {"alongside"} if now.track[now.slot[line] ^ 1] >= 0 else set()
    if 93 <= move < 275:
        seen.add("bonus station" if now.step == BONUS else "intermediate station")
    return seen


def _turns(now: State, then: State) -> set[str]:
    seen: set[str] = set()
    if then.turn > now.turn + 1:
        seen.add("pass")
    if then.turn > now.turn and now.step == ACT and sum(then.length) == sum(now.length) + 1 and now.dug < 2:
        seen.add("short turn")
    seen |= {"blocked"} if then.blocked & ~now.blocked else set()
    seen |= {"freed"} if now.blocked & ~then.blocked & ~then.finished else set()
    seen |= {"finished line"} if then.finished != now.finished else set()
    seen |= {"last turn"} if then.ended >= 0 and then.actor >= 0 else set()
    seen |= {"spot"} if now.step == ACT and then.line >= 0 and then.tip[then.line] < CITY else set()
    return seen
