"""The names of cards, figures and spaces, in the reader's language."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark

CARD_NAMES: Final = {
    "sue": mark("Sue 1"),
    "hal1": mark("Hal 1"),
    "hal2": mark("Hal 2"),
    "hal3": mark("Hal 3"),
    "guard1": mark("Guard 1"),
    "guard2": mark("Guard 2"),
    "close": mark("Close in"),
    "deb0": mark("Deb 0"),
    "deb1": mark("Deb 1"),
    "deb2": mark("Deb 2"),
    "deb3": mark("Deb 3"),
    "deb4": mark("Deb 4"),
    "deb5": mark("Deb 5"),
}

FIGURE_NAMES: Final = {
    "sue": mark("Sue"),
    "a": mark("the left guard"),
    "b": mark("the right guard"),
    "hal": mark("Hal"),
    "deb": mark("Deb"),
    "charlie": mark("Charlie"),
    "guards": mark("the guards"),
}


def signed(space: int) -> str:
    """Write a space with its sign: −3, 0, +3."""
    return f"{space:+d}".replace("-", "−") if space else "0"


def card(token: str, words: Words) -> str:
    """Name a card."""
    return words.gettext(CARD_NAMES[token])


def figure(name: str, words: Words) -> str:
    """Name a figure, or the guards together."""
    return words.gettext(FIGURE_NAMES[name])
