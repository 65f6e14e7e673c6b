"""The texts of the pages of tournaments, by the keys that templates use."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.i18n import mark

TOURNAMENT: Final = {
    "tournaments": mark("Tournaments"),
    "tournaments_about": mark(
        "Round robin, Swiss, knock-out and arena. Tables open by themselves when a round begins, and players who are "
        "away get a message."
    ),
    "tournament": mark("Tournament"),
    "tournament_new": mark("Set up a tournament"),
    "tournament_create": mark("Create tournament"),
    "no_tournaments": mark("No tournaments yet."),
    "tournament_open": mark("Open for entry"),
    "tournament_live": mark("In progress"),
    "tournament_over": mark("Completed"),
    "tournament_cancelled": mark("Cancelled"),
    "tournament_entrants": mark("Players: {number}"),
    "tournament_format": mark("Format"),
    "tournament_size": mark("Players at a table"),
    "tournament_rounds": mark("Rounds of a Swiss tournament (0: as many as it takes)"),
    "tournament_limit": mark("Minutes for each round, or for the whole arena"),
    "tournament_limit_help": mark(
        "When the time of a round is up, unfinished games are closed and the player to move is ranked last. In an "
        "arena, games that have begun are played to the end."
    ),
    "tournament_bots": mark("Bots that fill tables of three or more"),
    "tournament_no_bots": mark("None"),
    "tournament_host": mark("Set up by"),
    "tournament_time": mark("Time for each round"),
    "tournament_time_arena": mark("Length"),
    "tournament_enter": mark("Enter"),
    "tournament_withdraw": mark("Withdraw"),
    "tournament_start": mark("Start the tournament"),
    "tournament_cancel": mark("Cancel the tournament"),
    "tournament_confirm_cancel": mark("Cancel this tournament? This cannot be undone."),
    "tournament_claim": mark("To enter, claim your name on your account page."),
    "tournament_waits": mark("It starts when {host} starts it."),
    "tournament_starts": mark("Start time"),
    "tournament_starts_at": mark("Starts by itself at (optional)"),
    "tournament_starts_help": mark(
        "In your time zone. If there are too few players by then, the tournament is cancelled. You can still start it "
        "earlier."
    ),
    "tournament_your_table": mark("Your table is open"),
    "tournament_standings": mark("Standings"),
    "tournament_round": mark("Round {number}"),
    "tournament_round_of": mark("Round {number} of {rounds}"),
    "tournament_place": mark("Place"),
    "tournament_points": mark("Points"),
    "tournament_opposition": mark("Opposition"),
    "tournament_played": mark("Played"),
    "tournament_withdrawn": mark("withdrawn"),
    "tournament_bye": mark("Bye: {names}"),
    "tournament_with_bots": mark("Bots: {number}"),
    "tournament_winner": mark("Winner: {names}"),
}
