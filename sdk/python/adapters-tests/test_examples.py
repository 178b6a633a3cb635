"""The examples run, and the READMEs show what runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ADAPTERS, ENVIRONMENT, Server
from suite import gated, request_for

__all__ = ["gated"]
HERE = Path(__file__).parent
EXAMPLES = sorted(path for path in (HERE / "examples").glob("*.py") if path.stem != "office")
# Those of the others are tried in test_claude_agent_sdk.py, and where apcore is.
READMES = [adapter / "README.md" for adapter in ADAPTERS if adapter.name not in ("apcore", "claude-agent-sdk")]


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


def test_what_a_readme_shows_is_what_an_example_runs() -> None:
    texts = [[line.strip() for line in path.read_text().splitlines()] for path in EXAMPLES]
    assert len(texts) == len(READMES) == 5
    for readme in READMES:
        (block,) = re.findall(r"```python\n(.*?)```", readme.read_text(), re.DOTALL)
        lines = [line.strip() for line in block.splitlines() if line.strip()]
        assert any(all(line in text for line in lines) for text in texts), block
