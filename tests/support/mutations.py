"""Hostile things, made from good ones: documents, texts and bytes with something wrong in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

ATOMS: list[Any] = [
    None, True, False, 0, -1, 1, 2, 7, 255, 2**31, 2**53, 2**63, 2**64, -(2**63) - 1, 10**30, 0.5, -0.0, 1e308,
    float("nan"), float("inf"), "", " ", "a", "0", "-1", "null", "\0", "\ud800", "\u202e", "\ufeff", "é" * 70, "🂡" * 40,
    "x" * 9000, "<script>alert(1)</script>", "'; DROP TABLE users; --", "{0}", "{seat}", "%s", "../../etc/passwd",
    "sue left", "lay 8-15", [], {}, [[]], [None], {"": None}, {"type": "scene"},
]  # fmt: skip


def mutated(value: Any, random: Random) -> Any:
    """Change a document in one to three places."""
    changed = deepcopy(value)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        changed = _exchanged(changed, random) if random.random() < 0.3 else _changed(changed, random)
    return changed


def _exchanged(value: Any, random: Random) -> Any:
    """Let two things of a kind change places, or one go from a number to another: what is wrong is hard to see."""
    leaves = list(_leaves(value))
    if not leaves:
        return value
    (one, here), (other, there) = random.choice(leaves), random.choice(leaves)
    if type(one[here]) is type(other[there]) is int and random.random() < 0.5:
        one[here], other[there] = one[here] - 1, other[there] + 1
    elif type(one[here]) is type(other[there]):
        one[here], other[there] = other[there], one[here]
    return value


def _leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """Find all that is no list and no object, as what it is in and where."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        if isinstance(value[key], dict | list):
            yield from _leaves(value[key])
        else:
            yield value, key


def _changed(value: Any, random: Random) -> Any:
    """Change a document somewhere: mostly deep inside, sometimes all of it."""
    if isinstance(value, dict | list) and value and random.random() < 0.97:
        key = random.choice(list(value) if isinstance(value, dict) else range(len(value)))
        chance = random.random()
        if chance < 0.1:
            del value[key]
        elif chance < 0.15 and isinstance(value, list):
            value.insert(key, deepcopy(random.choice(value)))
        elif chance < 0.2 and isinstance(value, list):
            random.shuffle(value)
        elif chance < 0.25 and isinstance(value, dict):
            value[random.choice(("", "x", "seat", "\ud800", str(key) + " "))] = value.pop(key)
        else:
            value[key] = _changed(value[key], random)
        return value
    if isinstance(value, int) and not isinstance(value, bool) and random.random() < 0.6:
        return value + random.choice((-2, -1, 1, 2, 100))
    if isinstance(value, str) and value and random.random() < 0.5:
        return scratched(value, random)
    return deepcopy(random.choice(ATOMS))


def scratched(text: str, random: Random) -> str:
    """Change some letters of a text, or move, double or lose a piece of it."""
    for _ in range(random.choice((1, 1, 2, 5))):
        at, to = sorted(random.randrange(len(text) + 1) for _ in range(2))
        piece = text[at:to][:200]
        put = random.choice(("", piece * 2, piece[::-1], random.choice("0123456789-:#\n\r\t \"'{}[]é\0\u2028x")))
        text = text[:at] + put + text[at + len(piece) :]
    return text


def garbled(content: bytes, random: Random) -> bytes:
    """Change some bytes."""
    found = bytearray(content)
    for _ in range(random.randrange(1, 8)):
        at = random.randrange(len(found) + 1)
        found[at : at + random.choice((0, 1, 1, 5))] = random.randbytes(random.choice((0, 1, 1, 4)))
    return bytes(found)


def as_sent(document: Any, random: Random) -> bytes:
    """Write a document as JSON, as good as it can be written; now and then garbled."""
    written = json.dumps(document, ensure_ascii=random.random() < 0.5).encode("utf-8", "surrogatepass")
    return garbled(written, random) if random.random() < 0.15 else written
