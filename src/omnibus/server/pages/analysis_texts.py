"""The texts of the analysis pages, by the keys that templates and page modules use."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.i18n import mark
from omnibus.lab.analysis.accounts import ACCOUNT_HELP
from omnibus.server.analysed import NOT_FINISHED

ANALYSIS: Final = {
    "analysis": mark("Analysis"),
    "analyse": mark("Analyse"),
    "not_analysed": NOT_FINISHED,
    "analyse_game": mark("Analyse this game"),
    "analysis_about": mark("Every decision is judged by what its player could see at that moment."),
    "analysis_running": mark(
        "The game is being analysed. This page shows the result as soon as it is there. "
        "You can leave it meanwhile: the analysis goes on."
    ),
    "decisions_judged": mark("{done} of {total} decisions"),
    "back_to_game": mark("Back to the game"),
    "download_analysis": mark("Download the analysis"),
    "moments": mark("The moments that decided the game"),
    "moments_help": mark("Each picture shows the board before the move, with the better move marked."),
    "no_moments": mark("No decision was a clear mistake."),
    "point_of_view": mark("From {player}’s point of view."),
    "played": mark("Played"),
    "better": mark("Better"),
    "best_line": mark("Best"),
    "turn_goes_on": mark("then: {lines}"),
    "show_position": mark("Show on the board"),
    "win_shares": mark("Chances to win"),
    "curve_help": mark("Click the curve to see a position, or move along it with the arrow keys."),
    "curve_table": mark("The curve as a table"),
    "move": mark("Move"),
    "decision": mark("Decision"),
    "grade": mark("Grade"),
    "previous_turn": mark("Previous turn"),
    "next_turn": mark("Next turn"),
    "play_turns": mark("Play"),
    "pause_turns": mark("Pause"),
    "to_start": mark("To the start"),
    "to_end": mark("To the end"),
    "what_now": mark("What now?"),
    "accuracy_head": mark("Accuracy"),
    "inaccuracies": mark("Inaccuracies"),
    "mistakes": mark("Mistakes"),
    "blunders": mark("Blunders"),
    "only_moves": mark("Only good moves"),
    "accuracy_help": mark(
        "Accuracy says how close a player’s decisions came to the best ones: 100% means that none lost anything. "
        "A decision that lowers the chance to win by {inaccuracy} points (hundredths of a win) or more is an "
        "inaccuracy, from {mistake} points on a mistake, from {blunder} on a blunder. A move is the only good one "
        "if every other would have lost at least {only} points. A grade is given only where the loss is clear, more "
        "than twice as large as its uncertainty; for the accuracy every loss counts."
    ),
    "luck_and_skill": mark("Luck and skill"),
    "luck_help": ACCOUNT_HELP,
    "account_head": mark("Where the result came from"),
    "account_start": mark("start"),
    "account_luck": mark("luck"),
    "account_own": mark("own errors"),
    "account_others": mark("others’ errors"),
    "account_remainder": mark("unexplained"),
    "account_result": mark("result"),
    "luck_over_time": mark("Luck and skill over time"),
    "luck_over_time_help": mark("What chance and the decisions of everyone had given or taken so far, in points."),
    "luck": mark("Luck"),
    "skill": mark("Skill"),
    "learn_from_mistakes": mark("Learn from your mistakes"),
    "learn_from_mistakes_of": mark("Learn from the mistakes of {player}"),
    "retry_task": mark("Find a better move."),
    "retry_judging": mark("Your move is being judged …"),
    "retry_passed": mark("Well done! This is as good as it gets, or nearly."),
    "retry_failed": mark("This leaves a chance to win of {after} instead of {before}. Try another move."),
    "retry_hint": mark("Look for a move for this reason: {reason}."),
    "retry_look": mark("Look at what is marked on the board."),
    "solution": mark("Solution"),
    "next_mistake": mark("Next"),
    "no_mistakes": mark("No mistakes were found here. Well played!"),
    "retry_done": mark("That was the last one."),
    "back_to_analysis": mark("Back to the analysis"),
}
