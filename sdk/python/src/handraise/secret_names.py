"""What the name of a key, option, variable or header says about its value.

As ``crates/redaction/src/key_names.rs`` says it, from the same tables; held to it by ``vectors/redaction.jsonl``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ._secret_names import SECRET_NAMES

REDACTED = "[REDACTED]"
"""What stands in the place of a secret."""

_WORDS: dict[str, list[str]] = {entry[0]: entry for entry in SECRET_NAMES["words"]}
_ENDINGS: list[list[str]] = SECRET_NAMES["endings"]
_OTHER_WORDS = frozenset(SECRET_NAMES["other_words"])
_KEY_QUALIFIERS = frozenset(SECRET_NAMES["key_qualifiers"])
_OFTEN_PUBLIC = frozenset(SECRET_NAMES["often_public_qualifiers"])
_PUBLIC = frozenset(SECRET_NAMES["public_qualifiers"])
_ABOUT = frozenset(SECRET_NAMES["about"])
_ASKING = frozenset(SECRET_NAMES["asking"])
_VARIANTS = frozenset(SECRET_NAMES["variants"])

# `NAME=value`, `"name": "value"`, `Name: value`, and `--name value`.
_ASSIGNED = re.compile(
    r"(?P<name>[\w.-]{2,64})(?P<between>[\"']?\s*[:=]\s*[\"']?)(?P<value>[^\s\"'&;,]+)"
    r"|--(?P<option>[\w-]{2,62})(?P<gap>\s+[\"']?)(?P<operand>[^\s\"'&;,]+)"
)
_SCHEME = re.compile(r"\b(Bearer|Basic|Token)(\s+)[\w.~+/=-]{8,}", re.IGNORECASE)
_USER_INFO = re.compile(r"(://[^\s/:@]*:)[^\s/@]+(?=@)")


def secrecy_of(name: str) -> str | None:
    """``strong``, ``medium``, ``random`` or ``weak``; ``None`` when the name says nothing."""
    words = words_of(name)
    while words and ((words[-1].isascii() and words[-1].isdigit()) or words[-1] in _VARIANTS):
        words.pop()
    if not words or (len(words) > 1 and words[0] in _ASKING):
        return None
    secret = _secret_word(words[-1])
    if secret is not None:
        return _qualified(words, secret)
    if words[-2:] == ["secret", "id"]:
        return "random"
    if words[-1] in _ABOUT:
        return None
    found = (entry for entry in map(_secret_word, words) if entry is not None and entry[2] != "weak")
    inner = next(found, None)
    if inner is None:
        return None
    return "medium" if inner[2] == "strong" else "weak"


def words_of(name: str) -> list[str]:
    """The words in lower case: divided at all that is no letter or digit, and at changes of case."""
    words: list[str] = []
    word = ""
    for place, character in enumerate(name):
        if not character.isalnum():
            words.append(word)
            word = ""
            continue
        before = name[place - 1] if place and name[place - 1].isalnum() else ""
        after = name[place + 1 : place + 2]
        if character.isupper() and (before.islower() or (before.isupper() and after.islower())):
            words.append(word)
            word = ""
        word += character.lower()
    return [word for word in (*words, word) if word]


def redacted(value: Any) -> Any:
    """A copy of a JSON value without the secrets that stand under a name in it, also in text that is JSON."""
    if isinstance(value, str):
        return _redacted_text(value)
    if isinstance(value, Mapping):
        return {key: REDACTED if _is_secret(str(key), item) else redacted(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [redacted(item) for item in value]
    return value


def _redacted_text(text: str) -> str:
    if text.lstrip()[:1] in ("{", "["):
        try:
            return json.dumps(redacted(json.loads(text)), ensure_ascii=False, separators=(",", ":"))
        except (ValueError, RecursionError):
            pass
    text = _SCHEME.sub(rf"\1\2{REDACTED}", text)
    text = _USER_INFO.sub(rf"\1{REDACTED}", text)
    return _ASSIGNED.sub(_assigned, text)


def _assigned(found: re.Match[str]) -> str:
    name, between, value = found["name"], found["between"], found["value"]
    before = ""
    if name is None:
        before, name, between, value = "--", found["option"], found["gap"], found["operand"]
    # What was replaced already, or goes before it.
    if REDACTED in value or value.lower() in ("bearer", "basic", "token"):
        return found[0]
    secrecy = secrecy_of(name)
    if secrecy is None or (secrecy != "strong" and not _looks_random(value)):
        return found[0]
    return f"{before}{name}{between}{REDACTED}"


def _is_secret(name: str, value: Any) -> bool:
    secrecy = secrecy_of(name)
    if secrecy is None or value is None or isinstance(value, bool):
        return False
    return secrecy in ("strong", "medium") or (isinstance(value, str) and _looks_random(value))


def _looks_random(text: str) -> bool:
    plain = len(text) >= 16 and not re.search(r"\s", text)
    return plain and bool(re.search(r"[0-9]", text)) and any(character.isalpha() for character in text)


def _qualified(words: list[str], entry: list[str]) -> str | None:
    _, kind, strength = entry
    nearest = words[-2] if len(words) > 1 else ""
    if kind in ("key", "signature", "session") and nearest in _PUBLIC:
        return None
    if kind == "key" and nearest in _KEY_QUALIFIERS:
        return "random" if nearest in _OFTEN_PUBLIC else "medium"
    return None if nearest in ("public", "pub", "publishable") else strength


def _secret_word(numbered: str) -> list[str] | None:
    word = numbered.rstrip("0123456789")
    if word in _WORDS:
        return _WORDS[word]
    if word in _OTHER_WORDS:
        return None
    return next((entry for entry in _ENDINGS if word.endswith(entry[0])), None)
