"""Calls of programs that run inside walls: real commands, and a file outside that tells whether they reached it."""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Server

from handraise import (
    ApprovalCapability,
    ApprovalPolicy,
    AsyncClient,
    HandraiseHandler,
    ModelCall,
    ToolCall,
    run_calls,
    tool,
    with_approval,
)

POLICY = """version = 1
[[rule]]
tool = "shell"
command = "sh build.sh *"
action = "confine"
"""


@pytest.fixture
def confining(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path, POLICY).start()
    yield server
    for thread in server.threads:
        thread.join(60)
    for client in server.clients:
        client.close()
    server.stop()


@pytest.fixture
def project() -> Iterator[Path]:
    # Not below /tmp: inside walls that is another one.
    with tempfile.TemporaryDirectory(dir="/var/tmp") as root:
        folder = Path(root).resolve() / "shop"
        (folder / ".git").mkdir(parents=True)
        script = 'echo "built $1" > "$1.txt"\necho x > ../canary 2>/dev/null || exit 7\n'
        (folder / "build.sh").write_text(script)
        yield folder


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False)


def was_held(project: Path, name: str) -> None:
    assert (project / f"{name}.txt").read_text() == f"built {name}\n"
    assert not (project.parent / "canary").exists()


def test_a_tool_that_runs_the_command_it_is_handed_runs_inside_walls(confining: Server, project: Path) -> None:
    # Without walls the same line does write there.
    assert shell("sh build.sh free", project).returncode == 0
    (project.parent / "canary").unlink()

    @tool(name="bash", runs_changed_command=True)
    def run(command: str) -> int:
        return shell(command, project).returncode

    gated = with_approval(client=confining.client(session="s", cwd=str(project)))(run)
    assert gated("sh build.sh gated") == 7
    was_held(project, "gated")

    async def batch() -> list[object]:
        async with AsyncClient(**confining.places, cwd=str(project)) as client:
            # Everything is left to Handraise.
            policy = ApprovalPolicy(preset="strict")
            capability = ApprovalCapability(policy, HandraiseHandler(client), session="s")
            results = await run_calls([ModelCall("bash", {"command": "sh build.sh batch"})], [run], capability)
            return [(result.value, result.denied, result.is_error) for result in results]

    assert asyncio.run(batch()) == [(7, False, False)]
    was_held(project, "batch")


def test_a_tool_that_does_not_say_so_is_asked_about(confining: Server, project: Path) -> None:
    client = confining.client(session="s")
    arguments = {"command": "sh build.sh asked"}
    for call in (ToolCall("bash", arguments, cwd=str(project)), ToolCall("bash", arguments, runs_changed_command=True)):
        thread = confining.answer_next("deny")
        assert client.submit(call).status == "denied"
        thread.join()


def test_a_person_confines_a_call_of_a_tool(confining: Server, project: Path) -> None:
    client = confining.client(session="s", cwd=str(project))

    def confine() -> None:
        asked = confining.wait_for_request()
        walls = asked["confinement"]["hash"]
        confining.decide(asked["id"], "approve", arguments_hash=asked["arguments_hash"], confined=walls)

    thread = confining.aside(confine)
    result = client.submit(ToolCall("bash", {"command": "bash build.sh person"}, runs_changed_command=True))
    thread.join()
    assert result.is_approved and result.arguments is not None
    assert shell(str(result.arguments["command"]), project).returncode == 7
    was_held(project, "person")
