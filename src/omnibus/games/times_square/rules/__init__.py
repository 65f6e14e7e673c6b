"""The rules: legal moves, their effects, and why a move is refused (§3 – §11)."""

from omnibus.games.times_square.rules.apply import apply
from omnibus.games.times_square.rules.legal import chance_at, chance_total, chances, legal
from omnibus.games.times_square.rules.refusal import refusal

__all__ = ["apply", "chance_at", "chance_total", "chances", "legal", "refusal"]
