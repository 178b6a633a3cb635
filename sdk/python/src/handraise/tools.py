"""Declaring what a tool can do, on the tool itself."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, overload

from .risk import RiskLevel

_Function = TypeVar("_Function", bound=Callable[..., Any])
_ATTRIBUTE = "__handraise_tool__"


@dataclass(frozen=True)
class ToolDeclaration:
    """What a tool says about itself."""

    name: str
    risk_level: RiskLevel | None
    description: str | None = None
    runs_changed_command: bool = False


@overload
def tool(function: _Function, /) -> _Function: ...


@overload
def tool(
    *,
    risk_level: RiskLevel | str | None = None,
    name: str | None = None,
    description: str | None = None,
    runs_changed_command: bool = False,
) -> Callable[[_Function], _Function]: ...


def tool(
    function: Callable[..., Any] | None = None,
    /,
    *,
    risk_level: RiskLevel | str | None = None,
    name: str | None = None,
    description: str | None = None,
    runs_changed_command: bool = False,
) -> Any:
    """Declares a function to be a tool. The function itself stays as it is.

    Args:
        function: the function, when used without parentheses.
        risk_level: what it can do; not declared it counts as ``write``.
        name: what the model calls it; the function's name when absent.
        description: the first paragraph of its doc string when absent.
        runs_changed_command: it runs the command line of its parameter ``command`` as it is handed, on this machine and
            in the folder that it is asked about with. Only then can its calls run confined.

    Raises:
        ValueError: for a risk level that there is not.
    """
    level = RiskLevel(risk_level) if risk_level is not None else None

    def declare(declared: Callable[..., Any]) -> Callable[..., Any]:
        words = description or (inspect.getdoc(declared) or "").split("\n\n")[0] or None
        own = name or str(getattr(declared, "__name__", type(declared).__name__))
        setattr(declared, _ATTRIBUTE, ToolDeclaration(own, level, words, runs_changed_command))
        return declared

    return declare(function) if function is not None else declare


def declaration(function: Callable[..., Any]) -> ToolDeclaration | None:
    """What ``function`` was declared with, if it was."""
    found = getattr(function, _ATTRIBUTE, None)
    return found if isinstance(found, ToolDeclaration) else None
