"""The words on the pages, by the names under which templates and scripts know them."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark

PAGE: Final = {
    "motto": mark("City board games: play, replay, understand"),
    "skip": mark("Skip to the content"),
    "home": mark("All games"),
    "play_now": mark("Play now"),
    "rules": mark("Rules"),
    "set_up": mark("Set up a table, with friends or bots"),
    "open_table": mark("Open the table"),
    "seat": mark("Seat {seat}"),
    "sits": mark("Who sits here"),
    "you": mark("You"),
    "another": mark("Another person on this device"),
    "nobody": mark("Nobody"),
    "friend": mark("A friend: send an invitation"),
    "name": mark("Name"),
    "players": mark("{seats} players"),
    "your_tables": mark("Your tables"),
    "no_tables": mark("None yet. One click above, and you are in a game."),
    "ways": mark("Tables"),
    "link_local": mark("This address leads to this machine only: other devices cannot open it."),
    "you_watch": mark("You are watching this game."),
    "listed": mark("Show this table to everybody in the lobby"),
    "patience": mark("How long may somebody be away before the others may let a bot play?"),
    "open_tables": mark("Tables with free seats"),
    "free_seats": mark("Free seats: {number}"),
    "sit_down": mark("Sit down"),
    "gathering": mark("Waiting for players"),
    "gathering_what": mark("The game begins as soon as every seat is taken."),
    "free": mark("Free"),
    "invite": mark("Make an invitation link"),
    "invited": mark("Send this link to one person. Whoever opens it first can sit down in this seat."),
    "copy_link": mark("Copy"),
    "copied": mark("Copied"),
    "stand_up": mark("Stand up"),
    "send_away": mark("Free this seat"),
    "fill": mark("Let a bot sit here"),
    "private": mark("Nobody finds this table without a link."),
    "public": mark("The lobby shows this table to everybody."),
    "ask_owner": mark("Who wants to play needs an invitation from the person who has set the table up."),
    "away_limit": mark("Somebody may be away for"),
    "invitation": mark("You are invited"),
    "invitation_what": mark("Sit down in seat {seat} for a game of {game}."),
    "already_here": mark("Already there:"),
    "your_name": mark("Your name"),
    "hand": mark("Let a bot play for me"),
    "spectators_link": mark("Whoever has the address of this page can watch."),
    "chat": mark("Talk"),
    "chat_say": mark("Say something to the players"),
    "chat_send": mark("Say"),
    "chat_none": mark("Only those who sit at the table read this."),
    "your_turn": mark("Your turn"),
    "waiting": mark("Waiting for others"),
    "over": mark("Over"),
    "closed": mark("Closed"),
    "delete": mark("Delete"),
    "records": mark("Records"),
    "upload_what": mark("Look at a game you have saved: choose its .game file."),
    "upload": mark("Replay this record"),
    "language": mark("Language"),
    "theme": mark("Day or night"),
    "day": mark("Day"),
    "night": mark("Night"),
    "as_device": mark("As the device"),
    "credits": mark("Credits"),
    "not_found": mark("There is nothing here."),
    "not_found_more": mark("The address may be wrong, or the table was deleted."),
    "trouble": mark("This did not work"),
    "back": mark("Back"),
    "frozen": mark("This table is frozen"),
    "frozen_why": mark(
        "It was played with rules version {rules} and cannot be replayed by this program: {reason}. "
        "Nothing of it has been changed."
    ),
    "frozen_short": mark("its record does not fit the rules any more"),
    "download": mark("Download the record"),
    "resign": mark("Resign"),
    "abandon": mark("Abandon the table"),
    "rematch": mark("Rematch"),
    "board": mark("Board"),
    "table_menu": mark("This table"),
    "players_here": mark("Players"),
    "log": mark("What happened"),
    "result": mark("Result"),
    "replay_of": mark("Replay"),
    "seen_by": mark("Seen by"),
    "show": mark("Show"),
    "spectator": mark("Spectator"),
    "credits_games": mark("These games were invented by:"),
    "credits_own": mark(
        "Rules are facts. Every word, picture and line of code here is our own; nothing is taken from the published "
        "games, and their publishers have nothing to do with this program."
    ),
    "credits_built": mark(
        "Omnibus is free software under the MIT licence, built with Python, FastAPI, uvicorn, msgspec, Jinja, Babel, "
        "markdown-it and SQLite. Colours after Okabe and Ito."
    ),
    "dice": mark("Dice"),
    "check_dice": mark("Check the dice"),
    "commitment": mark("Commitment"),
    "seed_of_dice": mark("Seed"),
    "commitment_is": mark(
        "Whatever is left to chance at this table was fixed before the game began. This commitment, the SHA-256 of a "
        "secret seed, proves it: once the game is over the seed is revealed, and anyone can check every roll."
    ),
    "dice_wait": mark("The game goes on. Once it is over, the seed is revealed here and every roll is checked."),
    "dice_how": mark(
        "Whatever is left to chance here, the drawing of cards too, is rolled. Before the first roll the server picked "
        "a secret seed and showed its SHA-256, the commitment. Each roll follows from the seed and the number of the "
        "roll, so none could be changed on the way."
    ),
    "dice_own": mark(
        "You need not take this page’s word for it: note the commitment when the game begins, download the record at "
        "the end, and check it on a machine of your own with “omnibus verify”."
    ),
    "dice_limits": mark(
        "What this cannot show: whether those who run the server have looked at the seed, or have tried several before "
        "the table was opened."
    ),
    "sure_resign": mark("Really resign?"),
    "sure_abandon": mark("Really close this table for everybody?"),
    "sure_delete": mark("Really delete this table for ever?"),
}

TABLE: Final = {
    "your_move": mark("Your move"),
    "find": mark("Find a move"),
    "moves": mark("Moves"),
    "confirm": mark("Confirm"),
    "reconsider": mark("Choose again"),
    "undo": mark("Undo"),
    "takeback": mark("Ask to take back"),
    "agree": mark("Agree"),
    "decline": mark("Decline"),
    "withdraw": mark("Withdraw"),
    "declined": mark("Not everybody agreed: the game goes on as it was."),
    "waiting": mark("Waiting for others"),
    "you": mark("You"),
    "handed": mark("A bot plays for you."),
    "take_back": mark("Play on myself"),
    "bot_for": mark("Let a bot play for {player}"),
    "here": mark("here"),
    "away": mark("away"),
    "watching": mark("{number} watching"),
    "mute": mark("Mute {player}"),
    "unmute": mark("Hear {player} again"),
    "next_table": mark("Your next table"),
    "awaited": mark("It is your turn."),
    "hint": mark("Hint"),
    "thinking": mark("A strong bot is thinking …"),
    "advice": mark("What a strong bot would do"),
    "no_advice": mark("No bot could be asked just now."),
    "chance": mark("{percent} % to win"),
    "choose_this": mark("Choose this"),
    "confirm_turns": mark("Ask before a turn ends"),
    "first": mark("To the beginning"),
    "previous": mark("One step back"),
    "next": mark("One step forward"),
    "last": mark("To the present"),
    "travel": mark("Time travel"),
    "at_ply": mark("Position {ply} of {plies}"),
    "back_to_now": mark("Back to the present"),
    "since_last": mark("Since your last turn"),
    "connecting": mark("Connecting again …"),
    "hand_over": mark("Hand the device to {player}"),
    "only_you": mark("It is the turn of {player}. Press the button when only they can see the screen."),
    "look_as": mark("I am {player}"),
    "nothing_there": mark("Nothing can be done there now."),
    "picked": mark("{number} moves fit what you have clicked."),
    "winner": mark("wins"),
    "to_play": mark("to play"),
}


def told(texts: dict[str, str], words: Words) -> dict[str, str]:
    """Return texts in a language."""
    return {name: words.gettext(text) for name, text in texts.items()}
