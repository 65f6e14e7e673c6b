"""Who is known here: users, the tokens by which they are known, and whom they do not want to hear."""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import time
from collections.abc import Sequence
from typing import Final

from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.store.database import Database
from omnibus.server.store.models import DAY, Profile, Token, TokenKind, User, UserRow

ID_BYTES: Final = 12
TOKEN_BYTES: Final = 32
MAIL_LASTS_S: Final = 180 * DAY

_LISTED: Final = """
    SELECT id, name, created, seen,
        (SELECT count(*) FROM sitting WHERE sitting.user = users.id),
        (SELECT count(*) FROM chat WHERE chat.user = users.id AND text <> ''),
        (SELECT count(*) FROM records WHERE owner = users.id)
    FROM users
    WHERE (?1 = '' OR id = ?1)
        AND (?2 = '' OR id IN (SELECT user FROM sitting WHERE table_id = ?2))
        AND (?3 = '' OR name LIKE ?4 ESCAPE '\\' OR id IN (
            SELECT json_extract(sitter.value, '$.user') FROM tables, json_each(sitters) AS sitter
            WHERE json_extract(sitter.value, '$.name') LIKE ?4 ESCAPE '\\'))
    ORDER BY seen DESC
"""

Sighting = tuple[float, str, str]
"""When who was at which table."""


def new_id() -> str:
    """Make an id nobody can guess."""
    return secrets.token_urlsafe(ID_BYTES)


def hashed(token: str) -> str:
    """Return what is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


class UserStore:
    """Writes users and tokens into the store and finds them there. Of a token only a hash is kept."""

    def __init__(self, store: Database) -> None:
        self.store = store

    # users

    async def add_user(self, name: str = "", language: str = "en") -> tuple[User, str]:
        """Make a user; the token of this device is told this once."""
        await spend(Quota.USER)
        user, token, now = User(new_id(), name), secrets.token_urlsafe(TOKEN_BYTES), time.time()

        def add(store: sqlite3.Connection) -> None:
            query = "INSERT INTO users (id, name, created, seen, language) VALUES (?, ?, ?, ?, ?)"
            store.execute(query, (user.id, user.name, now, now, language))
            store.execute("INSERT INTO tokens VALUES (?, 'device', ?, NULL, NULL, ?)", (hashed(token), user.id, now))

        await self.store.write(add)
        return user, token

    def user(self, token: str) -> User | None:
        """Find the user of a device."""
        query = (
            "SELECT users.id, name FROM tokens JOIN users ON users.id = tokens.user WHERE hash = ? AND kind = 'device'"
        )
        rows = self.store.read(query, hashed(token))
        return User(*rows[0]) if rows else None

    def find(self, user: str) -> User | None:
        """Find a user by id."""
        rows = self.store.read("SELECT id, name FROM users WHERE id = ?", user)
        return User(*rows[0]) if rows else None

    async def rename(self, user: str, name: str) -> None:
        """Give a user another name."""
        await self.store.write(lambda store: store.execute("UPDATE users SET name = ? WHERE id = ?", (name, user)))

    def listed(self, *, name: str = "", table: str = "", user: str = "") -> list[UserRow]:
        """Return the users whose name, here or at a table, holds a text, who sit at a table, or the one of an id."""
        likes = "%" + "".join(f"\\{letter}" if letter in "%_\\" else letter for letter in name) + "%"
        return [UserRow(*row) for row in self.store.read(_LISTED, user, table, name, likes)]

    def profile(self, user: str) -> Profile:
        """Return where a user wants to be told."""
        rows = self.store.read("SELECT webhook, mail, language, confirmed FROM users WHERE id = ?", user)
        if not rows:
            return Profile()
        webhook, mail, language, confirmed = rows[0]
        return Profile(webhook, mail, language, confirmed=bool(confirmed))

    async def keep_webhook(self, user: str, webhook: str) -> None:
        """Keep where a user wants to be told; the empty text: nowhere."""
        query = "UPDATE users SET webhook = ? WHERE id = ?"
        await self.store.write(lambda store: store.execute(query, (webhook, user)))

    async def keep_mail(self, user: str, mail: str, *, confirmed: bool = False) -> None:
        """Keep to which address a user wants mails; what was sent to another one is worthless from here on."""

        def keep(store: sqlite3.Connection) -> None:
            (before,) = store.execute("SELECT mail FROM users WHERE id = ?", (user,)).fetchone()
            if mail != before:
                store.execute("DELETE FROM tokens WHERE user = ? AND kind = 'mail'", (user,))
            store.execute("UPDATE users SET mail = ?, confirmed = ? WHERE id = ?", (mail, confirmed, user))

        await self.store.write(keep)

    async def speak(self, user: str, language: str) -> None:
        """Remember in which language a user wants to be told."""
        query = "UPDATE users SET language = ? WHERE id = ?"
        await self.store.write(lambda store: store.execute(query, (language, user)))

    # tokens

    async def add_token(
        self, kind: TokenKind, *, user: str | None = None, table: str | None = None, seat: int | None = None
    ) -> str:
        """Make a token; it is told this once.

        A new recovery token takes the place of the old one; those in mails last half a year.
        """
        await spend(Quota.TOKEN)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        row = (hashed(token), kind, user, table, seat, time.time())

        def add(store: sqlite3.Connection) -> None:
            if kind == "recovery":
                store.execute("DELETE FROM tokens WHERE user = ? AND kind = 'recovery'", (user,))
            if kind == "mail":
                old = "DELETE FROM tokens WHERE user = ? AND kind = 'mail' AND created < ?"
                store.execute(old, (user, time.time() - MAIL_LASTS_S))
            store.execute("INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?)", row)

        await self.store.write(add)
        return token

    def has_token(self, user: str, kind: TokenKind) -> bool:
        """Tell whether a user has a token of a kind."""
        return bool(self.store.read("SELECT 1 FROM tokens WHERE user = ? AND kind = ? LIMIT 1", user, kind))

    def token(self, token: str) -> Token | None:
        """Find out what a token is for."""
        rows = self.store.read("SELECT kind, user, table_id, seat FROM tokens WHERE hash = ?", hashed(token))
        return Token(*rows[0]) if rows else None

    async def drop_tokens(self, user: str, kind: TokenKind, *, keep: str = "") -> None:
        """Make the tokens of a user of one kind worthless, but for one."""
        query = "DELETE FROM tokens WHERE user = ? AND kind = ? AND hash <> ?"
        await self.store.write(lambda store: store.execute(query, (user, kind, hashed(keep))))

    async def drop_seat_tokens(self, table: str, seat: int) -> None:
        """Make the tokens with which programs play in a seat worthless."""
        query = "DELETE FROM tokens WHERE kind = 'seat' AND table_id = ? AND seat = ?"
        await self.store.write(lambda store: store.execute(query, (table, seat)))

    # presence

    async def saw(self, sightings: Sequence[Sighting]) -> None:
        """Remember when users were where."""

        def see(store: sqlite3.Connection) -> None:
            store.executemany("UPDATE users SET seen = ? WHERE id = ?", [(at, user) for at, user, _ in sightings])
            store.executemany("UPDATE sitting SET seen = ? WHERE user = ? AND table_id = ?", sightings)

        await self.store.write(see)

    def seen_at(self, table: str) -> dict[str, float]:
        """Return when the users of a table were last at it."""
        return dict(self.store.read("SELECT user, seen FROM sitting WHERE table_id = ?", table))

    # mutes

    async def mute(self, user: str, other: str, *, muted: bool) -> None:
        """Let a user hear another one no longer, or again."""
        do = "INSERT OR IGNORE INTO mutes VALUES (?, ?)" if muted else "DELETE FROM mutes WHERE user = ? AND muted = ?"
        await self.store.write(lambda store: store.execute(do, (user, other)))

    def muted(self, user: str) -> set[str]:
        """Return whom a user does not want to hear."""
        return {row[0] for row in self.store.read("SELECT muted FROM mutes WHERE user = ?", user)}
