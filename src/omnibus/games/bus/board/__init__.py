"""What is printed: the pieces (§2) and the city, which is data (§1)."""

from omnibus.games.bus.board.city import City, build
from omnibus.games.bus.board.survey import surveyed

__all__ = ["City", "build", "surveyed"]
