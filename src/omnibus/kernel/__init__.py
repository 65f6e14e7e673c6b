"""What every game stands on. The kernel knows no game."""
