"""Connections to a server that has proved itself, for httpx.

Each connection goes to where the discovery file says, and is handed to the pool only after the server at the
other end of that very connection has proved that it knows the token. Until then it learns nothing but the
token's public id. What is sent later goes over a proved connection or not at all.
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Any

import anyio
import httpcore
import httpx

from .errors import GateUnavailableError
from .locations import Folders, Target, Token, read_token
from .proof import MAX_ANSWER, MAX_WAIT, Challenge

BROKEN = (httpx.TransportError, httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, OSError)
"""What a connection that breaks raises."""
NOT_CONNECTED = (httpcore.ConnectError, httpcore.ConnectTimeout, httpx.ConnectError, httpx.ConnectTimeout)
"""What raises before anything was sent."""

_TIMEOUT = {"connect": MAX_WAIT, "read": MAX_WAIT, "write": MAX_WAIT, "pool": MAX_WAIT}


class ServerAccess:
    """Where the server is, and by what token it knows this program."""

    def __init__(self, folders: Folders, token_file: Path) -> None:
        self.folders = folders
        self.token_file = token_file

    def token(self) -> Token:
        """The token, read anew: Handraise may have made another one.

        Raises:
            GateUnavailableError: as :func:`read_token`.
        """
        return read_token(self.token_file)


class ProvedTransport(httpx.BaseTransport):
    """For :class:`httpx.Client`."""

    def __init__(self, place: ServerAccess) -> None:
        self._place = place
        self._pools: dict[Target, httpcore.ConnectionPool] = {}
        # One client may serve many threads.
        self._lock = threading.Lock()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Sends ``request`` to the first place that answers.

        Raises:
            GateUnavailableError: when nobody is there, or whoever is there is not Handraise.
        """
        token = self._place.token()
        targets = self._place.folders.targets()
        self._forget(targets)
        for target in targets:
            try:
                response = self._pool(target).handle_request(_prepare(request, target, token))
            except NOT_CONNECTED:
                continue
            assert isinstance(response.stream, Iterable)
            return _answer(response, _Stream(response.stream))
        raise httpx.ConnectError("nobody listens", request=request)

    def _pool(self, target: Target) -> httpcore.ConnectionPool:
        with self._lock:
            if target not in self._pools:
                backend = _Backend(target, self._place)
                self._pools[target] = httpcore.ConnectionPool(max_connections=None, network_backend=backend)
            return self._pools[target]

    def _forget(self, targets: list[Target]) -> None:
        with self._lock:
            gone = [self._pools.pop(known) for known in list(self._pools) if known not in targets]
        for pool in gone:
            pool.close()

    def close(self) -> None:
        """Closes every connection."""
        self._forget([])


class AsyncProvedTransport(httpx.AsyncBaseTransport):
    """For :class:`httpx.AsyncClient`."""

    def __init__(self, place: ServerAccess) -> None:
        self._place = place
        self._pools: dict[Target, httpcore.AsyncConnectionPool] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """As :meth:`ProvedTransport.handle_request`.

        Raises:
            GateUnavailableError: when nobody is there, or whoever is there is not Handraise.
        """
        token = self._place.token()
        targets = self._place.folders.targets()
        await self._forget(targets)
        for target in targets:
            if target not in self._pools:
                backend = _AsyncBackend(target, self._place)
                self._pools[target] = httpcore.AsyncConnectionPool(max_connections=None, network_backend=backend)
            try:
                response = await self._pools[target].handle_async_request(_prepare(request, target, token))
            except NOT_CONNECTED:
                continue
            assert isinstance(response.stream, AsyncIterable)
            return _answer(response, _AsyncStream(response.stream))
        raise httpx.ConnectError("nobody listens", request=request)

    async def _forget(self, targets: list[Target]) -> None:
        for target in [known for known in self._pools if known not in targets]:
            await self._pools.pop(target).aclose()

    async def aclose(self) -> None:
        """Closes every connection."""
        await self._forget([])


def _prepare(request: httpx.Request, target: Target, token: Token) -> httpcore.Request:
    headers = [(name, value) for name, value in request.headers.raw if name.lower() != b"host"]
    headers += [(b"Host", target.host.encode()), (b"Authorization", f"Bearer {token.text}".encode())]
    return httpcore.Request(
        method=request.method,
        url=_url(request.url.raw_path),
        headers=headers,
        content=request.stream,
        extensions=request.extensions,
    )


def _url(path: bytes) -> httpcore.URL:
    # The place is the backend's business.
    return httpcore.URL(scheme=b"http", host=b"localhost", port=80, target=path)


def _answer(response: httpcore.Response, stream: Any) -> httpx.Response:
    return httpx.Response(response.status, headers=response.headers, stream=stream, extensions=response.extensions)


def _challenge(target: Target, challenge: Challenge) -> httpcore.Request:
    headers = [
        ("Host", target.host),
        ("Content-Type", "application/json"),
        ("Content-Length", str(len(challenge.body))),
    ]
    url = _url(b"/v1/challenge")
    return httpcore.Request("POST", url, headers=headers, content=challenge.body, extensions={"timeout": _TIMEOUT})


class NotProvedError(GateUnavailableError):
    """Whoever listens did not prove to be Handraise. Nothing was sent to it."""

    def __init__(self, target: Target) -> None:
        super().__init__(
            f"The program at {target.address} did not prove to be Handraise. Nothing was sent to it. Restart "
            "Handraise; if that does not help, another program sits in its place."
        )


class BrokeOffError(NotProvedError):
    """Whoever listens went away before the proof. A gate that ends does so."""


class _Backend(httpcore.NetworkBackend):
    """Connects to one place, and lets whoever listens there prove to be Handraise."""

    def __init__(self, target: Target, place: ServerAccess) -> None:
        self._target = target
        self._place = place
        self._system = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.NetworkStream:
        target = self._target
        if target.socket is not None:
            stream = self._system.connect_unix_socket(target.socket, timeout=timeout)
        else:
            stream = self._system.connect_tcp(target.ip, target.port, timeout=timeout, socket_options=socket_options)
        try:
            proved = self._prove(stream)
        except BROKEN as error:
            stream.close()
            raise BrokeOffError(target) from error
        except BaseException:
            stream.close()
            raise
        if not proved:
            stream.close()
            raise NotProvedError(target)
        return stream

    def _prove(self, stream: httpcore.NetworkStream) -> bool:
        challenge = Challenge(self._place.token(), self._target.address)
        request = _challenge(self._target, challenge)
        response = httpcore.HTTP11Connection(request.url.origin, stream).handle_request(request)
        assert isinstance(response.stream, Iterable)
        answer = b""
        for piece in response.stream:
            answer += piece
            if len(answer) > MAX_ANSWER:
                return False
        return challenge.is_met_by(response.status, answer)


class _AsyncBackend(httpcore.AsyncNetworkBackend):
    """As :class:`_Backend`."""

    def __init__(self, target: Target, place: ServerAccess) -> None:
        self._target = target
        self._place = place
        self._system = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.AsyncNetworkStream:
        target = self._target
        if target.socket is not None:
            stream = await self._system.connect_unix_socket(target.socket, timeout=timeout)
        else:
            stream = await self._system.connect_tcp(
                target.ip, target.port, timeout=timeout, socket_options=socket_options
            )
        proved = False
        try:
            with anyio.move_on_after(MAX_WAIT):
                proved = await self._prove(stream)
        except BROKEN as error:
            raise BrokeOffError(target) from error
        finally:
            if not proved:
                with anyio.CancelScope(shield=True):
                    await stream.aclose()
        if not proved:
            raise NotProvedError(target)
        return stream

    async def _prove(self, stream: httpcore.AsyncNetworkStream) -> bool:
        challenge = Challenge(self._place.token(), self._target.address)
        request = _challenge(self._target, challenge)
        response = await httpcore.AsyncHTTP11Connection(request.url.origin, stream).handle_async_request(request)
        assert isinstance(response.stream, AsyncIterable)
        answer = b""
        async for piece in response.stream:
            answer += piece
            if len(answer) > MAX_ANSWER:
                return False
        return challenge.is_met_by(response.status, answer)


class _Stream(httpx.SyncByteStream):
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        yield from self._stream

    def close(self) -> None:
        self._stream.close()


class _AsyncStream(httpx.AsyncByteStream):
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()
