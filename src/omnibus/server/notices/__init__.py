"""Turn notifications: webhooks and email."""
