"""What the things in the picture are called, in the reader's language."""

from __future__ import annotations

from typing import Final

from omnibus.games.bus.board import City
from omnibus.games.bus.board.pieces import ZONES
from omnibus.games.bus.telling.names import ACTION_NAMES, View, field_name, kind_name
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.svg import seat_name

SAID: Final = {
    "found": mark("{seat}: first buildings"),
    "open": mark("{seat}: first stick"),
    "second": mark("{seat}: second stick"),
    "choose": mark("{seat} chooses"),
    "line": mark("{seat}: line"),
    "passengers": mark("{seat}: passengers"),
    "buildings": mark("{seat}: buildings"),
    "clock": mark("{seat}: clock"),
    "vrroomm": mark("{seat}: vrroomm"),
}

SIGNS: Final = {
    "first": mark("Before the game"),
    "shared": mark("A shared win"),
    "won": mark("Winner"),
    "found": mark("First buildings"),
    "open": mark("First stick"),
    "second": mark("Second stick"),
    "choose": mark("Choose an action"),
    **{action: ACTION_NAMES[action] for action in ("line", "passengers", "buildings", "clock", "vrroomm")},
}
OF_NOBODY: Final = ("first", "shared")  # signs that name no seat

COUNTED: Final = {
    "cubes": mark("{seat}, cubes: {number}"),
    "buses": mark("{seat}, buses: {number}"),
    "sticks": mark("{seat}, sticks: {number}"),
    "stones": mark("{seat}, time stones: {number}"),
    "score": mark("{seat}, score: {number}"),
}

TIED: Final = {
    (False, True): mark("{seat}, score: {number}, reached before {later}"),
    (True, False): mark("{seat}, score: {number}, reached after {earlier}"),
    (True, True): mark("{seat}, score: {number}, reached after {earlier} and before {later}"),
}


def seat_names(seats: list[int], words: Words) -> str:
    """Name several seats."""
    return ", ".join(seat_name(seat, words) for seat in seats)


def standings(seats: int, words: Words) -> dict[str, str]:
    """Return everything the sign over the map can say, by the symbol that says it."""
    of_seats = [f"{step}-{seat}" for seat in range(seats) for step in (*SAID, "won")]
    return {standing: said(standing, words) for standing in ("first", "shared", *of_seats)}


def signs(words: Words) -> dict[str, str]:
    """Return what is written on the sign over the map at every step; a disc beside it says whose turn it is."""
    return {step: words.gettext(text) for step, text in SIGNS.items()}


def said(standing: str, words: Words) -> str:
    """Return what the sign over the map says by a symbol."""
    if standing == "first":
        return words.gettext("Before the game")
    if standing == "shared":
        return words.gettext("A shared win")
    step, seat = standing.split("-")
    text = words.gettext("{seat} wins") if step == "won" else words.gettext(SAID[step])
    return text.format(seat=seat_name(int(seat), words))


def standing(view: View) -> str:
    """Return what the sign says now, as a key of `standings`."""
    if view["outcome"]:
        winners = view["outcome"]["winners"]
        return f"won-{winners[0]}" if len(winners) == 1 else "shared"
    return "first" if view["step"] == "first" else f"{view['step']}-{view['seat']}"


def counted(what: str, seat: int, number: int | str, words: Words) -> str:
    """Say how many of something a seat has."""
    return words.gettext(COUNTED[what]).format(seat=seat_name(seat, words), number=number)


def score_label(view: View, seat: int, words: Words) -> str:
    """Say what a seat's score is, and among equals who reached it earlier, which breaks the tie (§13.2)."""
    players, score = view["players"], view["scores"][seat]
    equal = [
        other
        for other, player in enumerate(players)
        if (view["scores"][other], player["stones"]) == (score, players[seat]["stones"])
    ]
    earlier = [other for other in equal if players[other]["reached"] < players[seat]["reached"]]
    later = [other for other in equal if players[other]["reached"] > players[seat]["reached"]]
    if not earlier and not later:
        return counted("score", seat, score, words)
    text = words.gettext(TIED[bool(earlier), bool(later)])
    return text.format(
        seat=seat_name(seat, words), number=score, earlier=seat_names(earlier, words), later=seat_names(later, words)
    )


def crossing_label(city: City, crossing: int, words: Words) -> str:
    """Name a crossing, with what is special about it."""
    name = city.names[crossing]
    if crossing in city.stations:
        return words.gettext("Station {crossing}").format(crossing=name)
    if crossing in city.centre:
        return words.gettext("Crossing {crossing}, in the centre").format(crossing=name)
    return words.gettext("Crossing {crossing}").format(crossing=name)


def plot_label(city: City, plot: int, words: Words) -> str:
    """Name a plot, and the crossing to which it belongs."""
    text = words.gettext("Plot {plot} at crossing {crossing}, zone {zone}")
    crossing, zone = city.names[city.plot_at[plot]], ZONES[city.plot_zone[plot]]
    return text.format(plot=city.plot_names[plot], crossing=crossing, zone=zone)


def street_label(street: str, words: Words) -> str:
    """Name a street."""
    return words.gettext("Street {street}").format(street=street)


def building_label(kind: str, plot: str, words: Words) -> str:
    """Say what stands on a plot."""
    return words.gettext("Plot {plot}: {kind}").format(plot=plot, kind=kind_name(kind, words))


def waiting_label(number: int, crossing: int, words: Words) -> str:
    """Say how many wait at a crossing."""
    text = words.ngettext(
        "{number} passenger waits at {crossing}", "{number} passengers wait at {crossing}", number
    )  # fmt: skip
    return text.format(number=number, crossing=crossing)


def guest_label(plot: str, words: Words) -> str:
    """Say that somebody sits there."""
    return words.gettext("A passenger sits at {plot}").format(plot=plot)


def stick_label(seat: int, street: str, words: Words) -> str:
    """Say whose line uses a street."""
    return words.gettext("{seat}, line on {street}").format(seat=seat_name(seat, words), street=street)


def head_label(seat: int, crossing: int, words: Words) -> str:
    """Say whose line ends at a crossing."""
    return words.gettext("{seat}, end of the line at {crossing}").format(seat=seat_name(seat, words), crossing=crossing)


def field_label(action: str, field: int, number: int, words: Words) -> str:
    """Say what a field will yield."""
    text = words.gettext("{action}, {field}: yields {number}")
    return text.format(action=action, field=field_name(field, words), number=number)


def cube_label(action: str, field: int | None, seat: int, words: Words) -> str:
    """Say who took a field, which has no name of its own where it is the only one of its action."""
    who = seat_name(seat, words)
    if field is None:
        return words.gettext("{action}: {seat}").format(action=action, seat=who)
    return words.gettext("{action}, {field}: {seat}").format(action=action, field=field_name(field, words), seat=who)


def first_label(action: str, seat: int, words: Words) -> str:
    """Say who will act first in an action (§5.1)."""
    return words.gettext("{action}: {seat} acts first").format(action=action, seat=seat_name(seat, words))


def winners_label(winners: list[int], words: Words) -> str:
    """Say who has won."""
    return words.gettext("Winner: {seats}").format(seats=seat_names(winners, words))
