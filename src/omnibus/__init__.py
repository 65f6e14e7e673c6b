"""Omnibus: city board games with bots, a server, records and learning environments."""

from omnibus import games
from omnibus.kernel.game import BadNotation, BadPosition, IllegalMove
from omnibus.kernel.match import Match
from omnibus.kernel.record import BadRecord

__all__ = ["BadNotation", "BadPosition", "BadRecord", "IllegalMove", "Match", "games"]
__version__ = "0.1.0"
