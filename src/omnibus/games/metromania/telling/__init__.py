"""Texts in the reader's language: log sentences, move labels, the status line, reasons and help.

Everything is told from views, so nothing can be told that the reader may not know.
"""

from omnibus.games.metromania.telling.help import help  # noqa: A004 — the contract's word
from omnibus.games.metromania.telling.holdings import breakdown, holdings
from omnibus.games.metromania.telling.labels import label
from omnibus.games.metromania.telling.log import tell
from omnibus.games.metromania.telling.reasons import explain
from omnibus.games.metromania.telling.status import status

__all__ = ["breakdown", "explain", "help", "holdings", "label", "status", "tell"]
