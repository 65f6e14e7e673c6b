"""The texts of the analysis pages, by the keys that templates and page modules use."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.i18n import mark
from omnibus.server.analysed import NOT_FINISHED

ANALYSIS: Final = {
    "analysis": mark("Analysis"),
    "analyse": mark("Analyse"),
    "not_analysed": NOT_FINISHED,
    "analyse_game": mark("Analyse this game"),
    "analysis_about": mark("Every decision is judged by what its player could see at that moment."),
    "analysis_running": mark("The game is being analysed. This page shows the result as soon as it is there."),
    "decisions_judged": mark("{done} of {total} decisions"),
    "back_to_game": mark("Back to the game"),
    "download_analysis": mark("Download the analysis"),
    "moments": mark("The moments that decided the game"),
    "no_moments": mark("No decision lost anything."),
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
    "luck_and_skill": mark("Luck and skill"),
    "luck_help": mark(
        "In points, hundredths of a win. Luck is what chance gave or took, skill what the decisions of everyone did. "
        "Together with an equal share at the start and what could not be foreseen, they add up to the result."
    ),
    "luck_over_time": mark("Luck and skill over time"),
    "luck_over_time_help": mark("What chance and the decisions of everyone had given or taken so far, in points."),
    "luck": mark("Luck"),
    "skill": mark("Skill"),
    "learn_from_mistakes": mark("Learn from your mistakes"),
    "learn_from_mistakes_of": mark("Learn from the mistakes of {player}"),
    "retry_task": mark("Find a better move."),
    "retry_judging": mark("Your move is being judged …"),
    "retry_passed": mark("Well done! This is as good as it gets, or nearly."),
    "retry_failed": mark("This loses {points} points. Try another move."),
    "retry_hint": mark("Look for a move for this reason: {reason}."),
    "retry_look": mark("Look at what is marked on the board."),
    "solution": mark("Solution"),
    "next_mistake": mark("Next"),
    "no_mistakes": mark("No mistakes were found here. Well played!"),
    "retry_done": mark("That was the last one."),
    "back_to_analysis": mark("Back to the analysis"),
}
