"""SQL for PostgreSQL, translated from the SQL the store is written in.

Queries, `schema.sql` and migrations are written once, in the SQL that SQLite and PostgreSQL share, with SQLite's
placeholders (`?`, or `?1` for one that is used twice) and types. What differs is translated here:

- `?` becomes `$1`, `$2` …;
- `user`, a column of ours but a function in PostgreSQL, is quoted;
- `IN (SELECT value FROM json_each(?))` takes a JSON list of texts in both;
- types and options of tables in scripts.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import count
from typing import Final

_PLACEHOLDER: Final = re.compile(r"\?(\d*)")
_USER: Final = re.compile(r"""(?<![\w"'])user(?![\w"'])""")
_ELEMENTS: Final = re.compile(r"SELECT value FROM json_each\((\?\d*)\)")
_SCRIPT: Final = (
    (re.compile(r"\bSTRICT, WITHOUT ROWID\b|\bSTRICT\b|\bWITHOUT ROWID\b"), ""),
    (re.compile(r"\bINTEGER\b"), "BIGINT"),
    (re.compile(r"\bREAL\b"), "DOUBLE PRECISION"),
    (re.compile(r"\bBLOB\b"), "BYTEA"),
)


@lru_cache(maxsize=1000)
def postgres_query(query: str) -> str:
    """Translate a query."""
    query = _ELEMENTS.sub(r"SELECT json_array_elements_text(CAST(\1 AS JSON))", query)
    numbers = count(1)
    query = _PLACEHOLDER.sub(lambda found: f"${found[1] or next(numbers)}", query)
    return _USER.sub('"user"', query)


def postgres_script(script: str) -> str:
    """Translate statements that create and change tables."""
    for pattern, translation in _SCRIPT:
        script = pattern.sub(translation, script)
    return _USER.sub('"user"', script)
