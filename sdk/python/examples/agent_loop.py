"""A hand-written agent loop whose tool calls pass Handraise.

Run it beside a running Handraise (``handraise serve`` will do)::

    python agent_loop.py

Put the model of your choice in the place of ``model``: it gets the transcript and answers with tool calls, or with
text when it is done.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path
from typing import Any

from handraise import (
    ApprovalCapability,
    ApprovalPolicy,
    AsyncClient,
    HandraiseHandler,
    ModelCall,
    RiskLevel,
    run_calls,
    tool,
)

Message = dict[str, Any]


@tool(risk_level=RiskLevel.READ_ONLY)
def list_notes(folder: str) -> list[str]:
    """Lists the notes in a folder."""
    return sorted(path.name for path in Path(folder).glob("*.txt"))


@tool(risk_level=RiskLevel.WRITE)
def write_note(folder: str, name: str, text: str) -> str:
    """Writes a note."""
    (Path(folder) / name).write_text(text)
    return f"wrote {name}"


@tool(risk_level=RiskLevel.WRITE)
def delete_note(folder: str, name: str) -> str:
    """Deletes a note."""
    (Path(folder) / name).unlink()
    return f"deleted {name}"


def model(transcript: list[Message], folder: str) -> list[ModelCall] | str:
    """Stands where a language model would: it works a list off and looks at what came back."""
    plan = [
        ModelCall("list_notes", {"folder": folder}, "1"),
        ModelCall("write_note", {"folder": folder, "name": "new.txt", "text": "hello"}, "2"),
        ModelCall("delete_note", {"folder": folder, "name": "old.txt"}, "3"),
    ]
    results = [message for message in transcript if message["role"] == "tool"]
    if len(results) < len(plan):
        return [plan[len(results)]]
    refused = [message["content"] for message in results if message["content"].startswith("Denied: ")]
    return f"Done, but not everything was allowed: {refused}" if refused else "Done."


async def main() -> None:
    """Runs the loop until the model has nothing more to do."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", default=".", help="where the notes are")
    parser.add_argument("--config-dir", help="as given to handraise serve")
    parser.add_argument("--runtime-dir", help="as given to handraise serve")
    options = parser.parse_args()

    # What needs nobody is decided here; everything else goes to Handraise, its policy, and the person.
    policy = ApprovalPolicy([("list_*", "allow"), ("delete_*", "ask")])
    async with AsyncClient(config_dir=options.config_dir, runtime_dir=options.runtime_dir) as client:
        capability = ApprovalCapability(policy, HandraiseHandler(client), agent="example", session="example-1")
        transcript: list[Message] = [{"role": "user", "content": "Tidy my notes up."}]
        while True:
            answer = model(transcript, options.folder)
            if isinstance(answer, str):
                print(answer)
                return
            for result in await run_calls(answer, [list_notes, write_note, delete_note], capability):
                print(json.dumps({"tool": result.name, "result": result.content}))
                # A denial is a normal result: the model reads it and adapts.
                transcript.append({"role": "tool", "id": result.id, "content": result.content})


if __name__ == "__main__":
    asyncio.run(main())
