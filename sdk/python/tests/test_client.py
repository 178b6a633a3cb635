from __future__ import annotations

from conftest import Server

from handraise import ToolCall


def test_smoke(server: Server) -> None:
    client = server.client(agent="loop", session="s1")
    result = client.submit(ToolCall("look", risk="read_only"))
    print(result)
    server.answer_next("approve", reason="fine")
    result = client.submit(ToolCall("edit", {"n": 1, "f": 1e21}))
    print(result)
    server.answer_next("deny", reason="no")
    result = client.submit(ToolCall("edit", {"n": 1.5, "ü": [1e-7]}))
    print(result)
    print(client.evaluate(ToolCall("edit")))
    assert 0
