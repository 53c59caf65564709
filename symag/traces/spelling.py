"""Values as NuSMV spells them, read back."""

from __future__ import annotations

import re

from symag.core.trace import Value

_NUMBER = re.compile(r"-?[0-9]+")
_WORD = re.compile(r"(-?)0([us]?)([bodh])([0-9]*)_([0-9a-f_]+)", re.IGNORECASE)
_BASES = {"b": 2, "o": 8, "d": 10, "h": 16}
#: No number of a finite type has more digits.
_LONGEST = 100


def value_of(text: str) -> Value:
    """The value of a text; a text that is neither a number nor a truth value is a symbol.

    Words may be written in any base; a signed word that is not decimal is a bit pattern.
    """
    if text in ("TRUE", "FALSE"):
        return text == "TRUE"
    if len(text) > _LONGEST:
        return text
    if _NUMBER.fullmatch(text):
        return int(text)
    word = _WORD.fullmatch(text)
    if word is None:
        return text
    minus, sign, letter, width, digits = word.groups()
    base = _BASES[letter.lower()]
    try:
        number = int(digits.replace("_", ""), base)
    except ValueError:
        return text
    if sign in ("s", "S") and base != 10 and width and number >> (int(width) - 1):
        number -= 1 << int(width)
    return -number if minus else number
