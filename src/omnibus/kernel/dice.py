"""Dice that can be verified afterwards.

Roll n is HMAC-SHA256(seed, n) read as one large number, where the seed has 256 bits and n eight bytes, both big-endian.
A number beyond the largest multiple of the requested range is skipped, and the next n is used. The SHA-256 of the seed
can be published before the first roll: it commits to all of them.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

SEED_BITS: Final = 256
_RANGE: Final = 1 << 256


class Dice:
    """A seed and a count of rolls. The count only goes up: no roll is used twice."""

    def __init__(self, seed: int | None = None) -> None:
        if seed is None:
            seed = secrets.randbits(SEED_BITS)
        if type(seed) is not int or not 0 <= seed < _RANGE:
            raise ValueError(f"a seed is a whole number from 0 to 2**{SEED_BITS} - 1, not {seed!r}")
        self._key = seed.to_bytes(SEED_BITS // 8, "big")
        self.rolled = 0

    @property
    def seed(self) -> str:
        """The seed as 64 hexadecimal digits, as a record reveals it. Whoever knows it knows every roll."""
        return self._key.hex()

    @property
    def commitment(self) -> str:
        """The hash that commits to the seed without revealing it."""
        return hashlib.sha256(self._key).hexdigest()

    def roll(self, below: int) -> int:
        """Roll a number from 0 to below − 1; `rolled` is then the number of that roll."""
        fair = _RANGE - _RANGE % below
        while True:
            self.rolled += 1
            digest = hmac.digest(self._key, self.rolled.to_bytes(8, "big"), "sha256")
            number = int.from_bytes(digest, "big")
            if number < fair:
                return number % below
