"""Characters that cannot be drawn as they are.

A copy of the table in ``crates/display/src/character.rs``, without its exceptions for emoji and for
scripts that need joiners: here the stricter side is taken.
"""

from __future__ import annotations

import unicodedata

_CODE_POINTS = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xFFFC, 0xFFFC),
    (0x1D159, 0x1D159),
    (0xE0000, 0xE0FFF),
)
_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
_MAX_MARKS = 4


def is_hidden(character: str) -> bool:
    """Whether ``character`` is invisible, acts on its surroundings, or is a blank that is none."""
    if " " <= character <= "~" or character in "\n\t":
        return False
    code = ord(character)
    return any(first <= code <= last for first, last in _CODE_POINTS) or unicodedata.category(character) in _CATEGORIES


def has_hidden(text: str) -> bool:
    """Whether ``text`` holds a character that must be labelled, or marks without an end."""
    return labelled(text) != text


def labelled(text: str) -> str:
    """``text`` with everything that is not drawn as itself in angle brackets, as ``⟨U+202E⟩``.

    Line breaks and tabs stay as they are.
    """
    shown: list[str] = []
    marks = 0
    carries = False
    for position, character in enumerate(text):
        is_mark = unicodedata.category(character) in ("Mn", "Me")
        marks = marks + 1 if is_mark else 0
        label = is_hidden(character) or (is_mark and (not carries or marks > _MAX_MARKS))
        # What reads like a label of this function is labelled itself.
        label = label or (character == "⟨" and text[position + 1 : position + 2] in ("U", "x", *"0123456789"))
        shown.append(f"⟨U+{ord(character):04X}⟩" if label else character)
        if not is_mark:
            carries = not label and (ord(character) > 127 or character.isalpha())
    return "".join(shown)
