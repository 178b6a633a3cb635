"""Behind the approval gate of the real apcore, and the real apcore-mcp."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from apcore import ACL, ACLRule, Context, Executor, Identity, Middleware, Registry
from apcore.approval import ApprovalResult
from apcore.decorator import module
from apcore.errors import (
    ApprovalDeniedError,
    ApprovalPendingError,
    ApprovalTimeoutError,
    InvalidInputError,
    ModuleExecuteError,
)
from apcore.extensions import ExtensionManager
from apcore.policy import ExecutionPolicy, PolicyRule
from conftest import Server

from handraise_apcore import HandraiseApprovalHandler, install

Calls = list[dict[str, Any]]


MADE: list[World] = []


@pytest.fixture(autouse=True)
def close_executors() -> Iterator[None]:
    yield
    while MADE:
        MADE.pop().executor.close()


class Journal(Middleware):
    """Middleware that writes down what reaches it."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def before(self, module_id: str, inputs: dict[str, Any], context: Any) -> None:
        self.seen.append(module_id)


class World:
    """An executor with modules that need an approval."""

    def __init__(self, server: Server, **options: Any) -> None:
        self.calls: Calls = []
        self.registry = Registry()
        self.journal = Journal()
        gated = {"requires_approval": True}

        def delete(name: str) -> dict[str, Any]:
            self.calls.append({"delete": name})
            return {"deleted": name}

        def wipe(name: str) -> dict[str, Any]:
            self.calls.append({"wipe": name})
            return {"wiped": name}

        def look(name: str) -> dict[str, Any]:
            self.calls.append({"look": name})
            return {"found": name}

        for id, function, declared in (
            ("files.delete", delete, {**gated, "destructive": True}),
            ("files.wipe", wipe, gated),
            ("files.look", look, None),
        ):
            wrapped = module(function, id=id, description=f"Does {id}", annotations=declared, tags=["files"])
            self.registry.register(id, wrapped)
        self.handler = HandraiseApprovalHandler(**{**server.places, **options})
        self.executor = Executor(self.registry, middlewares=[self.journal])
        MADE.append(self)

    def installed(self) -> World:
        install(self.executor, self.handler)
        return self

    def plain(self) -> World:
        self.executor.set_approval_handler(self.handler)
        return self

    def call(self, name: str, module_id: str = "files.delete", token: Any = None, user: str | None = None) -> Any:
        inputs: dict[str, Any] = {"name": name} if token is None else {"name": name, "_approval_token": token}
        context = Context.create(identity=Identity(id=user)) if user else None
        return self.executor.call(module_id, inputs, context)

    def pending(self, name: str = "a", **more: Any) -> str:
        with pytest.raises(ApprovalPendingError) as caught:
            self.call(name, **more)
        assert caught.value.code == "APPROVAL_PENDING"
        assert caught.value.approval_id is not None
        return str(caught.value.approval_id)


@pytest.fixture(params=["plain", "installed"])
def blocking(server: Server, request: pytest.FixtureRequest) -> World:
    world = World(server)
    return world.installed() if request.param == "installed" else world.plain()


@pytest.fixture
def world(server: Server) -> Iterator[World]:
    yield World(server, pending=True).installed()


def test_approved_runs(server: Server, blocking: World) -> None:
    server.answer_next("approve")
    assert blocking.call("a") == {"deleted": "a"}
    assert blocking.calls == [{"delete": "a"}]
    assert blocking.journal.seen == ["files.delete"]


def test_what_the_person_sees(server: Server, blocking: World) -> None:
    seen: list[dict[str, Any]] = []

    def answer() -> None:
        seen.append(server.wait_for_request())
        server.decide(seen[0]["id"], "approve")

    server.aside(answer)
    blocking.call("a", user="ann")
    assert (seen[0]["tool"], seen[0]["risk"]["level"]) == ("files.delete", "destructive")
    assert "Does files.delete" in json.dumps(seen[0])


def test_rejected_does_not_run_and_says_why(server: Server, blocking: World) -> None:
    server.answer_next("deny", reason="keep it")
    with pytest.raises(ApprovalDeniedError, match=r"Approval denied for module 'files\.delete': keep it") as caught:
        blocking.call("a")
    assert (caught.value.code, caught.value.reason) == ("APPROVAL_DENIED", "keep it")
    assert (blocking.calls, blocking.journal.seen) == ([], [])


@pytest.mark.parametrize("how", ["plain", "installed"])
def test_timeout(server: Server, how: str) -> None:
    world = World(server, timeout_seconds=1)
    with pytest.raises(ApprovalTimeoutError) as caught:
        getattr(world, how)().call("a")
    assert (caught.value.code, caught.value.retryable, world.calls) == ("APPROVAL_TIMEOUT", True, [])


def test_what_needs_no_approval_is_not_asked_about(server: Server, blocking: World) -> None:
    assert blocking.call("a", "files.look") == {"found": "a"}
    assert server.open_requests() == []


def test_pending_then_resumed(server: Server, world: World) -> None:
    token = world.pending()
    assert world.pending(token=token) == token
    server.decide(token, "approve")
    inputs = {"name": "a", "_approval_token": token}
    assert world.executor.call("files.delete", inputs) == {"deleted": "a"}
    assert inputs == {"name": "a", "_approval_token": token}
    assert world.calls == [{"delete": "a"}]


def test_pending_then_rejected(server: Server, world: World) -> None:
    token = world.pending()
    server.decide(token, "deny", reason="no")
    with pytest.raises(ApprovalDeniedError, match="no"):
        world.call("a", token=token)
    assert world.calls == []


def test_a_token_runs_nothing_but_what_was_approved(server: Server, world: World) -> None:
    token = world.pending()
    server.decide(token, "approve")
    for attempt in (
        {"name": "b"},
        {"name": "a", "module_id": "files.wipe"},
        {"name": "a", "user": "mallory"},
    ):
        with pytest.raises(ApprovalDeniedError, match="another call"):
            world.call(**attempt, token=token)
    assert world.calls == []
    assert world.call("a", token=token) == {"deleted": "a"}


def test_a_token_is_used_once(server: Server, world: World) -> None:
    token = world.pending()
    server.decide(token, "approve")
    world.call("a", token=token)
    with pytest.raises(ApprovalDeniedError, match="used already"):
        world.call("a", token=token)
    assert world.calls == [{"delete": "a"}]


def test_a_token_used_by_many_at_once_runs_once(server: Server, world: World) -> None:
    token = world.pending()
    server.decide(token, "approve")

    async def all_at_once() -> list[Any]:
        inputs = {"name": "a", "_approval_token": token}
        calls = (world.executor.call_async("files.delete", dict(inputs)) for _ in range(10))
        return list(await asyncio.gather(*calls, return_exceptions=True))

    results = asyncio.run(all_at_once())
    assert sorted(type(result).__name__ for result in results) == ["ApprovalDeniedError"] * 9 + ["dict"]
    assert world.calls == [{"delete": "a"}]


def test_a_retry_without_the_token_asks_nobody_again(server: Server, world: World) -> None:
    token = world.pending()
    assert world.pending() == token
    assert len(server.open_requests()) == 1
    server.decide(token, "approve")
    assert world.call("a") == {"deleted": "a"}
    assert world.pending() != token


def test_an_approval_that_was_used_elsewhere_is_not_waited_for_again(server: Server, world: World) -> None:
    token = world.pending()
    server.decide(token, "approve")
    used = {"tool": "files.delete", "arguments": {"name": "a"}}
    requester = (server.folder / "config/tokens/default.token").read_text().strip()
    headers = {"Authorization": f"Bearer {requester}"}
    url = f"http://{server.address}/v1/approvals/{token}/redeem"
    httpx.post(url, json=used, headers=headers, trust_env=False).raise_for_status()
    assert world.pending() != token


def test_tokens_that_are_none(server: Server, world: World) -> None:
    for token in ("nonsense", "00000000-0000-7000-8000-000000000000", ""):
        with pytest.raises(ApprovalDeniedError, match="not found"):
            world.call("a", token=token)
    with pytest.raises(InvalidInputError) as caught:
        world.call("a", token=7)
    assert caught.value.code == "GENERAL_INVALID_INPUT"
    assert world.calls == []


def test_without_the_installed_gate_a_token_runs_nothing(server: Server) -> None:
    installed = World(server, pending=True).installed()
    other = World(server, pending=True)
    other.handler = installed.handler
    other.plain()
    token = installed.pending()
    server.decide(token, "approve")
    with pytest.raises(ApprovalPendingError):
        other.call("b", token=token)
    assert other.calls == []


def test_without_the_installed_gate_pending_waits_all_the_same(server: Server) -> None:
    world = World(server, pending=True).plain()
    server.answer_next("approve")
    assert world.call("a") == {"deleted": "a"}


def test_arguments_that_a_person_changed_are_what_runs(server: Server) -> None:
    world = World(server).installed()
    server.answer_next("approve", arguments={"name": "b"})
    assert world.call("a") == {"deleted": "b"}


def test_arguments_that_a_person_changed_do_not_run_where_they_cannot(server: Server) -> None:
    world = World(server).plain()
    server.answer_next("approve", arguments={"name": "b"})
    with pytest.raises(ApprovalDeniedError, match='"name": "b"'):
        world.call("a")
    assert world.calls == []


def test_no_gate_no_approval(server: Server, blocking: World) -> None:
    server.stop()
    with pytest.raises(ApprovalDeniedError, match="not running"):
        blocking.call("a")
    assert blocking.calls == []


def test_an_unknown_status_is_a_denial(
    server: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(server).installed()

    async def odd(request: Any) -> ApprovalResult:
        return ApprovalResult(status="maybe")

    monkeypatch.setattr(world.handler, "request_approval", odd)
    with caplog.at_level(logging.WARNING), pytest.raises(ApprovalDeniedError):
        world.call("a")
    assert "Unknown approval status 'maybe'" in caplog.text
    assert world.calls == []


def test_every_way_to_call_is_gated(server: Server, blocking: World) -> None:
    server.answer_next("deny", reason="no")
    with pytest.raises(ApprovalDeniedError):
        asyncio.run(blocking.executor.call_async("files.delete", {"name": "a"}))

    async def stream() -> None:
        async for _ in blocking.executor.stream("files.delete", {"name": "a"}):
            pass

    server.answer_next("deny", reason="no")
    with pytest.raises(ApprovalDeniedError):
        asyncio.run(stream())
    assert blocking.calls == []


def test_an_acl_rule_may_ask_for_approval(server: Server) -> None:
    world = World(server).installed()
    rule = ACLRule(callers=["*"], targets=["files.look"], effect="allow", approval="required")
    world.executor.set_acl(ACL(rules=[rule], default_effect="deny"))
    server.answer_next("deny", reason="not even looking")
    with pytest.raises(ApprovalDeniedError, match="not even looking"):
        world.call("a", "files.look")


class Emitter:
    """Keeps what apcore emits."""

    def __init__(self) -> None:
        self.events: list[Any] = []

    def emit(self, event: Any) -> None:
        self.events.append(event)


def test_each_decision_is_logged_and_emitted(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    world, emitter = World(server), Emitter()
    world.executor.close()
    world.executor = Executor(world.registry, event_emitter=emitter)
    world.installed()
    server.answer_next("approve", reason="fine")
    with caplog.at_level(logging.INFO):
        world.call("a")
    assert "Approval decision: module=files.delete status=approved approved_by=person reason=fine" in caplog.text
    (event,) = (event for event in emitter.events if event.event_type == "apcore.approval.decision")
    assert (event.data["status"], event.data["approved_by"]) == ("approved", "person")
    assert event.data["approval_id"]


def test_a_policy_of_apcore_may_ask_for_approval(server: Server) -> None:
    world = World(server)
    world.executor.close()
    world.executor = Executor(
        world.registry, policy=ExecutionPolicy([PolicyRule("files.look", requires_approval=True)])
    )
    world.installed()
    server.answer_next("deny", reason="not even looking")
    with pytest.raises(ApprovalDeniedError, match="not even looking"):
        world.call("a", "files.look")


def test_as_an_extension(server: Server) -> None:
    world = World(server)
    extensions = ExtensionManager()
    extensions.register("approval_handler", world.handler)
    extensions.apply(world.registry, world.executor)
    server.answer_next("deny", reason="no")
    with pytest.raises(ApprovalDeniedError, match="no"):
        world.call("a")


def test_a_mistake_in_the_handler_comes_out_and_nothing_runs(
    server: Server, blocking: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("broken")

    monkeypatch.setattr(blocking.handler, "tool_call", broken)
    # The executor of apcore wraps whatever is none of its own errors.
    with pytest.raises(ModuleExecuteError) as caught:
        blocking.call("a")
    assert isinstance(caught.value.__cause__, RuntimeError)
    assert blocking.calls == []


def test_an_executor_without_a_gate_is_refused(server: Server) -> None:
    world = World(server)
    world.executor.close()
    world.executor = Executor(world.registry, strategy="internal")
    with pytest.raises(ValueError, match="no approval gate"):
        world.installed()


def test_the_errors_as_json(server: Server, world: World) -> None:
    token = world.pending()
    with pytest.raises(ApprovalPendingError) as caught:
        world.call("a", token=token)
    told = caught.value.to_dict()
    assert told["code"] == "APPROVAL_PENDING"
    assert {"module_id": "files.delete", "approval_id": token}.items() <= told["details"].items()
    assert token in told["ai_guidance"]


def test_a_conversation_that_apcore_knows_is_a_session_of_its_own() -> None:
    def session(data: object, own: str | None = None) -> str | None:
        context = SimpleNamespace(identity=SimpleNamespace(id="ann"), trace_id="t", data=data)
        return HandraiseApprovalHandler(session=own).tool_call("m", {}, context).session_id

    assert session({"conversation_id": "c1"}) == "c1"
    assert session({"threadId": 7}, "program") == "program/7"
    assert session({"conversation_id": "a/b"}, "p") == "p/a%2Fb"
    # One whose id cannot be told is none of the user's other conversations either.
    assert session({"conversation_id": object()}) is None
    assert session({"conversation_id": " "}) is None
    assert session({}) == "ann"
    assert session(None, "program") == "program"
