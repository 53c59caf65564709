"""What a grammar expected where it could not go on, for the message of an error."""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.errors import InputError
from symag.smv.language.lexer import LexedText

#: The keywords of sections.
SECTIONS = (
    *("VAR", "IVAR", "FROZENVAR", "ASSIGN", "DEFINE", "MDEFINE", "INIT", "INVAR", "TRANS", "FAIRNESS", "JUSTICE"),
    *("COMPASSION", "INVARSPEC", "SPEC", "CTLSPEC", "LTLSPEC", "PSLSPEC", "COMPUTE", "CONSTANTS", "ISA"),
)

_TYPES = ("'boolean'", "'{'", "'signed'", "'unsigned'", "'word'", "'Word'", "'array'", "a type")

#: Labels, and the text that stands in messages for all of them together.
_GROUPS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("'next'", "'init'", "a variable's name"), "an assignment"),
    (tuple(f"'{word}'" for word in SECTIONS), "a section keyword (such as VAR or ASSIGN)"),
    ((*_TYPES, "'process'", "a name"), "a type (such as boolean, 0..3 or {a, b}) or a module's name"),
    (_TYPES, "a type (such as boolean, 0..3 or {a, b})"),
)


class Refusals:
    """The furthest token that was refused, and the labels of what was tried there."""

    def __init__(self) -> None:
        self.index = 0
        self.expected: list[str] = []

    def note(self, index: int, expected: str) -> None:
        """Remember one refusal."""
        if index > self.index:
            self.index = index
            self.expected = []
        if index == self.index and expected not in self.expected:
            self.expected.append(expected)

    def error(self, tokens: LexedText) -> InputError:
        """The error to report when the grammar cannot go on."""
        choices = _grouped(self.expected)
        shown = " or ".join((", ".join(choices[:-1]), choices[-1])) if len(choices) > 1 else "".join(choices)
        return tokens.error(f"unexpected {tokens.describe(self.index)}, expected {shown}", self.index)


def _grouped(labels: Sequence[str]) -> list[str]:
    """The labels, in which every complete group is replaced by its text."""
    result = list(labels)
    for group, text in _GROUPS:
        if set(group) <= set(result):
            result.insert(min(map(result.index, group)), text)
            result = [label for label in result if label not in group]
    return result
