"""Users, their tokens and settings, when they were last seen, and whom they have muted."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Collection, Sequence
from typing import Final

import msgspec

from omnibus.server.store.database import Database, Transaction
from omnibus.server.store.models import DAY, Profile, RecoveryLink, Sitter, Token, TokenKind, User, UserRow

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
    ORDER BY seen DESC
"""
PRIVATE: Final = (
    ("tokens", "user"),
    ("mutes", "user"),
    ("mutes", "muted"),
    ("blocks", "user_id"),
    ("notices", "user"),
    ("vacations", "user"),
    ("push_subscriptions", "user"),
    ("puzzle_attempts", "user_id"),
    ("puzzle_players", "user_id"),
    ("moderators", "user_id"),
)
"""Where rows belong to one user alone, and the column that says to whom."""
_SITTERS: Final = msgspec.json.Decoder(list[Sitter])

Sighting = tuple[float, str, str]
"""When a user was at a table: time, user, table."""


def new_id() -> str:
    """Return a new random id."""
    return secrets.token_urlsafe(ID_BYTES)


def hashed(token: str) -> str:
    """Return the hash of a token, which is all that is stored of it."""
    return hashlib.sha256(token.encode()).hexdigest()


class UserStore:
    """Stores users and their tokens, and finds them again. Of a token only the hash is stored."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # users

    async def add_user(self, name: str = "", language: str = "en") -> tuple[User, str]:
        """Add a user; return it with the token of this device, which is not stored."""
        user, token, now = User(new_id(), name), secrets.token_urlsafe(TOKEN_BYTES), time.time()

        async def add(transaction: Transaction) -> None:
            query = "INSERT INTO users (id, name, created, seen, language) VALUES (?, ?, ?, ?, ?)"
            await transaction.execute(query, user.id, user.name, now, now, language)
            query = "INSERT INTO tokens (hash, kind, user, created) VALUES (?, 'device', ?, ?)"
            await transaction.execute(query, hashed(token), user.id, now)

        await self.database.write(add)
        return user, token

    async def user(self, token: str) -> User | None:
        """Return the user of a device token."""
        query = (
            "SELECT users.id, name FROM tokens JOIN users ON users.id = tokens.user WHERE hash = ? AND kind = 'device'"
        )
        rows = await self.database.read(query, hashed(token))
        return User(*rows[0]) if rows else None

    async def find(self, user: str) -> User | None:
        """Return the user with an id."""
        rows = await self.database.read("SELECT id, name FROM users WHERE id = ?", user)
        return User(*rows[0]) if rows else None

    async def rename(self, user: str, name: str) -> None:
        """Change the name of a user."""
        await self.database.execute("UPDATE users SET name = ? WHERE id = ?", name, user)

    async def forget(self, user: str) -> None:
        """Remove everything that belongs to a user alone: no device can sign in any more.

        The user stays without a name, because games refer to it.
        """

        async def remove(transaction: Transaction) -> None:
            for table, column in PRIVATE:
                await transaction.execute(f"DELETE FROM {table} WHERE {column} = ?", user)
            await transaction.execute("UPDATE users SET open_data = 0 WHERE id = ?", user)

        await self.database.write(remove)

    async def listed(self, *, name: str = "", table: str = "", user: str = "") -> list[UserRow]:
        """Return users, filtered by part of a name they use, by the table they sit at, or by id."""
        found = [UserRow(*row) for row in await self.database.read(_LISTED, user, table)]
        if not name:
            return found
        part = name.casefold()
        known = await self._known_as(part)
        return [row for row in found if part in row.name.casefold() or row.id in known]

    async def _known_as(self, part: str) -> set[str | None]:
        """Return the users who sit at some table under a name with this part."""
        rows = await self.database.read("SELECT sitters FROM tables")
        sitters = [sitter for (text,) in rows for sitter in _SITTERS.decode(text)]
        return {sitter.user for sitter in sitters if part in sitter.name.casefold()}

    async def profile(self, user: str) -> Profile:
        """Return where and in which language a user gets messages."""
        devices = "(SELECT count(*) FROM push_subscriptions WHERE push_subscriptions.user = users.id)"
        query = f"SELECT webhook, mail, language, confirmed, {devices} FROM users WHERE id = ?"
        rows = await self.database.read(query, user)
        if not rows:
            return Profile()
        webhook, mail, language, confirmed, push = rows[0]
        return Profile(webhook, mail, language, confirmed=bool(confirmed), push=bool(push))

    async def keep_webhook(self, user: str, webhook: str) -> None:
        """Set the webhook of a user; an empty text removes it."""
        await self.database.execute("UPDATE users SET webhook = ? WHERE id = ?", webhook, user)

    async def keep_mail(self, user: str, mail: str, *, confirmed: bool = False) -> None:
        """Set the email address of a user; links in emails to the former address stop working."""

        async def keep(transaction: Transaction) -> None:
            ((before,),) = await transaction.read("SELECT mail FROM users WHERE id = ?", user)
            if mail != before:
                await transaction.execute("DELETE FROM tokens WHERE user = ? AND kind = 'mail'", user)
            query = "UPDATE users SET mail = ?, confirmed = ? WHERE id = ?"
            await transaction.execute(query, mail, int(confirmed), user)

        await self.database.write(keep)

    async def speak(self, user: str, language: str) -> None:
        """Set the language of messages to a user."""
        await self.database.execute("UPDATE users SET language = ? WHERE id = ?", language, user)

    # open data

    async def sharing(self) -> set[str]:
        """Return the users who allow their finished games to be published."""
        return {row[0] for row in await self.database.read("SELECT id FROM users WHERE open_data = 1")}

    async def shares_games(self, user: str) -> bool:
        """Tell whether a user allows their finished games to be published."""
        return bool(await self.database.read("SELECT 1 FROM users WHERE id = ? AND open_data = 1", user))

    async def share_games(self, user: str, *, shared: bool) -> None:
        """Allow or forbid that the finished games of a user are published."""
        await self.database.execute("UPDATE users SET open_data = ? WHERE id = ?", int(shared), user)

    # tokens

    async def add_token(self, kind: TokenKind, *, user: str, table: str | None = None, seat: int | None = None) -> str:
        """Add a token and return it; only its hash is stored.

        A new recovery token replaces the old one; tokens in emails last half a year.
        """
        token = secrets.token_urlsafe(TOKEN_BYTES)
        row = (hashed(token), kind, user, table, seat, time.time())

        async def add(transaction: Transaction) -> None:
            if kind == "recovery":
                await transaction.execute("DELETE FROM tokens WHERE user = ? AND kind = 'recovery'", user)
            if kind == "mail":
                old = "DELETE FROM tokens WHERE user = ? AND kind = 'mail' AND created < ?"
                await transaction.execute(old, user, time.time() - MAIL_LASTS_S)
            query = "INSERT INTO tokens (hash, kind, user, table_id, seat, created) VALUES (?, ?, ?, ?, ?, ?)"
            await transaction.execute(query, *row)

        await self.database.write(add)
        return token

    async def recovery_link(self, user: str) -> RecoveryLink | None:
        """Return what is known of a user's recovery link, if there is one."""
        query = "SELECT created, used FROM tokens WHERE user = ? AND kind = 'recovery'"
        rows = await self.database.read(query, user)
        return RecoveryLink(*rows[0]) if rows else None

    async def recover(self, token: str) -> str | None:
        """Use a recovery link, and note when; return the token of a new device, or None if it has been revoked."""
        device, now = secrets.token_urlsafe(TOKEN_BYTES), time.time()

        async def use(transaction: Transaction) -> bool:
            query = "UPDATE tokens SET used = ? WHERE hash = ? AND kind = 'recovery'"
            if not await transaction.execute(query, now, hashed(token)):
                return False
            ((user,),) = await transaction.read("SELECT user FROM tokens WHERE hash = ?", hashed(token))
            query = "INSERT INTO tokens (hash, kind, user, created) VALUES (?, 'device', ?, ?)"
            await transaction.execute(query, hashed(device), user, now)
            return True

        return device if await self.database.write(use) else None

    async def token(self, token: str) -> Token | None:
        """Return what a token is for."""
        rows = await self.database.read("SELECT kind, user, table_id, seat FROM tokens WHERE hash = ?", hashed(token))
        return Token(*rows[0]) if rows else None

    async def valid_tokens(self, hashes: Collection[str]) -> set[str]:
        """Return those of the hashes whose tokens have not been revoked."""
        query = "SELECT hash FROM tokens WHERE hash IN (SELECT value FROM json_each(?))"
        return {row[0] for row in await self.database.read(query, json.dumps(list(hashes)))}

    async def drop_tokens(self, user: str, kind: TokenKind, *, keep: str = "") -> None:
        """Remove the tokens of one kind of a user, except one."""
        query = "DELETE FROM tokens WHERE user = ? AND kind = ? AND hash <> ?"
        await self.database.execute(query, user, kind, hashed(keep))

    async def drop_seat_tokens(self, table: str, seat: int) -> None:
        """Remove the tokens with which programs play a seat."""
        query = "DELETE FROM tokens WHERE kind = 'seat' AND table_id = ? AND seat = ?"
        await self.database.execute(query, table, seat)

    # presence

    async def saw(self, sightings: Sequence[Sighting]) -> None:
        """Store when users were at which tables."""

        async def see(transaction: Transaction) -> None:
            seen = sorted((user, table, at) for at, user, table in sightings)  # in one order, or writers may deadlock
            query = "UPDATE users SET seen = ? WHERE id = ?"
            await transaction.execute_many(query, [(at, user) for user, _, at in seen])
            query = "UPDATE sitting SET seen = ? WHERE user = ? AND table_id = ?"
            await transaction.execute_many(query, [(at, user, table) for user, table, at in seen])

        await self.database.write(see)

    async def seen_at(self, table: str) -> dict[str, float]:
        """Return when each user of a table was last there."""
        return dict(await self.database.read("SELECT user, seen FROM sitting WHERE table_id = ?", table))

    # mutes

    async def mute(self, user: str, other: str, *, muted: bool) -> None:
        """Mute or unmute another user for a user."""
        add = "INSERT INTO mutes (user, muted) VALUES (?, ?) ON CONFLICT DO NOTHING"
        remove = "DELETE FROM mutes WHERE user = ? AND muted = ?"
        await self.database.execute(add if muted else remove, user, other)

    async def muted(self, user: str) -> set[str]:
        """Return whom a user has muted."""
        return {row[0] for row in await self.database.read("SELECT muted FROM mutes WHERE user = ?", user)}

    async def unheard(self, user: str) -> set[str]:
        """Return whose chat lines a user does not read: those the user has muted or blocked."""
        query = "SELECT muted FROM mutes WHERE user = ?1 UNION SELECT blocked FROM blocks WHERE user_id = ?1"
        return {row[0] for row in await self.database.read(query, user)}
