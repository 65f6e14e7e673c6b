"""The arithmetic of clocks: time is neither made nor lost, and every instant is in time or too late."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnibus import games
from omnibus.kernel.i18n import LANGUAGES
from omnibus.server.store.models import DAY, TimeControl
from omnibus.server.tables import clock
from omnibus.server.tables.clock import Clocks
from omnibus.server.tables.setup import duration

SECONDS = st.integers(0, 1000).map(float)
CONTROLS = st.builds(TimeControl, bank=st.integers(30, 600).map(float), increment=SECONDS, turn=SECONDS)
STEPS = st.lists(st.tuples(st.integers(0, 2), SECONDS, st.sampled_from(["decide", "undo", "bot", "return"])))


def step(control: TimeControl, clocks: Clocks, seat: int, used: float, what: str) -> tuple[Clocks, float]:
    """Do something at a table; return the clocks and what the bank of the running seat has gained by it."""
    running = clocks.running
    clocks = clock.spent(clocks, used)
    before = clocks.banks
    if running is not None and what == "decide":
        clocks = clock.decided(control, clocks, running)
    elif what == "undo":
        clocks = clock.undone(clocks, [seat])
    elif what == "return":
        clocks = clock.returned(control, clocks, seat)
    gained = sum(after - bank for after, bank in zip(clocks.banks, before, strict=True))
    return clock.switched(control, clocks, None if what == "bot" else seat), gained


@given(CONTROLS, STEPS)
def test_time_is_conserved(control: TimeControl, steps: list[tuple[int, float, str]]) -> None:
    """A bank stays between zero and its start, and all hold what they began with, plus gains, minus what was taken."""
    clocks = clock.started(control, 3, 0)
    expected = 3 * control.bank
    for seat, used, what in steps:
        running = clocks.running
        taken = 0.0 if running is None else min(clocks.banks[running], max(0.0, used - clocks.turn))
        clocks, gained = step(control, clocks, seat, used, what)
        expected += gained - taken
        assert sum(clocks.banks) == expected
        assert all(0 <= bank <= control.bank for bank in clocks.banks)
        assert 0 <= clocks.turn <= control.turn
        assert all(clocks.left(seat, used) >= 0 for seat in range(3))


@given(CONTROLS, SECONDS)
def test_every_instant_is_in_time_or_too_late(control: TimeControl, used: float) -> None:
    """As long as something is left the time is not over, and at zero it is."""
    clocks = clock.started(control, 2, 1)
    assert clocks.overrun(used) == (used >= control.turn + control.bank) == (clocks.left(1, used) == 0)
    assert not clock.started(control, 2, None).overrun(used)


@given(CONTROLS, st.lists(st.integers(1, 200).map(float), min_size=1, max_size=8))
def test_what_happens_in_between_takes_no_extra_time(control: TimeControl, pieces: list[float]) -> None:
    """Thinking in pieces, while others propose or chat, costs as much as thinking at once."""
    clocks = at_once = clock.started(control, 2, 0)
    for piece in pieces:
        clocks = clock.switched(control, clock.spent(clocks, piece), 0)
    at_once = clock.spent(at_once, sum(pieces))
    assert (clocks.banks, clocks.turn) == (at_once.banks, at_once.turn)


def test_the_increment_is_capped_and_not_earned_twice() -> None:
    """A quick decision adds no more than was used; undoing and deciding again adds nothing."""
    control = TimeControl(bank=60, increment=10)
    clocks = clock.decided(control, clock.spent(clock.started(control, 2, 0), 4), 0)
    assert clocks.banks == (60, 60)
    clocks = clock.decided(control, clock.spent(clocks, 30), 0)
    assert clocks.banks == (40, 60)
    again = clock.decided(control, clock.undone(clocks, [0]), 0)
    assert again.banks == (40, 60)
    assert clock.decided(control, again, 0).banks == (50, 60)


def test_a_turn_has_its_own_time() -> None:
    """Days of a turn are used before the bank, are shared by the decisions of a turn, and are back at the next one."""
    control = TimeControl(bank=3 * DAY, turn=DAY)
    clocks = clock.decided(control, clock.spent(clock.started(control, 2, 0), 0.75 * DAY), 0)
    assert (clocks.banks[0], clock.switched(control, clocks, 0).turn) == (3 * DAY, 0.25 * DAY)
    clocks = clock.spent(clock.switched(control, clocks, 0), 0.5 * DAY)
    assert (clocks.banks[0], clocks.turn) == (2.75 * DAY, 0)
    assert clock.switched(control, clock.switched(control, clocks, 1), 0).left(0) == 3.75 * DAY


def test_a_seat_that_was_taken_back_has_time_to_play_on() -> None:
    """After an overrun there is a quarter of the bank or half a minute; who has more keeps it."""
    control = TimeControl(bank=80)
    over = clock.spent(clock.started(control, 2, 0), 100)
    assert clock.returned(control, over, 0).banks == (30, 80)
    assert clock.returned(control, over, 1).banks == (0, 80)
    assert clock.returned(TimeControl(bank=400), over, 0).banks[0] == 100
    assert clock.returned(TimeControl(bank=10), over, 0).banks[0] == 10


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("pace", clock.PACES)
def test_ready_made_time_controls_can_be_played(name: str, pace: clock.Pace) -> None:
    """They pass the check, and a slower pace has more time."""
    game = games.find(name)
    clock.check(clock.time_control(game, pace))
    assert clock.time_control(game, pace).by_days == (pace == "days")
    blitz, normal, slow = (clock.time_control(game, each) for each in ("blitz", "normal", "slow"))
    assert blitz.bank < normal.bank < slow.bank


def test_durations_in_every_language() -> None:
    """In words of the language, also where Babel does not know all of them."""
    assert [duration(9 * 86_400 + 3600, language) for language in ("en", "it", "de")] == [
        "9 days 1 hour",
        "9 giorni 1 ora",
        "9 Tage 1 Stunde",
    ]
    assert all("duration" not in duration(seconds, each) for seconds in (1, 90, 3600, 86_400) for each in LANGUAGES)
