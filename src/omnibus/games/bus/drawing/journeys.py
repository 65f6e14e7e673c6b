"""What is shown at the end: why the game is over, then how each score adds up, the winner's last (§13)."""

from __future__ import annotations

from typing import Final

from omnibus.games.bus.telling.names import View, letter
from omnibus.games.bus.telling.status import ENDS
from omnibus.kernel.game import Journey, Words
from omnibus.kernel.i18n import mark

TIED: Final = {
    "stones": mark("tied, but with more time stones"),
    "earlier": mark("tied, but reached earlier"),
    "shared": mark("tied: a shared win"),
}


def journeys(view: View, words: Words, *, wide: bool = False) -> list[Journey]:
    """Return the reason of the end and the scores, once the game is over; the parts are the same in both shapes."""
    outcome = view["outcome"]
    if not outcome:
        return []
    order = sorted(range(view["seats"]), key=lambda seat: (outcome["scores"][seat], seat in outcome["winners"]))
    return [_end(view, words), *(_score(view, seat, words) for seat in order)]


def _end(view: View, words: Words) -> Journey:
    reason = view["outcome"]["reason"]
    parts = {
        "stones": ("stop",),
        "cubes": tuple(f"cubes-{letter(seat)}" for seat in range(view["seats"])),
        "plots": tuple(f"plot-{name}" for name in view["buildings"]),
    }
    return Journey(words.gettext(ENDS[reason]), parts=parts[reason])


def _score(view: View, seat: int, words: Words) -> Journey:
    details, score = view["outcome"]["details"], view["outcome"]["scores"][seat]
    counted = [(words.gettext("Passengers taken"), details["rides"]), (words.gettext("Time stones"), details["stones"])]
    value = f"{words.gettext('Score')} {score}".replace("-", "−")
    decided: str | None = view["outcome"]["tie_break"]
    if decided and seat in view["outcome"]["winners"]:
        value += f", {words.gettext(TIED[decided])}"
    return Journey(
        " − ".join(f"{name} {numbers[seat]}" for name, numbers in counted),
        seat,
        value=value,
        parts=(f"track-{letter(seat)}", f"score-{letter(seat)}"),
    )
