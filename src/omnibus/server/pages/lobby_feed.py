"""The open tables as the lobby lists them, on the page and, when they change, to everybody who has it open.

Every process looks once a second for changes in the database, whoever made them, as long as somebody has the lobby
open here. What has changed is drawn once for each language, not for each visitor.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Set
from contextlib import asynccontextmanager
from typing import Any, Final

from markupsafe import Markup
from starlette.requests import HTTPConnection

from omnibus import games
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.server.http.connection import Connection
from omnibus.server.pages.templates import LANGUAGE_NAMES, drawn, texts
from omnibus.server.store.errors import StoreError
from omnibus.server.store.models import Listing, TableRow, User
from omnibus.server.tables.messages import OpenTables
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.setup import away_limit_label, changed_options, clock_label, seated_names

LOG: Final = logging.getLogger("omnibus.lobby")
EVERY_S: Final = 1.0  # between two looks at the database


class LobbyFeed:
    """Lists the open tables, and keeps everybody informed who has the lobby open."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._viewers: set[Connection] = set()
        self._version: list[tuple[str, float]] | None = None
        self._entries: list[TableRow] = []
        self._drawn: dict[tuple[str, str, bool, bool], str] = {}
        """What was drawn since the last change: table, language, whether the visitor sits there and has a name."""
        self._apart: dict[str, set[str]] = {}
        """For users: the people at these tables whom they have blocked, or who have blocked them."""
        self._watching: asyncio.Task[None] | None = None

    async def html(self, user: User | None, language: str) -> Markup:
        """Return the list of open tables for a visitor."""
        await self._look()
        apart = await self._registry.block_store.between([user.id]) if user else set()
        return self._list(user, language, {other for _, other in apart})

    @asynccontextmanager
    async def watched(self, viewer: Connection) -> AsyncIterator[None]:
        """Keep a visitor informed: of the tables as they are now, and again whenever they change."""
        await self._look()
        self._send(viewer)
        self._viewers.add(viewer)
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            self._viewers.discard(viewer)

    async def close(self) -> None:
        """Stop looking for changes."""
        if self._watching is not None:
            self._watching.cancel()

    async def _watch(self) -> None:
        """Look for changes as long as anybody has the lobby open."""
        told = self._version
        while self._viewers:
            await asyncio.sleep(EVERY_S)
            try:
                await self._look()
            except StoreError as error:
                LOG.warning("the lobby was not read", extra={"why": str(error)})
                continue
            if told != self._version:
                told = self._version
                for viewer in self._viewers:
                    self._send(viewer)

    async def _look(self) -> None:
        """Read the open tables again if they have changed."""
        version = await self._registry.table_store.open_versions()
        if version != self._version:
            entries = await self._registry.table_store.open_entries()
            people = {user for entry in entries for user in entry.setup.people()}
            apart: dict[str, set[str]] = {}
            for one, other in await self._registry.block_store.between(people):
                apart.setdefault(other, set()).add(one)
            self._version, self._entries, self._drawn, self._apart = version, entries, {}, apart

    def _send(self, viewer: Connection) -> None:
        """Send a visitor the list; if an earlier one has not been read yet, this one replaces it."""
        viewer.outbox.drop_scenes()
        apart = self._apart.get(viewer.user.id, set()) if viewer.user else set()
        viewer.send(OpenTables(str(self._list(viewer.user, viewer.language, apart))), scene=True)

    def _list(self, user: User | None, language: str, apart: Set[str]) -> Markup:
        """List the tables for a visitor, without those of people who are to be kept apart from them."""
        shown = [entry for entry in self._entries if not entry.setup.people() & apart]
        return Markup("").join(Markup(self._item(entry, user, language)) for entry in shown)

    def _item(self, entry: TableRow, user: User | None, language: str) -> str:
        """Return an item of the list, as it was drawn before or drawn now."""
        seated, named = user is not None and user.id in entry.setup.people(), bool(user and user.name)
        key = (entry.setup.id, language, seated, named)
        if key not in self._drawn:
            table = open_table(entry, language)
            self._drawn[key] = drawn("open_table_item.html", language, table=table, seated=seated, named=named)
        return self._drawn[key]


def feed_of(connection: HTTPConnection) -> LobbyFeed:
    """Return the lobby feed of the app."""
    feed: LobbyFeed = connection.app.state.lobby_feed
    return feed


def open_table(entry: TableRow, language: str) -> dict[str, Any]:
    """Return what the lobby shows of an open table."""
    setup = entry.setup
    game = games.find(setup.game)
    translated = words(language, game.folder, COMMON_TEXTS)
    away = away_limit_label(setup.patience, translated, language)
    facts = [name + translated.gettext(": ") + value for name, value in changed_options(setup, translated)]
    facts.append(clock_label(setup.clock, translated, language) if setup.clock else away)
    facts += [texts(language)["rated_game"]] if setup.rated else []
    return {
        "id": setup.id,
        "title": game.title,
        "names": seated_names(setup, translated),
        "free": setup.free(),
        "facts": [*facts, *listing_facts(setup.listing, language)],
    }


def listing_facts(listing: Listing | None, language: str) -> list[str]:
    """Say whom a listed table is meant for: which ratings, which language."""
    if listing is None:
        return []
    t, facts = texts(language), []
    if listing.lowest is not None and listing.highest is not None:
        facts.append(t["rating_between"].format(lowest=listing.lowest, highest=listing.highest))
    elif listing.lowest is not None:
        facts.append(t["rating_from"].format(lowest=listing.lowest))
    elif listing.highest is not None:
        facts.append(t["rating_up_to"].format(highest=listing.highest))
    return [*facts, LANGUAGE_NAMES[listing.language]] if listing.language in LANGUAGE_NAMES else facts
