"""The position document: write it, read it, validate it."""

from omnibus.games.bus.position.options import STICKS, begun, chosen, too_large
from omnibus.games.bus.position.read import KEYS, place
from omnibus.games.bus.position.write import position

__all__ = ["KEYS", "STICKS", "begun", "chosen", "place", "position", "too_large"]
