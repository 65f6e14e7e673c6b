"""Tournaments: who plays whom in the next round, who sits where, and how everybody stands. Pure functions."""
