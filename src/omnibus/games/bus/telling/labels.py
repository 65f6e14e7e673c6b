"""What a legal line does, for a button."""

from __future__ import annotations

from typing import Final

from omnibus.games.bus.board.pieces import EDITIONS, MOST_BUSES
from omnibus.games.bus.telling.names import NEXT_KIND, View, as_it_stands, kind_name, stopping, worth
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.svg import seat_name

KIND_ON: Final = {
    "house": mark("House on {plot}, at crossing {crossing}"),
    "office": mark("Office on {plot}, at crossing {crossing}"),
    "pub": mark("Pub on {plot}, at crossing {crossing}"),
}

STOP: Final = {
    "clock": mark("Stop the clock and take a time stone"),
    "clock back": mark("Turn the clock back and take a time stone"),
    "clock last": mark("Take the last time stone: the game ends"),
}


def label(view: View, line: str, words: Words) -> str:
    """Say what a legal line does, for a button."""
    verb, *what = line.split(" ")
    if verb == "take":
        return _take(view, what[0], words)
    if verb == "pass":
        return words.gettext("Pass for this round")
    if verb == "stop":
        how = stopping(view)
        text = words.gettext(STOP[how])
        return text if how == "clock last" else f"{text} {_rides(view, view['rides_if_stopped'], words)}"
    if verb == "tick":
        text = words.gettext("Let the clock tick: {kind}").format(kind=kind_name(NEXT_KIND[view["clock"]], words))
        return f"{text} {_rides(view, view['rides_as_it_stands']['fields'], words)}"
    if verb == "arrive":
        return words.gettext("A passenger to station {station}").format(station=what[0])
    if verb == "build":
        return words.gettext(KIND_ON[what[0]]).format(plot=what[1], crossing=what[1].partition(".")[0])
    if verb == "first":
        return words.gettext("Start player: {seat}").format(seat=seat_name(int(what[0]), words))
    begin, end = what[0].split("-")
    if verb == "ride":
        return words.gettext("Ride from {begin} to {end}").format(begin=begin, end=end)
    if view["step"] == "open":
        return words.gettext("First stick between {begin} and {end}").format(begin=begin, end=end)
    return words.gettext("Line from {begin} to {end}").format(begin=begin, end=end)


def _rides(view: View, rides: list[int], words: Words) -> str:
    """Say how many rides the one who decides on the clock would find, and how many all others (§10.1)."""
    found = list(zip(view["fields"]["vrroomm"], rides, strict=False))
    own = sum(number for seat, number in found if seat == view["seat"])
    others = sum(number for seat, number in found if seat != view["seat"])
    return words.gettext("(rides as it stands: {own} own, {others} of others)").format(own=own, others=others)


def _take(view: View, action: str, words: Words) -> str:
    """Say what the next field of an action will yield (§5.4), and why."""
    if action == "bus" and view["players"][view["seat"]]["buses"] == MOST_BUSES[EDITIONS.index(view["edition"])]:
        return words.gettext("Bus: none, the fleet is full")
    if action == "bus":
        return words.gettext("Bus: one more bus")
    if action == "clock":
        if view["options"]["clock_back"]:
            return words.gettext("Clock: turn it back or let it tick")
        return words.gettext("Clock: stop it or let it tick")
    if action == "start":
        return words.gettext("Start player of the next round")
    field = len(view["fields"][action])
    number = view["yields"][action][field]
    told = {
        "line": words.ngettext("Line: {number} stick", "Line: {number} sticks", number),
        "passengers": words.ngettext("Passengers: {number} arrives", "Passengers: {number} arrive", number),
        "buildings": words.ngettext("Buildings: {number} building", "Buildings: {number} buildings", number),
        "vrroomm": words.ngettext("Vrroomm: {number} ride", "Vrroomm: up to {number} rides", number),
    }[action]
    if action == "vrroomm":
        why = as_it_stands(view, field, words)
    else:
        why = worth(action, field, view["yields"][action][0], view["largest_fleet"], words)
    return f"{told.format(number=number)} ({why})"
