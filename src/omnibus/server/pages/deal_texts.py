"""The texts of the page of a deal, by the keys that templates use."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.i18n import mark
from omnibus.server.tables.deals import PLAYED_BEFORE

DEAL: Final = {
    "same_deal": mark("Same deal"),
    "challenge": mark("Challenge others with this deal"),
    "deal_won": mark("{player} played this deal against bots ({bots}) and won, {score} to {best}. Beat that!"),
    "deal_shared": mark(
        "{player} played this deal against bots ({bots}) and shared the win, {score} to {best}. Beat that!"
    ),
    "deal_lost": mark(
        "{player} played this deal against bots ({bots}) and lost, {score} to {best}. Can you do better?"
    ),
    "deal_help": mark(
        "You play {seat}, with the same dice, options and bots. Everyone plays once: no turn can be undone, and there "
        "are no hints."
    ),
    "play_deal": mark("Play this deal"),
    "deal_own_game": mark("Your game"),
    "deal_played": PLAYED_BEFORE,
    "deal_closed": mark("This deal is closed. Nobody else can begin to play it."),
    "deal_results": mark("Results"),
    "deal_score": mark("Score"),
    "deal_best_bot": mark("Best bot"),
    "deal_margin": mark("Margin"),
    "deal_playing": mark("playing"),
    "deal_win": mark("won"),
    "deal_loss": mark("lost"),
    "deal_same": mark(
        "The same dice: roll number 7, for example, is the same number for everyone. As long as two players decide "
        "alike, chance does the same for both. After that, the same number may stand for something else."
    ),
    "deal_seed": mark(
        "All games of this deal have this commitment. The seed is revealed when the deal is closed and its last game "
        "is over."
    ),
    "deal_revealed": mark("All games of this deal have this commitment, and the seed is revealed."),
    "deal_link": mark("Link to this deal"),
    "close_deal": mark("Close this deal"),
    "confirm_close_deal": mark("Close this deal? Nobody else can begin to play it then."),
    "dice_of_deal": mark(
        "Others are still playing this deal, or may begin to. When its last game is over, the seed is revealed here "
        "and every roll is checked."
    ),
}
