"""The log: what happened, as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from omnibus.games.metromania.board import LINES
from omnibus.games.metromania.moves import DIG0, DIGS_OF_LINE, START0, STARTS_OF_LINE
from omnibus.games.metromania.rules import refusal
from omnibus.games.metromania.state import ACT
from omnibus.games.metromania.telling.holdings import test_name
from omnibus.games.metromania.telling.labels import spot_kind
from omnibus.games.metromania.telling.names import View, destination, line_of, minutes, place_name, points, signed, way
from omnibus.games.metromania.telling.reasons import explain
from omnibus.games.metromania.telling.status import result
from omnibus.games.metromania.view import redeal
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.names import Saying, say

DOUBLED: Final = {
    "home": Saying(
        mark("{player} will hold two home destinations."),
        mark("You will hold two home destinations."),
    ),
    "work": Saying(
        mark("{player} will hold two work destinations."),
        mark("You will hold two work destinations."),
    ),
    "leisure": Saying(
        mark("{player} will hold two leisure destinations."),
        mark("You will hold two leisure destinations."),
    ),
}
BEGUN: Final = {
    "solid": Saying(
        mark("{player} begins the solid line in border cell {number}, heading {way}."),
        mark("You begin the solid line in border cell {number}, heading {way}."),
    ),
    "striped": Saying(
        mark("{player} begins the striped line in border cell {number}, heading {way}."),
        mark("You begin the striped line in border cell {number}, heading {way}."),
    ),
}
DUG: Final = {
    "solid": Saying(
        mark("{player} digs for the solid line, heading {way}."),
        mark("You dig for the solid line, heading {way}."),
    ),
    "striped": Saying(
        mark("{player} digs for the striped line, heading {way}."),
        mark("You dig for the striped line, heading {way}."),
    ),
}
FINISHED: Final = {
    "solid": Saying(
        mark("{player} finishes the solid line, heading {way}."),
        mark("You finish the solid line, heading {way}."),
    ),
    "striped": Saying(
        mark("{player} finishes the striped line, heading {way}."),
        mark("You finish the striped line, heading {way}."),
    ),
}
BUILT: Final = {
    "solid": Saying(
        mark("{player} builds an intermediate station of the solid line on {place}."),
        mark("You build an intermediate station of the solid line on {place}."),
    ),
    "striped": Saying(
        mark("{player} builds an intermediate station of the striped line on {place}."),
        mark("You build an intermediate station of the striped line on {place}."),
    ),
}
BLOCKED: Final = {
    "solid": Saying(
        mark("{player}'s solid line is blocked."),
        mark("Your solid line is blocked."),
    ),
    "striped": Saying(
        mark("{player}'s striped line is blocked."),
        mark("Your striped line is blocked."),
    ),
}
FREED: Final = {
    "solid": Saying(
        mark("{player}'s solid line is no longer blocked."),
        mark("Your solid line is no longer blocked."),
    ),
    "striped": Saying(
        mark("{player}'s striped line is no longer blocked."),
        mark("Your striped line is no longer blocked."),
    ),
}
UNSAID: Final = ("back", "no-way", "no-cell")  # reasons why there is no way on that are plain to see
PLACES: Final = Saying(mark("{player} places {destination}."), mark("You place {destination}."))
NO_BONUS: Final = Saying(mark("{player} builds no bonus station."), mark("You build no bonus station."))
HOLDS: Final = Saying(mark("{player} holds {hand}."), mark("You hold {hand}."))
PASSES: Final = Saying(mark("{player} can do nothing and passes."), mark("You can do nothing and pass."))
GAINS: Final = Saying(mark("{stations}: {points} for {player}."), mark("{stations}: {points} for you."))
SCORE: Final = Saying(mark("{player} {score}"), mark("you {score}"))
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
        sentences.append(say(PASSES, turn % before["seats"], names, words))
    if after["outcome"]:
        sentences += _rides(after["outcome"], names, words)
        sentences.append(result(after["outcome"], names, words))
    return sentences


def _act(before: View, line: str, after: View, names: Sequence[str], words: Words) -> list[str]:
    """Say the line itself."""
    head, *rest = line.split(" ")
    seat = before["seat"]
    if head == "piece":
        return [] if after["step"] == "pieces" else [words.gettext("The city is laid out.")]
    if head == "deal":
        return _dealt(after, names, words)
    if head == "double":
        return [say(DOUBLED[rest[0]], seat, names, words)]
    if head == "start":
        return [say(BEGUN[rest[0]], seat, names, words, number=rest[1], way=way(rest[2], words))]
    if head == "dig":
        table = FINISHED if after["step"] == "bonus" else DUG
        return [say(table[rest[0]], seat, names, words, way=way(rest[1], words))]
    if head == "place":
        what = destination(f"{spot_kind(before)} {rest[0]}", words)
        return [say(PLACES, seat, names, words, destination=what)]
    if head == "station":
        where = place_name([int(number) for number in rest[1].split(",")])
        return [say(BUILT[rest[0]], seat, names, words, place=where)]
    return [say(NO_BONUS, seat, names, words)]


def _dealt(after: View, names: Sequence[str], words: Words) -> list[str]:
    sentences = [words.gettext("The destinations are dealt.")]
    for seat, hand in enumerate(after["hands"]):
        if hand is not None:
            listed = ", ".join(destination(name, words) for name in hand)
            sentences.append(say(HOLDS, seat, names, words, hand=listed))
    return sentences


def _scored(before: View, after: View, names: Sequence[str], words: Words) -> list[str]:
    """Say which stations arose and what they brought."""
    built = [place_name(point) for point in after["stations"] if point not in before["stations"]]
    if not built:
        return []
    seat = before["seat"]
    gained = after["points"][seat] - before["points"][seat]
    stations = words.ngettext("New station on {places}", "New stations on {places}", len(built))
    told = stations.format(places=" · ".join(built))
    return [say(GAINS, seat, names, words, stations=told, points=points(gained, words))]


def _blocked(before: View, after: View, names: Sequence[str], words: Words) -> list[str]:
    sentences: list[str] = []
    for table, these, those in ((BLOCKED, after, before), (FREED, before, after)):
        for token in these["blocked"]:
            seat, name = line_of(token)
            if token not in those["blocked"]:
                sentences.append(say(table[name], seat, names, words))
                if table is BLOCKED and seat == after["viewer"]:
                    sentences.append(_no_way_on(after, seat, name, words))
    return sentences


def _no_way_on(view: View, seat: int, name: str, words: Words) -> str:
    """Say why no tunnel could follow at the tip of the viewer's line, were it a fresh turn (§9.2)."""
    state = redeal(view, lambda _: 0)
    state.actor = state.seat = seat
    state.step, state.dug, state.placed_now = ACT, 0, 0
    begun = view["lines"][seat][name] is not None
    first, number = (DIG0, DIGS_OF_LINE) if begun else (START0, STARTS_OF_LINE)
    first += LINES.index(name) * number
    refused = [found for move in range(first, first + number) if (found := refusal(state, move))]
    against = {found.code: f"{explain(found, words)} ({found.section})" for found in refused}
    why = " · ".join(told for code, told in against.items() if code not in UNSAID)
    text = mark("No tunnel can follow at its tip: {why}.") if begun else mark("It cannot begin anywhere: {why}.")
    return words.gettext(text).format(why=why)


def _rides(outcome: Mapping[str, Any], names: Sequence[str], words: Words) -> list[str]:
    """Say how the test rides went, one by one, then the line points."""
    told = [_ride(test, names, words) for test in outcome["details"]["tests"]]
    scores = [_score(seat, score, names, words) for seat, score in enumerate(outcome["details"]["lines"])]
    listed = ", ".join(scores)
    return [*told, words.gettext("Line points: {scores}.").format(scores=listed)]


def _ride(test: Mapping[str, Any], names: Sequence[str], words: Words) -> str:
    what = test_name(test, words)
    scored = [_score(seat, score, names, words) for seat, score in enumerate(test["scores"]) if score]
    listed = ", ".join(scored) if scored else words.gettext("nobody scores")
    if test["minutes"] is None:
        return words.gettext("{test}: impossible; {scores}.").format(test=what, scores=listed)
    return words.gettext("{test}: {minutes}; {scores}.").format(
        test=what, minutes=minutes(test["minutes"], words), scores=listed
    )


def _score(seat: int, score: int, names: Sequence[str], words: Words) -> str:
    return say(SCORE, seat, names, words, score=signed(score))
