"""What every adapter has to do, tried with the framework itself and a model that says what it is told to say."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from conftest import Server, eventually

POLICY = """version = 1
[[rule]]
pattern = "*free_*"
action = "allow"
[[rule]]
pattern = "*never_*"
action = "deny"
reason = "never"
"""
TOOLS = ("mail", "free_search", "never_wipe")


@dataclass(frozen=True)
class Call:
    """A call that the model makes."""

    id: str
    name: str
    args: dict[str, Any]


@dataclass
class Run:
    """One run of an agent. The model makes the calls in its first turn, and says ``done`` in the second."""

    server: Server
    calls: list[Call]
    ran: list[str] = field(default_factory=list)
    session: str = "one"
    timeout_seconds: int | None = None
    task: asyncio.Task[Any] | None = None
    loop: asyncio.AbstractEventLoop | None = None

    @property
    def client_options(self) -> dict[str, Any]:
        return {**self.server.places, "reconnect_seconds": 1.0}

    @property
    def options(self) -> dict[str, Any]:
        return {"agent": "office", "session": self.session, "timeout_seconds": self.timeout_seconds}

    def sent(self, tool: str, to: str) -> str:
        """What a tool does."""
        self.ran.append(f"{tool} {to}")
        return f"{tool} went to {to}"

    def cancel(self) -> None:
        """Cancels the run, from another thread."""
        assert self.loop is not None and self.task is not None
        self.loop.call_soon_threadsafe(self.task.cancel)


@pytest.fixture
def gated(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path, policy=POLICY).start()
    yield server
    for thread in server.threads:
        thread.join(60)
    for client in server.clients:
        client.close()
    server.stop()


def mail(to: str, id: str = "") -> Call:
    return Call(id or f"call-{to}", "mail", {"to": to})


def request_for(server: Server, to: str) -> dict[str, Any]:
    """The open request that is about ``to``."""
    return eventually(
        lambda: next((each for each in server.open_requests() if f'"{to}"' in str(each).replace("'", '"')), None)
    )


class AdapterSuite:
    """A subclass for each framework, whose tools are :data:`TOOLS`."""

    agent: str = "office"
    tool: str = "mail"
    can_be_cancelled = True
    asks_in_order = False
    """It asks about one call after the other."""
    keeps_sessions = True
    """Two runs can be of one session."""

    async def arun(self, run: Run) -> list[str]:
        """Runs an agent. Gives what the model read for each call, in their order."""
        raise NotImplementedError

    def run(self, run: Run) -> list[str]:
        async def main() -> list[str]:
            run.loop = asyncio.get_running_loop()
            run.task = asyncio.current_task()
            return await self.arun(run)

        return asyncio.run(main())

    def test_what_the_policy_allows_runs_and_nobody_is_asked(self, gated: Server) -> None:
        run = Run(gated, [Call("c1", "free_search", {"to": "x"})])
        assert "free_search went to x" in self.run(run)[0]
        assert run.ran == ["free_search x"]

    def test_what_the_policy_denies_never_runs_and_the_model_reads_why(self, gated: Server) -> None:
        run = Run(gated, [Call("c1", "never_wipe", {"to": "x"})])
        assert re.search(r"\bnever\b", self.run(run)[0])
        assert run.ran == []

    def test_what_a_person_approves_runs_once_as_it_was_shown(self, gated: Server) -> None:
        run = Run(gated, [mail("ann")])
        shown: list[Any] = []

        def answer() -> None:
            request = request_for(gated, "ann")
            shown.append((request["tool"], request.get("agent"), list(run.ran)))
            gated.decide(request["id"], "approve")

        gated.aside(answer)
        assert "mail went to ann" in self.run(run)[0]
        assert run.ran == ["mail ann"]
        assert shown == [(self.tool, self.agent, [])]

    def test_what_a_person_denies_never_runs_and_the_model_reads_the_reason(self, gated: Server) -> None:
        run = Run(gated, [mail("bob")])
        gated.aside(lambda: gated.decide(request_for(gated, "bob")["id"], "deny", reason="Bob is on leave"))
        assert "Bob is on leave" in self.run(run)[0]
        assert run.ran == []

    def test_it_runs_with_the_arguments_that_the_person_put_in_their_place(self, gated: Server) -> None:
        run = Run(gated, [mail("carl")])
        changed = {"arguments": {"to": "carla"}}
        gated.aside(lambda: gated.decide(request_for(gated, "carl")["id"], "approve", **changed))
        assert "mail went to carla" in self.run(run)[0]
        assert run.ran == ["mail carla"]

    def test_what_is_approved_for_a_session_is_asked_about_again_in_another_one_only(self, gated: Server) -> None:
        if not self.keeps_sessions:
            pytest.skip("each run is a session of its own")

        def grant() -> None:
            request = request_for(gated, "dora")
            breadth = next(one["breadth"] for one in request["scopes"] if one["scope"] == "session")
            gated.decide(request["id"], "approve", scope="session", breadth=breadth)

        gated.aside(grant)
        first = Run(gated, [mail("dora")], session="granting")
        self.run(first)
        again = Run(gated, [mail("dora", "again")], session="granting")
        assert "went to dora" in self.run(again)[0]
        gated.aside(lambda: gated.decide(request_for(gated, "dora")["id"], "deny", reason="not here"))
        elsewhere = Run(gated, [mail("dora")], session="other")
        assert "not here" in self.run(elsewhere)[0]
        assert (first.ran, again.ran, elsewhere.ran) == (["mail dora"], ["mail dora"], [])

    def test_what_nobody_answers_in_time_never_runs(self, gated: Server) -> None:
        run = Run(gated, [mail("late")], timeout_seconds=1)
        assert re.search("time|answer", self.run(run)[0])
        assert run.ran == []
        assert gated.open_requests() == []

    def test_several_calls_at_once_one_denial_stops_no_other(self, gated: Server) -> None:
        search = Call("c0", "free_search", {"to": "x"})
        run = Run(gated, [search, mail("eve"), mail("fay"), mail("gus")])

        def answer() -> None:
            if not self.asks_in_order:
                for to in ("eve", "fay", "gus"):
                    request_for(gated, to)
            gated.decide(request_for(gated, "eve")["id"], "approve")
            gated.decide(request_for(gated, "fay")["id"], "deny", reason="not Fay")
            gated.decide(request_for(gated, "gus")["id"], "approve", arguments={"to": "gustav"})

        gated.aside(answer)
        read = self.run(run)
        assert sorted(run.ran) == ["free_search x", "mail eve", "mail gustav"]
        for text, words in zip(read, ("went to x", "went to eve", "not Fay", "went to gustav"), strict=True):
            assert words in text

    def test_equal_calls_of_one_turn_are_each_decided(self, gated: Server) -> None:
        run = Run(gated, [mail("twin", "first"), mail("twin", "second")])

        def answer() -> None:
            first = request_for(gated, "twin")["id"]
            gated.decide(first, "deny", reason="once is enough")
            gated.decide(request_for(gated, "twin")["id"], "approve")

        gated.aside(answer)
        read = self.run(run)
        assert run.ran == ["mail twin"]
        assert len([text for text in read if "once is enough" in text]) == 1

    def test_a_run_that_is_cancelled_takes_its_question_back_and_runs_nothing(self, gated: Server) -> None:
        if not self.can_be_cancelled:
            pytest.skip("a thread that waits cannot be cancelled")
        run = Run(gated, [mail("hal")])

        def cancel() -> None:
            request_for(gated, "hal")
            run.cancel()

        gated.aside(cancel)
        with pytest.raises(BaseException):  # noqa: B017  whatever the framework makes of it
            self.run(run)
        eventually(lambda: not gated.open_requests())
        assert run.ran == []

    def test_while_handraise_goes_away_and_when_it_is_not_there_nothing_runs(self, gated: Server) -> None:
        run = Run(gated, [mail("ida")])

        def kill() -> None:
            request_for(gated, "ida")
            assert gated.process is not None
            gated.process.kill()
            gated.process.wait()

        thread = gated.aside(kill)
        assert "Handraise could not be asked" in self.run(run)[0]
        thread.join()
        after = Run(gated, [Call("c1", "free_search", {"to": "x"})])
        assert "Handraise could not be asked" in self.run(after)[0]
        assert run.ran == after.ran == []


def said(value: Any) -> str:
    """A result as text."""
    return value if isinstance(value, str) else str(value)


async def tools_ended() -> None:
    """Waits for the tools that a framework leaves to themselves once the run is cancelled."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    await asyncio.gather(*others, return_exceptions=True)
