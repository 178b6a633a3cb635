"""Tools that every agent calls the same: what ``crates/agents/src/tool.rs`` knows without knowing the agent.

A name is believed only together with the argument that matters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_SHELLS = frozenset({
    "Bash", "bash", "PowerShell", "powershell", "Shell", "shell",
    "run_shell_command", "shell_command", "execute_bash", "execute_command", "developer__shell",
})  # fmt: skip
_EDITORS = frozenset(["Edit", "edit", "edit_file", "replace", "str_replace"])
_PATCHERS = frozenset(["edit", "apply_patch"])
# The line with which a patch of `apply_patch` begins the part about a file.
_PATCHED_FILE = re.compile(r"^\s*\*\*\* (?:Add|Update|Delete) File: ", re.MULTILINE)
_WRITERS = frozenset(["Write", "write", "write_file", "create_file"])
_FETCHERS = frozenset(["WebFetch", "web_fetch", "webfetch", "fetch"])
_PATH = ("file_path", "filePath", "path", "absolute_path")
_BEFORE = ("old_string", "oldString", "old_str")
_AFTER = ("new_string", "newString", "new_str")


def is_shell(tool: str, arguments: Mapping[str, Any]) -> bool:
    """The call runs a command line."""
    return tool in _SHELLS and isinstance(arguments.get("command"), str)


def is_known_to_write(tool: str, arguments: Mapping[str, Any]) -> bool:
    """The call writes a file or talks to the network, whatever is declared."""
    if tool in _PATCHERS and "patch" in arguments and not any(name in arguments for name in _PATH):
        patch = arguments["patch"]
        return isinstance(patch, str) and _PATCHED_FILE.search(patch) is not None
    if tool in _EDITORS:
        return all(_has_one(arguments, names) for names in (_PATH, _BEFORE, _AFTER))
    if tool in _WRITERS:
        return _has_one(arguments, _PATH) and isinstance(arguments.get("content"), str)
    return tool in _FETCHERS and isinstance(arguments.get("url"), str)


def _has_one(arguments: Mapping[str, Any], names: tuple[str, ...]) -> bool:
    """Exactly one of ``names`` is there, and text: with two nobody knows which one the tool will use."""
    found = [arguments[name] for name in names if name in arguments]
    return len(found) == 1 and isinstance(found[0], str)
