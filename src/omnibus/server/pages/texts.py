"""The texts of the pages, by the keys that templates and scripts use."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.i18n import mark

PAGE: Final = {
    "tagline": mark("City board games: play with friends or bots"),
    "skip": mark("Skip to content"),
    "home": mark("All games"),
    "play_now": mark("Play now"),
    "rules": mark("Rules"),
    "in_short": mark("In short"),
    "contents": mark("Contents"),
    "set_up_table": mark("Set up a table with friends or bots"),
    "create_table": mark("Create table"),
    "player": mark("Player"),
    "someone_else": mark("Someone else on this device"),
    "no_one": mark("No one"),
    "friend": mark("A friend (by invitation link)"),
    "name": mark("Name"),
    "your_tables": mark("Your tables"),
    "no_tables": mark("No tables yet. Click “Play now” above to start a game."),
    "tables": mark("Tables"),
    "link_local": mark("This link only works on this computer. Other devices cannot open it."),
    "watching_game": mark("You are watching this game."),
    "list_in_lobby": mark("List this table in the lobby for everyone"),
    "away_limit_question": mark("How long may a player be away before the others can let a bot take over?"),
    "open_tables": mark("Tables with free seats"),
    "free_seats": mark("Free seats: {number}"),
    "join": mark("Join"),
    "waiting_for_players": mark("Waiting for players"),
    "starts_when_full": mark("The game starts as soon as every seat is taken."),
    "free_seat": mark("Free"),
    "invite": mark("Create invitation link"),
    "invitation_link_help": mark("Send this link to one person. Whoever opens it first can take this seat."),
    "copy_link": mark("Copy"),
    "copied": mark("Copied"),
    "leave_seat": mark("Leave this seat"),
    "clear_seat": mark("Clear this seat"),
    "add_bot": mark("Add bot"),
    "unlisted": mark("Only people with a link can find this table."),
    "listed_for_all": mark("This table is listed in the lobby for everyone."),
    "ask_owner": mark("To play here, ask the person who set up this table for an invitation."),
    "away_limit": mark("Players may be away for"),
    "invitation": mark("You are invited"),
    "invitation_seat": mark("Take the seat “{seat}” in a game of {game}."),
    "already_seated": mark("Already at the table:"),
    "your_name": mark("Your name"),
    "bot_for_me": mark("Let a bot play for me"),
    "anyone_can_watch": mark("Anyone with the link to this page can watch."),
    "chat": mark("Chat"),
    "chat_placeholder": mark("Message to the players"),
    "chat_send": mark("Send"),
    "chat_private": mark("Only the players at this table can read the chat."),
    "your_turn": mark("Your turn"),
    "over": mark("Finished"),
    "closed": mark("Closed"),
    "delete": mark("Delete"),
    "records": mark("Saved games"),
    "upload_help": mark("Replay a saved game: choose its .game file."),
    "upload": mark("Replay game"),
    "language": mark("Language"),
    "theme": mark("Theme"),
    "light": mark("Light"),
    "dark": mark("Dark"),
    "device_theme": mark("Same as device"),
    "credits": mark("Credits"),
    "not_found": mark("Page not found"),
    "not_found_more": mark("The address may be wrong, or the table may have been deleted."),
    "error": mark("Something went wrong"),
    "back": mark("Back"),
    "not_replayable": mark("This game cannot be replayed"),
    "not_replayable_why": mark(
        "It was played under rules version {rules}, and this version of Omnibus cannot replay it: {reason}. "
        "The stored game has not been changed."
    ),
    "rules_mismatch": mark("its record no longer matches the rules"),
    "download": mark("Download record"),
    "resign": mark("Resign"),
    "close_table": mark("Close table"),
    "rematch": mark("Rematch"),
    "new_game": mark("New game"),
    "share": mark("Share"),
    "board": mark("Board"),
    "table_menu": mark("This table"),
    "players_head": mark("Players"),
    "log": mark("Game log"),
    "result": mark("Result"),
    "replay": mark("Replay"),
    "view_as": mark("View as"),
    "show": mark("Show"),
    "spectator": mark("Spectator"),
    "credits_games": mark("These games were designed by:"),
    "credits_own": mark(
        "All text, pictures and code here are our own. Nothing is copied from the published games, and their "
        "publishers are not involved in this project."
    ),
    "credits_built": mark(
        "Omnibus is free software under the MIT licence, built with Python, FastAPI, uvicorn, msgspec, Jinja,"
        " Babel, markdown-it and SQLite. The colours come from the palette of Okabe and Ito."
    ),
    "dice": mark("Dice"),
    "check_dice": mark("Check the dice"),
    "commitment": mark("Commitment"),
    "seed": mark("Seed"),
    "commitment_help": mark(
        "Every random event at this table was fixed before the game began. This commitment, the SHA-256 of a "
        "secret seed, proves it: when the game is over, the seed is revealed and anyone can check every roll."
    ),
    "dice_pending": mark(
        "The game is still being played. When it is over, the seed is revealed here and every roll is checked."
    ),
    "dice_how": mark(
        "Every random event, including drawing a card, is a dice roll. Before the first roll, the server "
        "picked a secret seed and showed its SHA-256, the commitment. Each roll is computed from the seed and"
        " the number of the roll, so none could be changed along the way."
    ),
    "dice_verify": mark(
        "You do not have to trust this page: write down the commitment when the game begins, download the "
        "record when it ends, and check it on your own computer with “omnibus verify”."
    ),
    "dice_limits": mark(
        "What this cannot prove: that whoever runs the server did not look at the seed, or did not try "
        "several seeds before the table was opened."
    ),
    "confirm_resign": mark("Resign this game?"),
    "confirm_close": mark("Close this table for everyone?"),
    "confirm_delete": mark("Delete this table permanently?"),
}

TABLE: Final = {
    "your_move": mark("Your move"),
    "find": mark("Find a move"),
    "moves": mark("Moves"),
    "all_moves": mark("All moves ({number})"),
    "choices": mark("Choices"),
    "confirm": mark("Confirm"),
    "choose_again": mark("Choose again"),
    "undo": mark("Undo"),
    "ask_undo": mark("Ask to undo"),
    "accept": mark("Accept"),
    "decline": mark("Decline"),
    "cancel_request": mark("Cancel request"),
    "declined": mark("Not everyone agreed. The game continues unchanged."),
    "waiting": mark("Waiting for others"),
    "you": mark("You"),
    "bot_plays_for_you": mark("A bot is playing for you."),
    "resume_seat": mark("Take my seat back"),
    "bot_for": mark("Let a bot play for {player}"),
    "online": mark("online"),
    "away": mark("away"),
    "watching": mark("{number} watching"),
    "mute": mark("Mute {player}"),
    "author_left": mark("Someone who left"),
    "unmute": mark("Unmute {player}"),
    "next_table": mark("Your next table"),
    "turn_alert": mark("It is your turn."),
    "hint": mark("Hint"),
    "bot_thinking": mark("A strong bot is thinking …"),
    "advice": mark("What a strong bot would play"),
    "no_advice": mark("No bot is available right now."),
    "chance_to_win": mark("{percent}% chance to win"),
    "choose_this": mark("Choose this move"),
    "confirm_turns": mark("Confirm before ending a turn"),
    "show_notation": mark("Show moves in notation too"),
    "dismiss": mark("Close"),
    "first": mark("First position"),
    "previous": mark("Previous position"),
    "next": mark("Next position"),
    "last": mark("Current position"),
    "timeline": mark("Timeline"),
    "at_ply": mark("Position {ply} of {plies}"),
    "back_to_current": mark("Back to the current position"),
    "since_last": mark("Since your last turn"),
    "reconnecting": mark("Reconnecting …"),
    "pass_device": mark("Pass the device to {player}"),
    "cover_text": mark("It is {player}’s turn. Press the button when only they can see the screen."),
    "i_am": mark("I am {player}"),
    "not_with_choice": mark("That does not go with what you have chosen so far."),
    "nothing_to_do": mark("You cannot do anything there right now."),
    "moves_left": mark("{number} moves match what you clicked."),
    "winner": mark("wins"),
    "to_play": mark("to play"),
}
