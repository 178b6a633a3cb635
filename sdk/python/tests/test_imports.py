"""What imports what: no module needs, through others, itself. Types count. The core needs httpx only, adapters the core."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from conftest import ADAPTERS, ENVIRONMENT, SDK

import handraise.adapter

SOURCE = SDK / "src/handraise"
MODULES = {".".join(path.relative_to(SOURCE).with_suffix("").parts): path for path in SOURCE.rglob("*.py")}
# httpx brings them.
CORE_PACKAGES = {"httpx", "httpcore", "anyio"}
# What each adapter may import: its framework, and what that brings.
FRAMEWORKS = {
    "ag-ui": {"ag_ui"},
    "apcore": {"apcore"},
    "claude-agent-sdk": {"claude_agent_sdk", "anyio"},
    "crewai": {"crewai"},
    "langchain": {"langchain", "langchain_core", "langgraph"},
    "openai-agents": {"agents"},
    "pydantic-ai": {"pydantic_ai", "pydantic_core"},
}


def project(folder: Path) -> Any:
    """The table ``project`` of the package in ``folder``."""
    return tomlkit.parse((folder / "pyproject.toml").read_text()).unwrap()["project"]


def needed(name: str, path: Path) -> set[str]:
    """The modules of the package that a module imports, for its types alone, too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or node.level == 0:
            continue
        folder = name.split(".")[: -node.level]
        base = ".".join([*folder, *([node.module] if node.module else [])])
        found |= {base} if node.module else {".".join([*folder, alias.name]) for alias in node.names}
    return found


def packages(path: Path) -> set[str]:
    """The packages of others that a module imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module)
    return {name.split(".")[0] for name in names} - sys.stdlib_module_names


def test_no_module_needs_itself() -> None:
    modules = {name: needed(name, path) for name, path in MODULES.items()}
    assert sum(map(len, modules.values())) > 50
    missing = {one for others in modules.values() for one in others} - modules.keys()
    assert not missing, "every import is a module"
    # What needs nothing of the rest goes, again and again; in the end a circle is left.
    while free := [name for name, others in modules.items() if not others & modules.keys()]:
        for name in free:
            del modules[name]
    assert not modules


def test_the_core_imports_no_package_but_its_own() -> None:
    assert not {name: more for name, path in MODULES.items() if (more := packages(path) - CORE_PACKAGES)}
    assert [re.split("[<>=]", one)[0] for one in project(SDK)["dependencies"]] == ["httpx"]
    assert "optional-dependencies" not in project(SDK)


def test_what_only_adapters_use_is_loaded_by_them_alone() -> None:
    script = "import handraise, sys; print(*sorted(name for name in sys.modules if name.startswith('handraise.')))"
    done = subprocess.run([sys.executable, "-c", script], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "handraise.client" in loaded and "handraise.adapter" not in loaded


def test_every_adapter_is_known_here() -> None:
    assert [adapter.name for adapter in ADAPTERS] == sorted(FRAMEWORKS)


@pytest.mark.parametrize("adapter", [pytest.param(adapter, id=adapter.name) for adapter in ADAPTERS])
def test_an_adapter_imports_what_is_public_and_its_framework(adapter: Path) -> None:
    own = f"handraise_{adapter.name.replace('-', '_')}"
    files = sorted((adapter / "src").rglob("*.py"))
    assert files and all(path.relative_to(adapter / "src").parts[0] == own for path in files)
    public = {"handraise": set(handraise.__all__), "handraise.adapter": set(handraise.adapter.__all__)}
    used: set[str] = set()
    for path in files:
        assert packages(path) <= {"handraise", *FRAMEWORKS[adapter.name]}, path
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                # Names of it would be out of sight.
                assert not [alias.name for alias in node.names if alias.name.split(".")[0] == "handraise"], path
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and str(node.module).startswith("handraise"):
                names = {alias.name for alias in node.names}
                assert names <= public[str(node.module)], path
                used |= names
    assert used, "the imports were not found"


def test_adapters_use_all_that_is_there_for_them() -> None:
    used = {
        alias.name
        for path in SDK.glob("adapters/*/src/**/*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "handraise.adapter"
        for alias in node.names
    }
    # What `conversation_in` gives and `session_within` takes.
    assert used | {"Conversation"} == set(handraise.adapter.__all__)
    readme = (SDK / "README.md").read_text(encoding="utf-8")
    assert not [name for name in used if f"`{name}`" not in readme]


def test_every_adapter_needs_this_version_and_its_framework() -> None:
    core = project(SDK)
    same = ("version", "requires-python", "license", "license-files", "classifiers", "urls")
    for adapter in ADAPTERS:
        own = project(adapter)
        assert own["name"] == f"handraise-{adapter.name}"
        assert {key: own[key] for key in same} == {key: core[key] for key in same}
        first, framework = own["dependencies"]
        assert first == f"handraise=={core['version']}"
        assert re.fullmatch(r"[a-z-]+>=\d[\d.]*,<\d[\d.]*", framework), framework
