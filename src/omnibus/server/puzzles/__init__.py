"""Puzzles on a server: which there are, how they are shown, who has solved them, and everybody's ratings."""
