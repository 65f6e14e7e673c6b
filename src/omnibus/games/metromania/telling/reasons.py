"""The reasons for refusals, as sentences."""

from __future__ import annotations

from typing import Any, Final

from omnibus.games.metromania.telling.names import kind, line_name
from omnibus.kernel.game import Refusal, Words
from omnibus.kernel.i18n import mark

REASONS: Final = {
    "over": mark("Construction has ended, and so has the game"),
    "pieces-first": mark("The city has to be laid out first"),
    "piece-lies": mark("Piece {piece} is already part of the city"),
    "city-complete": mark("The city is complete; no more pieces are laid"),
    "deal-first": mark("The destinations have to be dealt first"),
    "letters-in-order": mark("The two letters of a doubled kind are written in alphabetical order"),
    "other-doubles": mark("These hands do not match the doubles that were named"),
    "doubles-first": mark("First, each player names the kind they will hold twice"),
    "doubles-known": mark(
        "The kind you hold twice is chosen before the destinations are dealt, and only with three players"
    ),
    "double-taken": mark("Another player already holds two of this kind: {kind}"),
    "dealt": mark("Destinations cannot be dealt now"),
    "place-first": mark("A tunnel has just been dug on a spot; place its destination first"),
    "no-such-destination": mark("There is no {kind} destination with the letter {letter}"),
    "not-in-hand": mark("The destination {kind} {letter} is not in your hand"),
    "letter-touches": mark("This cell touches another letter {letter}"),
    "letter-touches several": mark("This cell touches the letters of all your destinations that fit it: {letter}"),
    "bonus-first": mark("A line has just been finished; place its bonus station first, or decline it"),
    "bonus-elsewhere": mark("The bonus station must be on the line just finished: {line}"),
    "no-bonus": mark("No line has just been finished, so there is no bonus to decline"),
    "nothing-to-place": mark("There is no newly dug spot that needs a destination"),
    "not-begun": mark("This line has not begun yet: {line}"),
    "line-finished": mark("This line is already finished: {line}"),
    "digging": mark("You are digging this turn; a station takes a whole turn"),
    "stock-empty": mark("There are no stations left in the stock"),
    "not-on-line": mark("The point {vertex} is not on this line: {line}"),
    "station-there": mark("There is already a station on {vertex}"),
    "not-between": mark("The point {vertex} is not between two stations of this line: {line}"),
    "begun": mark("This line has already begun: {line}"),
    "one-line-at-first": mark("Only one line may be begun in the first turn"),
    "cell-taken": mark("There is already a tunnel in this cell"),
    "begins-too-near": mark("The second line may not begin on the side of the first, nor on an adjacent one"),
    "no-tunnels": mark("This line has no tunnels left: {line}"),
    "back": mark("A line cannot go straight back"),
    "no-way": mark("There is no edge of the city in that direction"),
    "acute": mark("A line may turn this sharply only at a station that was there before"),
    "touches-itself": mark("This line would touch itself: {line}"),
    "white-cell": mark("Lines end in black border cells; this one is white"),
    "no-cell": mark("There is no cell on that side"),
    "ends-too-near": mark("A line may not end on the side where it began, nor on an adjacent one"),
    "border-cell": mark("Border cells are only for beginnings and ends"),
    "lake": mark("There is no digging under the lake"),
    "park": mark("There is no digging under the park"),
    "one-destination": mark("Only one destination may be placed per turn"),
    "no-destination": mark("You have no destination of this kind left in your hand: {kind}"),
    "stock-short": mark("This needs more stations than are left in the stock ({stock})"),
    "fewer-tunnels": mark("After this, only {possible} of the turn's {most} tunnels could be dug"),
}

PARTS: Final = {  # of what is on the board, but no move touches
    "shows-turn": mark("This shows whose turn it is"),
    "shows-points": mark("Points come from stations: one for every spot beside a station you cause or build"),
    "shows-kinds": mark("These are the shapes of the spots: a tunnel dug on one takes a destination of the same kind"),
    "others-hand": mark("Other players' destinations are hidden"),
    "others-line": mark("This line belongs to another player"),
    "other-kind": mark("The spot just dug needs a destination of its kind: {kind}"),
    "tunnel-elsewhere": mark("A tunnel in the cell you chose does not lead to this point"),
    "one-tunnel": mark("One tunnel at a time: a line, and the cell it is dug in"),
    "begins-at-border": mark("A line begins in a white border cell"),
    "not-beginning": mark("White border cells are for beginnings; none of your lines can begin here now"),
    "not-ending": mark("Black border cells are for ends; none of your lines has its tip beside this one"),
    "point-out-of-reach": mark("A line is dug on from its tip; neither of your lines can reach this point now"),
    "out-of-reach": mark("A line is dug on from its tip; this cell is beside neither of your tips"),
}


def explain(refusal: Refusal, words: Words) -> str:
    """Put a refusal in a sentence."""
    told = {name: _told(name, value, words) for name, value in refusal.args.items()}
    code = f"{refusal.code} several" if ", " in str(refusal.args.get("letter")) else refusal.code
    return words.gettext(REASONS.get(code) or PARTS[code]).format(**told)


def _told(name: str, value: Any, words: Words) -> str:
    if name == "kind":
        return kind(value, words)
    if name == "line":
        return line_name(value, words)
    return str(value).replace("-", "−")
