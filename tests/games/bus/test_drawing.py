"""How it looks: well-formed pictures that show what a view holds, and parts that can be clicked."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from omnibus import Match, games
from omnibus.games.bus import cities, drawing
from omnibus.games.bus.drawing.layout import MAP_HIGH, MAP_TOP, PLOT, WIDTH, layout_of
from omnibus.kernel.i18n import ENGLISH, LANGUAGES, words

Place = Callable[..., Match]
GAME = games.find("bus")
NUMBERS = range(10)


def position(number: int) -> Match:
    """A random match, later and later; the last one is over."""
    random = Random(number)
    options = {"city": cities.names()[number % 2], "sticks": ("unlimited", "edition")[number % 3 == 0],
               "edition": ("first", "reprint")[number // 2 % 2]}  # fmt: skip
    match = Match.new("bus", seats=3 + number % 3, options=options, seed=number, dice=number > 0)
    while match.actor is not None and len(match.plies) < (number * 14 if number < 9 else 1000):
        match.play(random.choice(match.lines()))
    return match


@pytest.mark.parametrize("number", NUMBERS)
def test_picture_is_sound(number: int) -> None:
    """Well-formed, without scripts or outside references, every symbol defined, every id once."""
    picture = position(number).svg(None)
    root = ElementTree.fromstring(picture)
    assert root.get("role") == "img"
    assert not re.search(r"<script|javascript:|https?://(?!www\.w3\.org/)|@import", picture)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    used = {element.get("href") for element in root.iter() if element.tag.endswith("use")}
    assert {f"#{name}" for name in ids} >= used
    patterns = set(re.findall(r"url\(#([\w-]+)\)", picture))
    assert patterns <= set(ids)


@pytest.mark.parametrize("number", NUMBERS)
def test_every_part_is_in_the_picture(number: int) -> None:
    """§15 What a legal line touches can be clicked in the picture."""
    match = position(number)
    while isinstance(match.actor, int) and len(match.plies) < 400:
        root = ElementTree.fromstring(match.svg(match.actor))
        there = {element.get("data-part") for element in root.iter()}
        for line in match.lines():
            assert set(drawing.parts(match.state, GAME.parse(match.state, line))) <= there, line
        for _ in range(9):
            if match.actor is not None:
                match.play(match.lines()[0])


def test_parts(place: Place) -> None:
    """§15 A line names what one clicks: street and head, plot and kind, crossings, fields."""
    laying = place(step="line", field="a", owed=1, fields={"line": [0]}, lines={0: "8-10-15"})

    def parts(match: Match, line: str) -> set[str]:
        return set(drawing.parts(match.state, GAME.parse(match.state, line)))

    assert parts(laying, "lay 8-15") == {"head-8", "street-8-15"}
    assert parts(laying, "lay 15-8") == {"head-15", "street-8-15"}
    assert parts(laying, "build pub 24.1") == {"plot-24.1", "kind-pub"}
    assert parts(laying, "ride 10-21") == {"crossing-10", "crossing-21"}
    assert parts(laying, "arrive 30") == {"crossing-30"}
    assert parts(laying, "take vrroomm") == {"action-vrroomm"}
    assert [parts(laying, line) for line in ("pass", "stop", "tick")] == [{"pass"}, {"stop"}, {"tick"}]
    assert parts(laying, "first 0") == set()


def pieces(match: Match) -> dict[str, Any]:
    laid = GAME.pieces(match.view(0), ENGLISH)
    assert len({piece.id for piece in laid}) == len(laid)
    return {piece.id: piece for piece in laid}


def test_lines_side_by_side(place: Place) -> None:
    """Several lines on one street have a lane each, and heads that share a crossing stand side by side."""
    match = place(lines={0: "8-10-16", 1: "6-10-16", 2: "15-10-16"})
    there = pieces(match)
    lanes = {there[f"street-10-16_{letter}"].symbol for letter in "ABC"}
    assert len(lanes) == 3
    heads = [there[f"head-16_{letter}"] for letter in "ABC"]
    assert len({(head.x, head.y) for head in heads}) == 3
    loop = pieces(place(lines={0: "8-10-15-8"}))
    assert loop["head-8_A"].symbol == "bus-heads-0"


def test_everything_is_shown(place: Place) -> None:
    """Buildings by kind, passengers waiting and seated, cubes, yields, clock, stones, counts, scores."""
    match = place(
        step="vrroomm", field="a", owed=1, clock="office", fields={"vrroomm": [0], "line": [0, 1], "clock": [2]},
        lines={0: "8-10-16-20"}, waiting=[8] * 7 + [24], seated=[16],
        players={1: {"stones": 1, "rides": 3, "reached": 3}},
        buildings={"16.1": "office", "20.1": "office", "10.1": "pub", "15.1": "house"},
    )  # fmt: skip
    there = pieces(match)
    assert there["plot-16.1"].symbol == "bus-plot-office"
    assert there["plot-29.1"].symbol == "bus-plot-A"
    assert there["plot-16.1_guest"].label == "A passenger sits at 16.1"
    assert there["crossing-8_waiting"].symbol == "bus-waiting-7"
    assert there["action-line_cube-b"].symbol == "bus-cube-1"
    assert there["action-line_yield-a"].symbol == "bus-yield-1"
    assert there["action-line_first"].label == "Line: seat B acts first"
    assert there["tick_now"].label == "The clock shows: office"
    assert there["tick_next"].label == "Next on the clock: pub"
    assert there["score-B"].label == "Score of seat B: 2"
    assert there["stop_stones"].symbol == "bus-large-3"
    assert there["kind-pub_left"].symbol == "bus-count-all"
    assert there["turn"].label == "Seat A: vrroomm"
    assert there["sticks-A"].symbol == "bus-tally-25"
    assert there["action-vrroomm_yield-b"].label == ("Vrroomm b: yields 1 (as it stands: 0, the clock shows office)")


def test_fleets_beyond_five(place: Place) -> None:
    """§2.1 A larger fleet stands in two rows, every bus in its own place, with its number; nothing else is covered."""
    there = pieces(place(players={0: {"buses": 11}, 1: {"buses": 5}}))
    fleet = [there[f"fleet-A_{n}"] for n in range(1, 12)]
    assert {bus.symbol for bus in fleet} == {"bus-small-0"}
    assert len({(bus.x, bus.y) for bus in fleet}) == 11
    assert there["fleet-A"].symbol == "bus-tally-11"
    assert max(bus.x for bus in fleet) < there["fleet-A"].x < there["cubes-A"].x - 60
    assert "fleet-B" not in there
    assert there["fleet-B_5"].symbol == "bus-fleet-1"
    assert "fleet-B_6" not in there
    assert there["action-line_yield-a"].symbol == "bus-yield-11"
    limited, endless = (drawing.background(place(edition=edition).view(0), ENGLISH) for edition in ("reprint", "first"))
    assert limited.count('stroke-dasharray="6 5"') == 15  # places for five buses each
    assert endless.count('stroke-dasharray="6 5"') == 0


def test_later_discs_lie_on_top(place: Place) -> None:
    """§13.2 On the score track whoever reached a score later lies above, and in words who was earlier."""
    players = {
        0: {"rides": 5, "reached": 12}, 1: {"rides": 5, "reached": 9}, 2: {"rides": 6, "reached": 16, "stones": 1},
    }  # fmt: skip
    there = pieces(place(seats=4, players=players))
    discs = {letter: there[f"track-{letter}"] for letter in "ABCD"}
    assert discs["A"].x == discs["B"].x == discs["C"].x != discs["D"].x
    assert discs["C"].y < discs["A"].y < discs["B"].y == discs["D"].y
    assert discs["A"].label == "Score of seat A: 5, reached after B"
    assert discs["B"].label == "Score of seat B: 5, reached before A"
    assert discs["C"].label == "Score of seat C: 5"  # more time stones come first
    three = {seat: {"rides": 2, "reached": 4 + seat} for seat in range(3)}
    middle = pieces(place(players=three))["score-B"]
    assert middle.label == "Score of seat B: 2, reached after A and before C"


@pytest.mark.parametrize("name", cities.names())
def test_nothing_covers_a_plot(name: str) -> None:
    """Plots, crossings and crowds have their own room on the map."""
    layout = layout_of({"city": name})
    for plot, (x, y) in enumerate(layout.plots):
        assert PLOT / 2 <= x <= WIDTH - PLOT / 2
        assert MAP_TOP + PLOT / 2 <= y <= MAP_TOP + MAP_HIGH - PLOT / 2
        for u, v in [*layout.plots[:plot], *layout.spots]:
            assert max(abs(x - u), abs(y - v)) > 40


def test_a_map_is_laid_out_once() -> None:
    """Also one of one's own, however often it is read; another one has a layout of its own."""
    one, same = ({**cities.find("small-town").document} for _ in range(2))
    assert layout_of({"city": one}) is layout_of({"city": same})
    assert layout_of({"city": one}) is not layout_of({"city": {**one, "name": "elsewhere"}})


def test_any_city_can_be_drawn() -> None:
    """Coordinates in any box, even all the same: the picture is sound."""
    map_ = {**cities.find("small-town").document}
    map_["crossings"] = [{**crossing, "xy": [0, 0]} for crossing in map_["crossings"]]
    match = Match.new("bus", options={"city": map_}, seed=1)
    ElementTree.fromstring(match.svg(None))
    assert GAME.text(match.view(None), ENGLISH)


def test_background_does_not_change() -> None:
    """What is drawn once stays the same to the end of the game, in each language its own."""
    match = Match.new("bus", seed=1)
    first = drawing.background(match.view(0), ENGLISH)
    while match.actor is not None:
        match.play(match.lines()[0])
    assert drawing.background(match.view(0), ENGLISH) == first
    assert "Passagers" in drawing.background(match.view(0), words("fr", GAME.folder))


@pytest.mark.parametrize("language", LANGUAGES)
def test_terminal_fits_80_columns(language: str) -> None:
    """Every line of the terminal's board has at most 80 columns, in every language."""
    for number in NUMBERS:
        board = GAME.text(position(number).view(None), words(language, GAME.folder))
        for line in board:
            assert sum(len(text) for text, _ in line) <= 80, line


def test_terminal_shows_the_city(place: Place) -> None:
    """§1.1 Every crossing with its plots, passengers and heads; every line with its streets."""
    match = place(lines={0: "8-10-15"}, waiting=[8, 8, 16, 27])
    text = "\n".join("".join(run for run, _ in line) for line in GAME.text(match.view(0), ENGLISH))
    assert "[8]+2A" in text
    assert "15PcA" in text
    assert "16PP+1" in text
    assert "8-10 10-15" in text


def test_same_picture_in_every_process() -> None:
    """The same position is drawn to the same bytes, whatever the hash seed."""
    code = "from omnibus import Match; print(hash('x'), Match.new('bus', seed=3).svg(0))"
    pictures: set[Any] = set()
    for seed in ("1", "2"):
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)}
        answer = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
        )
        pictures.add(answer.stdout.split(" ", 1)[1])
    assert len(pictures) == 1
