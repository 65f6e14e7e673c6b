"""The view of a seat, and the redeal: a full state that looks the same through it.

With `town_hall` hidden, three or four players see of other hands how many destinations of each kind they hold, until
the construction has ended and the test rides show everything. What is in the open can still say something about a hand:
which lines are blocked and which turns pass is public (§9.2), and so is that every tunnel dug was allowed (§4.2). The
hands this excludes are listed as `ruled_out`, the same for everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import contains
from typing import Any, Final

from omnibus.games.metromania.board import CELL, CELL_NAMES, DESTINATIONS, KINDS, OF_KIND, POINTS, TO
from omnibus.games.metromania.moves import DEAL0, LINES_OF, PLACE0, START0, all_deals, all_hands, letters_dealt
from omnibus.games.metromania.position import chosen, place, position
from omnibus.games.metromania.position.write import DESTINATION_NAMES, KEYS, hand_names
from omnibus.games.metromania.rules import apply, legal
from omnibus.games.metromania.rules.legal import bore_of, line_of
from omnibus.games.metromania.rules.tunnels import FREELY, openings, stations_of
from omnibus.games.metromania.scoring import outcome
from omnibus.games.metromania.state import ACT, DEALING, DOUBLING, PIECING, PLACING, STEPS, State, has_secrets, trace
from omnibus.kernel.game import OVER, Document, Roll, actor_of

SET_UP: Final = [STEPS[step] for step in (PIECING, DOUBLING, DEALING)]
SHARED: Final = [key for key in KEYS if key not in ("seats", "town_hall", "hands")]  # with the position document


def view(state: State, seat: int | None) -> Document:
    """Return what a seat (None: a spectator) may see, as a JSON object."""
    told = position(state)
    ended = outcome(state)
    shown = [_shows(state, other, seat) for other in range(state.seats)]
    return {
        "game": "metromania",
        "viewer": seat,
        "seats": state.seats,
        "options": chosen(state),
        "actor": actor_of(state),
        "step": told["step"],
        "seat": state.seat,
        "turn": state.turn,
        "dug": state.dug,
        "placed_now": told["placed_now"],
        "line": told["line"],
        "sectors": told["sectors"],
        "doubles": told["doubles"],
        "hands": [told["hands"][other] if shown[other] else None for other in range(state.seats)],
        "held": [[_count(hand & kind) for kind in OF_KIND] for hand in state.hands],
        "placed": told["placed"],
        "lines": told["lines"],
        "stations": told["stations"],
        "stock": state.stock,
        "points": told["points"],
        "blocked": told["blocked"],
        "ended": told["ended"],
        "reason": told["reason"],
        "ruled_out": told["ruled_out"],
        "offers": offers(state) if state.step == ACT and shown[state.seat] else [],
        "outcome": ended.document() if ended else None,
    }


def _shows(state: State, other: int, seat: int | None) -> bool:
    """Tell whether a seat may look into a hand: its own, any without secrets, all when the game is over."""
    return other == seat or not has_secrets(state) or state.actor == OVER


def _count(hand: int) -> int:
    return sum(hand >> one & 1 for one in range(DESTINATIONS))


def offers(state: State) -> list[Document]:
    """List the tunnels that may be dug now, with the stations each will cause and their points (§6).

    What may be dug depends on the hand, so this is for those who may see it.
    """
    found: list[Document] = []
    for move in legal(state):
        if START0 <= move < PLACE0:
            bore = bore_of(state, move)
            caused = stations_of(state, line_of(state, move), bore)
            built = [bore // 12] * (caused & 1) + [TO[bore]] * (caused >> 1)
            found.append(
                {
                    "line": LINES_OF[state.seats][move],
                    "cell": CELL_NAMES[CELL[bore]],
                    "from": list(POINTS[bore // 12]),
                    "to": list(POINTS[TO[bore]]),
                    "stations": [list(POINTS[vertex]) for vertex in built],
                    "points": sum(state.worth[vertex] for vertex in built),
                    "blocks": _blocks(state, move),
                }
            )
    return found


def _blocks(state: State, move: int) -> bool:
    """Tell whether the line would be blocked after a dig, whatever is placed then (§9.2)."""
    line = line_of(state, move)
    dug = state.clone()
    apply(dug, move)
    if dug.step == PLACING and dug.line == line:
        return all(_blocked_after(dug, line, placement) for placement in legal(dug))
    return _blocked(dug, line)


def _blocked_after(state: State, line: int, move: int) -> bool:
    after = state.clone()
    apply(after, move)
    return _blocked(after, line)


def _blocked(state: State, line: int) -> bool:
    needs = openings(state, line)
    return not state.finished >> line & 1 and needs != FREELY and not state.hands[line >> 1] & needs


def seen(state: State, move: int, seat: int | None) -> str:
    """Return the line of a move about to be applied, as a seat may read it: foreign hands are dealt face down (§13)."""
    line = LINES_OF[state.seats][move]
    if move < DEAL0 or not has_secrets(state):
        return line
    hands = line.removeprefix("deal ").split("/")
    return "deal " + "/".join(hand if other == seat else "?" * len(hand) for other, hand in enumerate(hands))


def redeal(seen: Mapping[str, Any], roll: Roll) -> State:
    """Return a full state that looks the same through this view: the unseen hands are dealt out anew.

    Every deal that fits what this viewer knows is as likely as any other: the own hand, what has been placed by whom,
    and the hands ruled out by what everybody saw.
    """
    hands: list[list[str]] = [list(hand) if hand is not None else [] for hand in seen["hands"]]
    if None in seen["hands"] and seen["step"] not in SET_UP:
        hands = _deal_anew(seen, roll)
    return place(
        {
            "seats": seen["seats"],
            **seen["options"],
            "hands": hands,
            **{key: seen[key] for key in SHARED},
        }
    )


def _deal_anew(seen: Mapping[str, Any], roll: Roll) -> list[list[str]]:
    doubles = [KINDS.index(kind) for kind in seen["doubles"]]
    placed = _placed_by(seen)
    gone = sum(placed)
    fits = [_fitting_hands(seen, seat, doubles, placed[seat], gone) for seat in range(seen["seats"])]
    fitting = [deal for deal in all_deals(doubles) if all(map(contains, fits, deal))]
    deal = fitting[roll(len(fitting))]
    return [hand_names(hand & ~gone) for hand in deal]


def _placed_by(seen: Mapping[str, Any]) -> list[int]:
    """Return what each seat has placed: a destination belongs to whoever dug its cell."""
    placed: list[int] = []
    for lines in seen["lines"]:
        dug = {CELL_NAMES[CELL[bore]] for tunnels in lines.values() for bore in trace(list(tunnels))}
        mine = [name for name, cell in seen["placed"].items() if cell in dug]
        placed.append(sum(1 << DESTINATION_NAMES.index(name) for name in mine))
    return placed


def _fitting_hands(seen: Mapping[str, Any], seat: int, doubles: list[int], placed: int, gone: int) -> set[int]:
    """Return the full hands of a seat that go with everything the viewer knows."""
    known = seen["hands"][seat]
    if known is not None:
        return {placed + sum(1 << DESTINATION_NAMES.index(name) for name in known)}
    out = seen["ruled_out"][seat]
    return {
        hand for hand in all_hands(seat, doubles) if hand & gone == placed and not (out and letters_dealt(hand) in out)
    }
