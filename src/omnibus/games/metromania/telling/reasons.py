"""The reasons for refusals, as sentences."""

from __future__ import annotations

from typing import Any, Final

from omnibus.games.metromania.telling.names import kind, line_name
from omnibus.kernel.game import Refusal, Words
from omnibus.kernel.i18n import mark

REASONS: Final = {
    "over": mark("The construction has ended, and so has the game"),
    "pieces-first": mark("The pieces of the city are being laid out first"),
    "piece-lies": mark("Piece {piece} lies in the city already"),
    "city-complete": mark("The city is complete; no piece is laid any more"),
    "deal-first": mark("The destinations are dealt first"),
    "letters-in-order": mark("The two letters of a doubled kind stand in alphabetical order"),
    "other-doubles": mark("These hands do not go with the doubles that were named"),
    "doubles-first": mark("First every player names the kind to hold twice"),
    "doubles-known": mark("No doubles are named now"),
    "double-taken": mark("Another player already holds two of this kind: {kind}"),
    "dealt": mark("No destinations are dealt now"),
    "place-first": mark("A spot has just been dug; its destination comes first"),
    "no-such-destination": mark("There is no destination {kind} with the letter {letter}"),
    "not-in-hand": mark("The destination {kind} {letter} is not in this hand"),
    "letter-touches": mark("The letter {letter} already lies next to this cell"),
    "bonus-first": mark("A line has just been finished; its bonus station comes first, or none"),
    "bonus-elsewhere": mark("The bonus station belongs on the line just finished: {line}"),
    "no-bonus": mark("No line has just been finished, so there is no bonus to decline"),
    "nothing-to-place": mark("No spot has just been dug"),
    "not-begun": mark("This line has not been begun: {line}"),
    "line-finished": mark("This line is finished: {line}"),
    "digging": mark("This turn is for digging; a station would have been a turn of its own"),
    "stock-empty": mark("The stock has no station left"),
    "not-on-line": mark("The point {vertex} is not on this line: {line}"),
    "station-there": mark("There is a station on {vertex} already"),
    "not-between": mark("The point {vertex} does not lie between two stations of this line: {line}"),
    "begun": mark("This line has been begun already: {line}"),
    "one-line-at-first": mark("In the first turn only one line may be begun"),
    "cell-taken": mark("There is a tunnel in this cell already"),
    "begins-too-near": mark("The second line may not begin on the side of the first, nor on an adjacent one"),
    "no-tunnels": mark("This line has no tunnels left: {line}"),
    "back": mark("No line goes straight back"),
    "no-way": mark("No edge of the city goes that way"),
    "acute": mark("An acute angle without a station"),
    "touches-itself": mark("This line would touch itself: {line}"),
    "white-cell": mark("Lines end in black border cells; this one is white"),
    "no-cell": mark("There is no cell on that side"),
    "ends-too-near": mark("A line may not end on the side where it began, nor on an adjacent one"),
    "border-cell": mark("Border cells are only for beginnings and ends"),
    "lake": mark("There is no digging under the lake"),
    "park": mark("There is no digging under the park"),
    "one-destination": mark("Only one destination is placed in a turn"),
    "no-destination": mark("No destination of this kind is left in hand: {kind}"),
    "stock-short": mark("This would take more stations than the stock has left ({stock})"),
    "fewer-tunnels": mark("This would leave only {possible} of {most} tunnels possible"),
}


def explain(refusal: Refusal, words: Words) -> str:
    """Put a refusal in a sentence."""
    told = {name: _told(name, value, words) for name, value in refusal.args.items()}
    return words.gettext(REASONS[refusal.code]).format(**told)


def _told(name: str, value: Any, words: Words) -> str:
    if name == "kind":
        return kind(value, words)
    if name == "line":
        return line_name(value, words)
    return str(value).replace("-", "−")
