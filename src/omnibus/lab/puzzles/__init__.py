"""Puzzles: positions in which a few lines are much better than all others; how they are found, kept and rated."""
