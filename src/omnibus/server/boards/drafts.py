"""Positions that are being set up: what is wrong with them, how they look, and what can be changed in them."""

from __future__ import annotations

import hashlib

import msgspec
from msgspec import Struct

from omnibus.kernel.editing import Field, Place
from omnibus.kernel.i18n import error_text
from omnibus.kernel.match import Match
from omnibus.server.boards import starts
from omnibus.server.tables.board_view import BoardView, Reader, words_for
from omnibus.server.uploads import names_in, record_view


class Draft(Struct, frozen=True):
    """A position or record that is being written, and the game it is of."""

    game: str
    text: str
    edited: bool = False
    """Whether a field was changed by itself: then what follows from it may be changed too."""
    ground: str = ""
    """The picture the reader has, which is not sent again."""
    wide: bool = False
    editing: str = ""
    """What the reader knows can be changed, which is not sent again."""


class CheckedDraft(Struct, frozen=True):
    """What is wrong with a draft, or how it looks and what can be changed in it."""

    problem: str = ""
    """Empty: nothing is wrong."""
    text: str = ""
    """The draft with what followed from a change; empty if nothing did."""
    position: BoardView | None = None
    fields: tuple[Field, ...] = ()
    places: tuple[Place, ...] = ()
    names: tuple[str, ...] = ()
    """Of the seats, in the reader's language."""
    editing: str = ""
    """Names the fields, places and names, which are empty if the reader knows them."""


def checked(draft: Draft, language: str) -> CheckedDraft:
    """Check a draft."""
    try:
        return _shown(starts.of_text(draft.game, draft.text), draft, language)
    except ValueError as error:
        if not draft.edited:
            return CheckedDraft(error_text(error, language))
    text = draft.text
    try:
        text = starts.settled(draft.game, draft.text)
        return _shown(starts.of_text(draft.game, text), draft, language, text)
    except ValueError as error:
        return CheckedDraft(error_text(error, language), "" if text == draft.text else text)


def _shown(match: Match, draft: Draft, language: str, text: str = "") -> CheckedDraft:
    """Show a position through the seat to decide, with its fields; of a record only how it ends."""
    seat = match.actor if isinstance(match.actor, int) else None
    position = record_view(match, Reader(seat, language, draft.wide), ground=draft.ground)
    if not starts.is_position(draft.text):
        return CheckedDraft(position=position)
    editing = match.game.editing(match.state, words_for(match, language))
    names = tuple(names_in(match, language))
    name = hashlib.sha256(msgspec.json.encode((editing.fields, editing.places, names))).hexdigest()[:16]
    if name == draft.editing:
        return CheckedDraft("", text, position, editing=name)
    return CheckedDraft("", text, position, editing.fields, editing.places, names, name)
