"""What happened between two views, as sentences: the line itself, then what the rules carried out by themselves.

What followed is found by carrying the line out once more with a trace: nothing in Bus is hidden, so a view is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from omnibus.games.bus.board.pieces import ACTIONS, KINDS, LETTERS, SLOTS
from omnibus.games.bus.moves import parse
from omnibus.games.bus.position import KEYS, place
from omnibus.games.bus.rules import apply
from omnibus.games.bus.state import Event, State
from omnibus.games.bus.telling.names import View, action_name, field_of, kind_name
from omnibus.games.bus.telling.status import outcome_told
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark

BUILT: Final = {
    "house": mark("{player} builds a house on {plot}."),
    "office": mark("{player} builds an office on {plot}."),
    "pub": mark("{player} builds a pub on {plot}."),
}

FOLLOWED: Final = {
    "all-taken": mark("Every field is taken; all others pass."),
    "bus": mark("{player} gains a bus and now has {number}."),
    "no-bus": mark("{player} has {number} buses already and gains none."),
    "box-empty": mark("The box is empty: {player} brings no more passengers."),
    "no-plot": mark("No plot is empty: {player} builds no more."),
    "no-building": mark("No buildings are left: {player} builds no more."),
    "no-sticks": mark("{player} has no sticks left, and what is owed lapses."),
    "no-street": mark("{player} finds no street to lengthen the line, and what is owed lapses."),
    "no-ride": mark("{player} has no ride to make."),
    "no-more-rides": mark("{player} has no further ride to make."),
    "start-taken": mark("{player} is the next start player."),
    "start-passes": mark("Nobody took the start: it passes to {player}."),
    "round": mark("Round {number} begins."),
}


def tell(before: View, line: str, after: View, names: Sequence[str], words: Words) -> list[str]:
    """Say what happened: the line, what followed by itself, and the end if it came."""
    state = place({key: before[key] for key in KEYS})
    state.trace = []
    apply(state, parse(state.city, state.seats, line))
    sentences = [_act(before, line, after, names, words)]
    sentences += _followed(state, state.trace, names, words)
    if after["outcome"]:
        sentences += outcome_told(after["outcome"], names, words)
    return sentences


def _act(before: View, line: str, after: View, names: Sequence[str], words: Words) -> str:
    verb, *what = line.split(" ")
    if verb == "first":
        return words.gettext("{player} is the start player.").format(player=names[int(what[0])])
    player = names[before["seat"]]
    if verb == "take":
        return _taken(before, what[0], player, words)
    if verb == "pass":
        return words.gettext("{player} passes.").format(player=player)
    if verb in ("stop", "tick"):
        kind = kind_name(after["clock"], words)
        return _clock(before, verb, after, words).format(player=player, kind=kind)
    if verb == "arrive":
        text = words.gettext("{player} brings a passenger to station {station}.")
        return text.format(player=player, station=what[0])
    if verb == "build":
        return words.gettext(BUILT[what[0]]).format(player=player, plot=what[1])
    begin, end = what[0].split("-")
    return _way(before["step"], words).format(player=player, begin=begin, end=end)


def _taken(before: View, action: str, player: str, words: Words) -> str:
    field = field_of(before, action)
    name = action_name(action, words)
    if field:
        return words.gettext("{player} takes {action}, field {field}.").format(player=player, action=name, field=field)
    return words.gettext("{player} takes {action}.").format(player=player, action=name)


def _clock(before: View, verb: str, after: View, words: Words) -> str:
    if verb == "tick":
        return words.gettext("{player} lets the clock tick: {kind}.")
    if before["clock"] != after["clock"]:
        return words.gettext("{player} takes a time stone and turns the clock back: {kind}.")
    return words.gettext("{player} stops the clock and takes a time stone.")


def _way(step: str, words: Words) -> str:
    if step == "open":
        return words.gettext("{player} opens a line between {begin} and {end}.")
    if step == "vrroomm":
        return words.gettext("{player} takes a passenger from {begin} to {end}.")
    return words.gettext("{player} lengthens the line from {begin} to {end}.")


def _followed(state: State, trace: list[Event], names: Sequence[str], words: Words) -> list[str]:
    """Tell what the rules did by themselves; those who take a seat at the same time are told together."""
    sentences: list[str] = []
    seated = {state.city.names[where]: number for what, where, number in trace if what == "seated"}
    for what, who, number in trace:
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
    player = names[who] if who >= 0 else ""
    if what == "worth-nothing":
        text = words.gettext("{action}, field {field}, yields nothing for {player}.")
        action = action_name(ACTIONS[number // SLOTS], words)
        return text.format(action=action, field=LETTERS[number % SLOTS], player=player)
    return words.gettext(FOLLOWED[what]).format(player=player, number=number)
