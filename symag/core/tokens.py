"""The tokens of a text, and a reader of them: the base of every parser by recursive descent."""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from typing import TypeVar

from msgspec import Struct

from symag.core.errors import InputError
from symag.core.source import SourceText

_Item = TypeVar("_Item")


class Tokens(Struct, frozen=True):
    """All tokens of a text; the last one is empty and stands at its end.

    ``kinds[k]`` is the name of a group of the language's pattern, ``symbol`` for keywords too, or ``end``;
    ``starts[k]`` is the offset of the token in the text.
    """

    source: SourceText
    kinds: tuple[str, ...]
    texts: tuple[str, ...]
    starts: tuple[int, ...]


#: The most digits of a number: Python refuses to convert longer ones, which would take quadratic time.
_DIGITS = 4000


def tokens_of(source: SourceText, pattern: re.Pattern[str], keywords: Set[str]) -> Tokens:
    """The tokens that a pattern of named groups matches one after the other, without those of its group ``skip``.

    Raises InputError at a character that begins no token, and at the beginning of a comment without an end, which the
    group ``unclosed`` matches.
    """
    kinds: list[str] = []
    texts: list[str] = []
    starts: list[int] = []
    position = 0
    while position < len(source.text):
        match = pattern.match(source.text, position)
        if match is None:
            raise source.error(f"unexpected character {source.text[position]!r}", position)
        kind = str(match.lastgroup)
        if kind == "unclosed":
            raise source.error("the comment has no end: expected */", position)
        if kind != "skip":
            text = match.group()
            if len(text) > _DIGITS and text.isdigit():
                raise source.error(f"a number of {len(text):,} digits is too large", position)
            kinds.append("symbol" if text in keywords else kind)
            texts.append(text)
            starts.append(position)
        position = match.end()
    return Tokens(source, (*kinds, "end"), (*texts, ""), (*starts, len(source.text)))


class TokenReader:
    """A position in the tokens, and the functions that read from there. Those of a grammar raise InputError."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.index = 0

    @property
    def kind(self) -> str:
        """The kind of the next token."""
        return self.tokens.kinds[self.index]

    @property
    def text(self) -> str:
        """The next token; "" at the end of the text."""
        return self.tokens.texts[self.index]

    @property
    def position(self) -> int:
        """The offset of the next token in the text."""
        return self.tokens.starts[self.index]

    def advance(self) -> None:
        """Go past the next token."""
        self.index += 1

    def at(self, text: str, ahead: int = 0) -> bool:
        """Whether the next token (or one further ahead) is this symbol."""
        index = min(self.index + ahead, len(self.tokens.texts) - 1)
        return self.tokens.kinds[index] == "symbol" and self.tokens.texts[index] == text

    def accept(self, text: str) -> bool:
        """Whether the next token is this symbol; if so, go past it."""
        is_next = self.kind == "symbol" and self.text == text
        self.index += is_next
        return is_next

    def symbol(self, text: str) -> None:
        """Go past this symbol. Raises InputError if the next token is another one."""
        if not self.accept(text):
            raise self.expected(f"'{text}'")

    def word(self, kind: str, what: str) -> str:
        """Go past a token of this kind and return it; error messages call it ``what``."""
        if self.kind != kind:
            raise self.expected(what)
        self.index += 1
        return self.tokens.texts[self.index - 1]

    def listed(self, item: Callable[[], _Item], end: str, separator: str = ",") -> tuple[_Item, ...]:
        """One or more items with a symbol between them, and go past the symbol after the last."""
        items = [item()]
        while self.accept(separator):
            items.append(item())
        self.symbol(end)
        return tuple(items)

    def expected(self, what: str) -> InputError:
        """The error that the next token is something else."""
        present = f"'{self.text}'" if self.text else "the end of the file"
        return self.error(f"expected {what}, found {present}", self.position)

    def error(self, message: str, position: int) -> InputError:
        """An error at an offset in the text."""
        return self.tokens.source.error(message, position)
