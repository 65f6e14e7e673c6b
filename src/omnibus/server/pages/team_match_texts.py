"""The texts of the pages of team matches, by the keys that templates use."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.i18n import mark

TEAM_MATCH: Final = {
    "team_match": mark("Team match"),
    "team_about": mark(
        "Two tables, the same dice: at the second table the teams have swapped seats, so luck "
        "cancels. Turns cannot be undone, and there are no hints."
    ),
    "team_name": mark("Team {number}"),
    "team_table": mark("Table {number}"),
    "team_wins": mark("Wins"),
    "set_up_match": mark("Set up the match"),
    "team_players": mark("Players"),
    "team_of_four": mark("{number} people, {seats} at each table"),
    "team_pair": mark("Two people, who play both games with swapped seats"),
    "team_link": mark("Link to this match"),
    "team_leave": mark("Leave the match"),
    "team_starts": mark("A game starts when its table is full. Send the link to the others."),
    "team_other_table": mark(
        "You can watch the other game when you have played yours to its end, or when both are over."
    ),
    "team_revealed": mark("Both games have this commitment, and the seed is revealed."),
    "team_seed": mark("Both games have this commitment. The seed is revealed when both are over."),
}
