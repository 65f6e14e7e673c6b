"""Why a move is refused, as a sentence."""

from __future__ import annotations

from typing import Any, Final

from omnibus.games.times_square.telling.names import card, figure, signed
from omnibus.kernel.game import Refusal, Words
from omnibus.kernel.i18n import mark

REASONS: Final = {
    "over": mark("The game is over"),
    "side-first": mark("Chance first decides on whose side Hal begins"),
    "side-known": mark("Hal's side has been decided already"),
    "deal-first": mark("The cards are still being dealt"),
    "refill-first": mark("The hand is being refilled first"),
    "not-in-supply": mark("The supply holds no card {card}"),
    "no-draw": mark("Cards are drawn by chance, after playing or dropping"),
    "nothing-done": mark("Something has to be done first"),
    "playing": mark("This turn is for playing cards: play on in the same colour, or say done"),
    "dropping": mark("This turn is for dropping cards: drop another one, or say done"),
    "already-with-hal": mark("Hal can only lure a figure that is not with him already"),
    "lure-breaks-trio": mark("On Hal's space {space}, the order guard a, Sue, guard b would be broken"),
    "not-in-hand": mark("There is no card {card} in this hand"),
    "not-in-hand 2": mark("There are no two cards {card} in this hand"),
    "no-dropping": mark("In this edition no cards are dropped"),
    "no-joker": mark("Deb does not stand between Sue (on {sue}) and this seat's own club: she is on {deb}"),
    "other-colour green": mark("This turn goes on with green cards only"),
    "other-colour yellow": mark("This turn goes on with yellow cards only"),
    "other-colour grey": mark("This turn goes on with grey cards only"),
    "other-colour red": mark("This turn goes on with red cards only"),
    "other-joker": mark("From now on, the red cards of this turn move only {figure}"),
    "changes-nothing": mark("This would change nothing"),
    "off-the-board": mark("{figure} would leave the board"),
    "sue-meets-deb": mark("A red card may not take Sue to {space}: Deb, on {deb}, would be met or passed"),
    "trio": mark("Sue on {sue} and {guard} on {space} would meet or change sides"),
}


def explain(refusal: Refusal, words: Words) -> str:
    """Put a refusal in a sentence."""
    codes = [f"{refusal.code} {value}" for value in refusal.args.values()]  # some sentences depend on what it is about
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
