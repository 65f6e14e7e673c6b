"""Analysis of finished games: what each decision was worth, who was lucky, and where the game was decided."""
