"""What imports what: no module needs, through others, itself. Types count. The core needs no adapter, and httpx only."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import tomlkit
from conftest import ENVIRONMENT

PACKAGE = Path(__file__).parents[1]
SOURCE = PACKAGE / "src/handraise"
MODULES = {".".join(path.relative_to(SOURCE).with_suffix("").parts): path for path in SOURCE.rglob("*.py")}
# httpx brings them.
CORE_PACKAGES = {"httpx", "httpcore", "anyio"}


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


def is_adapter(name: str) -> bool:
    return name.startswith("adapters.") and name != "adapters.__init__"


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


def test_the_core_imports_no_adapter_and_no_package_but_its_own() -> None:
    assert sum(map(is_adapter, MODULES)) > 1, "the adapters were not found"
    core = {name: path for name, path in MODULES.items() if not is_adapter(name)}
    assert not {name for name, path in core.items() if any(map(is_adapter, needed(name, path)))}
    assert not {name: more for name, path in core.items() if (more := packages(path) - CORE_PACKAGES)}
    # The search does find packages.
    assert packages(MODULES["adapters.apcore"]) == {"apcore"}


def test_the_core_loads_no_adapter() -> None:
    script = "import handraise, sys; print(*sorted(name for name in sys.modules if name.startswith('handraise.')))"
    done = subprocess.run([sys.executable, "-c", script], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "handraise.client" in loaded
    assert not [name for name in loaded if name.startswith("handraise.adapters")]


def test_every_adapter_has_an_extra_with_what_it_needs() -> None:
    project = tomlkit.parse((PACKAGE / "pyproject.toml").read_text()).unwrap()["project"]
    assert [re.split("[<>=]", one)[0] for one in project["dependencies"]] == ["httpx"]
    extras = project["optional-dependencies"]
    adapters = {name.removeprefix("adapters.") for name in MODULES if is_adapter(name) and "._" not in name}
    assert {name.replace("-", "_") for name in extras} == adapters
