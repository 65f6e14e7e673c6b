"""How players are named to a reader: the reader is “you”, the others have names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from omnibus.kernel.game import Words
from omnibus.kernel.i18n import fill


class Names(tuple[str, ...]):
    """The names of the seats, as one reader is told them; sentences address the seat `you` (None: none)."""

    you: int | None

    def __new__(cls, names: Iterable[str], you: int | None = None) -> Names:
        """Return names for a reader who has the seat `you`."""
        made = super().__new__(cls, names)
        made.you = you
        return made


class Saying(NamedTuple):
    """A sentence about a player, marked for translation: what others read, and what the player reads.

    Others read the name in the blank `{player}`. Where several players may be meant, others read `{players}`, and a
    player who is one of them reads the names of the rest in `{others}`.
    """

    others: str
    you: str


def is_you(seat: int, names: Sequence[str]) -> bool:
    """Tell whether a seat is that of the reader who is told these names."""
    return isinstance(names, Names) and names.you == seat


def say(saying: Saying, seat: int, names: Sequence[str], words: Words, **blanks: Any) -> str:
    """Say something about the player in a seat."""
    text = words.gettext(saying.you if is_you(seat, names) else saying.others)
    return fill(text, player=names[seat], **blanks)


def list_names(names: Sequence[str], words: Words) -> str:
    """List names as “Ann, Ben and Cem”."""
    *others, last = names or [""]
    return words.gettext("{others} and {last}").format(others=", ".join(others), last=last) if others else last


def say_of_all(saying: Saying, seats: Sequence[int], names: Sequence[str], words: Words, **blanks: Any) -> str:
    """Say something about several players together."""
    others = [names[seat] for seat in seats if not is_you(seat, names)]
    text = words.gettext(saying.others if len(others) == len(seats) else saying.you)
    listed = list_names(others, words)
    return fill(text, players=listed, others=listed, **blanks)
