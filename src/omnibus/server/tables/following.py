"""Applies events that another process has stored to a match in memory."""

from __future__ import annotations

from omnibus.kernel.match import Match
from omnibus.kernel.seat_changes import SeatChange
from omnibus.server.tables.events import Began, Event, History, Played, Undone


def follow(match: Match, history: History, event: Event) -> tuple[int, SeatChange | None]:
    """Apply the next event to a match and its history; return the first ply that changed, and what of a seat did."""
    since, change = match.length, history.seat_change(event)
    if isinstance(event, Began | Played):
        match.follow(event.plies)
    elif isinstance(event, Undone):
        since = event.keep
        while match.length > event.keep:
            match.undo()
    elif change is not None:
        match.changes.append(change)
    history.add(event)
    return since, change
