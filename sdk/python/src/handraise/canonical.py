"""The text that patterns match and that decisions are bound to: RFC 8785, but for integers that no double holds.

RFC 8785 writes neighbours beyond 2^53 alike. Such an integer is written with its own digits here, and a double that
would be written with the digits of an integer gets ``.0``: no two numbers that differ for a server have one text.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import TypeAlias, cast

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""A JSON value."""

# Deeper arguments than a server reads (serde_json stops at 128).
_DEEPEST = 127

# Integers that are doubles of their own, and those that a server reads as integers; it reads longer ones as doubles.
_EXACT_IN_DOUBLES = range(-(2**53) + 1, 2**53)
_INTEGERS = range(-(2**63), 2**64)


class NotJsonError(ValueError):
    """Arguments that cannot be told to anybody: no JSON, or JSON without a canonical form."""


def plain(arguments: Mapping[str, object]) -> dict[str, Json]:
    """A copy of ``arguments`` that consists of plain JSON values, all the way down.

    What was decided must be what runs, so nobody else holds a part of the copy.

    Raises:
        NotJsonError: for text instead of an object, and for anything that JSON does not know: other types, keys that
            are not text, numbers that are not finite, half a surrogate pair.
    """
    if isinstance(arguments, str | bytes):
        raise NotJsonError("the arguments are text; give the object that it stands for: json.loads(text)")
    if not isinstance(arguments, Mapping):
        raise NotJsonError(f"the arguments are {type(arguments).__name__}, and not an object with named fields")
    copy = _plain(dict(arguments), 0)
    return cast("dict[str, Json]", copy)


def canonical_json(arguments: Mapping[str, object]) -> str:
    """The canonical text of ``arguments``.

    Raises:
        NotJsonError: as :func:`plain`.
    """
    return _text(plain(arguments))


def arguments_hash(arguments: Mapping[str, object]) -> str:
    """SHA-256 of :func:`canonical_json`, in lower-case hexadecimal."""
    return hashlib.sha256(canonical_json(arguments).encode()).hexdigest()


def _plain(value: object, depth: int) -> Json:
    if depth > _DEEPEST:
        raise NotJsonError("the arguments are nested too deeply")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _plain_text(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NotJsonError(f"{value} is no JSON number")
        return float(value)
    if isinstance(value, list | tuple):
        return [_plain(item, depth + 1) for item in value]
    if isinstance(value, Mapping):
        copy: dict[str, Json] = {}
        for key, item in value.items():
            if not isinstance(key, str):
                raise NotJsonError(f"the key {key!r} is not text")
            copy[_plain_text(key)] = _plain(item, depth + 1)
        return copy
    raise NotJsonError(f"{type(value).__name__} is no JSON value")


def _plain_text(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise NotJsonError("the arguments contain half a surrogate pair, which is no text") from error
    return str(text)


def _text(value: Json) -> str:
    if isinstance(value, dict):
        # RFC 8785, section 3.2.3: by UTF-16 code units.
        entries = sorted(value.items(), key=lambda entry: entry[0].encode("utf-16-be"))
        return "{" + ",".join(f"{_text(key)}:{_text(item)}" for key, item in entries) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_text(item) for item in value) + "]"
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int) and value in _INTEGERS:
        return str(value)
    try:
        text = _number(float(value))
    except OverflowError as error:
        raise NotJsonError("a number is too large") from error
    digits = text.removeprefix("-")
    is_integer = digits.isdigit() and int(text) in _INTEGERS
    return f"{text}.0" if is_integer and int(text) not in _EXACT_IN_DOUBLES else text


def _number(value: float) -> str:
    """As ECMAScript writes it (RFC 8785, section 3.2.2.3)."""
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    # The shortest digits that read back as the same number, as ECMAScript asks for; only the layout differs.
    mantissa, _, exponent = f"{abs(value)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = whole + fraction
    point = len(whole) + int(exponent or "0")
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    digits = stripped.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return f"{sign}{digits}{'0' * (point - count)}"
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    power = point - 1
    dotted = digits if count == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{sign}{dotted}e{'+' if power > 0 else '-'}{abs(power)}"
