"""The server: tables that are kept, people and bots around them. The only room with sockets, clocks and a database."""
