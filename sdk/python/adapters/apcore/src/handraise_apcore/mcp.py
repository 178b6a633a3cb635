"""Requests of Handraise as the pending approvals of apcore-mcp (tried with apcore-mcp 0.23).

.. code-block:: python

    store = HandraiseApprovalStore()
    handler = StorageBackedApprovalHandler(store)
    install(executor, handler)
    APCoreMCP(executor, approval_handler=handler, approval_store=store).serve()

Without :func:`handraise_apcore.install` the store never says ``approved``: the executor of apcore would
run any call with an id that was approved, as often as it likes.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from handraise import (
    ApprovalError,
    ApprovalPendingError,
    ApprovalResult,
    AsyncApprover,
    AsyncClient,
    GateRefusedError,
    arguments_hash,
    require_approval,
)

from .approval import MAX_KNOWN, HandraiseApprovalHandler, call_at_gate

_NOT_BOUND = "Approved, but nothing holds the approval to its call: see handraise_apcore.install."
_CHANGED = "Approved with other arguments, which cannot take the place of those that were sent here."


@dataclass(frozen=True)
class _Saved:
    """What is known of a request without asking the gate."""

    id: str
    arguments_hash: str
    is_bound: bool
    """It came through an installed gate, which lets an approval run nothing but its call."""


class HandraiseApprovalStore:
    """apcore-mcp's ``ApprovalStore``, whose pending approvals are requests of Handraise.

    How long an approval stays open, and how long its end can be looked up, is up to Handraise. A gate that cannot be
    asked raises, which apcore-mcp's handler makes a rejection of. The ids are known to this object alone; of more than
    10 000 the oldest is forgotten.

    Args:
        approver_token_file: an approver's token, which a person made; without it :meth:`resolve` is refused.
        unbound: say ``approved`` also about calls that came through no installed gate. Whoever asks must then hold the
            approval to the one call that it was given for.
        agent: as for :class:`handraise_apcore.HandraiseApprovalHandler`, like all that follow.
        session: the conversation.
        server: MCP server that the modules belong to.
        timeout_seconds: how long the person has.
        config_dir: as for :class:`handraise.Client`.
        runtime_dir: as for :class:`handraise.Client`.
        token_file: as for :class:`handraise.Client`.
    """

    def __init__(
        self,
        *,
        approver_token_file: str | Path | None = None,
        unbound: bool = False,
        agent: str | None = None,
        session: str | None = None,
        server: str | None = None,
        timeout_seconds: int | None = None,
        config_dir: str | Path | None = None,
        runtime_dir: str | Path | None = None,
        token_file: str | Path | None = None,
    ) -> None:
        # It makes the same calls of what apcore says as this handler does.
        self._calls = HandraiseApprovalHandler(
            agent=agent, session=session, server=server, timeout_seconds=timeout_seconds
        )
        folders: dict[str, Any] = {"config_dir": config_dir, "runtime_dir": runtime_dir}
        self._requester: dict[str, Any] = {**folders, "token_file": token_file}
        self._approver = None if approver_token_file is None else {**folders, "token_file": approver_token_file}
        self._unbound = unbound
        self._saved: OrderedDict[str, _Saved] = OrderedDict()

    async def save_pending(self, approval_id: str, module_id: str, arguments: dict[str, Any]) -> None:
        """Submits the call without waiting. The same id with the same call asks nobody twice.

        Raises:
            GateUnavailableError: the gate is not there, or what is there is not the gate.
            GateRefusedError: it does not take the call, or knows the id for another one.
            NotJsonError: the arguments are no JSON.
        """
        flight = call_at_gate()
        call = self._calls.tool_call(
            module_id,
            arguments,
            flight.context if flight is not None else None,
            idempotency_key=approval_id,
            **(flight.described() if flight is not None else {}),
        )
        async with AsyncClient(**self._requester) as client:
            result = await client.submit(call, wait=0)
        self._saved[approval_id] = _Saved(result.id, arguments_hash(call.arguments), flight is not None)
        self._saved.move_to_end(approval_id)
        while len(self._saved) > MAX_KNOWN:
            self._saved.popitem(last=False)

    async def get_result(self, approval_id: str) -> dict[str, Any] | None:
        """``{"status": "pending" | "approved" | "rejected", "reason": …}``; ``None``: the id is not known.

        Whoever looks never gets the arguments. At an installed gate the approval is used up, for the call that is
        there; it is rejected for another call.

        Raises:
            GateUnavailableError: the gate is not there, or what is there is not the gate.
        """
        saved = self._saved.get(approval_id)
        if saved is None:
            return None
        flight = call_at_gate()
        try:
            async with AsyncClient(**self._requester) as client:
                if flight is None:
                    return self._looked_at(await client.wait(saved.id, wait=0), saved)
                result = await client.resume(saved.id, flight.call(self._calls))
        except GateRefusedError as error:
            if error.problem == "not_found":
                return None
            if error.problem == "not_redeemable":
                return _record("rejected", "The approval belongs to another call, or was used already.")
            raise
        if result.is_approved and result.arguments is not None:
            flight.changed = dict(result.arguments)
        return _standing(result)

    async def resolve(self, approval_id: str, *, approved: bool, reason: str | None = None) -> bool:
        """Decides with the approver's token. ``False``: the id is not known, or already over.

        Raises:
            PermissionError: the store was given no approver's token.
            GateRefusedError: the gate does not let this program decide, as one that an agent has started.
            GateUnavailableError: the gate is not there, or what is there is not the gate.
        """
        if self._approver is None:
            raise PermissionError("Only a person decides: give the store the approver_token_file that a person made.")
        saved = self._saved.get(approval_id)
        if saved is None:
            return False
        try:
            async with AsyncApprover(**self._approver) as approver:
                if approved is True:
                    await approver.approve(saved, **({"reason": reason} if reason is not None else {}))
                else:
                    await approver.deny(saved, reason)
        except GateRefusedError as error:
            if error.problem in ("not_found", "already_over"):
                return False
            raise
        return True

    def _looked_at(self, result: ApprovalResult, saved: _Saved) -> dict[str, Any]:
        if result.is_approved and not saved.is_bound:
            if not self._unbound:
                return _record("rejected", _NOT_BOUND)
            if result.arguments is not None:
                return _record("rejected", _CHANGED)
        return _standing(result)


def _standing(result: ApprovalResult) -> dict[str, Any]:
    try:
        require_approval(result)
    except ApprovalPendingError:
        return _record("pending", None)
    except ApprovalError as error:
        return _record("rejected", error.reason)
    return _record("approved", result.reason)


def _record(status: str, reason: str | None) -> dict[str, Any]:
    return {"status": status, "reason": reason}
