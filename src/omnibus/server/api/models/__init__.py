"""Request and response bodies of the API, by topic; those the socket uses too are in tables/messages.py."""
