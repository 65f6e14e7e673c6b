"""The status line: whose turn it is and what to do, or how the game ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from omnibus.games.metromania.telling.names import View, points
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.names import Saying, say, say_of_all

DEALING: Final = {
    "pieces": mark("The city is being laid out."),
    "deal": mark("The destinations are being dealt."),
}
TURN: Final = Saying(mark("{player}: {task}"), mark("Your turn: {task}"))
TASKS: Final = {
    "doubles": mark("name the kind to hold twice."),
    "start": mark("begin a line at a white arrow."),
    "act": mark("dig three tunnels, or build an intermediate station."),
    "no dig": mark("no tunnel can be dug: build an intermediate station."),
    "digging": mark("dig the next tunnel ({number} of 3)."),
    "place": mark("place a destination on the spot just dug."),
    "bonus": mark("build a bonus station on the finished line, or none."),
}
LAST_TURN: Final = Saying(mark("It is {player}'s last turn."), mark("It is your last turn."))
WON: Final = {
    None: Saying(mark("{player} wins with {points}."), mark("You win with {points}.")),
    "lines": Saying(
        mark("{player} wins with {points}, by more finished lines."),
        mark("You win with {points}, by more finished lines."),
    ),
}
SHARED: Final = Saying(
    mark("{players} share the win with {points}."), mark("You share the win with {others}: {points}.")
)


def status(view: View, names: Sequence[str], words: Words) -> str:
    """Say whose turn it is and what to do, or how it ended."""
    if view["outcome"]:
        return result(view["outcome"], names, words)
    step, seat = view["step"], view["seat"]
    if step in DEALING:
        return words.gettext(DEALING[step])
    key = acting(view) if step == "act" else step
    told = say(TURN, seat, names, words, task=words.gettext(TASKS[key]).format(number=view["dug"] + 1))
    return told if view["ended"] is None else f"{told} {say(LAST_TURN, seat, names, words)}"


def acting(view: View) -> str:
    """Say what kind of turn it is: digging on, beginning the first line, digging or building, or only building."""
    if view["dug"]:
        return "digging"
    if not any(view["lines"][view["seat"]].values()):
        return "start"
    return "no dig" if no_dig(view) else "act"


def no_dig(view: View) -> bool:
    """Tell whether the reader knows that nothing can be dug, so that a station has to be built (§4.2)."""
    return view["hands"][view["seat"]] is not None and not view["offers"]


def result(outcome: Mapping[str, Any], names: Sequence[str], words: Words) -> str:
    """Say who has won, and how a tie was broken (§12.1)."""
    winners, decided = outcome["winners"], outcome["tie_break"]
    score = points(outcome["scores"][winners[0]], words)
    if decided == "shared":
        return say_of_all(SHARED, winners, names, words, points=score)
    return say(WON[decided], winners[0], names, words, points=score)
