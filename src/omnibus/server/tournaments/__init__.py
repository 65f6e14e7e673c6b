"""Tournaments on the server: entering, rounds that open their tables by themselves, and results."""
