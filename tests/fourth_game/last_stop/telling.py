"""Everything people read: labels, log, status, reasons and help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from omnibus.kernel.game import Refusal, Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.names import Saying, say

View = Mapping[str, Any]

REASONS: Final = {
    "over": mark("The game is over"),
    "deal-first": mark("A ticket is being dealt first"),
    "no-deal": mark("Only chance deals tickets"),
    "none-left": mark("There is no ticket {value} left"),
    "other-ticket": mark("This seat does not have a ticket {value}"),
    "other-part": mark("Only the next stop and your own ticket move the bus"),
}
GETS_HIDDEN: Final = Saying(mark("{player} gets a ticket."), mark("You get a ticket."))
GETS: Final = Saying(mark("{player} gets ticket {value}."), mark("You get ticket {value}."))
WALKS: Final = Saying(mark("{player} walks: the bus is at stop {stop}."), mark("You walk: the bus is at stop {stop}."))
RIDES: Final = Saying(
    mark("{player} rides with ticket {value}: the bus is at stop {stop}."),
    mark("You ride with ticket {value}: the bus is at stop {stop}."),
)
WINS: Final = Saying(mark("{player} wins."), mark("You win."))
DEALT: Final = Saying(mark("A ticket is dealt to {player}."), mark("A ticket is dealt to you."))
TURN: Final = Saying(mark("It is the turn of {player}."), mark("Your turn: walk or ride."))
HELP: Final = (
    ("§2.1", mark("Walk: push the bus one stop.")),
    ("§2.2", mark("Ride: move the bus as many stops as your ticket says, then draw a new one.")),
    ("§3.1", mark("Bring the bus to the last stop to win.")),
)


def label(view: View, line: str, words: Words) -> str:
    """Return what a legal line does."""
    word, _, value = line.partition(" ")
    if word == "walk":
        return words.gettext("Walk one stop")
    if word == "ride":
        return words.gettext("Ride with ticket {value}").format(value=value)
    return words.gettext("Deal ticket {value}").format(value=value)


def tell(before: View, line: str, after: View, names: Sequence[str], words: Words) -> list[str]:
    """Return what happened between two views, as sentences."""
    word, _, value = line.partition(" ")
    saying = {"deal": GETS_HIDDEN if value == "?" else GETS, "walk": WALKS, "ride": RIDES}[word]
    return [say(saying, before["seat"], names, words, value=value, stop=after["at"])]


def status(view: View, names: Sequence[str], words: Words) -> str:
    """Say whose turn it is, or how the game ended."""
    if view["outcome"]:
        return say(WINS, view["outcome"]["winners"][0], names, words)
    return say(DEALT if view["actor"] == "chance" else TURN, view["seat"], names, words)


def holdings(view: View, words: Words) -> list[list[tuple[str, str]]]:
    """Return the stops and tickets of each seat."""
    return [
        [(words.gettext("Stops"), str(stops)), (words.gettext("Tickets"), str(held))]
        for stops, held in zip(view["ridden"], view["held"], strict=True)
    ]


def breakdown(view: View, words: Words) -> list[tuple[str, list[str]]]:
    """Return the final scores."""
    return [(words.gettext("Stops"), [str(stops) for stops in view["ridden"]])] if view["outcome"] else []


def explain(refusal: Refusal, words: Words) -> str:
    """Return the reason of a refusal."""
    return words.gettext(REASONS[refusal.code]).format(**refusal.args)


def help(words: Words) -> list[tuple[str, str]]:  # noqa: A001 — the contract's word
    """Return how to play."""
    return [(section, words.gettext(paragraph)) for section, paragraph in HELP]
