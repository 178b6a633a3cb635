"""The decorator, the approver's client, and what a mistake says."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from conftest import Server, eventually

from handraise import (
    Action,
    ApprovalCapability,
    ApprovalDeniedError,
    ApprovalPolicy,
    Approver,
    AsyncApprover,
    AsyncClient,
    AutoApproveHandler,
    Client,
    GateRefusedError,
    NotJsonError,
    OpenApproval,
    RiskDefaults,
    RiskLevel,
    ToolCall,
    tool,
    with_approval,
)


def approver(server: Server) -> Approver:
    return Approver(token_file=server.folder / "approver.token", **server.places)


def test_a_decorated_function_runs_with_what_was_approved(server: Server) -> None:
    client = server.client(agent="release-bot", session="s")

    @with_approval(client=client, risk_level="write")
    def publish(version: str, *, loud: bool = False, **more: object) -> dict[str, object]:
        return {"version": version, "loud": loud, **more}

    with approver(server) as person:

        def approve(**choice: Any) -> None:
            (waiting,) = eventually(person.pending)
            assert (waiting.tool, waiting.agent, waiting.session, waiting.risk) == (
                "publish",
                "release-bot",
                "s",
                "write",
            )
            person.approve(waiting, **choice)

        thread = server.aside(approve)
        assert publish("1.0", note="x") == {"version": "1.0", "loud": False, "note": "x"}
        thread.join()
        changed = {"version": "1.1", "loud": True, "note": "y"}
        thread = server.aside(lambda: approve(arguments=changed))
        assert publish("1.0", note="x") == changed
        thread.join()


def test_a_denial_is_text_for_the_model_or_raises(server: Server) -> None:
    client = server.client()
    ran: list[str] = []

    class Shop:
        @with_approval(client=client)
        @tool(risk_level="write", name="send_mail")
        def send(self, to: str) -> str:
            ran.append(to)
            return to

    @with_approval(client=client, on_denied="raise")
    def wipe() -> None:
        ran.append("all")

    with approver(server) as person:
        thread = server.aside(lambda: person.deny(eventually(person.pending)[0], "no mail"))
        assert Shop().send("ann") == "Denied: no mail"
        thread.join()
        thread = server.aside(lambda: person.deny(eventually(person.pending)[0]))
        with pytest.raises(ApprovalDeniedError):
            wipe()
        thread.join()
    assert ran == []


async def _some(person: AsyncApprover) -> list[OpenApproval]:
    while not (waiting := await person.pending()):
        pass
    return waiting


async def _concurrently(server: Server) -> tuple[str, list[str]]:
    async with AsyncClient(**server.places) as client:

        @with_approval(client=client, name="fetch_it")
        async def fetch(url: str) -> str:
            return f"got {url}"

        async with AsyncApprover(token_file=server.folder / "approver.token", **server.places) as person:
            running = asyncio.ensure_future(fetch("a"))
            waiting = await _some(person)
            await person.approve(waiting[0])
            answer = await running
            with pytest.raises(GateRefusedError):
                await person.approve(waiting[0])
            return str(answer), [one.tool for one in waiting]


def test_async_functions_and_the_async_approver(server: Server) -> None:
    assert asyncio.run(_concurrently(server)) == ("got a", ["fetch_it"])
    with pytest.raises(TypeError):
        with_approval(client=AsyncClient(**server.places))(lambda: None)


def test_an_approver_decides_about_what_submit_gave(server: Server) -> None:
    client = server.client()
    first, second = (client.submit(ToolCall(name), wait=0) for name in ("first", "second"))
    with approver(server) as person:
        assert person.approve(first).is_approved
        assert person.deny(second, "no").reason == "no"
    assert client.wait(first.id, wait=0).is_approved and client.wait(second.id, wait=0).status == "denied"


def test_an_approver_answers_questions(server: Server) -> None:
    client = server.client()
    with approver(server) as person:
        thread = server.aside(lambda: person.answer(eventually(person.questions)[0]["id"], selected=["b"]))
        assert client.ask("Which?", choices=["a", "b"]).answer == "b"
        thread.join()


def test_risk_defaults_are_a_mapping() -> None:
    rules = [{"pattern": "free", "action": "allow"}]
    for policy in (
        ApprovalPolicy(rules=rules, risk_defaults={RiskLevel.WRITE: "deny", RiskLevel.READ_ONLY: "ask"}),
        ApprovalPolicy(rules=rules, risk_defaults={"write": "deny", "read_only": "ask"}),
    ):
        assert policy.decide("x", {}, "write").action is Action.DENY
        assert policy.decide("x", {}, RiskLevel.READ_ONLY).action is Action.ASK
        assert policy.decide("x", {}, "destructive").action is Action.DENY
        assert policy.decide("free", {}, "write").action is Action.ALLOW
    with pytest.raises(ValueError, match="not both"):
        ApprovalPolicy(risk=RiskDefaults(), risk_defaults={})
    with pytest.raises(ValueError, match="harmless"):
        ApprovalPolicy(risk_defaults={"harmless": "allow"})


def test_arguments_as_json_text_say_what_to_do(server: Server) -> None:
    text: Any = '{"path": "/etc/passwd"}'
    with pytest.raises(NotJsonError, match=r"json\.loads"):
        ToolCall("read", text).to_wire()
    with pytest.raises(NotJsonError, match=r"json\.loads"):
        server.client().submit(ToolCall("read", text))
    with pytest.raises(NotJsonError, match=r"json\.loads"):
        ApprovalPolicy().decide("read", text)
    with pytest.raises(NotJsonError, match="list"):
        ToolCall("read", ["x"]).to_wire()  # type: ignore[arg-type]
    # The gate of a loop takes what the model wrote, and judges what it says.
    capability = ApprovalCapability(
        ApprovalPolicy([("read", "allow"), ("read:*passwd*", "deny")]), AutoApproveHandler()
    )
    assert not asyncio.run(capability.evaluate("read", text)).allowed
    assert capability.action("read", text) is Action.DENY


def test_a_client_is_needed_by_nobody(monkeypatch: pytest.MonkeyPatch, server: Server) -> None:
    monkeypatch.setattr("handraise.gated.Client", lambda: Client(**server.places))

    @with_approval
    def look(n: int) -> int:
        return n

    with approver(server) as person:
        thread = server.aside(lambda: person.approve(eventually(person.pending)[0]))
        assert look(3) == 3
        thread.join()
