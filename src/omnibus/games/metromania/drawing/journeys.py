"""The test rides as they are shown at the end: a passenger on a fastest route, the minutes, and the points (§11)."""

from __future__ import annotations

from omnibus.games.metromania.board import CELL_NAMES
from omnibus.games.metromania.drawing.layout import Layout, layout_of
from omnibus.games.metromania.drawing.routes import Test, View, ends_of, route, stretches_of, vertices_of
from omnibus.games.metromania.telling.holdings import FIRST_TEST, test_name
from omnibus.games.metromania.telling.names import minutes, signed
from omnibus.kernel.game import Journey, Words
from omnibus.kernel.svg import seat_name


def journeys(view: View, words: Words, *, wide: bool = False) -> list[Journey]:
    """Return the seven test rides once the game is over."""
    if not view["outcome"]:
        return []
    at = layout_of(wide)
    return [_ride(view, number, test, at, words) for number, test in enumerate(view["outcome"]["details"]["tests"])]


def _ride(view: View, number: int, test: Test, at: Layout, words: Words) -> Journey:
    impossible = test["minutes"] is None
    way = [] if impossible else route(view, test)
    time = words.gettext("impossible") if impossible else minutes(test["minutes"], words)
    return Journey(
        caption=test_name(test, words),
        symbol="mm-passenger" if way else "",
        points=tuple(at.vertex_place(vertex) for vertex, _ in way),
        ticks=tuple(minutes(now, words) for _, now in way),
        value=words.gettext("{what}: {value}").format(what=time, value=_scores(test, words)),
        parts=(f"ride-{test['test']}", *_ends(view, test), *_tunnels(view, test)),
        row=FIRST_TEST + number,
    )


def _scores(test: Test, words: Words) -> str:
    scored = [(seat, score) for seat, score in enumerate(test["scores"]) if score]
    told = [f"{seat_name(seat, words)} {signed(score) if score < 0 else f'+{score}'}" for seat, score in scored]
    return ", ".join(told) or words.gettext("nobody scores")


def _ends(view: View, test: Test) -> list[str]:
    """Return the parts of the two ends, as far as they are in the city."""
    if test["test"] == "sunday":
        return [f"cell-{CELL_NAMES[cell]}" for cells in ends_of(view, test) for cell in cells]
    return [f"hand-{name.replace(' ', '-')}" for name in view["placed"] if name.endswith(f" {test['test']}")]


def _tunnels(view: View, test: Test) -> list[str]:
    """Return the tunnels of all fastest routes."""
    ridden = {
        f"tunnel-{seat}-{name}-{at + 1}"
        for (seat, name), first, last in stretches_of(test, vertices_of(view))
        for at in range(first + 1, last + 1)
    }
    return sorted(ridden)
