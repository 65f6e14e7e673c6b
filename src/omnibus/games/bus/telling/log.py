"""What happened between two views, as sentences: the line itself, then what the rules carried out by themselves.

What followed is found by carrying the line out once more with a trace: nothing in Bus is hidden, so a view is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from omnibus.games.bus.board.pieces import ACTIONS, EDITIONS, KINDS, MOST_BUSES, SLOTS
from omnibus.games.bus.moves import parse
from omnibus.games.bus.position import KEYS, place
from omnibus.games.bus.rules import apply
from omnibus.games.bus.state import Event, State
from omnibus.games.bus.telling.names import View, action_name, field_name, kind_name
from omnibus.games.bus.telling.status import outcome_told
from omnibus.kernel.game import OVER, Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.names import Saying, say

BUILT: Final = {
    "house": Saying(mark("{player} builds a house on {plot}."), mark("You build a house on {plot}.")),
    "office": Saying(mark("{player} builds an office on {plot}."), mark("You build an office on {plot}.")),
    "pub": Saying(mark("{player} builds a pub on {plot}."), mark("You build a pub on {plot}.")),
}
STARTS: Final = Saying(mark("{player} is the start player."), mark("You are the start player."))
PASSES: Final = Saying(mark("{player} passes."), mark("You pass."))
BRINGS: Final = Saying(
    mark("{player} brings a passenger to station {station}."), mark("You bring a passenger to station {station}.")
)
TAKES: Final = Saying(mark("{player} takes {action}."), mark("You take {action}."))
TAKES_FIELD: Final = Saying(mark("{player} takes {action}, {field}."), mark("You take {action}, {field}."))
TICKS: Final = Saying(mark("{player} lets the clock tick: {kind}."), mark("You let the clock tick: {kind}."))
TURNS_BACK: Final = Saying(
    mark("{player} takes a time stone and turns the clock back: {kind}."),
    mark("You take a time stone and turn the clock back: {kind}."),
)
STOPS: Final = Saying(
    mark("{player} stops the clock and takes a time stone."), mark("You stop the clock and take a time stone.")
)
OPENS: Final = Saying(
    mark("{player} opens a line between {begin} and {end}."), mark("You open a line between {begin} and {end}.")
)
RIDES: Final = Saying(
    mark("{player} takes a passenger from {begin} to {end}."), mark("You take a passenger from {begin} to {end}.")
)
LENGTHENS: Final = Saying(
    mark("{player} lengthens the line from {begin} to {end}."), mark("You lengthen your line from {begin} to {end}.")
)
WORTH_NOTHING: Final = Saying(
    mark("{action}, {field}: yields nothing for {player}."), mark("{action}, {field}: yields you nothing.")
)

FOLLOWED: Final = {
    "bus": Saying(mark("{player} gains a bus and now has {number}."), mark("You gain a bus and now have {number}.")),
    "no-bus": Saying(
        mark("{player} has {number} buses already and gains none."),
        mark("You have {number} buses already and gain none."),
    ),
    "box-empty": Saying(
        mark("The box is empty: {player} brings no more passengers."),
        mark("The box is empty: you bring no more passengers."),
    ),
    "no-plot": Saying(mark("No plot is empty: {player} builds no more."), mark("No plot is empty: you build no more.")),
    "no-building": Saying(
        mark("No buildings are left: {player} builds no more."), mark("No buildings are left: you build no more.")
    ),
    "no-sticks": Saying(
        mark("{player} has no sticks left; the rest lapses."),
        mark("You have no sticks left; the rest lapses."),
    ),
    "no-street": Saying(
        mark("{player} finds no street to lengthen the line; the rest lapses."),
        mark("You find no street to lengthen your line; the rest lapses."),
    ),
    "no-ride-waiting": Saying(
        mark("{player} has no ride to make: nobody waits along the line."),
        mark("You have no ride to make: nobody waits along your line."),
    ),
    "no-ride-seated": Saying(
        mark("{player} has no ride to make: those along the line have taken seats ({number})."),
        mark("You have no ride to make: those along your line have taken seats ({number})."),
    ),
    "no-ride-free": Saying(
        mark("{player} has no ride to make: no free {kind} along the line."),
        mark("You have no ride to make: no free {kind} along your line."),
    ),
    "no-more-rides": Saying(mark("{player} has no further ride to make."), mark("You have no further ride to make.")),
    "start-taken": Saying(mark("{player} is the next start player."), mark("You are the next start player.")),
    "start-passes": Saying(
        mark("Nobody took Start: {player} is the next start player."),
        mark("Nobody took Start: you are the next start player."),
    ),
}
NOBODYS: Final = {
    "all-taken": mark("Every field is taken; all others pass."),
    "round": mark("Round {number} begins."),
}


_last: list[tuple[View, str, State]] = []


def tell(before: View, line: str, after: View, names: Sequence[str], words: Words) -> list[str]:
    """Say what happened: the line, what followed by itself, and the end if it came."""
    state = _applied(before, line)
    assert state.trace is not None
    sentences = [_act(before, line, after, names, words)]
    if line == "take bus" and _enlarges_the_largest_fleet(before):
        sentences.append(words.gettext("With this bus, Passengers and Buildings yield one more."))
    sentences += _followed(state, state.trace, names, words)
    if after["outcome"]:
        sentences += outcome_told(after["outcome"], names, words)
    return sentences


def _applied(before: View, line: str) -> State:
    """Return the state after a line, with its trace. The last one is kept: several readers are told the same line."""
    for view, played, state in _last:
        if view is before and played == line:
            return state
    state = place({key: before[key] for key in KEYS})
    state.trace = []
    apply(state, parse(state.city, state.seats, line))
    _last[:] = [(before, line, state)]
    return state


def _act(before: View, line: str, after: View, names: Sequence[str], words: Words) -> str:
    verb, *what = line.split(" ")
    seat = before["seat"]
    if verb == "first":
        return say(STARTS, int(what[0]), names, words)
    if verb == "take":
        return _taken(before, what[0], names, words)
    if verb == "pass":
        return say(PASSES, seat, names, words)
    if verb in ("stop", "tick"):
        return say(_clock(before, verb, after), seat, names, words, kind=kind_name(after["clock"], words))
    if verb == "arrive":
        return say(BRINGS, seat, names, words, station=what[0])
    if verb == "build":
        return say(BUILT[what[0]], seat, names, words, plot=what[1])
    begin, end = what[0].split("-")
    saying = {"open": OPENS, "vrroomm": RIDES}.get(before["step"], LENGTHENS)
    return say(saying, seat, names, words, begin=begin, end=end)


def _taken(before: View, action: str, names: Sequence[str], words: Words) -> str:
    seat, name = before["seat"], action_name(action, words)
    if len(before["yields"][action]) == 1:
        return say(TAKES, seat, names, words, action=name)
    field = field_name(len(before["fields"][action]), words)
    return say(TAKES_FIELD, seat, names, words, action=name, field=field)


def _enlarges_the_largest_fleet(before: View) -> bool:
    """Tell whether a bus for the seat to choose changes what fields yield (§5.4)."""
    fleet: int = before["players"][before["seat"]]["buses"]
    largest: int = before["largest_fleet"]
    return fleet == largest < MOST_BUSES[EDITIONS.index(before["edition"])]


def _clock(before: View, verb: str, after: View) -> Saying:
    if verb == "tick":
        return TICKS
    return TURNS_BACK if before["clock"] != after["clock"] else STOPS


def _followed(state: State, trace: list[Event], names: Sequence[str], words: Words) -> list[str]:
    """Tell what the rules did by themselves; those who take a seat at the same time are told together."""
    sentences: list[str] = []
    seated = {state.city.names[where]: number for what, where, number in trace if what == "seated"}
    for what, who, number in trace:
        if state.actor == OVER and what in ("start-taken", "start-passes"):
            continue  # no round follows
        if what != "seated":
            sentences.append(_event(what, who, number, names, words))
        elif seated:
            sentences.append(_seated(seated, words))
            seated = {}
    return sentences


def _seated(seated: dict[int, int], words: Words) -> str:
    number = sum(seated.values())
    text = words.ngettext(
        "{number} passenger takes a seat (at {crossings}).", "{number} passengers take seats (at {crossings}).", number
    )  # fmt: skip
    return text.format(number=number, crossings=", ".join(map(str, seated)))


def _event(what: str, who: int, number: int, names: Sequence[str], words: Words) -> str:
    if what == "ticks":
        return words.gettext("Nobody took the clock, so it ticks: {kind}.").format(kind=kind_name(KINDS[number], words))
    if what in NOBODYS:
        return words.gettext(NOBODYS[what]).format(number=number)
    if what == "worth-nothing":
        action, field = action_name(ACTIONS[number // SLOTS], words), field_name(number % SLOTS, words)
        return say(WORTH_NOTHING, who, names, words, action=action, field=field)
    if what == "no-ride-free":
        return say(FOLLOWED[what], who, names, words, kind=kind_name(KINDS[number], words))
    return say(FOLLOWED[what], who, names, words, number=number)
