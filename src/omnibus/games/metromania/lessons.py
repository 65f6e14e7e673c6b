"""The tutorial: digging, destinations, stations, finishing a line, the test rides; and tips for the first game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from omnibus.games.metromania.telling.status import acting
from omnibus.kernel.game import Document, LessonStep, Tip, Words
from omnibus.kernel.i18n import mark

GOAL: Final = mark(
    "Build two metro lines and finish both. In the end, passengers ride to the same letter by the fastest route: "
    "carry them! On each turn, dig three tunnels or build a station."
)


def _position(solid: str, striped: str, rival: str, **more: Any) -> Document:
    """Return a position of two players in which seat 0 acts; tunnels are separated by commas."""
    position: Document = {
        "seats": 2,
        "town_hall": "hidden",
        "sectors": ["1.0", "2.0", "3.0", "4.0", "5.0", "6.0"],
        "doubles": [],
        "hands": [
            ["home A", "home D", "work B", "work F", "leisure C", "leisure E"],
            ["home C", "home F", "work A", "work E", "leisure B", "leisure D"],
        ],
        "placed": {},
        "lines": [{"solid": _tunnels(solid), "striped": _tunnels(striped)}, {"solid": _tunnels(rival), "striped": []}],
        "stations": [],
        "points": [0, 0],
        "turn": 4,
        "seat": 0,
        "step": "act",
        "dug": 0,
        "placed_now": False,
        "line": None,
        "blocked": [],
        "ended": None,
        "reason": None,
        "ruled_out": [[], []],
    }
    return {**position, **more}


def _tunnels(written: str) -> list[str]:
    return written.split(", ") if written else []


BEGUN: Final = _position("6 SE", "", "", turn=0, dug=1)

SECOND_LINE: Final = _position(
    "6 SE, SW r, SE l",
    "",
    "16 NE, E l, E r, E r",
    hands=[
        ["home A", "home D", "work F", "leisure C", "leisure E"],
        ["home C", "home F", "work A", "work E", "leisure B", "leisure D"],
    ],
    placed={"work B": "D-1,3"},
)

ALONGSIDE: Final = _position(
    "16 NE, NE l, NW l, E r, E r", "", "14 E, E l, E l, E l", stations=[[-5, 1]], turn=6, dug=2
)

BETWEEN_LETTERS: Final = _position(
    "6 SE, SW r, SE l, SE r, SW l, SW r, SE l",
    "18 NE, NE r, NE r, NE l, NE r",
    "16 NE, E l, E r, E r",
    hands=[
        ["home A", "home D", "work F", "leisure C", "leisure E"],
        ["home C", "home F", "work A", "work E", "leisure D"],
    ],
    placed={"work B": "D-1,3", "leisure B": "U2,-1"},
    stations=[[-2, -1], [2, 0], [1, 1]],
    points=[1, 3],
    turn=8,
)
"""The ride from B to B: impossible until the learner's B has a station (§11.4), then five minutes with a change, which
become two once the learner's line reaches the other B (§11.2)."""
BETWEEN_LETTERS["lines"][1]["striped"] = _tunnels("28 NW, W r, W r, NW l, NW r")

NEARLY_OVER: Final = _position(
    "6 SE, SE r, SW l, SE l, SW r, SE r, SW l, SE l, E r, E l, NE l, E l",
    "20 NW, NE r, W l, NW r, NE r, NE r, E l, E l, E l, E r, NW r, NE l, E r, NE r, NW r, NW r, NW r",
    "",
    sectors=["4.2", "5.2", "6.0", "1.2", "2.0", "3.2"],
    hands=[[], ["work E", "leisure D"]],
    placed={
        "home A": "D2,-2", "home C": "U-5,1", "home D": "D0,2", "home F": "D-1,-4", "work A": "U0,-4",
        "work B": "U4,-2", "work F": "U-2,-1", "leisure B": "D-3,0", "leisure C": "U1,0", "leisure E": "U-1,4",
    },
    stations=[[0, -4], [2, -3], [-2, -1], [-1, -1], [0, -1], [2, -1], [-5, 1], [1, 1], [0, 4], [-1, 5]],
    points=[6, 5],
    turn=18,
    dug=2,
)  # fmt: skip
NEARLY_OVER["lines"][1] = {
    "solid": _tunnels("14 E, SE r, SE r, E r, E r, E r, SE r, SE r, SE r, SW l, SE l"),
    "striped": _tunnels("22 NW, NW l, W r, NE l, NE r, NW l, NW r, NW r, W r, W l, NE r, NE r, NE r, E l, E r, E l"),
}

LESSONS: Final = (
    LessonStep(
        start=BEGUN,
        text=mark("You build the blue metro: the more passengers ride it in the end, the more points. Dig here!"),
        wanted=("dig solid SW r",),
        otherwise=mark("Let us go this way first: click the glowing triangle."),
        target="cell-D-2,4",
    ),
    LessonStep(
        text=mark("Each turn you dig three tunnels, and each fills a triangle. Dig the one with the grey square."),
        wanted=("dig solid SE l",),
        otherwise=mark("Click the glowing triangle with the grey square, which stands for work."),
        target="cell-D-1,3",
    ),
    LessonStep(
        text=mark(
            "Here you place a destination: choose B. In the end, someone rides from B to B by the fastest lines."
        ),
        wanted=("place B",),
        otherwise=mark("First place your destination here: click the glowing B."),
        then=("start solid 16 NE", "dig solid E l", "dig solid E r"),
        result=mark(
            "Your B is on the map. Whoever’s lines carry that passenger scores. Now your rival digs three tunnels."
        ),
    ),
    LessonStep(
        start=SECOND_LINE,
        text=mark("Your second, striped line begins far from the first. Click the white arrow, then the point."),
        wanted=("start striped 18 NE",),
        otherwise=mark("Later! Now begin the striped line: click the glowing white arrow, then the glowing point."),
        target="border-18",
    ),
    LessonStep(
        text=mark("Dig toward your rival’s line: click the triangle, then the point the track leads to."),
        wanted=("dig striped NE r",),
        otherwise=mark("Go straight on: click the glowing triangle, then the glowing point."),
        target="cell-U-2,-3",
    ),
    LessonStep(
        text=mark(
            "Where you meet another line, a station opens: a point for each spot (home, work, leisure) it touches. Go!"
        ),
        wanted=("dig striped NE r",),
        otherwise=mark("That does not reach the other line. Click the glowing triangle, then the glowing point."),
        target="cell-U-2,-2",
        result=mark("A station, and your first point. Passengers board and change at stations only."),
    ),
    LessonStep(
        start=ALONGSIDE,
        text=mark("Lines may run side by side. Where yours leaves the other, a station opens too. Leave it here!"),
        wanted=("dig solid SE r",),
        otherwise=mark("No station there. Leave the other line: click the glowing triangle, then the glowing point."),
        target="cell-U-3,0",
        result=mark("Another station, exactly where the two lines part."),
    ),
    LessonStep(
        start=BETWEEN_LETTERS,
        text=mark("In the end, someone rides from B to B. Without a station, your B costs you six points: build one!"),
        wanted=("station solid -1,4",),
        otherwise=mark("Your B needs a station on a corner of its triangle: click the glowing point."),
        then=("station solid -3,-1",),
        target="vertex--1,4",
    ),
    LessonStep(
        text=mark(
            "Each stretch between stations takes a minute, changing lines three. Reach the other B without a change!"
        ),
        wanted=("dig solid E r",),
        otherwise=mark("Lead your line to the other B: click the glowing point."),
        target="vertex-3,-1",
        result=mark(
            "Two minutes instead of five! Everyone on a fastest route scores: six if they placed a B, otherwise three."
        ),
    ),
    LessonStep(
        start=NEARLY_OVER,
        text=mark("Much later. Lines end at black arrows; unfinished lines cost you station points. Finish this one!"),
        wanted=("dig striped NE r",),
        otherwise=mark("The end is one step away: click the glowing black arrow."),
        target="border-5",
    ),
    LessonStep(
        text=mark("A finished line gets a bonus station. Build it, and then the passengers will ride."),
        wanted=("station striped 1,-1",),
        otherwise=mark("Here it is worth a point: click the glowing point on your line."),
        then=("station striped 1,-4",),
        target="vertex-1,-1",
        result=mark(
            "A to A is yours alone: six points. With two players, shared rides score nothing. You win 13 to −3!"
        ),
    ),
)

TIPS: Final = {
    "doubles": mark("You get four destinations: two of the kind you choose, one of each of the others."),
    "start": mark("Begin a line at a white arrow. It must end at a black one at least two sides away."),
    "act": mark("Dig three tunnels, or build a station on an unfinished line, before its last station."),
    "no dig": mark("No tunnel can be dug now: build a station on an unfinished line, before its last station."),
    "digging": mark("Go straight or turn by 60° (at a station 120°). Meeting or leaving a line makes a station."),
    "place": mark("Place a destination. In the end, passengers ride to the other one with the same letter."),
    "bonus": mark("Your line is finished and may get one more station, best next to a destination."),
}


def tip(view: Mapping[str, Any], words: Words) -> Tip | None:
    """Explain what the player has to decide now; None where there is nothing to decide."""
    kind = acting(view) if view["step"] == "act" else view["step"]
    return (kind, words.gettext(TIPS[kind])) if kind in TIPS else None
