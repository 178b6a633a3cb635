"""Approval between a model and its tools: policy, memory, handlers, events, batches."""

from __future__ import annotations

import asyncio
import io
import json
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import Server

from handraise import (
    Action,
    ApprovalCapability,
    ApprovalDecision,
    ApprovalEvent,
    ApprovalHandler,
    ApprovalPolicy,
    ApprovalRequest,
    ApprovalRequestEvent,
    ApprovalResultEvent,
    AutoApproveHandler,
    AutoDenyHandler,
    CallbackHandler,
    HandOff,
    HandraiseHandler,
    ModelCall,
    RiskLevel,
    SSEApprovalHandler,
    TerminalHandler,
    declaration,
    run_calls,
    sse_frame,
    tool,
)

pytestmark = pytest.mark.anyio


class Recorder:
    """Answers as told, and keeps what it was asked."""

    def __init__(self, *answers: ApprovalDecision) -> None:
        self.asked: list[ApprovalRequest] = []
        self._answers = list(answers)

    async def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        self.asked.append(request)
        await asyncio.sleep(0)
        return self._answers.pop(0) if self._answers else ApprovalDecision(approved=True)


async def listen(capability: ApprovalCapability) -> tuple[list[ApprovalEvent], asyncio.Task[None]]:
    seen: list[ApprovalEvent] = []

    async def collect() -> None:
        async for event in capability.events():
            seen.append(event)

    task = asyncio.create_task(collect())
    await asyncio.sleep(0)
    return seen, task


# Policy, memory, handler


async def test_allow_runs_deny_refuses_ask_asks() -> None:
    asked = Recorder()
    capability = ApprovalCapability(ApprovalPolicy([("search_*", "allow"), ("drop", "deny")]), asked)
    assert (await capability.evaluate("search_web")).allowed
    denied = await capability.evaluate("drop")
    assert (denied.allowed, denied.reason, denied.text) == (
        False,
        "Policy denies 'drop'",
        "Denied: Policy denies 'drop'",
    )
    assert asked.asked == []
    verdict = await capability.evaluate("edit", {"n": 1})
    assert verdict.allowed and verdict.asked
    request = asked.asked[0]
    assert uuid.UUID(request.request_id)
    assert (request.tool_name, request.arguments, request.risk_level) == ("edit", {"n": 1}, RiskLevel.WRITE)


async def test_an_approval_is_once_unless_always_was_chosen() -> None:
    asked = Recorder(ApprovalDecision(True), ApprovalDecision(True, always=True))
    capability = ApprovalCapability(handler=asked, session="s")
    for expected in (1, 2, 2, 2):
        assert (await capability.evaluate("edit")).allowed
        assert len(asked.asked) == expected
    assert capability.action("edit") is Action.ALLOW
    assert (await capability.evaluate("other")).allowed
    assert len(asked.asked) == 3


async def test_memory_stays_in_its_session_and_with_its_agent() -> None:
    asked = Recorder(*[ApprovalDecision(True, always=True)] * 9)
    capability = ApprovalCapability(handler=asked)
    await capability.evaluate("edit", session="a", agent="x")
    for session, agent in (("a:b", "x"), ("b", "x"), ("a", "y"), (None, "x"), (None, "x")):
        before = len(asked.asked)
        await capability.evaluate("edit", session=session, agent=agent)
        assert len(asked.asked) == before + 1
    capability.forget("a")
    assert capability.action("edit", session="a", agent="x") is Action.ASK
    assert capability.action("edit", session="a:b", agent="x") is Action.ALLOW
    capability.forget()
    assert capability.action("edit", session="a:b", agent="x") is Action.ASK


async def test_always_counts_only_with_an_approval_and_never_beats_a_denial() -> None:
    capability = ApprovalCapability(handler=Recorder(ApprovalDecision(False, always=True)), session="s")
    assert not (await capability.evaluate("edit")).allowed
    assert capability.action("edit") is Action.ASK
    capability = ApprovalCapability(
        ApprovalPolicy([("edit:*secret*", "deny")]), Recorder(ApprovalDecision(True, always=True)), session="s"
    )
    assert (await capability.evaluate("edit", {"n": 1})).allowed
    assert not (await capability.evaluate("edit", {"n": "secret"})).allowed


@pytest.mark.parametrize("approved", [1, "yes", "approved", None, [True]])
async def test_nothing_but_true_approves(approved: Any) -> None:
    capability = ApprovalCapability(handler=Recorder(ApprovalDecision(approved)))
    assert not (await capability.evaluate("edit")).allowed


async def test_policies_per_agent() -> None:
    capability = ApprovalCapability(
        ApprovalPolicy.strict(), AutoDenyHandler(), agent_policies={"reader": ApprovalPolicy.autonomous()}
    )
    assert (await capability.evaluate("edit", agent="reader")).allowed
    assert not (await capability.evaluate("edit", agent="other")).allowed


async def test_what_was_decided_is_what_runs() -> None:
    arguments = {"list": [1]}

    async def change(request: ApprovalRequest) -> ApprovalDecision:
        arguments["list"].append(2)
        request.arguments["list"].append(3)
        return ApprovalDecision(True)

    verdict = await ApprovalCapability(handler=CallbackHandler(change)).evaluate("edit", arguments)
    assert verdict.arguments == {"list": [1]}


async def test_an_unknown_risk_level_asks_even_where_everything_passes() -> None:
    decided = ApprovalPolicy.autonomous().decide("edit", {}, "harmless")
    assert decided.action is Action.ASK


# Events


async def test_events_come_in_order_and_in_pairs() -> None:
    capability = ApprovalCapability(
        handler=Recorder(ApprovalDecision(False, reason="no"), ApprovalDecision(True, True))
    )
    seen, task = await listen(capability)
    await capability.evaluate("edit", {"n": 1}, agent="loop")
    await capability.evaluate("edit", {"n": 2})
    await asyncio.sleep(0)
    task.cancel()
    assert [type(event) for event in seen] == [ApprovalRequestEvent, ApprovalResultEvent] * 2
    first = seen[0]
    assert isinstance(first, ApprovalRequestEvent)
    assert first.to_dict() == {
        "request_id": first.request_id,
        "tool_name": "edit",
        "arguments": {"n": 1},
        "risk_level": "write",
        "agent_name": "loop",
    }
    results = [event for event in seen if isinstance(event, ApprovalResultEvent)]
    assert [(event.decision, event.reason) for event in results] == [("denied", "no"), ("approved_always", "")]
    assert [event.request_id for event in seen[::2]] == [event.request_id for event in seen[1::2]]


async def test_the_answer_comes_before_what_the_tool_does() -> None:
    capability = ApprovalCapability(handler=AutoApproveHandler())
    seen, task = await listen(capability)
    at_work: list[int] = []

    async def work() -> None:
        await asyncio.sleep(0)
        at_work.append(len(seen))

    results = await run_calls([ModelCall("work")], {"work": work}, capability)
    task.cancel()
    assert (at_work, results[0].is_error) == ([2], False)


async def test_a_handler_that_fails_denies_and_is_heard() -> None:
    async def fail(request: ApprovalRequest) -> ApprovalDecision:
        raise RuntimeError("broken")

    capability = ApprovalCapability(handler=CallbackHandler(fail))
    seen, task = await listen(capability)
    with pytest.raises(RuntimeError, match="broken"):
        await capability.evaluate("edit")
    await asyncio.sleep(0)
    task.cancel()
    last = seen[-1]
    assert isinstance(last, ApprovalResultEvent) and last.decision == "denied"


def test_frames() -> None:
    assert sse_frame("ApprovalResultEvent", {"a": "x\ny"}) == 'event: ApprovalResultEvent\ndata: {"a": "x\\ny"}\n\n'


# Handlers


async def test_fixed_handlers() -> None:
    request = ApprovalRequest("1", "edit", {}, RiskLevel.WRITE)
    assert await AutoApproveHandler().decide(request) == ApprovalDecision(True, False, "")
    assert await AutoDenyHandler().decide(request) == ApprovalDecision(False, False, "Read-only mode")
    for handler in (AutoApproveHandler(), AutoDenyHandler(), TerminalHandler(), SSEApprovalHandler()):
        assert isinstance(handler, ApprovalHandler)


def terminal(lines: list[str]) -> tuple[TerminalHandler, io.StringIO]:
    typed: Iterator[str] = iter(lines)
    shown = io.StringIO()
    return TerminalHandler(read=lambda: next(typed, ""), output=shown), shown


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["a\n"], ApprovalDecision(True)),
        (["A\n"], ApprovalDecision(True, always=True)),
        (["d\n"], ApprovalDecision(False, reason="User denied")),
        (
            ["\n", "y\n", "yes\n", "approve\n", "aa\n", "D\n", " \n", "d\n"],
            ApprovalDecision(False, reason="User denied"),
        ),
        (["\n"], ApprovalDecision(False, reason="Nobody is at the terminal")),
        ([], ApprovalDecision(False, reason="Nobody is at the terminal")),
    ],
)
async def test_the_terminal(lines: list[str], expected: ApprovalDecision) -> None:
    handler, _ = terminal(lines)
    assert await handler.decide(ApprovalRequest("1", "edit", {}, RiskLevel.WRITE)) == expected


async def test_the_terminal_shows_what_is_there() -> None:
    handler, shown = terminal(["d\n"])
    arguments = {"path": "a\u202egpj.exe", "color": "\x1b[2J", "größe": "ü"}
    await handler.decide(ApprovalRequest("1", "edit\u200b", arguments, RiskLevel.DESTRUCTIVE, "loop\r"))
    text = shown.getvalue()
    for part in ("edit⟨U+200B⟩", "loop⟨U+000D⟩", "destructive", "⟨U+202E⟩gpj.exe", "größe", "ü"):
        assert part in text
    assert not any(character in text for character in "\u202e\x1b\u200b\r")


async def test_sse_answers_by_id() -> None:
    handler = SSEApprovalHandler()
    capability = ApprovalCapability(handler=handler)
    seen, task = await listen(capability)
    deciding = asyncio.create_task(capability.evaluate("edit"))
    while not seen:  # noqa: ASYNC110  it is the event itself that is waited for
        await asyncio.sleep(0)
    id = seen[0].request_id
    assert list(handler.pending) == [id]
    assert handler.answer("unknown", {"approved": True}) == {"status": "ok"}
    assert not handler.resolve("unknown", ApprovalDecision(True))
    assert handler.answer(id, {"approved": True}) == {"status": "ok"}
    assert not handler.resolve(id, ApprovalDecision(False))
    assert (await deciding).allowed
    assert list(handler.pending) == []
    task.cancel()


@pytest.mark.parametrize("body", [{}, {"approved": "true"}, {"approved": 1}, {"always": True}, {"approved": None}])
async def test_sse_a_body_without_true_denies(body: dict[str, Any]) -> None:
    handler = SSEApprovalHandler()
    deciding = asyncio.create_task(handler.decide(ApprovalRequest("1", "edit", {}, RiskLevel.WRITE)))
    await asyncio.sleep(0)
    handler.answer("1", body)
    assert (await deciding) == ApprovalDecision(False, False, "")


async def test_sse_nobody_answers() -> None:
    handler = SSEApprovalHandler(timeout_seconds=0.05)
    decision = await handler.decide(ApprovalRequest("1", "edit", {}, RiskLevel.WRITE))
    assert (decision.approved, decision.reason) == (False, "Nobody answered within 0.05 seconds")
    assert not handler.resolve("1", ApprovalDecision(True))


async def test_handraise_decides(server: Server) -> None:
    async with server.async_client() as client:
        capability = ApprovalCapability(handler=HandraiseHandler(client), agent="loop", session="s")
        server.answer_next("approve", reason="fine")
        verdict = await capability.evaluate("edit", {"n": 1})
        assert (verdict.allowed, verdict.reason, verdict.arguments) == (True, "fine", {"n": 1})
        server.answer_next("approve", arguments={"n": 2})
        assert (await capability.evaluate("edit", {"n": 1})).arguments == {"n": 2}
        server.answer_next("deny", reason="no")
        assert (await capability.evaluate("edit", {"n": 1})).text == "Denied: no"
        # What the person remembers at the gate covers this call, and not every call of the tool.
        server.answer_next("approve", scope="session")
        assert (await capability.evaluate("edit", {"n": 3})).allowed
        assert (await capability.evaluate("edit", {"n": 3})).allowed
        assert capability.action("edit", {"n": 4}) is Action.ASK
        server.stop()
        assert not (await capability.evaluate("edit", {"n": 1})).allowed


# Tools and batches


@tool(risk_level="read_only")
async def look(n: int = 0) -> dict[str, int]:
    """Looks.

    More words.
    """
    return {"looked": n}


@tool(risk_level=RiskLevel.WRITE, name="edit")
def edit_file(n: int = 0) -> str:
    return f"edited {n}"


@tool
def hand_over() -> HandOff:
    return HandOff("the other agent")


def broken() -> None:
    raise ValueError("out of paper")


TOOLS: list[Callable[..., Any]] = [look, edit_file, hand_over, broken]


def test_declarations() -> None:
    declared = declaration(look)
    assert declared is not None
    assert (declared.name, declared.risk_level, declared.description) == ("look", RiskLevel.READ_ONLY, "Looks.")
    undeclared = declaration(hand_over)
    assert undeclared is not None and undeclared.risk_level is None
    assert declaration(broken) is None
    assert edit_file(3) == "edited 3"
    with pytest.raises(ValueError, match="harmless"):
        tool(risk_level="harmless")


async def test_a_denial_is_a_normal_result_and_the_batch_goes_on() -> None:
    asked = Recorder(ApprovalDecision(False, reason="no"), ApprovalDecision(True))
    calls = [ModelCall("edit", '{"n": 1}', "1"), ModelCall("edit", '{"n": 2}', "2"), ModelCall("look", {"n": 3}, "3")]
    results = await run_calls(calls, TOOLS, ApprovalCapability(handler=asked))
    assert [(result.id, result.content, result.is_error, result.denied) for result in results] == [
        ("1", "Denied: no", False, True),
        ("2", "edited 2", False, False),
        ("3", '{"looked": 3}', False, False),
    ]


async def test_a_denial_without_a_reason_has_words() -> None:
    results = await run_calls([ModelCall("edit")], TOOLS, ApprovalCapability(handler=Recorder(ApprovalDecision(False))))
    assert results[0].content == "Denied: User denied"


async def test_a_batch_runs_at_once_unless_somebody_is_asked() -> None:
    running = 0
    most = 0

    async def slow(n: int = 0) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        for _ in range(5):
            await asyncio.sleep(0)
        running -= 1
        return n

    calls = [ModelCall("slow", {"n": number}) for number in range(3)]
    allowed = ApprovalCapability(ApprovalPolicy([("slow", "allow"), ("slow:*9*", "ask")]), AutoApproveHandler())
    results = await run_calls(calls, {"slow": slow}, allowed)
    assert (most, [result.value for result in results]) == (3, [0, 1, 2])
    most = 0
    results = await run_calls([*calls, ModelCall("slow", {"n": 9})], {"slow": slow}, allowed)
    assert (most, [result.value for result in results]) == (1, [0, 1, 2, 9])


async def test_a_hand_off_ends_the_batch() -> None:
    asked = Recorder()
    calls = [ModelCall("edit"), ModelCall("hand_over"), ModelCall("edit"), ModelCall("edit")]
    results = await run_calls(calls, TOOLS, ApprovalCapability(handler=asked))
    assert [result.content for result in results] == [
        "edited 0",
        "Handed to the other agent.",
        "Not run: the conversation was handed to the other agent.",
        "Not run: the conversation was handed to the other agent.",
    ]
    assert [request.tool_name for request in asked.asked] == ["edit", "hand_over"]


@pytest.mark.parametrize("written", ["{", "[1]", "null", '"text"', '{"n": NaN}', '{"n": "\\ud800"}', "[" * 100000])
async def test_arguments_that_cannot_be_read_are_an_empty_object_for_the_gate_and_run_nothing(written: str) -> None:
    asked = Recorder()
    results = await run_calls([ModelCall("edit", written)], TOOLS, ApprovalCapability(handler=asked))
    assert [request.arguments for request in asked.asked] == [{}]
    assert (results[0].is_error, results[0].content) == (True, "The arguments are no valid JSON object.")


async def test_no_arguments_are_an_empty_object() -> None:
    results = await run_calls([ModelCall("edit", "")], TOOLS, ApprovalCapability(handler=AutoApproveHandler()))
    assert results[0].content == "edited 0"


async def test_unknown_and_failing_tools_are_error_results() -> None:
    asked = Recorder()
    results = await run_calls([ModelCall("nothing"), ModelCall("broken")], TOOLS, ApprovalCapability(handler=asked))
    assert [(result.is_error, result.content) for result in results] == [
        (True, "There is no tool called 'nothing'."),
        (True, "ValueError: out of paper"),
    ]
    assert [request.tool_name for request in asked.asked] == ["broken"]
    assert json.dumps([result.content for result in results])
