"""The texts of the puzzle pages, by the keys that templates use."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.i18n import mark

PUZZLES: Final = {
    "puzzles": mark("Puzzles"),
    "puzzles_short": mark("Find the best move:"),
    "puzzle_of_game": mark("{game}: puzzle {rating}"),
    "puzzle_of_the_day": mark("Puzzle of the day"),
    "puzzles_about": mark(
        "Positions from games of strong bots in which one move, or one of a few, is much better than all others. "
        "Find it: only the first move of the turn counts, and only your first attempt changes your rating."
    ),
    "puzzle_rating": mark("Your rating"),
    "puzzle_streak": mark("Solved in a row"),
    "difficulty": mark("Difficulty"),
    "theme_of_puzzle": mark("Theme of the puzzle"),
    "any_game": mark("All games"),
    "any_difficulty": mark("Any difficulty"),
    "any_theme": mark("Any theme"),
    "solved_at_once": mark("solved"),
    "not_solved": mark("not solved"),
    "no_puzzles": mark("No puzzle matches. Try fewer filters."),
    "suited_puzzle": mark("A puzzle for your rating"),
    "attempt_counts": mark("Your first attempt counts. Looking at the solution counts as not solved."),
    "attempt_is_practice": mark("You have tried this puzzle before: this is practice, and your rating stays as it is."),
    "find_the_move": mark("It is your turn. Which move do you begin with?"),
    "puzzle_right": mark("Right!"),
    "puzzle_wrong": mark("There is something much better. Try again."),
    "puzzle_given_up": mark("This is the solution."),
    "show_solution": mark("Show solution"),
    "see_why": mark("See why"),
    "next_puzzle": mark("Next puzzle"),
    "all_puzzles": mark("All puzzles"),
    "explanation": mark("Explanation"),
    "share_of_win": mark("Chance to win"),
    "percent": mark("{percent}%"),
    "better_by": mark("Better by {points} percentage points than every other move."),
    "puzzle_goes_on": mark("Then: {moves}"),
    "solved_exactly": mark("Exact: everything that can follow was calculated."),
    "searched": mark("Estimated by long searches."),
    "estimated": mark("Estimated by long searches, in which what you cannot see was redealt 64 times."),
}
