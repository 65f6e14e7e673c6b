"""The tutorial: a ride, one whole round from choosing to driving, and the clock; and tips for the first game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from omnibus.games.bus.board.pieces import ACTIONS
from omnibus.games.bus.telling.names import stopping
from omnibus.kernel.game import Document, LessonStep, Tip, Words
from omnibus.kernel.i18n import mark

GOAL: Final = mark(
    "Deliver the most passengers to the kind of building the clock shows. "
    "In each round, spend cubes on actions: you have 20 for the whole game."
)


def _player(streets: str, heads: tuple[int, int], *, cubes: int = 18, buses: int = 1, rides: int = 0) -> Document:
    return {
        "cubes": cubes,
        "buses": buses,
        "stones": 0,
        "rides": rides,
        "reached": rides,
        "passed": False,
        "streets": streets.split(),
        "heads": list(heads),
    }


def _position(players: list[Document], fields: dict[str, list[int]], **more: Any) -> Document:
    """Return a position of three players in which seat 0 decides in field a."""
    return {
        "seats": 3,
        "edition": "first",
        "sticks": "edition",
        "clock_back": False,
        "city": "bus-city",
        "seat": 0,
        "start": 0,
        "stones": 4,
        "clock": "office",
        "seated": [],
        "players": players,
        "fields": {action: fields.get(action, []) for action in ACTIONS},
        **more,
    }


FIRST_ROUND: Final = _position(
    [_player("10-16 11-16", (10, 11)), _player("15-20 20-23 23-25", (15, 25)), _player("27-29 29-30", (27, 30))],
    {"line": [1], "passengers": [2], "buildings": [1], "clock": [2], "vrroomm": [0], "start": [0]},
    round=1,
    step="vrroomm",
    field="a",
    owed=1,
    box=10,
    waiting=[16, 20, 21, 27, 30],
    buildings={"10.1": "office", "15.1": "pub", "20.1": "house", "24.1": "house", "27.1": "house", "29.1": "pub"},
)

NEXT_ROUND: Final = _position(
    [
        _player("10-16 11-16 11-21", (10, 21), cubes=13, rides=3),
        _player("15-20 20-23 23-25", (15, 25), cubes=14),
        _player("27-29 29-30", (27, 30), cubes=14, rides=1),
    ],
    {},
    clock="house",
    round=4,
    step="choose",
    field=None,
    owed=0,
    box=9,
    waiting=[8, 10, 16, 20, 27, 30],
    buildings={**FIRST_ROUND["buildings"], "16.1": "pub"},
)
"""Every fleet has one bus; a second one raises what Passengers and Buildings yield, but not Line (§5.2, §5.4)."""

SEATED_ROUND: Final = _position(
    [
        _player("8-10 10-16 11-16 11-21", (8, 21), cubes=10, buses=2, rides=3),
        _player("15-20 20-23 23-25", (15, 25), cubes=10),
        _player("27-29 29-30", (27, 30), cubes=10, rides=1),
    ],
    {"line": [1], "passengers": [1], "clock": [0], "vrroomm": [0, 2], "start": [2]},
    clock="office",
    round=5,
    step="clock",
    field=None,
    owed=0,
    box=9,
    waiting=[8, 10, 20, 27, 30, 30],
    buildings=NEXT_ROUND["buildings"],
)
"""If it stops, the only office of the blue line is taken at 10; after a tick, one can be driven to the pub (§10.3)."""

LATER_ROUND: Final = _position(
    [
        _player("8-10 10-16 11-16 11-21", (8, 21), cubes=7, buses=2, rides=4),
        _player("15-20 20-23 23-25", (15, 25), cubes=8, rides=1),
        _player("27-29 29-30", (27, 30), cubes=8, rides=2),
    ],
    {"line": [1], "passengers": [1], "clock": [0], "vrroomm": [0, 2], "start": [2]},
    clock="pub",
    round=6,
    step="clock",
    field=None,
    owed=0,
    box=8,
    waiting=[8, 8, 10, 20, 27, 30, 30],
    buildings={
        "10.1": "office", "15.1": "pub", "16.1": "pub", "20.1": "house",
        "21.1": "pub", "24.1": "house", "27.1": "house", "29.1": "pub",
    },
)  # fmt: skip

LESSONS: Final = (
    LessonStep(
        start=FIRST_ROUND,
        text=mark("You run the blue line. Every passenger you deliver is a point: take one from 16 to 10."),
        wanted=("ride 16-10",),
        otherwise=mark("Click crossing 16, where a passenger is waiting: your bus takes them to the office at 10."),
    ),
    LessonStep(
        text=mark("A point! Each round, players take turns to choose actions. Take Line, to reach more passengers."),
        wanted=("take line",),
        otherwise=mark("Later. First make your line longer: click Line on the action board."),
        then=("take passengers", "take clock"),
    ),
    LessonStep(
        text=mark("Your bus drives only if you take Vrroomm, the driving action. Take it now."),
        wanted=("take vrroomm",),
        otherwise=mark("Without it, your bus stays where it is: click Vrroomm on the action board."),
        then=("take start", "take vrroomm"),
    ),
    LessonStep(
        text=mark("Passengers want what the clock shows. Next it shows pub: take Buildings, to put one up."),
        wanted=("take buildings",),
        otherwise=mark("There is no pub on your line yet. Click Buildings on the action board."),
        then=("pass", "pass"),
    ),
    LessonStep(
        text=mark("Each action costs a cube, and 20 must last all game. Three are enough for this round: pass."),
        wanted=("pass",),
        otherwise=mark("Save your cubes for the rounds to come: click Pass for this round."),
    ),
    LessonStep(
        text=mark(
            "Now all actions happen, from top to bottom. Extend your line from 11 to 21: someone is waiting there."
        ),
        wanted=("lay 11-21",),
        otherwise=mark("Click the street from 11 to 21: someone is waiting there."),
        then=("arrive 8",),
        target="street-11-21",
    ),
    LessonStep(
        text=mark("Your building: put up a pub on your line, at 16. Click the glowing plot, then the pub."),
        wanted=("build pub 16.1",),
        otherwise=mark("You need a pub at crossing 16: click the glowing plot, then the pub."),
        then=("tick",),
    ),
    LessonStep(
        text=mark("The clock now shows pub. Drive a passenger to the pub at 16: click where one is waiting."),
        wanted=("ride 10-16", "ride 21-16"),
        otherwise=mark("Click a glowing crossing with a passenger: your bus takes them to the pub at 16."),
        then=("ride 27-29",),
        result=mark("A second point for you, and one for a rival. That was one round."),
    ),
    LessonStep(
        start=NEXT_ROUND,
        text=mark(
            "The number beside a field says what it gives: one per bus in the largest fleet. Take Bus and watch!"
        ),
        wanted=("take bus",),
        otherwise=mark("First enlarge your fleet, and watch the numbers change: click Bus on the action board."),
        result=mark(
            "Passengers and Buildings now give one more, each further field one less. "
            "Line does not: it comes before Bus."
        ),
    ),
    LessonStep(
        start=SEATED_ROUND,
        text=mark(
            "You took Clock. Passengers beside a building it shows sit down there: "
            "at 10, your office fills. Let it tick."
        ),
        wanted=("tick",),
        otherwise=mark("Stopped, it costs you a point, and your only office is taken: nobody can ride. Let it tick."),
        result=mark("Now everybody wants a pub, and yours at 16 is free: that is a ride."),
    ),
    LessonStep(
        start=LATER_ROUND,
        text=mark(
            "A round later: if it ticks, everybody wants houses; you have pubs. A stop brings two rides. Stop it!"
        ),
        wanted=("stop",),
        otherwise=mark(
            "If it ticks, everybody wants a house, and your buses stay empty. Click the button that stops it."
        ),
    ),
    LessonStep(
        text=mark("Stopping it cost a point, but each of your two buses can earn one. Drive someone to a pub."),
        wanted=("ride 10-16", "ride 10-21", "ride 8-16", "ride 8-21"),
        otherwise=mark("Click a glowing crossing with a passenger, then one with a pub: 16 or 21."),
        result=mark("Well driven! Most points win when cubes, plots or time run out."),
    ),
)

TIPS: Final = {
    "found": mark("Put two buildings where your line will pass: passengers go there. Squares with A are plots."),
    "open": mark("Begin your line where passengers and buildings are. It will grow from both ends."),
    "second": mark("Your line grows at its two ends only."),
    "choose": mark("Place a cube, or pass after two. The number is what you get; it grows with the largest fleet."),
    "line": mark("Extend your line at either end, toward passengers and buildings."),
    "passengers": mark("Passengers arrive at a station. Choose one on your line, if you can."),
    "buildings": mark("Build on your line, best of the kind the clock shows next."),
    "clock": mark("Let the clock tick, or stop it: that costs you a point, and passengers still want the same."),
    "clock back": mark("Let the clock tick, or turn it back: that costs a point, and passengers want the kind before."),
    "clock last": mark("Let the clock tick, or take the last time stone: it costs a point and ends the game at once."),
    "vrroomm": mark("Each of your buses takes one passenger to a free building of the kind the clock shows."),
}


def tip(view: Mapping[str, Any], words: Words) -> Tip | None:
    """Explain what the player has to decide now; None where there is nothing to decide."""
    kind = view["step"]
    told = TIPS.get(stopping(view) if kind == "clock" else kind)
    return (kind, words.gettext(told)) if told else None
