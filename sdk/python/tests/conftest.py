"""A real ``handraise serve`` for each test that wants one, in folders of its own."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from handraise import AsyncClient, Client

REPOSITORY = Path(__file__).parents[3]
PROGRAM = Path(os.environ.get("HANDRAISE_PROGRAM", REPOSITORY / "target/debug/handraise"))
SDK = REPOSITORY / "sdk/python"
# Each is a package of its own.
ADAPTERS = sorted(path.parent for path in SDK.glob("adapters/*/pyproject.toml"))
# For programs that a test starts.
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(str(one / "src") for one in (SDK, *ADAPTERS))}
TEST_TIMEOUT = 60.0
_Found = TypeVar("_Found")


def eventually(look: Callable[[], _Found | None]) -> _Found:
    """What ``look`` finds, as soon as it finds something."""
    until = time.monotonic() + TEST_TIMEOUT
    while time.monotonic() < until:
        found = look()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError("it did not happen")


@dataclass
class Server:
    """A running ``handraise serve``."""

    folder: Path
    policy: str | None = None
    process: subprocess.Popen[str] | None = None
    address: str = ""
    socket: str = ""
    clients: list[Client] = field(default_factory=list)
    threads: list[threading.Thread] = field(default_factory=list)

    @property
    def flags(self) -> list[str]:
        names = {"--config-dir": "config", "--data-dir": "data", "--runtime-dir": "run"}
        return [part for flag, name in names.items() for part in (flag, str(self.folder / name))]

    @property
    def places(self) -> dict[str, Any]:
        return {"config_dir": self.folder / "config", "runtime_dir": self.folder / "run"}

    def start(self, *more: str) -> Server:
        arguments = [*self.flags, "serve", "--port", "0", "--approver-token-file", str(self.folder / "approver.token")]
        if self.policy is not None:
            (self.folder / "config").mkdir(mode=0o700, exist_ok=True)
            (self.folder / "config/policy.toml").write_text(self.policy)
            arguments.append("--confirm-policy")
        self.process = subprocess.Popen(
            [PROGRAM, *arguments, *more], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        started = json.loads(self.process.stdout.readline())
        self.address, self.socket = started["address"], started["socket"]
        return self

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(TEST_TIMEOUT)
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None

    def client(self, **options: Any) -> Client:
        client = Client(**{**self.places, **options})
        self.clients.append(client)
        return client

    def async_client(self, **options: Any) -> AsyncClient:
        return AsyncClient(**{**self.places, **options})

    def approver(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """A call with the approver's token."""
        token = (self.folder / "approver.token").read_text().strip()
        headers = {"Authorization": f"Bearer {token}"}
        url = f"http://{self.address}{path}"
        return httpx.request(method, url, headers=headers, json=body, trust_env=False, timeout=TEST_TIMEOUT)

    def open_requests(self) -> list[dict[str, Any]]:
        answer = self.approver("GET", "/v1/approvals").json()
        return list(answer["approvals"])

    def wait_for_request(self) -> dict[str, Any]:
        """The first open request, as soon as there is one."""
        return eventually(self.open_requests)[0]

    def wait_for_tool(self, tool: str) -> dict[str, Any]:
        """The open request for ``tool``, as soon as there is one."""
        return eventually(lambda: next((each for each in self.open_requests() if each["tool"] == tool), None))

    def decide(self, id: str, decision: str, **more: Any) -> None:
        body = {"decision": decision, **more}
        self.approver("POST", f"/v1/approvals/{id}/decision", body).raise_for_status()

    def answer_next(self, decision: str, **more: Any) -> threading.Thread:
        """Decides about the next request, in a thread of its own."""

        def answer() -> None:
            self.decide(self.wait_for_request()["id"], decision, **more)

        return self.aside(answer)

    def aside(self, work: Callable[[], object]) -> threading.Thread:
        """Does ``work`` in a thread that ends before the server does."""
        thread = threading.Thread(target=work, daemon=True)
        self.threads.append(thread)
        thread.start()
        return thread


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path).start()
    yield server
    for thread in server.threads:
        thread.join(TEST_TIMEOUT)
    for client in server.clients:
        client.close()
    server.stop()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
