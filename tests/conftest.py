"""What holds for all tests."""

from __future__ import annotations

import signal

# Where tests run in the background Ctrl-C is ignored, and so it would be by every program they start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
