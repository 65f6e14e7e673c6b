"""Evaluation: the worth of a position in named terms, each seat's share of the win, and numbers to learn it from."""

from omnibus.games.metromania.judging.summary import COMMON, EACH, summary
from omnibus.games.metromania.judging.worth import PHRASES, judge, terms

__all__ = ["COMMON", "EACH", "PHRASES", "judge", "summary", "terms"]
