"""The rules of a policy, and how they are read from a table of the policy file.

The keys are those of the policy file (``docs/policy.md``). What is answered here is a part of them; every other key is
refused by its name, because a condition that is left out makes a rule wider.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal

from .glob import Glob
from .risk import RiskLevel

_MAX_REASON = 1000


class UnsupportedKeyError(ValueError):
    """A key of a policy that only the running app answers, or that there is not.

    Attributes:
        key: the key, as ``command``.
        place: where it stands, as ``a rule``.
    """

    def __init__(self, key: str, place: str, known: Sequence[str]) -> None:
        super().__init__(
            f"`{key}` in {place} is not answered without the app, which knows {', '.join(known)} here; "
            "ask the running app: Client.evaluate, or HandraiseHandler"
        )
        self.key = key
        self.place = place


class Action(str, Enum):
    """What a policy says about a call."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"

    def __str__(self) -> str:
        return self.value

    @property
    def strictness(self) -> int:
        """The higher, the stricter."""
        return (Action.ALLOW, Action.ASK, Action.DENY).index(self)


ActionWord = Literal["allow", "ask", "deny"]


@dataclass(frozen=True)
class ApprovalRule:
    """One rule.

    Args:
        pattern: a glob on the tool's name, or ``name:arguments``: one on the name and one on the RFC 8785 text
            of the arguments, divided at the first colon. ``*`` is any text, ``?`` one character.
        action: ``allow``, ``ask`` or ``deny``.
        reason: shown to the person and, for ``deny``, to the model.
        final: no later rule makes the answer laxer than this one. Not with ``allow``.

    Raises:
        InvalidPatternError: when the pattern could never match what it seems to.
    """

    pattern: str
    action: Action | ActionWord
    reason: str | None = None
    final: bool = False
    _name: Glob = field(init=False, repr=False, compare=False)
    _parts: tuple[Glob, Glob] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "action", Action(self.action))
        if self.final and self.action is Action.ALLOW:
            raise ValueError("a final rule denies or asks; an allow rule cannot be final")
        if self.reason is not None and len(self.reason.encode(errors="surrogatepass")) > _MAX_REASON:
            raise ValueError(f"the reason is longer than {_MAX_REASON} bytes")
        name, _, arguments = self.pattern.partition(":")
        parts = (Glob.of_names(name), Glob(arguments)) if name and arguments else None
        object.__setattr__(self, "_parts", parts)
        object.__setattr__(self, "_name", Glob.of_names(self.pattern) if parts is None else Glob(self.pattern))

    def applies(self, tool: str, arguments: str | None, *, shell: bool) -> bool:
        """Whether the rule is about this call; ``arguments`` is their text, ``None`` what has no usable one."""
        # The tool name comes first: it may have a colon in it, and the agent does not write it.
        if self._name.matches(tool):
            return True
        if self._parts is None:
            return False
        name, text = self._parts
        if not name.matches(tool):
            return False
        if arguments is None:
            return self.action is not Action.ALLOW
        if not text.matches(arguments):
            return False
        # A glob over a command line is a hole: `git *` would cover `git status; rm -rf ~`.
        return not (shell and self.action is Action.ALLOW and not text.is_exact)


@dataclass(frozen=True)
class RiskDefaults:
    """The action for each risk level when no rule matches. ``None``: as in the general table."""

    read_only: Action | ActionWord | None = None
    write: Action | ActionWord | None = None
    destructive: Action | ActionWord | None = None

    def __post_init__(self) -> None:
        for level in RiskLevel:
            word = getattr(self, level.value)
            if word is not None:
                object.__setattr__(self, level.value, Action(word))

    def over(self, base: RiskDefaults) -> RiskDefaults:
        """These, with those of ``base`` where there is none."""
        return RiskDefaults(
            self.read_only or base.read_only, self.write or base.write, self.destructive or base.destructive
        )

    def get(self, level: RiskLevel) -> Action:
        """The action for ``level``."""
        return Action(getattr(self, level.value) or Action.ASK)


@dataclass(frozen=True)
class AgentPolicy:
    """What differs for one agent. Its rules come after the general ones, and are written in the same ways."""

    rules: Sequence[ApprovalRule | tuple[str, ActionWord] | Mapping[str, Any]] = ()
    risk: RiskDefaults = RiskDefaults()


_FILE_KEYS = ("version", "preset", "unknown_tools", "risk", "rule", "agent")
_AGENT_KEYS = ("risk", "rule")
_RISK_KEYS = tuple(level.value for level in RiskLevel)
_RULE_KEYS = ("pattern", "action", "reason", "final")


def read_table(table: Mapping[str, Any]) -> dict[str, Any]:
    """What the constructor of a policy takes, from the table of a whole policy file.

    Raises:
        UnsupportedKeyError: for a key that is not answered here.
        ValueError: for anything else that the app would refuse.
    """
    _check_keys(table, "a policy", _FILE_KEYS)
    version = table.get("version", 1)
    if version != 1 or isinstance(version, bool):
        raise ValueError(f"version {version!r} is not known; there is: 1")
    agents: dict[str, AgentPolicy] = {}
    for name, own in _mapping(table.get("agent", {}), "`agent`").items():
        if not name.strip():
            raise ValueError("an agent has no name")
        _check_keys(_mapping(own, f"`agent.{name}`"), "the table of an agent", _AGENT_KEYS)
        agents[name] = AgentPolicy(_rules(own), _risk(own))
    return {
        "rules": _rules(table),
        "preset": table.get("preset", "practical"),
        "risk": _risk(table),
        "unknown_tools": table.get("unknown_tools"),
        "agents": agents,
    }


def read_rule(table: Mapping[str, Any]) -> ApprovalRule:
    """A rule from its table.

    Raises:
        UnsupportedKeyError: for a condition that is not answered here.
        ValueError: for anything else that the app would refuse.
    """
    _check_keys(_mapping(table, "a rule"), "a rule", _RULE_KEYS)
    for key in ("pattern", "action"):
        if not isinstance(table.get(key), str):
            raise ValueError(f"a rule needs `{key}`, which is text")
    reason, final = table.get("reason"), table.get("final", False)
    if reason is not None and not isinstance(reason, str):
        raise ValueError("the `reason` of a rule is text")
    if not isinstance(final, bool):
        raise ValueError("`final` is true or false")
    return ApprovalRule(table["pattern"], table["action"], reason, final)


def rule_of(given: ApprovalRule | tuple[str, ActionWord] | Mapping[str, Any]) -> ApprovalRule:
    """A rule from any of the ways to write one.

    Raises:
        UnsupportedKeyError: for a condition that is not answered here.
        ValueError: for anything else that the app would refuse.
    """
    if isinstance(given, ApprovalRule):
        return given
    return read_rule(given) if isinstance(given, Mapping) else ApprovalRule(*given)


def _rules(table: Mapping[str, Any]) -> tuple[ApprovalRule, ...]:
    rules = table.get("rule", ())
    if not isinstance(rules, list | tuple):
        raise ValueError("`rule` is a list of rules")
    return tuple(read_rule(rule) for rule in rules)


def _risk(table: Mapping[str, Any]) -> RiskDefaults:
    risk = _mapping(table.get("risk", {}), "`risk`")
    _check_keys(risk, "`risk`", _RISK_KEYS)
    return RiskDefaults(**{level: Action(action) for level, action in risk.items()})


def _mapping(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{what} is a table")
    return value


def _check_keys(table: Mapping[str, Any], place: str, known: Sequence[str]) -> None:
    for key in table:
        if key not in known:
            raise UnsupportedKeyError(str(key), place, known)
