"""The position document: write, read and validate it."""

from omnibus.games.metromania.position.read import place
from omnibus.games.metromania.position.write import position

__all__ = ["place", "position"]
