"""The end of Bus as it is shown: why it is over, then the scores, the winner's last."""

from __future__ import annotations

import pytest

from omnibus.kernel.i18n import ENGLISH
from support.games_played import WHOLE, GamePlayed, in_positions, random_match


@in_positions(6, of="bus", ways=WHOLE)
def test_scores_are_shown_from_the_last_to_the_winner(played: GamePlayed) -> None:
    """Each as passengers less time stones, at the disc on the score track (§13.2)."""
    game, state = played.game, played.state
    outcome = game.outcome(state)
    assert outcome is not None
    end, *scores = game.journeys(game.view(state, None), ENGLISH)
    assert end.seat is None
    assert "the game is over" in end.caption
    shown = [journey.seat for journey in scores if journey.seat is not None]
    assert sorted(shown) == list(range(played.seats))
    assert shown[-1] in outcome.winners
    assert [outcome.scores[seat] for seat in shown] == sorted(outcome.scores)
    for journey, seat in zip(scores, shown, strict=True):
        rides, stones = (outcome.details[key][seat] for key in ("rides", "stones"))
        assert journey.caption == f"Passengers taken {rides} − Time stones {stones}"
        assert journey.value.startswith(f"Score {outcome.scores[seat]}".replace("-", "−"))
        assert f"track-{'ABCDE'[seat]}" in journey.parts


@pytest.mark.parametrize(
    ("tie_break", "said"),
    [("stones", "more time stones"), ("earlier", "reached earlier"), ("shared", "a shared win"), (None, "")],
)
def test_what_broke_a_tie_is_said(tie_break: str | None, said: str) -> None:
    """§13.2 With the score of the winner, and of nobody else."""
    match = random_match("bus", 1)
    view = match.game.view(match.state, None)
    view["outcome"]["tie_break"] = tie_break
    for journey in match.game.journeys(view, ENGLISH)[1:]:
        won = journey.seat in view["outcome"]["winners"]
        assert ("tied" in journey.value) == (won and tie_break is not None)
        assert not won or journey.value.endswith(said)
