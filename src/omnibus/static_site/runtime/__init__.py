"""What runs in the browser: the application, and what takes the place of network, threads, processes and disk."""
