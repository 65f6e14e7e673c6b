"""Where many games are played at once, to learn something from them."""
