"""Evaluation: the worth of a position in named terms, and each seat's share of the win."""

from omnibus.games.metromania.judging.worth import PHRASES, judge, terms

__all__ = ["PHRASES", "judge", "terms"]
