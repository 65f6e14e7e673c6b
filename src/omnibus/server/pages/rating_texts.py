"""The texts of profiles and leaderboards, by the keys that templates use."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.i18n import mark

RATINGS: Final = {
    "leaderboards": mark("Leaderboards"),
    "leaderboard_about": mark(
        "Players with at least five rated games. A rating is an estimate: the number after ± says how far off it may "
        "be. Everybody starts at 1500, where the medium bot is. Bots have fixed ratings and are listed apart."
    ),
    "nobody_rated": mark("Nobody has played enough rated games yet."),
    "rated_game": mark("Rated game"),
    "rated_help": mark(
        "Only for players who have claimed their name. Seats are drawn when the game starts. Whoever resigns, leaves "
        "the seat to a bot or runs out of time is ranked last."
    ),
    "random_seats": mark("Draw the seats at random"),
    "random_seats_help": mark("Drawn at random when the game starts."),
    "rating": mark("Rating"),
    "rating_between": mark("Rating {lowest}–{highest}"),
    "rating_from": mark("Rating from {lowest}"),
    "rating_up_to": mark("Rating up to {highest}"),
    "lowest_rating": mark("Lowest rating"),
    "highest_rating": mark("Highest rating"),
    "meant_for": mark("For"),
    "any_language": mark("Any language"),
    "rated_games": mark("Rated games"),
    "provisional": mark("provisional"),
    "two_players": mark("two players"),
    "several_players": mark("three or more players"),
    "bots": mark("Bots"),
    "formerly": mark("Formerly: {name}"),
    "no_rated_games": mark("No rated games yet."),
    "rating_curve": mark("Rating over time"),
    "accuracy_curve": mark("Accuracy over time"),
    "luck_curve": mark("Net luck over time"),
    "analysed_games": mark("Analysed games"),
    "analysed_help": mark(
        "In games that somebody has had analysed: how close the decisions were to the best ones, and what the dice "
        "and cards gave and took, in points of a win."
    ),
    "opponents": mark("Favourite opponents"),
    "current_games": mark("Games in progress"),
    "current_help": mark("Rated games and games that were listed in the lobby."),
    "ended": mark("Ended"),
    "profile_away": mark("On vacation until {date}."),
    "rank": mark("Rank"),
    "change": mark("Change"),
}
