"""The words on the pages, by the names under which templates and scripts know them."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark

PAGE: Final = {
    "motto": mark("City board games: play with friends or bots"),
    "skip": mark("Skip to content"),
    "home": mark("All games"),
    "play_now": mark("Play now"),
    "rules": mark("Rules"),
    "set_up": mark("Set up a table with friends or bots"),
    "open_table": mark("Create table"),
    "seat": mark("Seat {seat}"),
    "sits": mark("Player"),
    "you": mark("You"),
    "another": mark("Someone else on this device"),
    "nobody": mark("No one"),
    "friend": mark("A friend (by invitation link)"),
    "name": mark("Name"),
    "players": mark("{seats} players"),
    "your_tables": mark("Your tables"),
    "no_tables": mark("No tables yet. Click “Play now” above to start a game."),
    "ways": mark("Tables"),
    "link_local": mark("This link only works on this computer. Other devices cannot open it."),
    "you_watch": mark("You are watching this game."),
    "listed": mark("List this table in the lobby for everyone"),
    "patience": mark("How long may a player be away before the others can let a bot take over?"),
    "open_tables": mark("Tables with free seats"),
    "free_seats": mark("Free seats: {number}"),
    "sit_down": mark("Join"),
    "gathering": mark("Waiting for players"),
    "gathering_what": mark("The game starts as soon as every seat is taken."),
    "free": mark("Free"),
    "invite": mark("Create invitation link"),
    "invited": mark("Send this link to one person. Whoever opens it first can take this seat."),
    "copy_link": mark("Copy"),
    "copied": mark("Copied"),
    "stand_up": mark("Leave this seat"),
    "send_away": mark("Clear this seat"),
    "fill": mark("Add bot"),
    "private": mark("Only people with a link can find this table."),
    "public": mark("This table is listed in the lobby for everyone."),
    "ask_owner": mark("To play here, ask the person who set up this table for an invitation."),
    "away_limit": mark("Players may be away for"),
    "invitation": mark("You are invited"),
    "invitation_what": mark("Take seat {seat} in a game of {game}."),
    "already_here": mark("Already at the table:"),
    "your_name": mark("Your name"),
    "hand": mark("Let a bot play for me"),
    "spectators_link": mark("Anyone with the link to this page can watch."),
    "chat": mark("Chat"),
    "chat_say": mark("Message to the players"),
    "chat_send": mark("Send"),
    "chat_none": mark("Only the players at this table can read the chat."),
    "your_turn": mark("Your turn"),
    "waiting": mark("Waiting for others"),
    "over": mark("Finished"),
    "closed": mark("Closed"),
    "delete": mark("Delete"),
    "records": mark("Saved games"),
    "upload_what": mark("Replay a saved game: choose its .game file."),
    "upload": mark("Replay game"),
    "language": mark("Language"),
    "theme": mark("Theme"),
    "day": mark("Light"),
    "night": mark("Dark"),
    "as_device": mark("Same as device"),
    "credits": mark("Credits"),
    "not_found": mark("Page not found"),
    "not_found_more": mark("The address may be wrong, or the table may have been deleted."),
    "trouble": mark("Something went wrong"),
    "back": mark("Back"),
    "frozen": mark("This game cannot be replayed"),
    "frozen_why": mark(
        "It was played under rules version {rules}, and this version of Omnibus cannot replay it: {reason}. "
        "The stored game has not been changed."
    ),
    "frozen_short": mark("its record no longer matches the rules"),
    "download": mark("Download record"),
    "resign": mark("Resign"),
    "abandon": mark("Close table"),
    "rematch": mark("Rematch"),
    "board": mark("Board"),
    "table_menu": mark("This table"),
    "players_here": mark("Players"),
    "log": mark("Game log"),
    "result": mark("Result"),
    "replay_of": mark("Replay"),
    "seen_by": mark("View as"),
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
    "seed_of_dice": mark("Seed"),
    "commitment_is": mark(
        "Every random event at this table was fixed before the game began. This commitment, the SHA-256 of a "
        "secret seed, proves it: when the game is over, the seed is revealed and anyone can check every roll."
    ),
    "dice_wait": mark(
        "The game is still being played. When it is over, the seed is revealed here and every roll is checked."
    ),
    "dice_how": mark(
        "Every random event, including drawing a card, is a dice roll. Before the first roll, the server "
        "picked a secret seed and showed its SHA-256, the commitment. Each roll is computed from the seed and"
        " the number of the roll, so none could be changed along the way."
    ),
    "dice_own": mark(
        "You do not have to trust this page: write down the commitment when the game begins, download the "
        "record when it ends, and check it on your own computer with “omnibus verify”."
    ),
    "dice_limits": mark(
        "What this cannot prove: that whoever runs the server did not look at the seed, or did not try "
        "several seeds before the table was opened."
    ),
    "sure_resign": mark("Resign this game?"),
    "sure_abandon": mark("Close this table for everyone?"),
    "sure_delete": mark("Delete this table permanently?"),
}

TABLE: Final = {
    "your_move": mark("Your move"),
    "find": mark("Find a move"),
    "moves": mark("Moves"),
    "confirm": mark("Confirm"),
    "reconsider": mark("Choose again"),
    "undo": mark("Undo"),
    "takeback": mark("Ask to undo"),
    "agree": mark("Accept"),
    "decline": mark("Decline"),
    "withdraw": mark("Cancel request"),
    "declined": mark("Not everyone agreed. The game continues unchanged."),
    "waiting": mark("Waiting for others"),
    "you": mark("You"),
    "handed": mark("A bot is playing for you."),
    "take_back": mark("Take my seat back"),
    "bot_for": mark("Let a bot play for {player}"),
    "here": mark("online"),
    "away": mark("away"),
    "watching": mark("{number} watching"),
    "mute": mark("Mute {player}"),
    "unmute": mark("Unmute {player}"),
    "next_table": mark("Your next table"),
    "awaited": mark("It is your turn."),
    "hint": mark("Hint"),
    "thinking": mark("A strong bot is thinking …"),
    "advice": mark("What a strong bot would play"),
    "no_advice": mark("No bot is available right now."),
    "chance": mark("{percent}% chance to win"),
    "choose_this": mark("Choose this move"),
    "confirm_turns": mark("Confirm before ending a turn"),
    "first": mark("First position"),
    "previous": mark("Previous position"),
    "next": mark("Next position"),
    "last": mark("Current position"),
    "travel": mark("Timeline"),
    "at_ply": mark("Position {ply} of {plies}"),
    "back_to_now": mark("Back to the current position"),
    "since_last": mark("Since your last turn"),
    "connecting": mark("Reconnecting …"),
    "hand_over": mark("Pass the device to {player}"),
    "only_you": mark("It is {player}’s turn. Press the button when only they can see the screen."),
    "look_as": mark("I am {player}"),
    "nothing_there": mark("You cannot do anything there right now."),
    "picked": mark("{number} moves match what you clicked."),
    "winner": mark("wins"),
    "to_play": mark("to play"),
}


def told(texts: dict[str, str], words: Words) -> dict[str, str]:
    """Return texts in a language."""
    return {name: words.gettext(text) for name, text in texts.items()}
