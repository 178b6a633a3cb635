"""Clients of the gate: :class:`Client` blocks, :class:`AsyncClient` awaits."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import anyio
import httpx

from . import conversation
from .call import ToolCall
from .conversation import Disconnected, Pause, Reply, Send
from .errors import GateUnavailableError, require_approval
from .locations import Folders, NotRunningError
from .result import ApprovalResult, Choice, Evaluation, GateEvent, QuestionResult
from .sse import EventReader
from .transport import BROKEN, NOT_CONNECTED, AsyncProvedTransport, BrokeOffError, ProvedTransport, ServerAccess

_Answer = TypeVar("_Answer")
_MAX_ANSWER = 32 * 1024 * 1024
_BASE = "http://localhost"
# The server sends a comment every 15 seconds.
_QUIET = 60.0


class _Common:
    def __init__(
        self,
        *,
        agent: str | None,
        session: str | None,
        user: str | None,
        cwd: str | None,
        config_dir: str | Path | None,
        runtime_dir: str | Path | None,
        token_file: str | Path | None,
        reconnect_seconds: float,
    ) -> None:
        if config_dir is not None and runtime_dir is not None:
            folders = Folders(config=Path(config_dir), runtime=Path(runtime_dir))
        else:
            own = Folders.of_user()
            folders = Folders(
                config=Path(config_dir) if config_dir is not None else own.config,
                runtime=Path(runtime_dir) if runtime_dir is not None else own.runtime,
            )
        path = Path(token_file) if token_file is not None else folders.token_file("default")
        self._place = ServerAccess(folders, path)
        self._defaults = {"agent": agent, "session": session, "user": user, "cwd": cwd}
        self._reconnect = reconnect_seconds

    def _complete(self, call: ToolCall) -> ToolCall:
        missing: dict[str, Any] = {
            name: value for name, value in self._defaults.items() if value is not None and getattr(call, name) is None
        }
        # A conversation or user of its own says more than the session of the client.
        if call.session_id is not None:
            missing.pop("session", None)
        return replace(call, **missing) if missing else call

    def _question(self, question: str, options: Mapping[str, Any]) -> dict[str, Any]:
        body: dict[str, Any] = {"question": question}
        given = {**self._defaults, **{name: value for name, value in options.items() if value is not None}}
        for name, value in given.items():
            if value is None:
                continue
            if name == "choices":
                value = [_choice(choice) for choice in value]
            body[name] = value
        return body


def _choice(choice: Choice | str) -> dict[str, str]:
    if isinstance(choice, str):
        return {"label": choice}
    return {"label": choice.label, **({"description": choice.description} if choice.description else {})}


class Client(_Common):
    """A client that blocks. Use it in a ``with`` block, or call :meth:`close`.

    Args:
        agent: name of the agent that asks, for calls that do not say.
        session: conversation that calls belong to which name none. Without one nothing is remembered.
        user: user for calls that name none.
        cwd: working folder for calls that name none, an absolute path.
        config_dir: where Handraise keeps tokens, when it was started with ``--config-dir``.
        runtime_dir: where it keeps its discovery file, when it was started with ``--runtime-dir``.
        token_file: a token of this program's own; ``tokens/default.token`` when absent.
        reconnect_seconds: how long to try to get a lost connection back. Nobody is asked twice.
    """

    def __init__(
        self,
        *,
        agent: str | None = None,
        session: str | None = None,
        user: str | None = None,
        cwd: str | None = None,
        config_dir: str | Path | None = None,
        runtime_dir: str | Path | None = None,
        token_file: str | Path | None = None,
        reconnect_seconds: float = 10.0,
    ) -> None:
        super().__init__(
            agent=agent,
            session=session,
            user=user,
            cwd=cwd,
            config_dir=config_dir,
            runtime_dir=runtime_dir,
            token_file=token_file,
            reconnect_seconds=reconnect_seconds,
        )
        # Neither proxies nor redirects: what the environment says must not send arguments elsewhere.
        self._http = httpx.Client(transport=ProvedTransport(self._place), trust_env=False)

    def submit(self, call: ToolCall, *, wait: float | None = None) -> ApprovalResult:
        """Submits a call and gives the result, whatever it is.

        Args:
            call: the call.
            wait: seconds to wait; ``None``: until it is decided or timed out. After that the result is
                ``pending``; go on with :meth:`wait`.

        Raises:
            GateUnavailableError: the gate is not there, or what is there is not the gate.
            GateRefusedError: the gate does not take the call as it is.
        """
        return self._run(conversation.submit(self._complete(call), wait, self._reconnect))

    def require(self, call: ToolCall, *, wait: float | None = None) -> ApprovalResult:
        """Submits a call and gives the result only if the call may run.

        Raises:
            ApprovalError: as :meth:`submit` and :func:`require_approval`.
        """
        return require_approval(self.submit(call, wait=wait))

    def wait(self, id: str, *, wait: float | None = None) -> ApprovalResult:
        """Goes on waiting for a request, at most ``wait`` seconds; 0: looks only."""
        return self._run(conversation.follow(_id(id), wait, self._reconnect))

    def resume(self, id: str, call: ToolCall) -> ApprovalResult:
        """Uses an approval that was not waited for: once, and only for the call that was approved.

        Gives the result when the request has not been approved (any more).

        Raises:
            GateRefusedError: with ``not_redeemable``: used already, or another call.
        """
        result = self.wait(id, wait=0)
        if not result.is_approved:
            return result
        body = self._complete(call).to_wire()
        reply = self._run(conversation.once(Send("POST", f"/v1/approvals/{_id(id)}/redeem", None, body)))
        return ApprovalResult.from_wire(reply.body)

    def cancel(self, id: str) -> ApprovalResult:
        """Takes a request back."""
        send = Send("DELETE", f"/v1/approvals/{_id(id)}")
        return ApprovalResult.from_wire(self._run(conversation.repeatable(send, self._reconnect)).body)

    def evaluate(self, call: ToolCall) -> Evaluation:
        """What the gate would do and why. Nobody is asked."""
        send = Send("POST", "/v1/evaluate", None, self._complete(call).to_wire())
        return Evaluation.from_wire(self._run(conversation.repeatable(send, self._reconnect)).body)

    def ask(
        self,
        question: str,
        *,
        choices: Sequence[Choice | str] | None = None,
        multiple: bool | None = None,
        custom: bool | None = None,
        custom_label: str | None = None,
        header: str | None = None,
        session: str | None = None,
        conversation_id: str | None = None,
        trace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout_seconds: int | None = None,
        wait: float | None = None,
    ) -> QuestionResult:
        """Asks the person a question in the middle of a run.

        Args:
            question: the question.
            choices: up to 25 answers to choose from.
            multiple: more than one may be chosen.
            custom: the person may write an answer.
            custom_label: what stands before the field for that.
            header: a short title.
            session: conversation that it belongs to.
            conversation_id: used when there is no session.
            trace_id: handed back in the result.
            idempotency_key: the same key is the same question.
            timeout_seconds: how long the person has.
            wait: seconds to wait for the answer; ``None``: until it is there.
        """
        options = _options(locals(), ("self", "question", "wait"))
        return self._run(conversation.ask(self._question(question, options), wait, self._reconnect))

    def wait_for_answer(self, id: str, *, wait: float | None = None) -> QuestionResult:
        """Goes on waiting for the answer to a question; 0: looks only."""
        return self._run(conversation.follow_question(_id(id), wait, self._reconnect))

    def cancel_question(self, id: str) -> QuestionResult:
        """Takes a question back."""
        send = Send("DELETE", f"/v1/questions/{_id(id)}")
        return QuestionResult.from_wire(self._run(conversation.repeatable(send, self._reconnect)).body)

    def hook(self, agent: str, message: Mapping[str, Any], *, wait: float = 590.0) -> dict[str, Any]:
        """Hands an agent's own hook message in, and gives that agent's own answer, as the hook program does.

        Args:
            agent: name of the agent, as ``claude-code``.
            message: the hook's message.
            wait: seconds until the caller gives up. A person's time ends a little before.
        """
        return conversation.hook_answer(self._run(conversation.once(conversation.hook(agent, message, wait))))

    def events(self, *, last_event_id: str | None = None) -> Iterator[GateEvent]:
        """What happens to this requester's own requests, as it happens.

        A lost connection is made again and goes on behind the last event.

        Raises:
            GateUnavailableError: when the gate stays away for longer than ``reconnect_seconds``.
        """
        lost: float | None = None
        while True:
            try:
                with self._http.stream("GET", f"{_BASE}/v1/events", **_stream_options(last_event_id)) as response:
                    if response.status_code != 200:
                        _refuse(response.status_code, _json(response.read()))
                    lost, reader = None, EventReader()
                    for piece in response.iter_raw():
                        for event in reader.push(piece):
                            last_event_id = event.id or last_event_id
                            yield event
            except BROKEN:
                pass
            except GateUnavailableError:
                if last_event_id is None and lost is None:
                    raise
            lost = _check_reconnect_timeout(lost, self._reconnect)
            time.sleep(0.2)

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, talk: Generator[Send | Pause, Reply, _Answer]) -> _Answer:
        """Carries the steps of ``talk`` out, and tells it whatever breaks it off."""
        try:
            step = next(talk)
            while True:
                try:
                    reply = self._step(step)
                except BaseException as error:
                    step = talk.throw(error)
                else:
                    step = talk.send(reply)
        except StopIteration as end:
            answer: _Answer = end.value
            return answer

    def _step(self, step: Send | Pause) -> Reply:
        if isinstance(step, Pause):
            time.sleep(step.seconds)
            return Reply(0, None)
        try:
            with self._http.stream(step.method, _BASE + step.path, **_options_of(step)) as response:
                answer = b""
                for piece in response.iter_raw():
                    answer += piece
                    if len(answer) > _MAX_ANSWER:
                        raise GateUnavailableError("Handraise answered more than can be read.")
                return Reply(response.status_code, _json(answer))
        except (*NOT_CONNECTED, NotRunningError, BrokeOffError) as error:
            raise Disconnected(sent=False) from error
        except BROKEN as error:
            raise Disconnected(sent=True) from error


class AsyncClient(_Common):
    """A client that awaits (asyncio or trio). Use it in an ``async with`` block, or call :meth:`close`.

    Takes the same arguments as :class:`Client`.
    """

    def __init__(
        self,
        *,
        agent: str | None = None,
        session: str | None = None,
        user: str | None = None,
        cwd: str | None = None,
        config_dir: str | Path | None = None,
        runtime_dir: str | Path | None = None,
        token_file: str | Path | None = None,
        reconnect_seconds: float = 10.0,
    ) -> None:
        super().__init__(
            agent=agent,
            session=session,
            user=user,
            cwd=cwd,
            config_dir=config_dir,
            runtime_dir=runtime_dir,
            token_file=token_file,
            reconnect_seconds=reconnect_seconds,
        )
        self._http = httpx.AsyncClient(transport=AsyncProvedTransport(self._place), trust_env=False)

    async def submit(self, call: ToolCall, *, wait: float | None = None) -> ApprovalResult:
        """As :meth:`Client.submit`. When the task is cancelled, the request is taken back."""
        return await self._run(conversation.submit(self._complete(call), wait, self._reconnect))

    async def require(self, call: ToolCall, *, wait: float | None = None) -> ApprovalResult:
        """As :meth:`Client.require`."""
        return require_approval(await self.submit(call, wait=wait))

    async def wait(self, id: str, *, wait: float | None = None) -> ApprovalResult:
        """As :meth:`Client.wait`."""
        return await self._run(conversation.follow(_id(id), wait, self._reconnect))

    async def resume(self, id: str, call: ToolCall) -> ApprovalResult:
        """As :meth:`Client.resume`."""
        result = await self.wait(id, wait=0)
        if not result.is_approved:
            return result
        body = self._complete(call).to_wire()
        reply = await self._run(conversation.once(Send("POST", f"/v1/approvals/{_id(id)}/redeem", None, body)))
        return ApprovalResult.from_wire(reply.body)

    async def cancel(self, id: str) -> ApprovalResult:
        """As :meth:`Client.cancel`."""
        send = Send("DELETE", f"/v1/approvals/{_id(id)}")
        return ApprovalResult.from_wire((await self._run(conversation.repeatable(send, self._reconnect))).body)

    async def evaluate(self, call: ToolCall) -> Evaluation:
        """As :meth:`Client.evaluate`."""
        send = Send("POST", "/v1/evaluate", None, self._complete(call).to_wire())
        return Evaluation.from_wire((await self._run(conversation.repeatable(send, self._reconnect))).body)

    async def ask(
        self,
        question: str,
        *,
        choices: Sequence[Choice | str] | None = None,
        multiple: bool | None = None,
        custom: bool | None = None,
        custom_label: str | None = None,
        header: str | None = None,
        session: str | None = None,
        conversation_id: str | None = None,
        trace_id: str | None = None,
        idempotency_key: str | None = None,
        timeout_seconds: int | None = None,
        wait: float | None = None,
    ) -> QuestionResult:
        """As :meth:`Client.ask`."""
        options = _options(locals(), ("self", "question", "wait"))
        return await self._run(conversation.ask(self._question(question, options), wait, self._reconnect))

    async def wait_for_answer(self, id: str, *, wait: float | None = None) -> QuestionResult:
        """As :meth:`Client.wait_for_answer`."""
        return await self._run(conversation.follow_question(_id(id), wait, self._reconnect))

    async def cancel_question(self, id: str) -> QuestionResult:
        """As :meth:`Client.cancel_question`."""
        send = Send("DELETE", f"/v1/questions/{_id(id)}")
        return QuestionResult.from_wire((await self._run(conversation.repeatable(send, self._reconnect))).body)

    async def hook(self, agent: str, message: Mapping[str, Any], *, wait: float = 590.0) -> dict[str, Any]:
        """As :meth:`Client.hook`. When the task is cancelled, the request is taken back."""
        return conversation.hook_answer(await self._run(conversation.once(conversation.hook(agent, message, wait))))

    async def events(self, *, last_event_id: str | None = None) -> AsyncIterator[GateEvent]:
        """As :meth:`Client.events`."""
        lost: float | None = None
        while True:
            try:
                options = _stream_options(last_event_id)
                async with self._http.stream("GET", f"{_BASE}/v1/events", **options) as response:
                    if response.status_code != 200:
                        _refuse(response.status_code, _json(await response.aread()))
                    lost, reader = None, EventReader()
                    async for piece in response.aiter_raw():
                        for event in reader.push(piece):
                            last_event_id = event.id or last_event_id
                            yield event
            except BROKEN:
                pass
            except GateUnavailableError:
                if last_event_id is None and lost is None:
                    raise
            lost = _check_reconnect_timeout(lost, self._reconnect)
            await anyio.sleep(0.2)

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _run(self, talk: Generator[Send | Pause, Reply, _Answer]) -> _Answer:
        try:
            step = next(talk)
            broken_off = False
            while True:
                try:
                    # The last words of a task that was cancelled are said all the same.
                    with anyio.CancelScope(shield=broken_off):
                        reply = await self._step(step)
                except BaseException as error:
                    broken_off = not isinstance(error, Disconnected)
                    step = talk.throw(error)
                else:
                    step = talk.send(reply)
        except StopIteration as end:
            answer: _Answer = end.value
            return answer

    async def _step(self, step: Send | Pause) -> Reply:
        if isinstance(step, Pause):
            await anyio.sleep(step.seconds)
            return Reply(0, None)
        try:
            async with self._http.stream(step.method, _BASE + step.path, **_options_of(step)) as response:
                answer = b""
                async for piece in response.aiter_raw():
                    answer += piece
                    if len(answer) > _MAX_ANSWER:
                        raise GateUnavailableError("Handraise answered more than can be read.")
                return Reply(response.status_code, _json(answer))
        except (*NOT_CONNECTED, NotRunningError, BrokeOffError) as error:
            raise Disconnected(sent=False) from error
        except BROKEN as error:
            raise Disconnected(sent=True) from error


def _id(text: str) -> str:
    """An id as a part of a path; what is none names no request."""
    return text if text and all(character in "0123456789abcdefABCDEF-" for character in text) else "unknown"


def _options(given: Mapping[str, Any], without: Sequence[str]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name not in without}


def _options_of(step: Send) -> dict[str, Any]:
    options: dict[str, Any] = {"timeout": httpx.Timeout(step.timeout_seconds)}
    if step.query is not None:
        options["params"] = dict(step.query)
    if step.body is not None:
        # Escaped, so that any text survives; the server reads the same.
        options["content"] = json.dumps(step.body, allow_nan=False).encode()
        options["headers"] = {"Content-Type": "application/json"}
    return options


def _stream_options(last_event_id: str | None) -> dict[str, Any]:
    headers = {"Accept": "text/event-stream"}
    if last_event_id is not None:
        headers["Last-Event-ID"] = last_event_id
    return {"headers": headers, "timeout": httpx.Timeout(15.0, read=_QUIET)}


def _check_reconnect_timeout(lost: float | None, reconnect: float) -> float:
    lost = time.monotonic() if lost is None else lost
    if time.monotonic() - lost > reconnect:
        raise GateUnavailableError("The connection to Handraise broke off. Look whether it still runs.")
    return lost


def _json(answer: bytes) -> Any:
    try:
        return json.loads(answer) if answer else None
    except ValueError:
        return None


def _refuse(status: int, body: Any) -> None:
    conversation.checked(Reply(status, body))
