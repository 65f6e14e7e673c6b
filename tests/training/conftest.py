"""These tests need PyTorch, which is too large to be installed for every check: where it is missing they are left out.

To run them: `pip install -e .[dev,train]`, then `pytest tests/training`.
"""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["test_*.py"]
