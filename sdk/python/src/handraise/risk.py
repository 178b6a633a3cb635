"""How dangerous a call is."""

from __future__ import annotations

from enum import Enum


class RiskLevel(str, Enum):
    """What a tool can do. A tool that declares none counts as :attr:`WRITE`."""

    READ_ONLY = "read_only"
    """Looks, changes nothing."""
    WRITE = "write"
    """Changes something."""
    DESTRUCTIVE = "destructive"
    """Removes, overwrites or publishes something for good."""

    def __str__(self) -> str:
        return self.value

    @classmethod
    def from_word(cls, word: str) -> RiskLevel | None:
        """The level that a word of another product means: ``low``, ``medium``, ``forbidden``, …

        In any case, with ``-`` or blanks for ``_``. ``None``: an unknown word.
        """
        return _WORDS.get(word.strip().lower().replace("-", "_").replace(" ", "_"))


_WORDS = {
    **dict.fromkeys(("read_only", "readonly", "low", "safe"), RiskLevel.READ_ONLY),
    **dict.fromkeys(("write", "medium", "requires_approval", "requiresapproval"), RiskLevel.WRITE),
    **dict.fromkeys(("destructive", "high", "forbidden"), RiskLevel.DESTRUCTIVE),
}
