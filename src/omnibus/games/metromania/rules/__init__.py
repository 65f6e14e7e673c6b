"""What may be done and what follows (§3 – §9)."""

from omnibus.games.metromania.rules.apply import apply
from omnibus.games.metromania.rules.legal import chance_at, chance_total, chances, legal
from omnibus.games.metromania.rules.refusal import refusal

__all__ = ["apply", "chance_at", "chance_total", "chances", "legal", "refusal"]
