"""Users of the server: who is online, and their accounts."""
