"""Questions in the middle of a run."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Server, eventually

from handraise import Choice, GateRefusedError, QuestionResult


def first_question(server: Server) -> dict[str, Any]:
    def look() -> dict[str, Any] | None:
        found = server.approver("GET", "/v1/questions").json()["questions"]
        return found[0] if found else None

    return eventually(look)


def answer_next(server: Server, **answer: Any) -> None:
    def work() -> None:
        id = first_question(server)["id"]
        server.approver("POST", f"/v1/questions/{id}/answer", answer).raise_for_status()

    server.aside(work)


def test_chosen(server: Server) -> None:
    answer_next(server, selected=["blue"])
    result = server.client(agent="loop").ask("Which color?", choices=["red", Choice("blue", "like the sky")])
    assert (result.status, result.selected, result.is_answered) == ("answered", ("blue",), True)


def test_written(server: Server) -> None:
    answer_next(server, custom="green")
    result = server.client().ask("Which color?", choices=["red"], custom=True, custom_label="another")
    assert (result.custom, result.is_answered) == ("green", True)


def test_nobody_answers(server: Server) -> None:
    result = server.client().ask("Which color?", timeout_seconds=1)
    assert (result.status, result.is_answered, result.answer) == ("timeout", False, None)


def test_pending_then_taken_back(server: Server) -> None:
    client = server.client()
    result = client.ask("Which color?", idempotency_key="k", wait=0)
    assert result.is_pending
    assert client.ask("Which color?", idempotency_key="k", wait=0).id == result.id
    assert client.wait_for_answer(result.id, wait=0).is_pending
    assert client.cancel_question(result.id).status == "cancelled"


def test_what_cannot_be_asked(server: Server) -> None:
    with pytest.raises(GateRefusedError):
        server.client().ask("Which?", choices=[str(number) for number in range(26)])


@pytest.mark.anyio
async def test_awaited(server: Server) -> None:
    answer_next(server, selected=["red"])
    async with server.async_client() as client:
        result = await client.ask("Which color?", choices=["red", "blue"])
        assert (result.selected, result.answer) == (("red",), "red")


def test_an_unknown_status_is_no_answer() -> None:
    assert not QuestionResult(id="1", status="ANSWERED").is_answered
