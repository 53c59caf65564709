"""Word constants: ``0ud8_255``, ``0sb4_1010``, ``0h_ff``."""

from __future__ import annotations

import re

from symag.core.source import SourceText
from symag.smv.language.syntax import WordLiteral
from symag.smv.model.types import LARGEST_WORD

_PARTS = re.compile(r"0([us]?)([bBoOdDhH])([0-9]*)_([0-9a-fA-F_]+)")
_BASES = {"b": 2, "o": 8, "d": 10, "h": 16}
_BITS_OF_DIGIT = {"b": 1, "o": 3, "h": 4}


def word_literal(source: SourceText, text: str, position: int) -> WordLiteral:
    """The word that a constant denotes.

    Without a width, a digit of a binary, octal or hexadecimal constant stands for 1, 3 or 4 bits; a decimal constant
    needs a width. The digits are the bit pattern, but of a signed decimal constant the number itself, at most
    2**(width-1), which stands for the least number. Raises InputError.
    """
    parts = _PARTS.fullmatch(text)
    if parts is None:
        kind = "real and exponential constants are" if "'" not in text else "fractional constants are"
        raise source.error(f"{kind} not supported: symag supports finite types only", position)
    sign, base_letter, width_text, digit_text = parts.groups()
    letter = base_letter.lower()
    digits = digit_text.replace("_", "")
    signed = sign == "s"
    if width_text:
        width = int(width_text)
    elif letter == "d":
        raise source.error(f"the decimal word constant {text} needs a width, such as 0ud8_{digits}", position)
    else:
        width = _BITS_OF_DIGIT[letter] * len(digits)
    if not 1 <= width <= LARGEST_WORD:
        raise source.error(f"word width {width} is out of range 1..{LARGEST_WORD}", position)
    try:
        pattern = int(digits, _BASES[letter])
    except ValueError:
        raise source.error(f"{digits} is not a number of base {_BASES[letter]}", position) from None
    limit = 1 << (width - 1 if signed and letter == "d" else width)
    if pattern >= limit and not (signed and letter == "d" and pattern == limit):
        raise source.error(f"{digits} does not fit into a word of {width} bits", position)
    if signed and pattern >= 1 << (width - 1):
        pattern -= 1 << width
    return WordLiteral(pattern, width, signed, position)
