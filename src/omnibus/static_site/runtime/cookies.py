"""The cookies of the application: a page without a server cannot be sent any, so they are kept here."""

from __future__ import annotations

import json
from collections.abc import Iterable
from http.cookies import SimpleCookie
from pathlib import Path


class CookieJar:
    """The cookies that were set, in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._cookies: dict[str, str] = json.loads(file.read_text("utf-8")) if file.exists() else {}

    def header(self, others: str) -> str:
        """Return what a browser would send, given the cookies that scripts have set."""
        kept = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return "; ".join(filter(None, (others, kept)))

    def keep(self, headers: Iterable[str]) -> bool:
        """Keep what responses set, write it to the file, and tell whether anything has changed."""
        before = dict(self._cookies)
        for header in headers:
            for name, cookie in SimpleCookie(header).items():
                if cookie["max-age"] == "0":
                    self._cookies.pop(name, None)
                else:
                    self._cookies[name] = cookie.coded_value
        if self._cookies == before:
            return False
        self._file.write_text(json.dumps(self._cookies), "utf-8")
        return True
