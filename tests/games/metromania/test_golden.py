"""Golden records: full games that must replay for ever, and that together cover every case."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

from omnibus import Match
from omnibus.games.metromania.board import CITY, TO
from omnibus.games.metromania.rules.against_digs import caused
from omnibus.games.metromania.rules.legal import bore_of, legal, line_of
from omnibus.games.metromania.state import ACT, BONUS, EARLIER, State
from omnibus.games.metromania.telling.reasons import REASONS as REASONS_TOLD
from omnibus.kernel.record import BadRecord
from support.walks import few

pytestmark = pytest.mark.engine

RECORDS = Path(__file__).parent / "records"
HALLS = {2: ["hidden", "open"], 3: ["hidden", "open"], 4: ["hidden", "open", "strict"]}
REASONS = ["finished", "stock", "blocked"]
NAMES = [f"{seats}-{hall}-{reason}" for seats, halls in HALLS.items() for hall in halls for reason in REASONS]


VERSION_1 = NAMES  # they lie in the folder itself, those of later versions in folders of their own
VERSION_2 = [f"version-2/{name}" for name in NAMES]


@cache
def text(name: str) -> str:
    return (RECORDS / f"{name}.game").read_text(encoding="utf-8")


@cache
def record(name: str) -> Match:
    return Match.read(text(name))


@pytest.mark.parametrize("name", [*few(VERSION_1, 3), *few(VERSION_2, 6)])
def test_records_replay(name: str) -> None:
    """§9.1 Every number of players × every town hall × every end of the construction, to the letter."""
    match = record(name)
    seats, hall, reason = name.removeprefix("version-2/").split("-")
    assert (match.seats, match.options["town_hall"]) == (int(seats), hall)
    assert match.outcome is not None
    assert match.outcome.reason == reason
    written = match.record()
    assert written.partition("\n\n")[2] == text(name).partition("\n\n")[2]
    assert Match.read(written).record() == written


@pytest.mark.parametrize("name", few(VERSION_2, 6))
def test_records_are_written_as_they_were_read(name: str) -> None:
    """§13 A record by the rules of today comes back byte for byte."""
    assert record(name).record() == text(name)


@pytest.mark.parametrize("name", few(VERSION_1, 3))
def test_earlier_records_go_by_the_earlier_rules(name: str) -> None:
    """§4.2 §9.1 A game begun by version 1 is replayed, shown, dealt anew and played on by it."""
    match = record(name)
    assert match.options["rules"] == match.view(None)["options"]["rules"] == 1
    halfway = match.at(len(match.plies) // 2)
    redealt = match.game.redeal(halfway.view(halfway.state.seat), Random(1).randrange)
    placed = Match.from_position("metromania", halfway.position(), dice=False)
    for state in (redealt, placed.state):
        assert (state.rules, match.game.legal(state)) == (1, match.game.legal(halfway.state))
    for _, line in match.plies[len(match.plies) // 2 :]:
        placed.play(line)
    assert placed.outcome == match.outcome
    assert Match.read(placed.record()).outcome == match.outcome


def test_an_earlier_record_may_begin_from_a_position() -> None:
    """§9.1 The position of a version 1 record says nothing of the rules: its header does."""
    match = record("3-hidden-blocked")
    placed = Match.from_position("metromania", match.at(60).position(), dice=False)
    for _, line in match.plies[60:]:
        placed.play(line)
    earlier = placed.record().replace(', "rules": 1', "").replace("rules: 2\n", "rules: 1\n")
    assert earlier.count("rules") == 1
    assert Match.read(earlier).outcome == match.outcome


@pytest.mark.parametrize("seats", [2, 3])
def test_the_rules_have_changed(seats: int) -> None:
    """§9.1 By the rules of today fewer lines do not end the construction: the earlier record cannot be one of today."""
    earlier = text(f"{seats}-hidden-blocked")
    with pytest.raises(BadRecord):
        Match.read(earlier.replace("rules: 1\n", "rules: 2\n"))


def test_nothing_else_lies_there() -> None:
    """Every record is named after what it covers."""
    assert sorted(str(path.relative_to(RECORDS).with_suffix("")) for path in RECORDS.rglob("*.game")) == sorted(
        VERSION_1 + VERSION_2
    )


@pytest.mark.walk
@pytest.mark.parametrize("names", [VERSION_1, VERSION_2], ids=["version 1", "version 2"])
def test_records_cover_every_case(names: list[str]) -> None:
    """§13 Together the records of a version hold every kind of line, of station, of turn and of ride."""
    seen: set[str] = set()
    for name in names:
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
        "spot", "pass", "short turn", "blocked", "freed", "last turn", "impossible", "ride", "penalty",
    }  # fmt: skip
    assert ("early end" in seen) == (names == VERSION_2)


@pytest.mark.walk
def test_records_give_every_reason() -> None:
    """§13 Every reason for a refusal arises in positions of these games, and no other."""
    codes: set[str] = set()
    for name in VERSION_2:
        match = record(name)
        states = match.states
        for ply in [*range(10), *range(10, len(match.plies), 8), *range(len(match.plies) - 7, len(match.plies) + 1)]:
            state = states[ply]
            moves = [*range(match.game.space(state)[0]), match.game.space(state)[0], match.game.space(state)[1] - 1]
            found = [match.game.refusal(state, move) for move in moves]
            codes |= {refusal.code for refusal in found if refusal}
    assert codes | {"no-tunnels", "letters-in-order"} == {code.partition(" ")[0] for code in REASONS_TOLD}


def legal_by_earlier_rules(now: State) -> list[int]:
    earlier = now.clone()
    earlier.rules = EARLIER
    return legal(earlier)


def _digs(now: State, move: int) -> set[str]:
    seen: set[str] = set()
    if now.step == ACT and 3 <= move < 87:
        line, bore = line_of(now, move), bore_of(now, move)
        here = caused(now, line, bore)
        seen |= {"separation"} if bore // 12 in here else set()
        seen |= {"meeting"} if here and here[-1] != bore // 12 else set()
        seen |= {"early end"} if TO[bore] >= CITY and move not in legal_by_earlier_rules(now) else set()
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
