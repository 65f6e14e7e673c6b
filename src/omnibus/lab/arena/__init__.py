"""Contests between bots, with confidence intervals and ratings."""
