"""The packages as they are installed, the examples of their READMEs, and the example program."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import httpx
import pytest
from conftest import ADAPTERS, ENVIRONMENT, SDK, Server, eventually

README = SDK / "README.md"
# Wheels that scripts/setup has fetched, so that the test needs no network.
WHEELS = os.environ.get("HANDRAISE_WHEELS")


def run(*command: str | Path, env: dict[str, str] | None = None, cwd: Path | None = None) -> str:
    words = [str(part) for part in command]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, env=env, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def examples(kind: str = "python", page: Path = README) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", page.read_text(), re.DOTALL)


def module_of(adapter: Path) -> str:
    return f"handraise_{adapter.name.replace('-', '_')}"


def placed(example: str, server: Server) -> str:
    """The example, told where this test's gate is."""
    places = ", ".join(f"{name}={str(path)!r}" for name, path in server.places.items())
    return re.sub(r"\b((?:Async)?Client|Approver|HandraiseApprovalHandler)\(", rf"\1({places}, ", example)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Python of an empty environment with nothing but the wheel and what it needs."""
    folder = tmp_path_factory.mktemp("installed")
    build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    for package in (SDK, *ADAPTERS):
        run(*build, cwd=package)
    (wheel,) = folder.glob("handraise-*.whl")
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv/bin/python"
    offline = ["--no-index", "--find-links", WHEELS] if WHEELS else []
    run(python, "-m", "pip", "install", "--quiet", *offline, wheel)
    return python


def test_the_wheel_brings_its_types_and_little_else(installed: Path) -> None:
    script = "import handraise, pathlib; print(pathlib.Path(handraise.__file__).parent / 'py.typed')"
    assert Path(run(installed, "-c", script).strip()).exists()
    listed = json.loads(run(installed, "-m", "pip", "list", "--format", "json"))
    names = {package["name"].lower().replace("_", "-") for package in listed}
    expected = {"handraise", "httpx", "httpcore", "h11", "anyio", "idna", "certifi", "pip", "setuptools"}
    assert names <= expected | {"typing-extensions", "sniffio", "exceptiongroup", "wheel"}


def test_licences_and_examples_are_in_the_wheel_and_in_the_source_distribution(tmp_path: Path, installed: Path) -> None:
    (wheel,) = installed.parents[2].glob("handraise-*.whl")
    inside = zipfile.ZipFile(wheel)
    assert "handraise/examples/agent_loop.py" in inside.namelist()
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        licence = (SDK.parents[1] / name).read_text()
        (packed,) = (path for path in inside.namelist() if path.endswith(name))
        assert inside.read(packed).decode() == licence
        assert (SDK / name).read_text() == licence
    assert "--folder" in run(installed, "-m", "handraise.examples.agent_loop", "--help")
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path, cwd=SDK)
    (source,) = tmp_path.glob("handraise-*.tar.gz")
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE-MIT", "LICENSE-APACHE", "README.md", "examples/agent_loop.py", "src/handraise/py.typed"} <= names
    assert not [name for name in names if name.startswith("adapters")]


def test_the_wheels_of_the_adapters(installed: Path) -> None:
    for adapter in ADAPTERS:
        (wheel,) = installed.parents[2].glob(f"{module_of(adapter)}-*.whl")
        inside = zipfile.ZipFile(wheel)
        names = set(inside.namelist())
        sources = {str(path.relative_to(adapter / "src")) for path in (adapter / "src").rglob("*.py")}
        others = {name for name in names if ".dist-info/" not in name}
        assert others == sources | {f"{module_of(adapter)}/py.typed"}
        for name in ("LICENSE-MIT", "LICENSE-APACHE"):
            (packed,) = (path for path in names if path.endswith(name))
            assert inside.read(packed) == (SDK / name).read_bytes() == (adapter / name).read_bytes()


def test_beside_the_wheel_of_the_core_an_adapter_lacks_its_framework_only(installed: Path, tmp_path: Path) -> None:
    wheels = [wheel for adapter in ADAPTERS for wheel in installed.parents[2].glob(f"{module_of(adapter)}-*.whl")]
    run(installed, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", tmp_path, *wheels)
    script = """
import importlib, json, sys
missing = {}
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing[name] = error.name.split(".")[0]
print(json.dumps(missing))
"""
    names = [module_of(adapter) for adapter in ADAPTERS]
    missing = json.loads(run(installed, "-c", script, *names, env={**os.environ, "PYTHONPATH": str(tmp_path)}))
    assert missing == {
        "handraise_ag_ui": "ag_ui",
        "handraise_apcore": "apcore",
        "handraise_claude_agent_sdk": "claude_agent_sdk",
        "handraise_crewai": "crewai",
        "handraise_langchain": "langchain",
        "handraise_openai_agents": "agents",
        "handraise_pydantic_ai": "pydantic_ai",
    }


def test_the_version_is_that_of_the_gate(server: Server) -> None:
    version = re.search(r'^version = "(.*)"$', (SDK / "pyproject.toml").read_text(), re.MULTILINE)
    health = httpx.get(f"http://{server.address}/v1/health", trust_env=False).json()
    assert version is not None and version.group(1) == health["version"]


@pytest.mark.parametrize(("decision", "expected"), [("approve", "Approved: {'id': 4711}\n"), ("deny", "Denied: no\n")])
def test_the_first_example_of_the_readme(installed: Path, server: Server, decision: str, expected: str) -> None:
    server.answer_next(decision, reason="no")
    assert run(installed, "-c", placed(examples()[0], server)) == expected


@pytest.mark.parametrize("number", [1, 2])
def test_the_other_examples_of_the_readme(installed: Path, number: int) -> None:
    example = examples()[number]
    if "import tomllib" in example and sys.version_info < (3, 11):
        pytest.skip("tomllib came with Python 3.11")
    promised = "".join(f"{line}\n" for line in re.findall(r"^# (.*)$", example, re.MULTILINE))
    assert run(installed, "-c", example) == promised


def test_the_gated_function_and_the_approver_of_the_readme(installed: Path, server: Server) -> None:
    (example,) = examples("python approver")
    function, approver = example.split("with Approver(")
    server.answer_next("deny", reason="not yet")
    function = function.replace("with_approval(", "with_approval(client=Client(), ")
    assert run(installed, "-c", placed(f"from handraise import Client\n{function}", server)) == "Denied: not yet\n"

    # Two programs: who asks does not decide.
    ask = 'from handraise import Client, ToolCall\nprint(Client().submit(ToolCall("publish")).reason)'
    asking = subprocess.Popen([installed, "-c", placed(ask, server)], stdout=subprocess.PIPE, text=True)
    server.wait_for_tool("publish")
    run(installed, "-c", placed(f"from handraise import Approver\nwith Approver({approver}", server), cwd=server.folder)
    assert asking.communicate(timeout=60)[0] == "not today\n"


MODULE = """
from apcore import ModuleAnnotations
from pydantic import BaseModel

class Input(BaseModel):
    name: str

class Output(BaseModel):
    deleted: str

class Delete:
    description = "Deletes a file"
    input_schema = Input
    output_schema = Output
    annotations = ModuleAnnotations(requires_approval=True)

    def execute(self, inputs, context):
        return {"deleted": inputs["name"]}
"""
CALL = """
from apcore.errors import ApprovalPendingError
try:
    executor.call("files.delete", {"name": "a"})
except ApprovalPendingError as error:
    print(error.code)
"""


def test_the_executor_of_the_readme(server: Server, tmp_path: Path) -> None:
    (example,) = examples(page=SDK / "adapters/apcore/README.md")
    (tmp_path / "modules/files").mkdir(parents=True)
    (tmp_path / "modules/files/delete.py").write_text(MODULE)
    program = tmp_path / "program.py"
    program.write_text(placed(example, server) + CALL)
    assert run(sys.executable, program, env=ENVIRONMENT, cwd=tmp_path).endswith("APPROVAL_PENDING\n")
    assert server.wait_for_request()["tool"] == "files.delete"


def test_nothing_in_the_readme_is_left_untried() -> None:
    kinds = re.findall(r"^```(.*)\n(?:.*\n)*?```$", README.read_text(), re.MULTILINE)
    # The command lines are what the fixture does.
    counted = {kind: kinds.count(kind) for kind in kinds}
    assert counted == {"sh": 2, "python": 3, "python approver": 1, "python adapter": 1}
    core = "pip install ./handraise/sdk/python"
    assert examples("sh") == [f"{core}\n", f"{core} ./handraise/sdk/python/adapters/langchain\n"]
    listed = re.findall(r"^\| .* \| `handraise-(.*)` \|$", README.read_text(), re.MULTILINE)
    assert sorted(listed) == [adapter.name for adapter in ADAPTERS]
    for adapter in ADAPTERS:
        page = adapter / "README.md"
        # One example: of apcore it is tried here, of the others in adapters-tests.
        assert re.findall(r"^```(.+)$", page.read_text(), re.MULTILINE) == ["python", "sh"]
        assert examples("sh", page) == [f"{core} ./handraise/sdk/python/adapters/{adapter.name}\n"]


WITH_THE_ADAPTER = """
import asyncio
ran = []

def mail(to):
    ran.append(to)
    return f"mail went to {to}"

async def main():
    for to in ("ann", "bob"):
        print(await run_tool(mail, {"to": to}))
    await client.close()

asyncio.run(main())
print(*ran)
"""


def test_the_adapter_of_the_readme(installed: Path, server: Server) -> None:
    (example,) = examples("python adapter")

    def answer() -> None:
        first = server.wait_for_tool("mail")["id"]
        server.decide(first, "approve", arguments={"to": "anna"})
        second = eventually(lambda: next((one for one in server.open_requests() if one["id"] != first), None))
        server.decide(second["id"], "deny", reason="Bob is on leave")

    server.aside(answer)
    told = run(installed, "-c", placed(example, server) + WITH_THE_ADAPTER)
    assert told == "mail went to anna\nDenied: Bob is on leave\nanna\n"


def test_the_example_program(server: Server, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "old.txt").write_text("old")

    def answer() -> None:
        server.decide(server.wait_for_request()["id"], "approve")
        later = server.wait_for_tool("delete_note")
        server.decide(later["id"], "deny", reason="keep the old one")

    server.aside(answer)
    flags: list[str | Path] = ["--config-dir", server.folder / "config", "--runtime-dir", server.folder / "run"]
    told = run(sys.executable, SDK / "examples/agent_loop.py", "--folder", notes, *flags, env=ENVIRONMENT)
    assert "wrote new.txt" in told and "Denied: keep the old one" in told
    assert sorted(path.name for path in notes.iterdir()) == ["new.txt", "old.txt"]
