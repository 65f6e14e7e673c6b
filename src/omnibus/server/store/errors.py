"""What can go wrong with the database, in words that say nothing about SQLite."""

from __future__ import annotations


class StoreError(Exception):
    """The database could not be read or written."""


class Unanswered(StoreError):
    """The database did not answer: nobody knows whether what it was asked to write is stored, or will be."""


class Unstorable(StoreError):
    """A value of one caller that cannot be stored; nothing is wrong with the database."""


class Conflict(StoreError):
    """A row that exists already, or that refers to one that was deleted meanwhile."""
