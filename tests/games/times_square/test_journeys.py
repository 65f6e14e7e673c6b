"""The end of Times Square as it is shown: the figure that decided it (§10)."""

from __future__ import annotations

from omnibus.kernel.i18n import ENGLISH
from support.games_played import random_match


def test_the_deciding_figure_is_shown() -> None:
    """With its space, and with the supply where that ended the game."""
    reasons = set()
    for seed in range(12):
        match = random_match("times_square", seed)
        outcome, view = match.outcome, match.game.view(match.state, None)
        assert outcome is not None
        (shown,) = match.game.journeys(view, ENGLISH)
        assert shown.seat == (outcome.winners[0] if outcome.winners else None)
        figure = outcome.reason.removeprefix("supply-")
        assert outcome.reason == "draw" or {f"figure-{figure}", f"space-{view['figures'][figure]}"} <= set(shown.parts)
        assert ("supply" in shown.parts) == (outcome.reason not in ("sue", "charlie"))
        reasons.add(outcome.reason)
    assert len(reasons) > 1
