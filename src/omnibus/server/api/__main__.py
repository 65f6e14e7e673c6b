"""Print the description of the socket messages for docs/api.md: `python -m omnibus.server.api`."""

from __future__ import annotations

import re
from typing import Any

from omnibus.server.api.schemas import TOLD, fields, kind, schemas
from omnibus.server.tables.messages import QUESTIONS


def written() -> str:
    """Return the description of the messages as Markdown."""
    known = schemas()
    request = fields(known["Request"])
    asked = [field for field in request if field["name"] in QUESTIONS]
    along = [field for field in request if field["name"] not in QUESTIONS]
    told = [shape.__name__ for shape in TOLD]
    parts = _parts(told, known)
    chapters = [
        "### Requests: exactly one of these fields",
        _table(asked),
        "### Fields that go along with a request",
        _table(along),
        "### Messages from the server",
        *(_shape(name, known) for name in told),
        "### Types inside these messages",
        *(_shape(name, known) for name in parts),
    ]
    return "\n\n".join(chapters)


def _parts(names: list[str], known: dict[str, Any]) -> list[str]:
    """Return the shapes these are made of, in order of appearance."""
    met = list(names)
    for name in met:  # the list grows meanwhile
        for field in fields(known[name]):
            met += [word for word in re.findall(r"\w+", field["kind"]) if word in known and word not in met]
    return met[len(names) :]


def _shape(name: str, known: dict[str, Any]) -> str:
    schema = known[name]
    if "properties" not in schema:
        return f"**{name}** — {kind(schema).replace('|', 'or')}"
    tag = schema["properties"].get("type", {}).get("enum")
    head = f'`"type": "{tag[0]}"`' if tag else f"**{name}**"
    told = [field for field in fields(schema) if field["name"] != "type"]
    return f"{head} — {schema['description']}" + (f"\n\n{_table(told)}" if told else "")


def _table(rows: list[dict[str, Any]]) -> str:
    lines = ["| field | kind | |", "|---|---|---|"]
    lines += [f"| `{row['name']}` | {row['kind'].replace('|', 'or')} | {row['text']} |" for row in rows]
    return "\n".join(lines)


if __name__ == "__main__":
    print(written())  # noqa: T201 — this is its output
