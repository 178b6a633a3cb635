"""The examples run, and the README shows what runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ENVIRONMENT, Server
from suite import gated, request_for

__all__ = ["gated"]
HERE = Path(__file__).parent
EXAMPLES = sorted(path for path in (HERE / "examples").glob("*.py") if path.stem != "office")
README = (HERE.parent / "README.md").read_text()


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in EXAMPLES])
def test_an_example_with_one_call_approved_and_one_denied(gated: Server, path: Path) -> None:
    if path.stem.startswith("crewai"):
        pytest.importorskip("crewai")
    elif path.stem.startswith("openai"):
        pytest.importorskip("agents")

    def answer() -> None:
        gated.decide(request_for(gated, "ann")["id"], "approve")
        gated.decide(request_for(gated, "bob")["id"], "deny", reason="Bob is on leave")

    gated.aside(answer)
    places = [gated.folder / "config", gated.folder / "run"]
    done = subprocess.run([sys.executable, path, *places], env=ENVIRONMENT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "mail went to ann" in done.stdout and "Bob is on leave" in done.stdout
    assert "mail went to bob" not in done.stdout


def test_what_the_readme_shows_is_what_an_example_runs() -> None:
    blocks = re.findall(r"```python adapter\n(.*?)```", README, re.DOTALL)
    texts = [[line.strip() for line in path.read_text().splitlines()] for path in EXAMPLES]
    assert len(blocks) == len(EXAMPLES) == 5
    for block in blocks:
        lines = [line.strip() for line in block.splitlines() if line.strip()]
        assert any(all(line in text for line in lines) for text in texts), block
