"""How it looks: well-formed pictures that show what a view holds, and parts that can be clicked."""

from __future__ import annotations

from math import hypot
from typing import Any
from xml.etree import ElementTree

import pytest

from omnibus import Match, games
from omnibus.games.bus import cities, drawing
from omnibus.games.bus.drawing import icons
from omnibus.games.bus.drawing.layout import NODE, PLOT, RING, layout_of, plan
from omnibus.games.bus.drawing.scenery import Scenery
from omnibus.kernel.i18n import ENGLISH

from .positions import place

GAME = games.find("bus")
SHAPES = pytest.mark.parametrize("wide", [False, True], ids=["tall", "wide"])


def pieces(match: Match, *, wide: bool = False) -> dict[str, Any]:
    laid = GAME.pieces(match.view(0), ENGLISH, wide=wide)
    assert len({piece.id for piece in laid}) == len(laid)
    return {piece.id: piece for piece in laid}


@SHAPES
@pytest.mark.parametrize("city", cities.names())
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_plots_have_room_by_their_crossing(seats: int, city: str, wide: bool) -> None:
    """§1.1 Every plot is nearer to its own crossing than to any other; none lies on another, or on a crossing."""
    layout = layout_of({"city": city}, plan(seats, wide=wide).map)
    area = layout.area
    for plot, (x, y) in enumerate(layout.plots):
        far = [hypot(x - u, y - v) for u, v in layout.spots]
        own = far.pop(layout.city.plot_at[plot])
        assert min(far) >= 1.25 * own, layout.city.plot_names[plot]
        assert area.x + PLOT / 2 <= x <= area.right - PLOT / 2
        assert area.y + PLOT / 2 <= y <= area.bottom - PLOT / 2
        assert min(max(abs(x - u), abs(y - v)) for u, v in layout.spots) > PLOT - 3
        beside = [max(abs(x - u), abs(y - v)) for u, v in layout.plots[plot + 1 :]]
        assert min(beside, default=PLOT) >= PLOT, layout.city.plot_names[plot]


@SHAPES
def test_ties_of_plots(wide: bool) -> None:
    """§9.1 Where one may build, every plot shows its crossing, and its name says it; elsewhere nothing does."""
    building = place(step="buildings", field="a", owed=1, fields={"buildings": [0]}, lines={0: "8-10-15"})
    parts = {
        part for line in building.lines() for part in drawing.parts(building.state, GAME.parse(building.state, line))
    }
    ties = drawing.targets(building.view(0), parts, ENGLISH, wide=wide)
    assert {tie.id for tie in ties} == {f"{part}_tie" for part in parts if part.startswith("plot-")}
    there = pieces(building, wide=wide)
    for tie in ties:
        plot = there[tie.id.removesuffix("_tie")]
        assert (tie.x, tie.y, tie.label) == (plot.x, plot.y, plot.label)
    assert drawing.targets(place().view(0), {"action-line", "pass"}, ENGLISH, wide=wide) == []


def test_lines_side_by_side() -> None:
    """Several lines on one street have a lane each, and lines that end at one crossing share the ring around it."""
    match = place(lines={0: "8-10-16", 1: "6-10-16", 2: "15-10-16"})
    there = pieces(match)
    lanes = {there[f"street-10-16_{letter}"].symbol for letter in "ABC"}
    assert len(lanes) == 3
    heads = [there[f"head-16_{letter}"] for letter in "ABC"]
    assert [head.symbol for head in heads] == [f"bus-head-{seat}-{seat}-3" for seat in range(3)]
    assert {(head.x, head.y) for head in heads} == {(there["crossing-16"].x, there["crossing-16"].y)}
    assert RING - 6 > NODE  # the number stays free
    loop = pieces(place(lines={0: "8-10-15-8"}))
    assert loop["head-8_A"].symbol == "bus-heads-station-0-0-1"


@SHAPES
def test_fleets_beyond_five(wide: bool) -> None:
    """§2.1 A larger fleet stands in two rows, every bus in its own place, with its number; nothing else is covered."""
    there = pieces(place(players={0: {"buses": 11}, 1: {"buses": 5}}), wide=wide)
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


@SHAPES
def test_later_discs_lie_on_top(wide: bool) -> None:
    """§13.2 On the score track whoever reached a score later lies above, and in words who was earlier."""
    players = {
        0: {"rides": 5, "reached": 12}, 1: {"rides": 5, "reached": 9}, 2: {"rides": 6, "reached": 16, "stones": 1},
    }  # fmt: skip
    there = pieces(place(seats=4, players=players), wide=wide)
    assert [name for name in there if name.startswith("track-")] in (
        ["track-B", "track-D", "track-A", "track-C"],
        ["track-D", "track-B", "track-A", "track-C"],
    )  # drawn later, so on top
    discs = {letter: there[f"track-{letter}"] for letter in "ABCD"}
    assert discs["A"].x == discs["B"].x == discs["C"].x != discs["D"].x
    assert discs["C"].y < discs["A"].y < discs["B"].y == discs["D"].y


def test_any_city_can_be_drawn() -> None:
    """Coordinates in any box, even all the same: the picture is sound."""
    map_ = {**cities.find("small-town").document}
    map_["crossings"] = [{**crossing, "xy": [0, 0]} for crossing in map_["crossings"]]
    match = Match.new("bus", options={"city": map_}, seed=1)
    for wide in (False, True):
        ElementTree.fromstring(match.svg(None, wide=wide))
    assert GAME.text(match.view(None), ENGLISH)


def texts(picture: str) -> set[str]:
    """Return all texts of a picture."""
    return {element.text or "" for element in ElementTree.fromstring(picture).iter() if element.tag.endswith("text")}


@pytest.mark.parametrize(("across", "down"), [(1000, 600), (1450, 900)])
def test_passengers_are_large_enough(across: int, down: int) -> None:
    """Those who wait stand, those who are seated sit in a disc; both have 14 pixels on laptops and screens."""
    at = plan(5, wide=True)
    smallest = min(across / at.width, down / at.height)
    assert icons.STANDING * smallest >= 14  # from head to foot
    assert icons.SEATED * smallest >= 14  # the disc of the seated
    assert icons.passenger() not in icons.guest()


@SHAPES
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_areas_lie_beside_each_other(seats: int, wide: bool) -> None:
    """Map, action board, players and track do not overlap and lie inside the picture; in landscape it fits a screen."""
    at = plan(seats, wide=wide)
    areas = [at.sign, at.map, at.board, at.players, at.track]
    for number, one in enumerate(areas):
        assert 0 <= one.x < one.right <= at.width
        assert 0 <= one.y < one.bottom <= at.height
        for other in areas[:number]:
            assert one.x >= other.right or other.x >= one.right or one.y >= other.bottom or other.y >= one.bottom
    assert not wide or at.width / at.height == pytest.approx(1.6)


@SHAPES
@pytest.mark.parametrize("name", cities.names())
def test_the_ground_keeps_clear(name: str, wide: bool) -> None:
    """The river and the parks lie between crossings and plots, not below them."""
    layout = layout_of({"city": name}, plan(4, wide=wide).map)
    scenery = Scenery(layout)
    assert scenery.parks
    assert {scenery.river[0][0], scenery.river[-1][0]} == {layout.area.x, layout.area.right} or {
        scenery.river[0][1], scenery.river[-1][1],
    } == {layout.area.y, layout.area.bottom}  # fmt: skip
    for point in [*scenery.river, *(point for park in scenery.parks for point in park)]:
        assert all(hypot(point[0] - x, point[1] - y) > NODE for x, y in layout.spots)


@SHAPES
def test_names_stand_over_the_players_rows(wide: bool) -> None:
    """Those of the players, escaped and cut where they are too long; without names the colours."""
    view = Match.new("bus", seats=3, dice=False).view(None)
    written = texts(GAME.svg(view, ENGLISH, names=["Ada", "<b>", "x" * 60], wide=wide))
    assert {"Ada", "<b>", "x" * 25 + "…"} <= written
    assert {"Blue", "Pink", "Orange"} <= texts(GAME.svg(view, ENGLISH, wide=wide))


@SHAPES
def test_a_letter_means_one_thing(wide: bool) -> None:
    """In the picture letters are zones; seats have colours and patterns, fields their place in the row."""
    picture = Match.new("bus", seats=5, dice=False).svg(None, wide=wide)
    assert {text for text in texts(picture) if len(text) == 1 and text.isalpha()} == set("ABCD")
    assert all(f'id="bus-plot-{zone}"' in picture for zone in "ABCD")


def test_terminal_shows_the_city() -> None:
    """§1.1 Every crossing with its plots, passengers and heads; every line with its streets."""
    match = place(lines={0: "8-10-15"}, waiting=[8, 8, 16, 27])
    text = "\n".join("".join(run for run, _ in line) for line in GAME.text(match.view(0), ENGLISH))
    assert "[8]+2A" in text
    assert "15PcA" in text
    assert "16PP+1" in text
    assert "8-10 10-15" in text
