"""The tokens of a text, as one array that the grammar and the expression parser both read; word constants."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import accumulate

from msgspec import Struct

from symag.core.errors import InputError
from symag.core.source import SourceText
from symag.smv.language.syntax import WordLiteral
from symag.smv.model.types import LARGEST_WORD

# Every character but blanks starts some token, so only blanks are left between the tokens.
_TOKEN = re.compile(
    r"""([A-Za-z_][A-Za-z0-9_$\#-]*
    |[()=&|;](?![=:>])
    |--[^\n]*|/--(?s:.*?)--/
    |0[us]?[bBoOdDhH][0-9]*_[0-9a-fA-F][0-9a-fA-F_]*
    |[fF]'[0-9]+/[0-9]+
    |[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]+
    |[0-9]+\.[0-9]+
    |[0-9]+
    |"[^"]*"
    |<->|<<<|>>>|->|:=|<<|>>|<=|>=|!=|\.\.|::
    |\#[^\n]*
    |\S)""",
    re.VERBOSE,
)

_SYMBOLS = frozenset("^ <-> -> := << >> <= >= != .. :: + - * / = < > . | & ! ? , : ; ( ) [ ] { }".split())

RESERVED = frozenset(
    """MODULE process DEFINE MDEFINE VAR FUN FROZENVAR IVAR INIT TRANS INVAR SPEC CTLSPEC LTLSPEC PSLSPEC COMPUTE
    INVARSPEC NAME CONSTRAINT ITYPE CONSTANTS SIMPWFF NEXTWFF CTLWFF LTLWFF COMPWFF COMPID IN FAIRNESS JUSTICE
    COMPASSION ISA ASSIGN array bool of boolean word1 word Word signed unsigned extend uwconst swconst resize sizeof
    toint count READ WRITE EX AX EF AF EG AG E F O G H X Y Z A U S V T BU EBF ABF EBG ABG MIN MAX FALSE TRUE case
    esac mod next init self union in abs min max xor xnor CONSTARRAY typeof""".split()
)

# Operators that look like names.
_PREFIXES = frozenset("A E F G H O X Y Z AX EX AF EF AG EG abs count max min".split())
_OPERATORS = _PREFIXES.union("S T U V BU in mod union xor xnor".split())

# A line marker, or the definition of a macro without a body.
_HARMLESS = re.compile(r"\#[ \t]*(\d.*|line\b.*|define[ \t]+\w+[ \t]*)")

_NAME = re.compile(r'[A-Za-z_]|"[^"]*"')
_WORD = re.compile(r'[A-Za-z0-9_]|"[^"]*"')


class LexedText(Struct, frozen=True, eq=False):
    """All tokens of a text. Token ``texts[i]`` starts at character ``starts[i]``; the last token is empty: the end."""

    source: SourceText
    texts: list[str]
    starts: list[int]

    def at(self, position: int) -> int:
        """The index of the first token at or after a character position; logarithmic in the file."""
        return bisect_left(self.starts, position)

    def describe(self, index: int) -> str:
        """A token as an error message shows it."""
        text = self.texts[index]
        if not text:
            return "end of file"
        return f"'{text}'" if len(text) <= 40 else f"'{text[:40]}...'"

    def error(self, message: str, index: int) -> InputError:
        """An input error at a token."""
        return self.source.error(message, self.starts[index])

    def unexpected(self, index: int, expected: str) -> InputError:
        """The error for a token that the grammar does not allow here."""
        message = f"unexpected {self.describe(index)}, expected {expected}"
        # An operator that was meant as a name is unexpected itself, or what follows is no operand.
        for text, operators in ((self.texts[index], _OPERATORS), (self.texts[max(index - 1, 0)], _PREFIXES)):
            if text in operators:
                message += f" ('{text}' is a reserved word)"
                break
        return self.error(message, index)


def is_name(text: str) -> bool:
    """Whether a token is an identifier and no reserved word."""
    return _NAME.match(text) is not None and text not in RESERVED


def tokens(source: SourceText) -> LexedText:
    """The tokens of a text. Linear. Raises InputError at the first character that starts no token."""
    pieces = _TOKEN.split(source.text)
    texts = pieces[1::2]
    starts = list(accumulate(map(len, pieces)))[:-1:2]
    skipped = {text for text in set(texts) if text.startswith(("--", "/--", "#"))}
    if skipped:
        _check_directives(source, texts, starts, skipped)
        indices = [index for index, text in enumerate(texts) if text not in skipped]
        texts = [texts[index] for index in indices]
        starts = [starts[index] for index in indices]
    texts.append("")
    starts.append(len(source.text))
    result = LexedText(source, texts, starts)
    _check_characters(result)
    return result


def _check_directives(source: SourceText, texts: list[str], starts: list[int], skipped: set[str]) -> None:
    refused = {text for text in skipped if text.startswith("#") and not _HARMLESS.fullmatch(text)}
    for text, start in zip(texts, starts, strict=True):
        if text in refused:
            raise source.error("this needs a preprocessor: run cpp over the file first", start)


def _check_characters(result: LexedText) -> None:
    wrong = [text for text in set(result.texts) if text and text not in _SYMBOLS and not _WORD.match(text)]
    if wrong:
        index = min(result.texts.index(text) for text in wrong)
        text = result.texts[index]
        shown = text if text.isprintable() else f"\\x{ord(text[0]):02x}"
        timed = text == "@" and result.texts[index + 1] == "TIME_DOMAIN"
        hint = ": timed models of nuXmv are not supported" if timed else ""
        raise result.error(f"illegal character '{shown}'{hint}", index)


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
