"""Structured logs: one line of JSON per record, on standard error."""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Final

_STANDARD: Final = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class JsonFormatter(logging.Formatter):
    """Formats a log record as one line of JSON, with the values of `extra` beside the message."""

    def format(self, record: logging.LogRecord) -> str:
        """Format one record."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z"
        line = {"at": at, "level": record.levelname.lower(), "from": record.name, "what": record.getMessage()}
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
