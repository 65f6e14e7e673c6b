"""Live tables: events, actions, sessions, proposals, presence, bots."""
