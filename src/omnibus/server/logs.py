"""Structured logs: one line of JSON per record, on standard error."""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from typing import Final

_STANDARD: Final = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{40,}")  # those of users have 43 letters, no name or id has so many


def without_tokens(text: str) -> str:
    """Return a text without anything that looks like a token: whoever reads it could sign in with one."""
    return _TOKEN.sub("…", text)


class JsonFormatter(logging.Formatter):
    """Formats a log record as one line of JSON, with the values of `extra` beside the message."""

    def format(self, record: logging.LogRecord) -> str:
        """Format one record."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z"
        what = without_tokens(record.getMessage())
        line = {"at": at, "level": record.levelname.lower(), "from": record.name, "what": what}
        line |= {key: value for key, value in vars(record).items() if key not in _STANDARD}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def configure(level: str = "INFO") -> None:
    """Send all logs to standard error as JSON."""
    out = logging.StreamHandler(sys.stderr)
    out.setFormatter(JsonFormatter())
    logging.basicConfig(level=level, handlers=[out], force=True)
    logging.getLogger("uvicorn.access").setLevel(logging.WARNING)  # requests are logged by our own middleware
