"""The approval store of apcore-mcp, by itself and under the real handler and executor."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from apcore import Context, Executor, Identity, Registry
from apcore.decorator import module
from apcore.errors import ApprovalDeniedError, ApprovalPendingError
from apcore_mcp import ApprovalStore
from apcore_mcp.adapters.approval import StorageBackedApprovalHandler
from conftest import Server

from handraise import GateRefusedError, GateUnavailableError
from handraise_apcore import install
from handraise_apcore.mcp import HandraiseApprovalStore

ARGUMENTS = {"name": "a", "note": "between us"}


def store_of(server: Server, **options: Any) -> HandraiseApprovalStore:
    return HandraiseApprovalStore(**{**server.places, "unbound": True, **options})


@pytest.fixture
def store(server: Server) -> HandraiseApprovalStore:
    return store_of(server)


def save(store: HandraiseApprovalStore, id: str = "one", arguments: dict[str, Any] = ARGUMENTS) -> None:
    asyncio.run(store.save_pending(id, "files.delete", arguments))


def look(store: HandraiseApprovalStore, id: str = "one") -> dict[str, Any] | None:
    return asyncio.run(store.get_result(id))


def test_it_is_a_store(store: HandraiseApprovalStore) -> None:
    assert isinstance(store, ApprovalStore)


def test_pending_then_approved(server: Server, store: HandraiseApprovalStore) -> None:
    save(store)
    (asked,) = server.open_requests()
    assert asked["tool"] == "files.delete"
    assert look(store) == {"status": "pending", "reason": None}
    server.decide(asked["id"], "approve", reason="fine")
    assert look(store) == look(store) == {"status": "approved", "reason": "fine"}


def test_pending_then_rejected(server: Server, store: HandraiseApprovalStore) -> None:
    save(store)
    server.decide(server.open_requests()[0]["id"], "deny", reason="keep it")
    assert look(store) == {"status": "rejected", "reason": "keep it"}


def test_withdrawn_and_timed_out_are_rejected(server: Server, store: HandraiseApprovalStore) -> None:
    save(store)
    server.client().cancel(server.open_requests()[0]["id"])
    withdrawn = look(store)
    assert withdrawn is not None and withdrawn["status"] == "rejected" and withdrawn["reason"]

    hasty = store_of(server, timeout_seconds=1)
    save(hasty, "two")
    # Ends with the request.
    server.client().wait(store_id(hasty, "two"))
    timed_out = look(hasty, "two")
    assert timed_out is not None and timed_out["status"] == "rejected" and timed_out["reason"]


def store_id(store: HandraiseApprovalStore, id: str) -> str:
    return store._saved[id].id


def test_an_unknown_id(store: HandraiseApprovalStore) -> None:
    assert look(store, "nonsense") is None


def test_what_the_policy_answers_is_answered(server: Server, tmp_path: Path) -> None:
    server.stop()
    server.policy = 'version = 1\n[[rule]]\npattern = "files.*"\naction = "deny"\nreason = "never"\n'
    store = store_of(server.start())
    save(store)
    assert server.open_requests() == []
    assert look(store) == {"status": "rejected", "reason": "never"}


def test_the_same_id_asks_nobody_twice_and_is_for_one_call(server: Server, store: HandraiseApprovalStore) -> None:
    save(store)
    save(store)
    assert len(server.open_requests()) == 1
    with pytest.raises(GateRefusedError):
        save(store, arguments={"name": "b"})
    assert len(server.open_requests()) == 1


def test_a_poller_never_gets_the_arguments(server: Server, store: HandraiseApprovalStore) -> None:
    save(store)
    assert "between us" not in json.dumps(look(store))
    server.decide(server.open_requests()[0]["id"], "approve", arguments={"name": "b", "note": "still between us"})
    changed = look(store)
    # What was sent must not run, and what the person wants instead is nobody's here to see.
    assert changed is not None and changed["status"] == "rejected"
    assert "between us" not in json.dumps(changed)


def test_resolve_takes_an_approvers_token(server: Server, store: HandraiseApprovalStore) -> None:
    save(store)
    with pytest.raises(PermissionError, match="approver_token_file"):
        asyncio.run(store.resolve("one", approved=True))
    impostor = store_of(server, approver_token_file=server.folder / "config/tokens/default.token")
    save(impostor)
    with pytest.raises(GateRefusedError):
        asyncio.run(impostor.resolve("one", approved=True))
    assert look(store) == {"status": "pending", "reason": None}


@pytest.mark.parametrize(("approved", "status"), [(True, "approved"), (False, "rejected"), ("yes", "rejected")])
def test_resolve(server: Server, approved: Any, status: str) -> None:
    store = store_of(server, approver_token_file=server.folder / "approver.token")
    assert asyncio.run(store.resolve("one", approved=True)) is False
    save(store)
    assert asyncio.run(store.resolve("one", approved=approved, reason="so be it")) is True
    assert look(store) == {"status": status, "reason": "so be it"}
    assert asyncio.run(store.resolve("one", approved=not approved)) is False
    assert look(store) == {"status": status, "reason": "so be it"}


def test_no_gate(server: Server, store: HandraiseApprovalStore) -> None:
    save(store)
    server.stop()
    with pytest.raises(GateUnavailableError):
        look(store)
    with pytest.raises(GateUnavailableError):
        save(store, "two")
    assert look(store, "two") is None


class World:
    """An executor of apcore whose module waits for an approval in the store."""

    def __init__(self, store: HandraiseApprovalStore) -> None:
        self.calls: list[str] = []

        def delete(name: str) -> dict[str, Any]:
            self.calls.append(name)
            return {"deleted": name}

        declared = {"requires_approval": True, "destructive": True}
        registry = Registry()
        wrapped = module(delete, id="files.delete", description="Deletes a file", annotations=declared)
        registry.register("files.delete", wrapped)
        self.executor = Executor(registry)
        self.handler = StorageBackedApprovalHandler(store)

    def call(self, name: str, token: str | None = None, user: str | None = None) -> Any:
        inputs = {"name": name, **({"_approval_token": token} if token is not None else {})}
        context = Context.create(identity=Identity(id=user)) if user else None
        return self.executor.call("files.delete", inputs, context)

    def pending(self, name: str, user: str | None = None) -> str:
        with pytest.raises(ApprovalPendingError) as caught:
            self.call(name, user=user)
        return str(caught.value.approval_id)


@pytest.fixture
def world(server: Server) -> Iterator[World]:
    world = World(store_of(server, unbound=False))
    install(world.executor, world.handler)
    yield world
    world.executor.close()


def test_behind_the_installed_gate_an_approval_runs_its_call_once(server: Server, world: World) -> None:
    token = world.pending("a", user="ann")
    (asked,) = server.open_requests()
    assert asked["risk"]["level"] == "destructive"
    assert "Deletes a file" in json.dumps(asked)
    assert asyncio.run(world.handler.check_approval(token)).status == "pending"
    server.decide(asked["id"], "approve")
    assert asyncio.run(world.handler.check_approval(token)).status == "approved"
    for attempt in ({"name": "b", "user": "ann"}, {"name": "a", "user": "mallory"}):
        with pytest.raises(ApprovalDeniedError, match="another call"):
            world.call(**attempt, token=token)
    assert world.call("a", token, "ann") == {"deleted": "a"}
    with pytest.raises(ApprovalDeniedError, match="used already"):
        world.call("a", token, "ann")
    assert world.calls == ["a"]


def test_behind_the_installed_gate_what_a_person_changed_is_what_runs(server: Server, world: World) -> None:
    token = world.pending("a")
    server.decide(server.open_requests()[0]["id"], "approve", arguments={"name": "b"})
    assert asyncio.run(world.handler.check_approval(token)).status == "approved"
    assert world.call("a", token) == {"deleted": "b"}


def test_behind_the_installed_gate_a_denial_stays_one(server: Server, world: World) -> None:
    token = world.pending("a")
    server.decide(server.open_requests()[0]["id"], "deny", reason="keep it")
    with pytest.raises(ApprovalDeniedError, match="keep it"):
        world.call("a", token)
    with pytest.raises(ApprovalDeniedError, match="approval_id not found"):
        world.call("a", "nonsense")
    assert world.calls == []


def test_behind_the_installed_gate_what_the_policy_allows_runs_once(server: Server) -> None:
    server.stop()
    server.policy = 'version = 1\n[[rule]]\npattern = "files.*"\naction = "allow"\n'
    world = World(store_of(server.start(), unbound=False))
    install(world.executor, world.handler)
    # apcore-mcp's handler answers pending whatever the store knows.
    token = world.pending("a")
    with pytest.raises(ApprovalDeniedError, match="another call"):
        world.call("b", token)
    assert world.call("a", token) == {"deleted": "a"}
    with pytest.raises(ApprovalDeniedError, match="used already"):
        world.call("a", token)
    world.executor.close()
    assert world.calls == ["a"]


def test_without_the_installed_gate_nothing_runs(server: Server) -> None:
    world = World(store_of(server, unbound=False))
    world.executor.set_approval_handler(world.handler)
    token = world.pending("a")
    server.decide(server.open_requests()[0]["id"], "approve")
    for name in ("a", "b"):
        with pytest.raises(ApprovalDeniedError, match="install"):
            world.call(name, token)
    world.executor.close()
    assert world.calls == []


def test_no_gate_no_approval(server: Server, world: World) -> None:
    token = world.pending("a")
    server.decide(server.open_requests()[0]["id"], "approve")
    server.stop()
    with pytest.raises(ApprovalDeniedError, match="Storage error"):
        world.call("a", token)
    with pytest.raises(ApprovalDeniedError, match="Storage error"):
        world.call("a")
    assert world.calls == []
