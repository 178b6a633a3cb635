"""A function whose every call is decided first."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, Literal, ParamSpec, TypeVar, cast, overload

from .call import ToolCall
from .client import AsyncClient, Client
from .errors import ApprovalCancelledError, ApprovalDeniedError, ApprovalPendingError, ApprovalTimeoutError
from .result import ApprovalResult
from .risk import RiskLevel
from .tools import declaration

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")
_DENIALS = (ApprovalDeniedError, ApprovalTimeoutError, ApprovalCancelledError, ApprovalPendingError)


@overload
def with_approval(
    function: Callable[_Parameters, Awaitable[_Result]], /
) -> Callable[_Parameters, Awaitable[_Result | str]]: ...


@overload
def with_approval(function: Callable[_Parameters, _Result], /) -> Callable[_Parameters, _Result | str]: ...


@overload
def with_approval(
    *,
    client: Client | AsyncClient | None = None,
    name: str | None = None,
    risk_level: RiskLevel | str | None = None,
    agent: str | None = None,
    session: str | None = None,
    intent: str | None = None,
    without: Collection[str] = ("self",),
    on_denied: Literal["text", "raise"] = "text",
) -> Callable[[Callable[_Parameters, Any]], Callable[_Parameters, Any]]: ...


def with_approval(
    function: Callable[..., Any] | None = None,
    /,
    *,
    client: Client | AsyncClient | None = None,
    name: str | None = None,
    risk_level: RiskLevel | str | None = None,
    agent: str | None = None,
    session: str | None = None,
    intent: str | None = None,
    without: Collection[str] = ("self",),
    on_denied: Literal["text", "raise"] = "text",
) -> Any:
    """Has every call of a function decided before it runs.

    .. code-block:: python

        @with_approval(risk_level="write", agent="release-bot")
        def publish(version: str) -> str: ...

    The function runs with the arguments that were decided about, or with those that the person put in their place.
    Its parameters have to be JSON.

    Args:
        function: the function, when used without parentheses; it may be async.
        client: the connection: an ``AsyncClient`` for an async function. Without one each call has its own.
        name: what the person and the policy know the tool by; the function's name when absent.
        risk_level: what it can do; what :func:`handraise.tool` declares when absent.
        agent: name of the agent.
        session: the conversation. Without one nothing is remembered.
        intent: why it is called.
        without: parameters that are not shown, and passed as they are: ``self``, a connection.
        on_denied: ``text``: a denied call gives ``"Denied: REASON"`` for the model to read. ``raise``: it raises an
            :class:`handraise.ApprovalError`. Either way a gate that cannot be asked raises.

    Raises:
        ValueError: for a risk level that there is not.
        TypeError: when the client does not fit the function.
    """
    level = RiskLevel(risk_level) if risk_level is not None else None

    def gate(gated: Callable[..., Any]) -> Callable[..., Any]:
        declared = declaration(gated)
        own = name or (declared.name if declared is not None else gated.__name__)
        risk = level or (declared.risk_level if declared is not None else None)
        signature = inspect.signature(gated)
        is_async = inspect.iscoroutinefunction(gated)
        if client is not None and isinstance(client, AsyncClient) is not is_async:
            raise TypeError("an async function needs an AsyncClient, any other function a Client")

        def asked(bound: inspect.BoundArguments) -> ToolCall:
            changed = declared is not None and declared.runs_changed_command
            shown = _shown(bound, without)
            return ToolCall(
                own, shown, agent=agent, session=session, intent=intent, risk=risk, runs_changed_command=changed
            )

        if is_async:

            @functools.wraps(gated)
            async def awaiting(*args: Any, **kwargs: Any) -> Any:
                bound = _bound(signature, args, kwargs)
                call = asked(bound)
                try:
                    if client is not None:
                        result = await cast(AsyncClient, client).require(call)
                    else:
                        async with AsyncClient() as own_client:
                            result = await own_client.require(call)
                except _DENIALS as denied:
                    return _denied(denied, on_denied)
                decided = _decided(signature, bound, call, result, without)
                return await gated(*decided.args, **decided.kwargs)

            return awaiting

        @functools.wraps(gated)
        def blocking(*args: Any, **kwargs: Any) -> Any:
            bound = _bound(signature, args, kwargs)
            call = asked(bound)
            try:
                if client is not None:
                    result = cast(Client, client).require(call)
                else:
                    with Client() as own_client:
                        result = own_client.require(call)
            except _DENIALS as denied:
                return _denied(denied, on_denied)
            decided = _decided(signature, bound, call, result, without)
            return gated(*decided.args, **decided.kwargs)

        return blocking

    return gate(function) if function is not None else gate


def _denied(error: Any, on_denied: str) -> str:
    if on_denied == "raise":
        raise error
    return f"Denied: {error.reason or 'Approval denied'}"


def _bound(signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> inspect.BoundArguments:
    bound = signature.bind(*args, **kwargs)
    # What is not said runs as well: a person sees it.
    bound.apply_defaults()
    return bound


def _extra(signature: inspect.Signature) -> str | None:
    """The name of the parameter ``**extra``."""
    kinds = signature.parameters.values()
    return next((one.name for one in kinds if one.kind is inspect.Parameter.VAR_KEYWORD), None)


def _shown(bound: inspect.BoundArguments, without: Collection[str]) -> dict[str, Any]:
    extra = _extra(bound.signature)
    named = {name: value for name, value in bound.arguments.items() if name not in without and name != extra}
    more = bound.arguments.get(extra, {}) if extra is not None else {}
    return {**named, **more}


def _decided(
    signature: inspect.Signature,
    asked: inspect.BoundArguments,
    call: ToolCall,
    result: ApprovalResult,
    without: Collection[str],
) -> inspect.BoundArguments:
    """What runs: a copy of what was asked about, or what the person put in its place."""
    arguments: Mapping[str, Any] = call.to_wire()["arguments"] if result.arguments is None else result.arguments
    extra = _extra(signature)
    known = set(signature.parameters) - {extra}
    bound = signature.bind_partial()
    bound.arguments.update({name: asked.arguments[name] for name in without if name in asked.arguments})
    bound.arguments.update({name: value for name, value in arguments.items() if name in known})
    more = {name: value for name, value in arguments.items() if name not in known}
    if more and extra is None:
        raise TypeError(f"the person put arguments in place that {call.tool} does not take: {', '.join(more)}")
    if extra is not None:
        bound.arguments[extra] = more
    # In the order of the parameters, with those that were left out in their absence.
    ordered = {name: bound.arguments[name] for name in signature.parameters if name in bound.arguments}
    bound.arguments.clear()
    bound.arguments.update(ordered)
    return bound
