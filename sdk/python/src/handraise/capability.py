"""Approval composed with an agent: between what the model calls and what runs.

The order is fixed: what the tool declares, the policy, what the session remembers, whoever decides. Memory
turns ``ask`` into ``allow`` and never ``deny`` into anything.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

from .approval import ApprovalDecision, ApprovalHandler, ApprovalRequest, ApprovalRequestEvent, ApprovalResultEvent
from .canonical import plain
from .handlers import TerminalHandler
from .policy import Action, ApprovalPolicy
from .risk import RiskLevel
from .secret_names import redacted

ApprovalEvent = ApprovalRequestEvent | ApprovalResultEvent


@dataclass(frozen=True)
class CallClearance:
    """Whether a call runs, with what, and why."""

    allowed: bool
    arguments: Mapping[str, Any]
    """What to run: a copy that nobody else holds."""
    reason: str = ""
    asked: bool = False
    """Somebody was asked."""

    @property
    def text(self) -> str:
        """What the model reads about a call that does not run."""
        return f"Denied: {self.reason or 'Approval denied'}"


class ApprovalCapability:
    """The one gate that every tool call passes.

    Args:
        policy: what needs nobody. Without one, the practical preset.
        handler: whoever is asked about the rest; the terminal when absent.
        agent: name of the agent, for calls that do not say.
        session: the conversation, for calls that do not say. Without one nothing is remembered.
        agent_policies: policies of single agents; every other agent falls under ``policy``.
    """

    def __init__(
        self,
        policy: ApprovalPolicy | None = None,
        handler: ApprovalHandler | None = None,
        *,
        agent: str = "",
        session: str | None = None,
        agent_policies: Mapping[str, ApprovalPolicy] | None = None,
    ) -> None:
        self.policy = policy or ApprovalPolicy()
        self.handler = handler or TerminalHandler()
        self._agent = agent
        self._session = session
        self._agent_policies = dict(agent_policies or {})
        # The parts of a key are never joined, so that no names make two sessions meet.
        self._memory: set[tuple[str, str, str]] = set()
        self._listeners: set[asyncio.Queue[ApprovalEvent]] = set()

    def action(
        self,
        tool_name: str,
        arguments: object = None,
        risk_level: RiskLevel | str | None = None,
        *,
        agent: str | None = None,
        session: str | None = None,
    ) -> Action:
        """What would happen, with what the session remembers. Asks nobody."""
        agent = agent if agent is not None else self._agent
        own = as_object(arguments)
        decided = self._policy_of(agent).decide(tool_name, own, risk_level, agent=agent or None).action
        if decided is Action.ASK and self._remembers(session or self._session, agent, tool_name):
            return Action.ALLOW
        return decided

    async def evaluate(
        self,
        tool_name: str,
        arguments: object = None,
        risk_level: RiskLevel | str | None = None,
        *,
        agent: str | None = None,
        session: str | None = None,
        runs_changed_command: bool = False,
    ) -> CallClearance:
        """Decides about one call; waits for whoever is asked.

        Args:
            tool_name: the tool.
            arguments: its arguments, an object or the JSON text of one; anything else counts as ``{}``.
            risk_level: declared by the tool.
            agent: the agent that calls.
            session: the conversation.
            runs_changed_command: the tool runs the command line that it is handed, and not that of the call.

        Raises:
            Exception: whatever the handler raises. The call was not approved then.
        """
        agent = agent if agent is not None else self._agent
        session = session or self._session
        own = as_object(arguments)
        decided = self._policy_of(agent).decide(tool_name, own, risk_level, agent=agent or None)
        if decided.action is Action.DENY:
            return CallClearance(False, own, decided.reason)
        if decided.action is Action.ALLOW or self._remembers(session, agent, tool_name):
            return CallClearance(True, own, decided.reason)
        declared = next((level for level in RiskLevel if level == risk_level), None)
        request = ApprovalRequest(
            request_id=str(uuid.uuid4()),
            tool_name=tool_name,
            arguments=as_object(own),
            risk_level=decided.risk,
            agent_name=agent,
            session=session,
            reason=decided.reason,
            declared_risk=declared,
            runs_changed_command=runs_changed_command,
        )
        decision = await self._ask(request)
        if decision.approved is not True:
            return CallClearance(False, own, decision.reason or "User denied", asked=True)
        if decision.always and session is not None:
            self._memory.add((session, agent, tool_name))
        changed = own if decision.arguments is None else as_object(decision.arguments)
        return CallClearance(True, changed, decision.reason, asked=True)

    async def events(self) -> AsyncIterator[ApprovalEvent]:
        """What happens from now on: every request, and how it ended. Ends when the iterator is closed."""
        queue: asyncio.Queue[ApprovalEvent] = asyncio.Queue()
        self._listeners.add(queue)
        try:
            while True:
                yield await queue.get()
        finally:
            self._listeners.discard(queue)

    def forget(self, session: str | None = None) -> None:
        """Forgets what ``session`` remembers, or everything."""
        self._memory = {key for key in self._memory if session is not None and key[0] != session}

    async def _ask(self, request: ApprovalRequest) -> ApprovalDecision:
        arguments = redacted(as_object(request.arguments))
        self._publish(
            ApprovalRequestEvent(
                request.request_id, request.tool_name, arguments, request.risk_level.value, request.agent_name
            )
        )
        decision = ApprovalDecision(approved=False, reason="Nobody decided")
        try:
            decision = await self.handler.decide(request)
        finally:
            approved = decision.approved is True
            word = ("approved_always" if decision.always else "approved") if approved else "denied"
            reason = decision.reason or ("" if approved else "User denied")
            self._publish(ApprovalResultEvent(request.request_id, request.tool_name, word, reason))  # type: ignore[arg-type]
        return decision

    def _publish(self, event: ApprovalEvent) -> None:
        for queue in self._listeners:
            queue.put_nowait(event)

    def _policy_of(self, agent: str) -> ApprovalPolicy:
        return self._agent_policies.get(agent, self.policy)

    def _remembers(self, session: str | None, agent: str, tool_name: str) -> bool:
        return session is not None and (session, agent, tool_name) in self._memory


def as_object(arguments: object) -> dict[str, Any]:
    """A copy of ``arguments``, an object or JSON text of one, or ``{}`` when they are neither."""
    try:
        if isinstance(arguments, str):
            arguments = json.loads(arguments)
        return dict(plain(arguments)) if isinstance(arguments, Mapping) else {}
    except (ValueError, RecursionError):
        return {}
