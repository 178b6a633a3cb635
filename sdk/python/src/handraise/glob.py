"""Globs on names and texts: ``*`` is any text, ``?`` one character, everything else is itself. Case counts."""

from __future__ import annotations

import re

from .hidden import has_hidden

MAX_PATTERN = 1024
"""Longest pattern, in bytes."""


class InvalidPatternError(ValueError):
    """A pattern that cannot be used."""


class Glob:
    """A glob. Matching takes time in proportion to pattern and text, whatever they are.

    Raises:
        InvalidPatternError: when it is empty or too long.
    """

    def __init__(self, text: str) -> None:
        if not text:
            raise InvalidPatternError("the pattern is empty")
        if len(text.encode(errors="surrogatepass")) > MAX_PATTERN:
            raise InvalidPatternError(f"the pattern is longer than {MAX_PATTERN} bytes")
        self.text = text
        self._pieces = [_Piece(piece) for piece in text.split("*")]

    @classmethod
    def of_names(cls, text: str) -> Glob:
        """A glob on names.

        Raises:
            InvalidPatternError: also for what looks like a set of characters or of names, which would be
                taken for itself, and for characters that are in no name.
        """
        for character in text:
            if character in "[]{}":
                raise InvalidPatternError(
                    f"`{character}` has no meaning in a glob on names; `*` is any text and `?` one character, "
                    "and each name has its own rule"
                )
        if has_hidden(text) or "\n" in text or "\t" in text:
            raise InvalidPatternError("it contains control or invisible characters, which no name has")
        return cls(text)

    @property
    def is_exact(self) -> bool:
        """It matches its own text and nothing else."""
        return not any(wildcard in self.text for wildcard in "*?")

    def matches(self, text: str) -> bool:
        """Whether the whole of ``text`` fits."""
        first, *middle = self._pieces
        if not middle:
            return first.length == len(text) and first.fits_at(text, 0)
        *middle, last = middle
        # Each piece as early as it can be: whatever comes later has the most room then.
        position = first.length
        end = len(text) - last.length
        if end < position or not first.fits_at(text, 0) or not last.fits_at(text, end):
            return False
        for piece in middle:
            found = piece.find(text, position, end)
            if found < 0:
                return False
            position = found + piece.length
        return True


class _Piece:
    """What stands between two ``*``."""

    def __init__(self, text: str) -> None:
        self.length = len(text)
        self._text = text
        dots = (re.escape(part) for part in text.split("?"))
        self._pattern = re.compile(".".join(dots), re.DOTALL) if "?" in text else None

    def fits_at(self, text: str, position: int) -> bool:
        if self._pattern is None:
            return text.startswith(self._text, position)
        return self._pattern.match(text, position) is not None

    def find(self, text: str, start: int, end: int) -> int:
        if self._pattern is None:
            return text.find(self._text, start, end)
        match = self._pattern.search(text, start, end)
        return -1 if match is None else match.start()
