"""What adapters for frameworks are built with. Those that are there try it with their frameworks, in adapters-tests."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Server, eventually

from handraise import ToolCall
from handraise.adapter import (
    NOT_READABLE,
    Approved,
    ApprovedCalls,
    CallContext,
    Conversation,
    Decision,
    Denied,
    conversation_in,
    decide,
    decide_all,
    decide_blocking,
    read_arguments,
    session_within,
    token_file_of,
    unchanged,
)

CONTEXT = CallContext("office", "one")


def mail(to: str) -> ToolCall:
    return CONTEXT.call("mail", {"to": to})


def test_a_call_has_what_all_calls_of_an_agent_have_in_common() -> None:
    call = CallContext("office", "one", 30).call("mail", {"to": "ann"}, "thread", trace_id="t")
    assert (call.agent, call.session, call.timeout_seconds, call.trace_id) == ("office", "one/thread", 30, "t")
    assert CallContext().call("mail", {}, "thread").session == "thread"
    assert mail("ann").session == "one"


def test_a_decision_has_the_arguments_that_run_or_the_words_for_the_model(server: Server) -> None:
    client = server.client()
    server.answer_next("approve")
    assert decide_blocking(client, mail("ann")) == Approved({"to": "ann"}, False)
    server.answer_next("approve", arguments={"to": "bea"})
    changed = decide_blocking(client, mail("bob"))
    assert changed == Approved({"to": "bea"}, True)
    server.answer_next("deny", reason="Cy is on leave")
    denied = decide_blocking(client, mail("cy"))
    assert denied == Denied("Cy is on leave") and denied.text == "Denied: Cy is on leave"
    assert unchanged(denied) is denied
    told = unchanged(changed)
    assert isinstance(told, Denied) and json.dumps({"to": "bea"}) in told.reason


def test_the_calls_of_a_turn_are_asked_for_at_once_and_answered_in_their_order(server: Server) -> None:
    def answer() -> None:
        both = eventually(lambda: found if len(found := server.open_requests()) == 2 else None)
        for request in reversed(both):
            to = next(name for name in ("dora", "egon") if name in json.dumps(request))
            server.decide(request["id"], "deny", reason=f"not {to}")

    async def main() -> list[Decision]:
        async with server.async_client() as client:
            return await decide_all([decide(client, mail(to)) for to in ("dora", "egon")])

    server.aside(answer)
    assert asyncio.run(main()) == [Denied("not dora"), Denied("not egon")]


def test_whatever_goes_wrong_is_a_denial(server: Server) -> None:
    async def decided(call: ToolCall) -> Decision:
        async with server.async_client(reconnect_seconds=0.1) as client:
            return await decide(client, call)

    wrong: list[Any] = ["text", {"to": object()}, None]
    for arguments in wrong:
        call = ToolCall("mail", arguments)
        for decision in (decide_blocking(server.client(), call), asyncio.run(decided(call))):
            assert isinstance(decision, Denied) and "could not be asked" in decision.reason
    server.stop()
    gone = asyncio.run(decided(mail("ann")))
    assert isinstance(gone, Denied) and "not running" in gone.reason


@pytest.mark.parametrize(
    ("text", "expected"),
    [('{"a": 1}', {"a": 1}), ("", {}), (None, {}), ({"a": 1}, {"a": 1}), ("[1]", None), ("{", None), (7, None)],
)
def test_arguments_as_a_model_wrote_them(text: Any, expected: Any) -> None:
    assert read_arguments(text) == expected
    assert NOT_READABLE.reason


def test_an_approval_between_two_steps_is_used_once_for_its_call() -> None:
    approved = Approved({"to": "ann"}, False)
    calls = ApprovedCalls()
    calls.keep("1", "mail", {"to": "ann"}, approved)
    assert calls.take("1", "mail", {"to": "bob"}) is None
    assert calls.take("1", "wipe", {"to": "ann"}) is None
    assert calls.take("2", "mail", {"to": "ann"}) is None
    assert calls.take("1", "mail", {"to": "ann"}) is approved
    assert calls.take("1", "mail", {"to": "ann"}) is None


def test_a_conversation_that_a_framework_knows() -> None:
    assert conversation_in({"thread_id": 7}) == Conversation("7")
    assert conversation_in({"conversationId": " "}) == Conversation(None)
    assert conversation_in({"other": 1}) is None and conversation_in("text") is None
    assert session_within("program", Conversation("a/b")) == "program/a%2Fb"
    assert session_within("program", Conversation(None)) is None


def test_the_token_of_an_agent_is_its_own_or_none(server: Server, tmp_path: Path) -> None:
    config = server.folder / "config"
    assert token_file_of("claude-code", config) == config / "tokens/claude-code.token"
    assert token_file_of("claude-code", tmp_path / "nowhere") is None
