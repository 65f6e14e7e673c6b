"""The texts of the pages of what-if boards, by the keys that templates and scripts use."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.i18n import mark

BOARD_SCRIPT: Final = {
    "by_chance": mark("Chance"),
    "start_node": mark("Start"),
    "bot_answers": mark("A bot is thinking …"),
    "supposed": mark("You do not know this hand: it was dealt at random."),
}
"""What the script of a board says."""

EDITOR_SCRIPT: Final = {
    "valid_position": mark("This is valid."),
    "last_valid": mark("The board shows the last valid position."),
    "add": mark("Add"),
    "add_to": mark("Add to {what}"),
    "remove": mark("Remove {what}"),
    "whole_game": mark("The game"),
}
"""What the script of the position editor says."""

BOARD: Final = {
    **BOARD_SCRIPT,
    **EDITOR_SCRIPT,
    "what_if": mark("What if …"),
    "what_if_help": mark("Play on from this position on a board of your own"),
    "what_if_board": mark("What-if board"),
    "what_if_boards": mark("What-if boards"),
    "what_if_about": mark(
        "On a what-if board you play for everyone, try a move, go back and try another. Every line stays, and a link "
        "shows the board to others. You can also open one from any position of a replay."
    ),
    "what_if_about_offline": mark(
        "On a what-if board you play for everyone, try a move, go back and try another. Every line stays. You can also "
        "open one from any position of a replay."
    ),
    "lines": mark("Lines"),
    "lines_keys": mark("Arrow keys: ← back, → on, ↑ ↓ other lines"),
    "seats_question": mark("How many players?"),
    "start_board": mark("Open a board"),
    "set_up_position": mark("Set up a position"),
    "own_position": mark("Your own position"),
    "own_position_help": mark(
        "Set up any position on the board and play on from there, or paste a position or a whole record. Only what "
        "the rules allow is accepted."
    ),
    "confirm_other_game": mark("Begin with another game? Your changes are lost."),
    "begin_with": mark("Begin with"),
    "normal_start": mark("Normal start"),
    "from_a_game": mark("Position from a game"),
    "place": mark("Place on the board"),
    "place_help": mark("Click a place on the board, or choose one here."),
    "as_text": mark("As text"),
    "of_game": mark("Position of"),
    "position_text": mark("Position or record"),
    "open_position": mark("Open this position"),
    "your_boards": mark("Your boards"),
    "confirm_delete_board": mark("Delete this board permanently?"),
    "let_bot_move": mark("Bot move"),
    "bots_answer": mark("Bots answer"),
    "bot_level": mark("Bot"),
    "roll": mark("Let chance decide"),
    "choose_chance": mark("Choose what chance does"),
    "follow": mark("Follow new moves"),
    "remove_line": mark("Remove from here"),
    "share_export": mark("Share, export, edit"),
    "export_edit": mark("Export, edit"),
    "copy_or_delete": mark("Copy or delete"),
    "download_record": mark("Record"),
    "download_position": mark("Position"),
    "edit_position": mark("Edit this position"),
    "copy_board": mark("Make my own copy"),
    "copy_board_link": mark("Copy link"),
    "only_owner_edits": mark("You are watching this board: its owner’s moves appear by themselves."),
    "board_of_live_game": mark(
        "This board shows a game in progress as you see it. What you cannot see was dealt at random."
    ),
    "board_private": mark("Only you can see it until the game is over."),
    "no_help_here": mark(
        "Other people play this game or the same deal: until it is over, bots do not help, and positions cannot be "
        "exported or edited."
    ),
}
