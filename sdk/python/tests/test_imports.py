"""What imports what: no module of the package needs, through others, itself. Imports for types alone do not run."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src/handraise"


def needed(path: Path) -> set[str]:
    """The modules of the package that a module imports when it runs."""
    found: set[str] = set()
    open_nodes: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            found |= {node.module.split(".")[0]} if node.module else {alias.name for alias in node.names}
        open_nodes.extend(ast.iter_child_nodes(node))
    return found


def test_no_module_needs_itself() -> None:
    modules = {path.stem: needed(path) for path in SOURCE.glob("*.py")}
    assert sum(map(len, modules.values())) > 50
    # What needs nothing of the rest goes, again and again; in the end a circle is left.
    while free := [name for name, others in modules.items() if not others & modules.keys()]:
        for name in free:
            del modules[name]
    assert not modules
