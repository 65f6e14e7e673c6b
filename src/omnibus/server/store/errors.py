"""What can go wrong with the database, in words that say nothing about SQLite."""

from __future__ import annotations


class StoreError(Exception):
    """The database could not be read or written."""


class Conflict(StoreError):
    """A row that exists already, or that refers to one that was deleted meanwhile."""
