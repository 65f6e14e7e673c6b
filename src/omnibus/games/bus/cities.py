"""The cities that come with the game. They are read once, when the game is loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from omnibus.games.bus.board import City, build
from omnibus.kernel.data import documents
from omnibus.kernel.game import BadPosition
from omnibus.kernel.i18n import mark

DEFAULT: Final = "bus-city"
TITLES: Final = {"bus-city": mark("the city of Bus"), "small-town": mark("a small town")}

_BUNDLED: Final = {
    document["name"]: build(document, document["name"]) for document in documents(str(Path(__file__).parent))
}


def names() -> tuple[str, ...]:
    """Return the names of the bundled cities, the default first."""
    return (DEFAULT, *sorted(name for name in _BUNDLED if name != DEFAULT))


def title(name: str) -> str:
    """Return what a bundled city is called in English; a message of the game's catalogue."""
    return TITLES.get(name, name)


def find(city: Any) -> City:
    """Return the city of a bundled name or of a map document; BadPosition names what is wrong with it (§1.4)."""
    if not isinstance(city, str):
        return build(city)
    if city not in _BUNDLED:
        raise BadPosition("there is no bundled city {city!r}; there are: {names}", city=city, names=", ".join(names()))
    return _BUNDLED[city]


def is_map(city: Any) -> bool:
    """Tell whether this is a map document; BadPosition names the culprit where it only tries to be one."""
    if isinstance(city, str):
        return False
    build(city)
    return True
