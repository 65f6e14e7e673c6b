"""The log: what happened, as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from omnibus.games.metromania.telling.holdings import test_name
from omnibus.games.metromania.telling.labels import spot_kind
from omnibus.games.metromania.telling.names import View, destination, line_of, minutes, place_name, points, signed, way
from omnibus.games.metromania.telling.status import result
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark

DOUBLED: Final = {
    "home": mark("{player} will hold two home destinations."),
    "work": mark("{player} will hold two work destinations."),
    "leisure": mark("{player} will hold two leisure destinations."),
}
BEGUN: Final = {
    "solid": mark("{player} begins the solid line in border cell {number}, heading {way}."),
    "striped": mark("{player} begins the striped line in border cell {number}, heading {way}."),
}
DUG: Final = {
    "solid": mark("{player} digs for the solid line, heading {way}."),
    "striped": mark("{player} digs for the striped line, heading {way}."),
}
FINISHED: Final = {
    "solid": mark("{player} finishes the solid line, heading {way}."),
    "striped": mark("{player} finishes the striped line, heading {way}."),
}
BUILT: Final = {
    "solid": mark("{player} builds an intermediate station of the solid line on {place}."),
    "striped": mark("{player} builds an intermediate station of the striped line on {place}."),
}
BLOCKED: Final = {
    "solid": mark("The solid line of {player} is blocked."),
    "striped": mark("The striped line of {player} is blocked."),
}
FREED: Final = {
    "solid": mark("The solid line of {player} is no longer blocked."),
    "striped": mark("The striped line of {player} is no longer blocked."),
}
ENDED: Final = {
    "finished": mark("The construction ends: both lines of a player are finished. All others have one more turn."),
    "stock": mark("The construction ends: the stock of stations is empty. All others have one more turn."),
    "blocked": mark("The construction ends: enough lines are finished or blocked. All others have one more turn."),
}


def tell(before: View, line: str, after: View, names: Sequence[str], words: Words) -> list[str]:
    """Say what happened between two views of one reader: the line itself, then what followed by itself."""
    sentences = _act(before, line, after, names, words)
    sentences += _scored(before, after, names, words)
    sentences += _blocked(before, after, names, words)
    if before["ended"] is None and after["ended"] is not None:
        why: str = after["reason"]
        sentences.append(words.gettext(ENDED[why]))
    for turn in range(before["turn"] + 1, after["turn"]):
        text = words.gettext("{player} can do nothing and passes.")
        sentences.append(text.format(player=names[turn % before["seats"]]))
    if after["outcome"]:
        sentences += _rides(after["outcome"], names, words)
        sentences.append(result(after["outcome"], names, words))
    return sentences


def _act(before: View, line: str, after: View, names: Sequence[str], words: Words) -> list[str]:
    """Say the line itself."""
    head, *rest = line.split(" ")
    player = names[before["seat"]]
    if head == "piece":
        piece, _, rotation = rest[0].partition(".")
        text = words.gettext("Piece {piece} is laid in sector {sector}, rotation {rotation}.")
        return [text.format(piece=piece, sector=len(after["sectors"]), rotation=rotation)]
    if head == "deal":
        return _dealt(after, names, words)
    if head == "double":
        return [words.gettext(DOUBLED[rest[0]]).format(player=player)]
    if head == "start":
        return [words.gettext(BEGUN[rest[0]]).format(player=player, number=rest[1], way=way(rest[2], words))]
    if head == "dig":
        table = FINISHED if after["step"] == "bonus" else DUG
        return [words.gettext(table[rest[0]]).format(player=player, way=way(rest[1], words))]
    if head == "place":
        what = destination(f"{spot_kind(before)} {rest[0]}", words)
        return [words.gettext("{player} places {destination}.").format(player=player, destination=what)]
    if head == "station":
        where = place_name([int(number) for number in rest[1].split(",")])
        return [words.gettext(BUILT[rest[0]]).format(player=player, place=where)]
    return [words.gettext("{player} builds no bonus station.").format(player=player)]


def _dealt(after: View, names: Sequence[str], words: Words) -> list[str]:
    sentences = [words.gettext("The destinations are dealt.")]
    for seat, hand in enumerate(after["hands"]):
        if hand is not None:
            listed = ", ".join(destination(name, words) for name in hand)
            sentences.append(words.gettext("{player} holds {hand}.").format(player=names[seat], hand=listed))
    return sentences


def _scored(before: View, after: View, names: Sequence[str], words: Words) -> list[str]:
    """Say which stations arose and what they brought."""
    built = [place_name(point) for point in after["stations"] if point not in before["stations"]]
    if not built:
        return []
    seat = before["seat"]
    gained = after["points"][seat] - before["points"][seat]
    text = words.ngettext(
        "New station on {places}: {points} for {player}.",
        "New stations on {places}: {points} for {player}.",
        len(built),
    )
    return [text.format(places=" · ".join(built), points=points(gained, words), player=names[seat])]


def _blocked(before: View, after: View, names: Sequence[str], words: Words) -> list[str]:
    sentences: list[str] = []
    for table, these, those in ((BLOCKED, after, before), (FREED, before, after)):
        for token in these["blocked"]:
            seat, name = line_of(token)
            if token not in those["blocked"]:
                sentences.append(words.gettext(table[name]).format(player=names[seat]))
    return sentences


def _rides(outcome: Mapping[str, Any], names: Sequence[str], words: Words) -> list[str]:
    """Say how the test rides went, one by one, then the line points."""
    told = [_ride(test, names, words) for test in outcome["details"]["tests"]]
    listed = ", ".join(
        f"{name} {signed(score)}" for name, score in zip(names, outcome["details"]["lines"], strict=True)
    )
    return [*told, words.gettext("Line points: {scores}.").format(scores=listed)]


def _ride(test: Mapping[str, Any], names: Sequence[str], words: Words) -> str:
    what = test_name(test, words)
    scored = [f"{name} {signed(score)}" for name, score in zip(names, test["scores"], strict=True) if score]
    listed = ", ".join(scored) if scored else words.gettext("nobody scores")
    if test["minutes"] is None:
        return words.gettext("{test}: impossible; {scores}.").format(test=what, scores=listed)
    return words.gettext("{test}: {minutes}; {scores}.").format(
        test=what, minutes=minutes(test["minutes"], words), scores=listed
    )
