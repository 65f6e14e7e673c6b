"""Why a move may not be made, in a sentence."""

from __future__ import annotations

from typing import Any, Final

from omnibus.games.bus.telling.names import action_name, kind_name
from omnibus.kernel.game import Refusal, Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.names import list_names
from omnibus.kernel.svg import seat_name

REASONS: Final = {
    "over": mark("The game is over"),
    "start-unknown": mark("Chance first names the start player"),
    "start-known": mark("The start player is already known: {seat}"),
    "not-choosing": mark("You can take an action only while actions are being chosen; {now}"),
    "not-passing": mark("You can pass only while actions are being chosen; {now}"),
    "owed": mark("Nothing that has been chosen may be skipped; {now}"),
    "ride-owed": mark("No ride may be skipped: while a bus is free and a ride is possible, one must be made"),
    "not-laying": mark("Sticks are laid only in the set-up and for the action Line; {now}"),
    "not-arriving": mark("Passengers arrive only for the action Passengers; {now}"),
    "not-building": mark("Buildings are placed only in the set-up and for the action Buildings; {now}"),
    "buildings-first": mark("In the set-up, sticks are laid once everybody has put up two buildings"),
    "sticks-now": mark("Everybody has put up two buildings; the set-up goes on with sticks"),
    "not-at-the-clock": mark("Only the player who took the clock decides about it, after the buildings; {now}"),
    "not-riding": mark("Rides are made only for the action Vrroomm; {now}"),
    "full": mark("The action {action} has six fields, and all are taken"),
    "taken": mark("The action {action} has a single field, and it is taken"),
    "pass-too-early": mark(
        "You may pass once you have placed two cubes in this round; so far you have placed {placed}"
    ),
    "last-cube": mark("If you begin a round with one cube, you must place it"),
    "none-left": mark("No building of this kind is left ({kind})"),
    "zone-closed": mark("Zone {zone} is closed while zone {open} has an empty plot"),
    "only-first-zone": mark("In the set-up only A plots are built on; this one is in zone {zone}"),
    "plot-taken": mark("Plot {plot} already has a building ({kind})"),
    "smaller-first": mark("A first stick is named with the smaller number first: {street}"),
    "not-a-head": mark("The line does not end at {crossing}; its heads are at {heads}"),
    "own-street": mark("The line already uses the street {street}"),
    "not-on-line": mark("The line does not reach {crossing}"),
    "rides-nowhere": mark("A ride leads from {crossing} to another crossing"),
    "nobody-waits": mark("Nobody is waiting at {crossing}"),
    "all-seated": mark("Nobody is waiting at {crossing}: the passengers there are already seated"),
    "no-free-building": mark("There is no free building of the kind the clock shows ({kind}) at {crossing}"),
}

PARTS: Final = {  # of what is on the board, but no move touches
    "shows-turn": mark("This shows whose turn it is"),
    "shows-round": mark("A round of choosing ends when everybody has passed or has no cubes left"),
    "shows-passed": mark("Whoever has passed takes no more actions in this round"),
    "shows-start": mark("Whoever takes the action Start begins the next round, otherwise the next player clockwise"),
    "shows-cubes": mark("A cube is placed by choosing an action"),
    "shows-fleet": mark("A bus is gained by the action Bus"),
    "shows-sticks": mark("Sticks are laid on streets, one at a time, at an end of the line"),
    "shows-stones": mark("A time stone is taken by whoever stops the clock"),
    "shows-score": mark("The score is one point for each ride, minus one for each time stone"),
    "shows-box": mark("Passengers leave the box by the action Passengers"),
    "one-building": mark("One building at a time: a plot and a kind"),
    "one-stick": mark("One stick at a time: from an end of the line, along a street that begins there"),
    "one-ride": mark("One ride at a time: from one crossing to another"),
}

NOW: Final = {
    "found": mark("right now the first buildings are being placed"),
    "open": mark("right now the first sticks are being laid"),
    "second": mark("right now the second sticks are being laid"),
    "choose": mark("right now actions are being chosen"),
    "line": mark("right now lines are being extended"),
    "passengers": mark("right now passengers are arriving"),
    "buildings": mark("right now buildings are being placed"),
    "clock": mark("right now the clock is being decided"),
    "vrroomm": mark("right now the buses are running"),
}


def explain(refusal: Refusal, words: Words) -> str:
    """Put a refusal in a sentence."""
    args = refusal.args
    if refusal.code == "street-used":
        text = words.ngettext(
            "An empty street is open at {crossing} ({empty}), and the line of {lines}, "
            "which uses {street}, does not end there",
            "An empty street is open at {crossing} ({empty}), and the lines of {lines}, "
            "which use {street}, do not end there",
            len(args["lines"]),
        )
    else:
        text = words.gettext(REASONS.get(refusal.code) or PARTS[refusal.code])
    return text.format(**{name: _told(name, value, words) for name, value in args.items()}, **_now(args, words))


def _now(args: Any, words: Words) -> dict[str, str]:
    """Say what is done instead, where a move belongs to another step."""
    step = args.get("step")
    return {"now": words.gettext(NOW[step])} if step else {}


def _told(name: str, value: Any, words: Words) -> str:
    if name == "kind":
        return kind_name(value, words)
    if name == "action":
        return action_name(value, words)
    if name == "seat":
        return seat_name(value, words)
    if name == "lines":
        return list_names([seat_name(seat, words) for seat in value], words)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)
