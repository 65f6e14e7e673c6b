"""Ratings of players: what a game changes, the log they follow from, and the fixed ratings of the bots."""
