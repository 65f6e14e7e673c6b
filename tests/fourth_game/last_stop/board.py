"""What is printed: the lengths of the line and the tickets (§1)."""

from __future__ import annotations

from typing import Final

LENGTHS: Final = (12, 20)
VALUES: Final = 3  # tickets have the values 1 to 3
COPIES: Final = 4  # of each
