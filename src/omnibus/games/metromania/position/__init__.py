"""The position document: write, read and validate it."""

from omnibus.games.metromania.position.read import place
from omnibus.games.metromania.position.write import chosen, position

__all__ = ["chosen", "place", "position"]
