"""Requests and sockets: visitors, middleware, rate limits, forms."""
