"""Names for bots: a friendly set in every language."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.svg import SEATS

NICKNAMES: Final = mark(
    "Ada, Alfie, Basil, Clara, Dexter, Edith, Felix, Flora, Greta, Hazel, Henry, Iris, Ivy, Jasper, June, Leo, Lucy, "
    "Mabel, Martha, Max, Nora, Oscar, Penny, Percy, Ruby, Stella, Theo, Victor, Wanda, Wilma"
)
"""The names in English. A translation is a set of its own: as many names that are common in its language."""


def nickname(table: str, seat: int, taken: Iterable[str], words: Words) -> str:
    """Return the name of the bot in a seat of a table: always the same, and none that a person there has taken.

    Every seat has names of its own to choose from, so that two bots of a table are never called the same.
    """
    names = words.gettext(NICKNAMES).split(", ")
    order = sorted(range(len(names)), key=lambda number: _place(table, number))
    used = {name.casefold() for name in taken}
    own = [names[number] for number in order[seat :: len(SEATS)]]
    return next((name for name in own if name.casefold() not in used), own[0])


def _place(table: str, number: int) -> bytes:
    return hashlib.sha256(f"{table} {number}".encode()).digest()
