"""What all games share. The kernel knows no game."""
