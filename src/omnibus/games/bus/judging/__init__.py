"""How good it is: each seat's share of the win, from named terms, and numbers to learn it from."""

from omnibus.games.bus.judging.shares import judge, terms, worths
from omnibus.games.bus.judging.summary import COMMON, EACH, summary
from omnibus.games.bus.judging.weights import PHRASES, TERMS

__all__ = ["COMMON", "EACH", "PHRASES", "TERMS", "judge", "summary", "terms", "worths"]
