"""What the examples have in common: where Handraise is, and what the model wants."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

# The scripted models are those of the tests.
sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "tests")]

from suite import Call  # noqa: E402  found there

PLACES: dict[str, Any] = dict(zip(("config_dir", "runtime_dir"), sys.argv[1:3], strict=False))
"""Of this user's Handraise; with two arguments, of one in other folders."""
CALLS = [Call(f"call-{to}", "mail", {"to": to}) for to in ("ann", "bob")]
"""Two calls in one turn."""


def mail(to: str) -> str:
    """Sends mail."""
    return f"mail went to {to}"
