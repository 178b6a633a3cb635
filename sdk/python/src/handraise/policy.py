"""Declarative rules, without a gate: the last matching rule wins, then the default of the risk level.

The answers are those of the Rust engine (``crates/policy/src/rules``), held by ``vectors/policy.jsonl``, for
everything that can be told from a tool's name, its arguments as text, the declared risk and the agent. Conditions
on anything else are refused by name (:class:`UnsupportedKeyError`). What needs a look at command lines, SQL or the
file system is the gate's work: where a rule or default here would let a command line pass without naming the tool,
the answer is ``ask``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from .canonical import NotJsonError, canonical_json
from .glob import InvalidPatternError
from .hidden import has_hidden
from .known_tools import is_known_to_write, is_shell
from .risk import RiskLevel
from .rule import (
    Action,
    ActionWord,
    AgentPolicy,
    ApprovalRule,
    RiskDefaults,
    UnsupportedKeyError,
    read_table,
    rule_of,
)

Preset = Literal["practical", "strict", "autonomous"]

MAX_ARGUMENTS = 64 * 1024
"""Longest argument text that a pattern is tried on, in bytes. A longer one fits only what asks or denies."""
_MAX_NAME = 512


@dataclass(frozen=True)
class PolicyDecision:
    """What a policy says about one call."""

    action: Action
    rule: ApprovalRule | None
    """The rule that matched, if any."""
    risk: RiskLevel
    reason: str
    """Words for a person and for the model; never empty."""


_PRESETS: dict[str, tuple[RiskDefaults, Action]] = {
    "practical": (RiskDefaults(Action.ALLOW, Action.ASK, Action.DENY), Action.ASK),
    "strict": (RiskDefaults(Action.ASK, Action.ASK, Action.ASK), Action.ASK),
    "autonomous": (RiskDefaults(Action.ALLOW, Action.ALLOW, Action.ALLOW), Action.ALLOW),
}


class ApprovalPolicy:
    """An ordered list of rules with a default for each risk level. Without any rule it is a policy, too.

    Args:
        rules: in order; the last match wins. A pair ``(pattern, action)`` or ``{"pattern": …, "action": …}`` will do.
        preset: the starting point: ``practical`` (reading passes, writing asks, destroying is refused),
            ``strict`` (everything asks) or ``autonomous`` (everything passes).
        risk: defaults that differ from the preset.
        risk_defaults: the same as a mapping: ``{RiskLevel.WRITE: "deny"}``, ``{"write": "deny"}``.
        unknown_tools: for tools without a declared risk; the stricter of this and the default for ``write``
            counts. As in the preset when absent.
        agents: what differs for single agents, by name. An agent that is not there falls under the rest.

    Raises:
        UnsupportedKeyError: for a condition of a rule that is not answered here.
        ValueError: for an action or preset that there is not, or a pattern that cannot be used.
    """

    def __init__(
        self,
        rules: Iterable[ApprovalRule | tuple[str, ActionWord] | Mapping[str, Any]] = (),
        *,
        preset: Preset = "practical",
        risk: RiskDefaults | None = None,
        risk_defaults: Mapping[Any, ActionWord] | None = None,
        unknown_tools: Action | ActionWord | None = None,
        agents: Mapping[str, AgentPolicy] | None = None,
    ) -> None:
        name: str = preset
        if name == "workspace":
            # Its rules are about paths and commands, which only the app looks into.
            raise UnsupportedKeyError("preset", "a policy", list(_PRESETS))
        if preset not in _PRESETS:
            raise ValueError(f"there is no preset {preset!r}; there are: {', '.join(_PRESETS)}")
        if risk_defaults is not None:
            if risk is not None:
                raise ValueError("give risk or risk_defaults, not both")
            risk = RiskDefaults(**{RiskLevel(level).value: Action(word) for level, word in risk_defaults.items()})
        defaults, unknown = _PRESETS[preset]
        self.rules = tuple(rule_of(rule) for rule in rules)
        self.risk = risk.over(defaults) if risk is not None else defaults
        if unknown_tools == Action.CONFINE:
            raise ValueError("`unknown_tools` cannot be confined: allow, ask or deny them")
        self.unknown_tools = Action(unknown_tools) if unknown_tools is not None else unknown
        # Read only: what is looked through here is what decides.
        self.agents = MappingProxyType(dict(agents or {}))
        self._agent_rules = {name: tuple(rule_of(rule) for rule in own.rules) for name, own in self.agents.items()}

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> ApprovalPolicy:
        """The policy of a policy file, as ``tomllib.load`` reads it: the same keys, the same answers, or an error.

        Raises:
            UnsupportedKeyError: for a key that only the running app answers. Nothing is left out.
            ValueError: for anything else that the app would refuse.
        """
        return cls(**read_table(table))

    @classmethod
    def autonomous(cls) -> ApprovalPolicy:
        """Everything passes."""
        return cls(preset="autonomous")

    @classmethod
    def strict(cls) -> ApprovalPolicy:
        """Everything asks."""
        return cls(preset="strict")

    @classmethod
    def practical(cls) -> ApprovalPolicy:
        """Reading passes, writing asks, destroying is refused."""
        return cls()

    def decide(
        self,
        tool_name: str,
        arguments: Mapping[str, Any] | None = None,
        risk_level: RiskLevel | str | None = None,
        *,
        agent: str | None = None,
    ) -> PolicyDecision:
        """What the policy says about a call. A pure function: the same words, the same answer.

        Args:
            tool_name: the tool.
            arguments: its arguments.
            risk_level: declared by the tool. ``None``: not declared, which counts as ``write``. A word that
                is no level asks.
            agent: name of the agent that calls.
        """
        arguments = arguments or {}
        if not isinstance(arguments, Mapping):
            raise NotJsonError("the arguments are no object with named fields; json.loads(text) makes one of JSON text")
        level = _level(risk_level)
        if level is _UNKNOWN:
            return PolicyDecision(Action.ASK, None, RiskLevel.WRITE, f"The risk level `{risk_level}` is not known.")
        shell = is_shell(tool_name, arguments)
        declared = level if isinstance(level, RiskLevel) else None
        writes = shell or is_known_to_write(tool_name, arguments)
        risk = declared or RiskLevel.WRITE
        if writes and risk is RiskLevel.READ_ONLY:
            risk = RiskLevel.WRITE
        own = self.agents.get(agent) if agent is not None else None
        own_rules = self._agent_rules[agent] if agent is not None and own is not None else ()
        rule, confines = _winner((*self.rules, *own_rules), tool_name, arguments, shell=shell)
        if rule is not None:
            action = Action.CONFINE if confines and rule.action is Action.ALLOW else Action(rule.action)
            return _held_back(PolicyDecision(action, rule, risk, _sentence(rule, tool_name)), tool_name)
        defaults = own.risk.over(self.risk) if own is not None else self.risk
        action = defaults.get(risk)
        if declared is None and not writes:
            action = _stricter(action, self.unknown_tools)
        if confines:
            action = _stricter(action, Action.CONFINE)
        reason = f"Policy denies '{tool_name}'" if action is Action.DENY else f"No rule matches; the risk is {risk}."
        if shell:
            # Its parts may only read, and may write, whatever is declared about the whole.
            least = _stricter(_stricter(Action.ASK, defaults.get(RiskLevel.READ_ONLY)), defaults.get(RiskLevel.WRITE))
            if least.strictness > action.strictness:
                action, reason = least, "A command line is looked into by the gate only."
        return _held_back(PolicyDecision(action, None, risk, reason), tool_name)


class _Unknown:
    pass


_UNKNOWN = _Unknown()


def _level(risk: RiskLevel | str | None) -> RiskLevel | _Unknown | None:
    if risk is None:
        return None
    try:
        return RiskLevel(risk)
    except ValueError:
        return _UNKNOWN


def _winner(
    rules: Sequence[ApprovalRule], tool: str, arguments: Mapping[str, Any], *, shell: bool
) -> tuple[ApprovalRule | None, bool]:
    """The last rule that applies, or a stricter final one; and whether one behind it that confines may be meant."""
    confines = False
    text = _argument_text(arguments) if any(":" in rule.pattern for rule in rules) else None
    last: ApprovalRule | None = None
    for rule in reversed(rules):
        if last is not None and not (rule.final and Action(rule.action).strictness > Action(last.action).strictness):
            continue
        if rule.applies(tool, text, shell=shell):
            last = rule
        elif last is None and rule.may_confine(tool, text, shell=shell):
            confines = True
    return last, confines


def _argument_text(arguments: Mapping[str, Any]) -> str | None:
    try:
        text = canonical_json(arguments)
    except NotJsonError:
        return None
    return text if len(text.encode()) <= MAX_ARGUMENTS else None


def _held_back(decision: PolicyDecision, tool: str) -> PolicyDecision:
    """Nothing is allowed under a name that no gate takes, and nothing is confined without the app."""
    if decision.action is Action.CONFINE:
        return PolicyDecision(
            Action.ASK, None, decision.risk, "It would run confined, but only the app confines calls."
        )
    odd = not tool.strip() or len(tool.encode(errors="surrogatepass")) > _MAX_NAME
    if decision.action is Action.ALLOW and (odd or has_hidden(tool) or "\n" in tool or "\t" in tool):
        return PolicyDecision(Action.ASK, None, decision.risk, "The tool's name is no plain text.")
    return decision


def _sentence(rule: ApprovalRule, tool: str) -> str:
    if rule.action is Action.DENY:
        return rule.reason or f"Policy denies '{tool}'"
    verb = "allows" if rule.action is Action.ALLOW else "asks about"
    return f"The rule `{rule.pattern}` {verb} it" + (f": {rule.reason}." if rule.reason else ".")


def _stricter(one: Action, other: Action) -> Action:
    return other if other.strictness > one.strictness else one


__all__ = [
    "Action",
    "AgentPolicy",
    "ApprovalPolicy",
    "ApprovalRule",
    "InvalidPatternError",
    "PolicyDecision",
    "RiskDefaults",
    "UnsupportedKeyError",
]
