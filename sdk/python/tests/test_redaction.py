"""Secrets do not show: by the vectors that every language is held to."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from typing import Any

import pytest

from handraise import (
    ApprovalCapability,
    ApprovalDecision,
    ApprovalPolicy,
    ApprovalRequest,
    CallbackHandler,
    TerminalHandler,
)
from handraise.secret_names import redacted, secrecy_of

VECTORS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "vectors/redaction.jsonl").read_text(encoding="utf-8").splitlines()
]
SECRETS = {"apiKey": "one", "in": [{"x-api-key": "two"}], "body": '{"client_secret": "three"}', "fine": "shown"}


@pytest.mark.parametrize("case", [case for case in VECTORS if "name" in case], ids=lambda case: case["name"])
def test_names_say_what_they_say_in_every_language(case: dict[str, Any]) -> None:
    assert secrecy_of(case["name"]) == case["says"]


@pytest.mark.parametrize("case", [case for case in VECTORS if "shown" in case])
def test_what_stands_under_the_name_of_a_secret_is_not_shown(case: dict[str, Any]) -> None:
    assert redacted(case["arguments"]) == case["shown"]


def test_the_terminal_and_the_events_show_no_secrets_and_the_handler_gets_them() -> None:
    output = io.StringIO()
    given: list[dict[str, Any]] = []

    async def decide(request: ApprovalRequest) -> ApprovalDecision:
        given.append(dict(request.arguments))
        return await TerminalHandler(read=lambda: "a\n", output=output).decide(request)

    async def main() -> Any:
        capability = ApprovalCapability(ApprovalPolicy(), CallbackHandler(decide))
        events = capability.events()
        first = asyncio.ensure_future(anext(events))
        await asyncio.sleep(0)
        verdict = await capability.evaluate("send", SECRETS, "write")
        event = await first
        await events.aclose()  # type: ignore[attr-defined]
        return verdict, event

    verdict, event = asyncio.run(main())
    assert verdict.allowed
    assert verdict.arguments == SECRETS
    assert given == [SECRETS]
    for text in (output.getvalue(), json.dumps(event.to_dict())):
        assert "shown" in text
        assert not any(secret in text for secret in ("one", "two", "three"))
