"""The cookies of the application: a page without a server cannot be sent any, so they are kept here."""

from __future__ import annotations

import json
from collections.abc import Iterable
from http.cookies import SimpleCookie
from pathlib import Path

from omnibus.server.store.database import Database, Transaction


class CookieJar:
    """The cookies that were set, in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._cookies: dict[str, str] = json.loads(file.read_text("utf-8")) if file.exists() else {}
        self._written = dict(self._cookies)

    def header(self, others: str) -> str:
        """Return what a browser would send, given the cookies that scripts have set."""
        kept = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return "; ".join(filter(None, (others, kept)))

    def keep(self, headers: Iterable[str]) -> bool:
        """Keep what responses set, and tell whether there is anything to write."""
        for header in headers:
            for name, cookie in SimpleCookie(header).items():
                if cookie["max-age"] == "0":
                    self._cookies.pop(name, None)
                else:
                    self._cookies[name] = cookie.coded_value
        return self._cookies != self._written

    async def write(self, database: Database) -> None:
        """Write all cookies to the file, which is saved with the database; StoreError when that fails."""
        now = dict(self._cookies)

        async def write(transaction: Transaction) -> None:
            self._file.write_text(json.dumps(now), "utf-8")

        await database.write(write)
        self._written = now
