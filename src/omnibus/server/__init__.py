"""The server: live tables, people and bots, pages and API. The only part with sockets, clocks and a database."""
