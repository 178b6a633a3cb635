"""Behind the real apcore-mcp, with the official MCP client over stdio."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import ENVIRONMENT, Server
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest, TextContent

pytestmark = pytest.mark.anyio
SCRIPT = Path(__file__).parent / "apcore_mcp_server.py"


@asynccontextmanager
async def session(server: Server, mode: str) -> AsyncIterator[ClientSession]:
    arguments = [str(SCRIPT), str(server.folder), str(server.folder / "journal"), mode]
    parameters = StdioServerParameters(command=sys.executable, args=arguments, env=ENVIRONMENT)
    with (server.folder / "errors").open("w") as errors:
        async with stdio_client(parameters, errlog=errors) as (read, write), ClientSession(read, write) as client:
            await client.initialize()
            yield client


def journal(server: Server) -> list[Any]:
    path = server.folder / "journal"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def text(result: CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))


def approval_id_in(words: str) -> str:
    """The id that reaches the model in what it reads."""
    found = re.search(r"_approval_token=([0-9a-f-]{36})", words)
    assert found is not None, words
    return found.group(1)


async def call(client: ClientSession, name: str, approval_id: str | None = None) -> CallToolResult:
    """Calls the tool, with ``_meta.approvalId`` when there is one."""
    meta = {"approvalId": approval_id} if approval_id is not None else None
    arguments = {"name": "files.delete", "arguments": {"name": name}}
    parameters = CallToolRequestParams.model_validate({**arguments, **({"_meta": meta} if meta else {})})
    request = ClientRequest(CallToolRequest(method="tools/call", params=parameters))
    return await client.send_request(request, CallToolResult)


async def test_blocking(server: Server) -> None:
    async with session(server, "blocking") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert "__apcore_approval_check" in tools
        server.answer_next("approve")
        assert "a" in text(await call(client, "a"))
        server.answer_next("deny", reason="keep it")
        denied = await call(client, "b")
        assert denied.isError and "keep it" in text(denied)
    assert journal(server) == [{"delete": "a"}]


async def test_pending_then_resumed_over_mcp(server: Server) -> None:
    async with session(server, "pending") as client:
        first = await call(client, "a")
        id = server.open_requests()[0]["id"]
        # The id reaches the model in what it reads.
        assert first.isError and id in text(first)

        polled = await client.call_tool("__apcore_approval_check", {"approval_id": id})
        assert json.loads(text(polled))["status"] == "pending"
        server.decide(id, "approve")
        polled = await client.call_tool("__apcore_approval_check", {"approval_id": id})
        assert json.loads(text(polled))["reason"].startswith("Approved.")

        assert (await call(client, "b", id)).isError
        assert journal(server) == []
        resumed = await call(client, "a", id)
        assert not resumed.isError, text(resumed)
        assert (await call(client, "a", id)).isError
    assert journal(server) == [{"delete": "a"}]


async def test_a_store_over_mcp(server: Server) -> None:
    async with session(server, "store") as client:
        first = await call(client, "a")
        id = approval_id_in(text(first))
        (asked,) = server.open_requests()
        polled = await client.call_tool("__apcore_approval_check", {"approval_id": id})
        assert json.loads(text(polled)) == {"approval_id": id, "status": "pending"}

        server.decide(asked["id"], "approve")
        for _ in range(2):
            polled = await client.call_tool("__apcore_approval_check", {"approval_id": id})
            assert json.loads(text(polled)) == {"approval_id": id, "status": "approved"}

        other = await call(client, "b", id)
        assert other.isError and "another call" in text(other)
        resumed = await call(client, "a", id)
        assert not resumed.isError, text(resumed)
        assert (await call(client, "a", id)).isError

        denied = approval_id_in(text(await call(client, "c")))
        server.decide(server.open_requests()[0]["id"], "deny", reason="keep it")
        polled = await client.call_tool("__apcore_approval_check", {"approval_id": denied})
        assert json.loads(text(polled)) == {"approval_id": denied, "status": "rejected", "reason": "keep it"}
        assert (await call(client, "c", denied)).isError
    assert journal(server) == [{"delete": "a"}]


async def test_the_token_as_an_argument(server: Server) -> None:
    async with session(server, "pending") as client:
        await call(client, "a")
        id = server.open_requests()[0]["id"]
        server.decide(id, "approve")
        resumed = await client.call_tool("files.delete", {"name": "a", "_approval_token": id})
        assert not resumed.isError, text(resumed)
    assert journal(server) == [{"delete": "a"}]


@pytest.mark.parametrize("mode", ["pending", "store"])
async def test_polling_an_unknown_id(server: Server, mode: str) -> None:
    async with session(server, mode) as client:
        polled = await client.call_tool("__apcore_approval_check", {"approval_id": "nonsense"})
    assert json.loads(text(polled)) == {
        "approval_id": "nonsense",
        "status": "rejected",
        "reason": "approval_id not found",
    }
