"""Read what stands in the city: buildings and passengers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnibus.games.bus.board.pieces import (
    BUILDINGS_OF_A_KIND,
    KINDS,
    PASSENGERS_IN_ALL,
    PASSENGERS_IN_BOX,
    ZONE_COUNT,
    ZONES,
)
from omnibus.games.bus.moves import plot_of
from omnibus.games.bus.state import EMPTY, RIDE, STEPS, State
from omnibus.kernel.checks import expect, index, whole
from omnibus.kernel.game import BadPosition


def place_buildings(state: State, buildings: Any) -> None:
    """Put up the buildings; the earliest zone with an empty plot follows (§9.1)."""
    expect(isinstance(buildings, Mapping), "buildings must be an object of plots and kinds")
    city = state.city
    for name, kind in buildings.items():
        expect(name in city.plot_named, "buildings: there is no plot {plot!r} in this city", plot=name)
        plot = city.plot_named[name]
        state.plots[plot] = index(f"buildings.{name}", kind, KINDS)
        state.supply[state.plots[plot]] -= 1
        state.built[state.plots[plot] * city.crossing_count + city.plot_at[plot]] += 1
    for number, left in enumerate(state.supply):
        kind = KINDS[number]
        expect(
            left >= 0, "buildings: there are only {most} of the kind {kind} (§2.3)", most=BUILDINGS_OF_A_KIND, kind=kind
        )
    _open_zone(state)


def _open_zone(state: State) -> None:
    city = state.city
    empty = [zone for plot, zone in enumerate(city.plot_zone) if state.plots[plot] == EMPTY]
    state.zone = min(empty, default=ZONE_COUNT)
    for plot, zone in enumerate(city.plot_zone):
        if zone > state.zone and state.plots[plot] != EMPTY:
            raise BadPosition(
                "buildings.{plot} is in zone {zone}, which is not open yet (§9.1)",
                plot=city.plot_names[plot],
                zone=ZONES[zone],
            )
    builds = city.zone_builds[state.zone] if state.zone < ZONE_COUNT else []
    state.vacant = [move for move in builds if state.plots[plot_of(move)] == EMPTY]


def place_passengers(state: State, document: Mapping[str, Any]) -> None:
    """Put the passengers where they wait or sit; fifteen in all (§2.3)."""
    state.box = whole("box", document["box"], 0, PASSENGERS_IN_BOX)
    state.waiting = _counted(state, "waiting", document["waiting"])
    state.seated = _counted(state, "seated", document["seated"])
    there = state.box + sum(state.waiting) + sum(state.seated)
    expect(
        there == PASSENGERS_IN_ALL,
        "there are {number} passengers, but box, waiting and seated add up to {there}",
        number=PASSENGERS_IN_ALL,
        there=there,
    )
    for crossing, name in enumerate(state.city.names):
        _check_seats(state, crossing, name)


def _check_seats(state: State, crossing: int, name: int) -> None:
    """Check that passengers sit in buildings of the right kind, and that none waits beside a free seat (§10.3)."""
    seats = state.built[state.clock * state.city.crossing_count + crossing]
    seated = state.seated[crossing]
    if seated:
        expect(
            seated <= seats,
            "seated: crossing {crossing} has only {seats} of the kind {kind} (§10.3)",
            crossing=name,
            seats=seats,
            kind=KINDS[state.clock],
        )
        expect(
            state.step == RIDE,
            "seated: nobody sits at crossing {crossing} in the step `{step}` (§12.2)",
            crossing=name,
            step=STEPS[state.step],
        )
    if state.step == RIDE and state.waiting[crossing]:
        expect(
            seated == seats,
            "waiting: a passenger at crossing {crossing} would have taken a seat there (§10.3)",
            crossing=name,
        )


def _counted(state: State, key: str, listed: Any) -> list[int]:
    expect(isinstance(listed, list), "{key} must be a list of crossings", key=key)
    for name in listed:
        known = isinstance(name, int) and not isinstance(name, bool) and name in state.city.names
        expect(known, "{key}: there is no crossing {crossing!r} in this city", key=key, crossing=name)
    return [listed.count(name) for name in state.city.names]
