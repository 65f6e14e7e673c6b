"""What is on the table now, and the position document that tells it."""

from omnibus.games.metromania.state.document import position
from omnibus.games.metromania.state.table import State, setup

__all__ = ["State", "position", "setup"]
