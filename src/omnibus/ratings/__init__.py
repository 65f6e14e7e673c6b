"""How well players did, and how good they are."""
