"""The client against a real ``handraise serve``."""

from __future__ import annotations

import asyncio
import json
import math
import random
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
from conftest import TEST_TIMEOUT, Server, eventually
from test_policy import random_case

from handraise import (
    ApprovalCancelledError,
    ApprovalDeniedError,
    ApprovalError,
    ApprovalPendingError,
    ApprovalResult,
    ApprovalTimeoutError,
    Client,
    GateRefusedError,
    GateUnavailableError,
    NotJsonError,
    RiskLevel,
    ToolCall,
    arguments_hash,
    require_approval,
)

EDIT = ToolCall("edit", {"n": 1, "text": "ü\u2028"})


def test_the_policy_answers_at_once_and_a_person_answers_the_rest(server: Server) -> None:
    client = server.client(agent="loop", session="s")
    looked = client.require(ToolCall("look", risk=RiskLevel.READ_ONLY))
    assert (looked.decided_by, looked.is_approved) == ("policy", True)
    answering = server.answer_next("approve", reason="fine")
    result = client.require(EDIT)
    answering.join()
    assert (result.decided_by, result.reason, result.arguments_hash) == (
        "person",
        "fine",
        arguments_hash(EDIT.arguments),
    )


def test_a_denial_raises_with_its_reason_and_frozen_result(server: Server) -> None:
    server.answer_next("deny", reason="not on Friday")
    with pytest.raises(ApprovalDeniedError, match="not on Friday") as caught:
        server.client().require(EDIT)
    error = caught.value
    assert (error.code, error.reason) == ("APPROVAL_DENIED", "not on Friday")
    assert error.result is not None
    with pytest.raises(AttributeError):
        error.result.status = "approved"  # type: ignore[misc]


def test_nobody_answers(server: Server) -> None:
    with pytest.raises(ApprovalTimeoutError) as caught:
        server.client().require(ToolCall("edit", timeout_seconds=1))
    assert (caught.value.code, caught.value.retryable) == ("APPROVAL_TIMEOUT", True)


def test_pending_then_resumed_once_and_only_for_the_same_call(server: Server) -> None:
    client = server.client()
    with pytest.raises(ApprovalPendingError) as caught:
        client.require(EDIT, wait=0)
    id = caught.value.approval_id
    assert id is not None
    assert client.resume(id, EDIT).is_pending
    server.decide(id, "approve")
    with pytest.raises(GateRefusedError) as refused:
        client.resume(id, ToolCall("edit", {"n": 2}))
    assert (refused.value.code, refused.value.problem) == ("GATE_REFUSED", "not_redeemable")
    assert client.resume(id, EDIT).is_approved
    with pytest.raises(GateRefusedError):
        client.resume(id, EDIT)


def test_arguments_that_a_person_changed_come_with_the_result(server: Server) -> None:
    server.answer_next("approve", arguments={"n": 2})
    result = server.client().require(EDIT)
    assert result.arguments == {"n": 2}
    assert result.arguments_hash == arguments_hash({"n": 2})


def test_cancelled_by_another_client_of_the_same_requester(server: Server) -> None:
    def cancel() -> None:
        server.client().cancel(server.wait_for_request()["id"])

    server.aside(cancel)
    with pytest.raises(ApprovalCancelledError):
        server.client().require(EDIT)


def test_the_same_key_asks_once_and_another_call_under_it_is_refused(server: Server) -> None:
    client = server.client()
    first = client.submit(ToolCall("edit", {"n": 1}, idempotency_key="k"), wait=0)
    again = client.submit(ToolCall("edit", {"n": 1}, idempotency_key="k"), wait=0)
    assert first.id == again.id
    assert len(server.open_requests()) == 1
    with pytest.raises(GateRefusedError) as caught:
        client.submit(ToolCall("edit", {"n": 2}, idempotency_key="k"), wait=0)
    assert caught.value.problem == "key_reused"


def test_evaluation_asks_nobody(server: Server) -> None:
    evaluation = server.client().evaluate(ToolCall("bash", {"command": "git push --force"}))
    assert (evaluation.action, evaluation.risk) == ("ask", "destructive")
    assert server.open_requests() == []


def test_arguments_that_are_no_json_never_leave(server: Server) -> None:
    for arguments in ({"a": float("nan")}, {"a": object()}, {1: 2}, {"a": "\ud800"}):
        with pytest.raises(NotJsonError):
            server.client().submit(ToolCall("edit", arguments))  # type: ignore[arg-type]


def test_the_gate_hashes_any_arguments_as_this_does(server: Server) -> None:
    dice = random.Random(random.SystemRandom().randrange(2**32))
    client = server.client()
    for _ in range(300):
        bits = struct.pack("<Q", dice.getrandbits(64))
        (number,) = struct.unpack("<d", bits)
        arguments = {
            **random_case(dice)["call"]["arguments"],
            "double": number if math.isfinite(number) else 0.5,
            "integer": dice.randrange(-(2**70), 2**70) >> dice.randrange(70),
            chr(dice.choice([dice.randrange(1, 0xD800), dice.randrange(0xE000, 0x110000)])): "key",
        }
        # Raises when the hashes differ.
        assert client.require(ToolCall("look", arguments, risk=RiskLevel.READ_ONLY)).is_approved, arguments


def test_events_go_on_behind_the_last_one(server: Server) -> None:
    client = server.client()
    stream = client.events()
    seen: list[str] = []
    ids: list[str] = []

    def listen() -> None:
        for event in stream:
            seen.append(event.type)
            ids.append(event.id)
            if len(seen) == 2:
                return

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    asking = server.client()
    # The stream may begin after the first request: ask until something was heard.
    eventually(lambda: asking.cancel(asking.submit(ToolCall("edit"), wait=0).id) and len(seen) >= 2)
    listener.join()
    assert seen == ["approval_requested", "approval_resolved"]
    last = asking.submit(ToolCall("late"), wait=0)
    missed = []
    for event in server.client().events(last_event_id=ids[-1]):
        missed.append(event)
        if event.data.get("approval", {}).get("id") == last.id:
            break
    assert missed[0].id != ids[0]


def test_over_the_port_when_there_is_no_socket(server: Server) -> None:
    endpoint = server.folder / "run/endpoint.json"
    written = json.loads(endpoint.read_text())
    del written["socket"]
    endpoint.write_text(json.dumps(written))
    assert server.client().require(ToolCall("look", risk=RiskLevel.READ_ONLY)).is_approved


def test_no_server_means_no_approval(tmp_path: Path) -> None:
    with Client(config_dir=tmp_path, runtime_dir=tmp_path) as client, pytest.raises(GateUnavailableError) as caught:
        client.require(EDIT)
    assert caught.value.code == "GATE_UNAVAILABLE"
    assert isinstance(caught.value, ApprovalError)


def test_files_open_to_others_are_not_used(server: Server) -> None:
    token = server.folder / "config/tokens/default.token"
    token.chmod(0o644)
    with pytest.raises(GateUnavailableError, match="chmod go="):
        server.client().require(EDIT)


@pytest.fixture
def squatter(server: Server) -> Iterator[list[bytes]]:
    """Somebody else on the port that the discovery file names, who approves everything."""
    heard: list[bytes] = []
    listener = socket.create_server(("127.0.0.1", 0))
    approval = json.dumps(
        {"id": "1", "status": "approved", "proof": "00", "arguments_hash": arguments_hash(EDIT.arguments)}
    )

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                heard.append(connection.recv(65536))
                connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {len(approval)}\r\n\r\n{approval}".encode())
                heard.append(connection.recv(65536))

    threading.Thread(target=serve, daemon=True).start()
    endpoint = server.folder / "run/endpoint.json"
    written = json.loads(endpoint.read_text())
    del written["socket"]
    written["address"] = f"127.0.0.1:{listener.getsockname()[1]}"
    endpoint.write_text(json.dumps(written))
    yield heard
    listener.close()


def test_a_squatter_on_the_port_learns_nothing(server: Server, squatter: list[bytes]) -> None:
    with pytest.raises(GateUnavailableError, match="did not prove"):
        server.client().require(EDIT)
    secret = (server.folder / "config/tokens/default.token").read_text().strip().rsplit("_", 1)[1]
    said = b"".join(squatter)
    assert b"/v1/challenge" in said
    assert secret.encode() not in said and b"edit" not in said


@pytest.mark.anyio
async def test_a_squatter_learns_nothing_from_the_async_client_either(server: Server, squatter: list[bytes]) -> None:
    async with server.async_client() as client:
        with pytest.raises(GateUnavailableError, match="did not prove"):
            await client.require(EDIT)
    said = b"".join(squatter)
    assert b"/v1/challenge" in said and b"edit" not in said and b"Bearer" not in said


def test_the_discovery_file_cannot_send_arguments_elsewhere(server: Server) -> None:
    endpoint = server.folder / "run/endpoint.json"
    written = {**json.loads(endpoint.read_text()), "address": "192.0.2.1:80"}
    del written["socket"]
    endpoint.write_text(json.dumps(written))
    with pytest.raises(GateUnavailableError):
        server.client().require(EDIT)


def test_neither_proxies_nor_other_environment_variables_lead_away(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("HOME", "/nonexistent")
    assert server.client().require(ToolCall("look", risk=RiskLevel.READ_ONLY)).is_approved


@contextmanager
def killed_while_asking(server: Server) -> Iterator[None]:
    """The gate is killed while a client waits, and started again at the end. Nobody is asked twice."""
    client = server.client(reconnect_seconds=30)
    results: list[ApprovalResult] = []
    asking = threading.Thread(target=lambda: results.append(client.submit(EDIT)), daemon=True)
    asking.start()
    id = server.wait_for_request()["id"]
    assert server.process is not None
    server.process.kill()
    server.stop()
    yield
    server.start()
    server.decide(eventually(server.open_requests)[0]["id"], "approve")
    asking.join()
    assert [(result.id, result.status) for result in results] == [(id, "approved")]


# httpcore leaves a socket that was refused to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_gate_restarts_in_the_middle_and_nobody_is_asked_twice(server: Server) -> None:
    with killed_while_asking(server):
        pass


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_gate_that_goes_away_before_its_proof_is_waited_for(server: Server) -> None:
    with killed_while_asking(server):
        # A gate that takes connections and ends.
        Path(server.socket).unlink()
        with socket.socket(socket.AF_UNIX) as listener:
            listener.settimeout(TEST_TIMEOUT)
            listener.bind(server.socket)
            listener.listen()
            for _ in range(3):
                listener.accept()[0].close()
        Path(server.socket).unlink()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_gate_stops_in_the_middle_and_nothing_is_approved(server: Server) -> None:
    client = server.client(reconnect_seconds=1)
    caught: list[ApprovalError] = []

    def ask() -> None:
        try:
            client.require(EDIT)
        except ApprovalError as error:
            caught.append(error)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    server.wait_for_request()
    server.stop()
    asking.join()
    assert len(caught) == 1


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
async def test_the_async_client_does_the_same(server: Server) -> None:
    async with server.async_client(agent="loop") as client:
        assert (await client.require(ToolCall("look", risk=RiskLevel.READ_ONLY))).is_approved
        server.answer_next("deny", reason="no")
        with pytest.raises(ApprovalDeniedError, match="no"):
            await client.require(EDIT)
        pending = await client.submit(EDIT, wait=0)
        server.decide(pending.id, "approve")
        assert (await client.wait(pending.id)).is_approved
        assert (await client.resume(pending.id, EDIT)).is_approved
        with pytest.raises(GateRefusedError):
            await client.resume(pending.id, EDIT)


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
async def test_a_task_that_is_cancelled_takes_its_request_back(server: Server) -> None:
    async with server.async_client() as client, anyio.create_task_group() as group:
        group.start_soon(client.submit, EDIT)
        await anyio.to_thread.run_sync(server.wait_for_request)
        group.cancel_scope.cancel()
    assert server.open_requests() == []


@pytest.mark.anyio
async def test_many_at_once(server: Server) -> None:
    async with server.async_client() as client:
        calls = [ToolCall("look", {"n": number}, risk=RiskLevel.READ_ONLY) for number in range(200)]
        results = await asyncio.gather(*(client.require(call) for call in calls))
    assert [result.arguments_hash for result in results] == [arguments_hash(call.arguments) for call in calls]


@pytest.mark.anyio
async def test_async_events(server: Server) -> None:
    async with server.async_client() as client:
        seen: list[str] = []

        async def listen() -> None:
            async for event in client.events():
                seen.append(event.type)

        listening = asyncio.create_task(listen())
        while "approval_requested" not in seen:
            pending = await client.submit(ToolCall("edit"), wait=0)
            await client.cancel(pending.id)
        listening.cancel()


@pytest.mark.parametrize("status", ["APPROVED", "allowed", "maybe", "", "approved "])
def test_an_unknown_status_is_a_denial(status: str) -> None:
    with pytest.raises(ApprovalDeniedError):
        require_approval(ApprovalResult(id="1", status=status))
