"""Playing many games to measure bots and games: arena, simulations, the line protocol."""
