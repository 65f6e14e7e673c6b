"""How it is told: log sentences, move labels, the status line, reasons and help, in the reader's language.

Everything is told from views.
"""

from __future__ import annotations

from omnibus.games.bus.telling.help import help  # noqa: A004 — the contract's word
from omnibus.games.bus.telling.holdings import breakdown, holdings
from omnibus.games.bus.telling.labels import label
from omnibus.games.bus.telling.log import tell
from omnibus.games.bus.telling.reasons import explain
from omnibus.games.bus.telling.status import status

__all__ = ["breakdown", "explain", "help", "holdings", "label", "status", "tell"]
