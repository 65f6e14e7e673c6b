"""Why a move is refused, as a sentence."""

from __future__ import annotations

from typing import Any, Final

from omnibus.games.times_square.telling.names import card, figure, signed
from omnibus.kernel.game import Refusal, Words
from omnibus.kernel.i18n import mark

REASONS: Final = {
    "over": mark("The game is over"),
    "side-first": mark("Chance decides first which side Hal begins on"),
    "side-known": mark("Hal's side is already decided"),
    "deal-first": mark("The cards are still being dealt"),
    "refill-first": mark("The hand is refilled first"),
    "not-in-supply": mark("There is no {card} card left in the supply"),
    "no-draw": mark("Cards are drawn at random, after playing or dropping"),
    "nothing-done": mark("Do something before you end your turn"),
    "playing": mark("You are playing cards this turn: play another one of the same colour, or choose Done"),
    "dropping": mark("You are dropping cards this turn: drop another one, or choose Done"),
    "already-with-hal": mark("Hal can only lure a figure that is not already with him"),
    "lure-breaks-trio": mark("This would break the order left guard, Sue, right guard: Hal is on {space}"),
    "not-in-hand": mark("You have no {card} card in your hand"),
    "not-in-hand 2": mark("You do not have two {card} cards in your hand"),
    "no-dropping": mark("Cards are not dropped in this edition"),
    "no-joker": mark("Deb is on {deb}, not between Sue (on {sue}) and your club"),
    "other-colour green": mark("Only green cards can be played for the rest of this turn"),
    "other-colour yellow": mark("Only yellow cards can be played for the rest of this turn"),
    "other-colour grey": mark("Only grey cards can be played for the rest of this turn"),
    "other-colour red": mark("Only red cards can be played for the rest of this turn"),
    "other-joker": mark("For the rest of this turn, red cards can only move {figure}"),
    "changes-nothing": mark("This would change nothing"),
    "off-the-board": mark("{figure} would leave the board"),
    "sue-meets-deb": mark("A red card may not take Sue to {space}: she would meet or pass Deb on {deb}"),
    "trio": mark("Sue would be on {sue} and {guard} on {space}: they may not pass each other"),
    "trio same": mark("Sue and {guard} would share {space}"),
    # Of what is on the board, but no move touches.
    "shows-turn": mark("This shows whose turn it is"),
    "others-hand": mark("These cards are the other player's"),
    "charlie-walks": mark("Nobody moves Charlie: he walks by himself at the end of every turn"),
    "no-card-for": mark("None of your cards can move {figure}"),
    "out-of-reach": mark("None of your cards takes anybody to {space}"),
    "one-card": mark("Cards are played one at a time"),
    "card-moves-others": mark("{card} does not move {figure}"),
    "colour-moves green": mark("Green cards move only Sue, or Sue with both guards"),
    "colour-moves yellow": mark("Yellow cards move only Hal"),
    "colour-moves grey": mark("Grey cards move only the guards"),
    "figure-elsewhere": mark("No card in this hand takes {figure} to {space}"),
    "card-elsewhere": mark("{card} does not lead there"),
}


def explain(refusal: Refusal, words: Words) -> str:
    """Put a refusal in a sentence."""
    codes = [f"{refusal.code} {value}" for value in refusal.args.values()]  # some sentences depend on what it is about
    if refusal.args.get("sue") == refusal.args.get("space"):
        codes.append(f"{refusal.code} same")
    code = next((code for code in codes if code in REASONS), refusal.code)
    told = {name: _told(name, value, words) for name, value in refusal.args.items()}
    reason = words.gettext(REASONS[code]).format(**told)
    return reason[0].upper() + reason[1:]  # a figure's name may come first


def _told(name: str, value: Any, words: Words) -> str:
    if name == "card":
        return card(value, words)
    if name in ("figure", "guard"):
        return figure(value, words)
    return signed(value) if isinstance(value, int) else str(value)
