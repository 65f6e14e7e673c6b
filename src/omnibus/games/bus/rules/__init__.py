"""What may be done and what follows (§3 – §13)."""

from omnibus.games.bus.rules.apply import apply
from omnibus.games.bus.rules.legal import chance_at, chance_total, chances, legal
from omnibus.games.bus.rules.refusal import refusal
from omnibus.games.bus.rules.round import ends_turn

__all__ = ["apply", "chance_at", "chance_total", "chances", "ends_turn", "legal", "refusal"]
