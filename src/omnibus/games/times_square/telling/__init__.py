"""Everything people read about the game: log, move labels, status line, reasons and help, in their language.

All of it is worded from views, so it never says more than the reader may know.
"""

from __future__ import annotations

from omnibus.games.times_square.telling.help import help  # noqa: A004 — the contract's word
from omnibus.games.times_square.telling.holdings import breakdown, holdings
from omnibus.games.times_square.telling.labels import label
from omnibus.games.times_square.telling.log import tell
from omnibus.games.times_square.telling.reasons import explain
from omnibus.games.times_square.telling.status import status

__all__ = ["breakdown", "explain", "help", "holdings", "label", "status", "tell"]
