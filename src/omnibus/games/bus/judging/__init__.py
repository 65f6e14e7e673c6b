"""How good it is: each seat's share of the win, from named terms."""

from omnibus.games.bus.judging.shares import judge, terms, worths
from omnibus.games.bus.judging.weights import PHRASES, TERMS

__all__ = ["PHRASES", "TERMS", "judge", "terms", "worths"]
