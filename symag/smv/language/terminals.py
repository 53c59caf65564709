"""pyparsing tokens over the token array: words, names and whole expressions; and sequences of them.

pyparsing works on character positions. Every terminal takes the start of a token and returns the start of the token
after those that it reads, so the grammar never meets blanks and comments.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import pyparsing as pp

from symag.core.errors import InputError
from symag.smv.language.expressions import ExpressionParser
from symag.smv.language.lexer import LexedText, is_name
from symag.smv.language.syntax import Expression, Name

#: Labels, and the text that stands in messages for all of them together.
_GROUPS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("'next'", "'init'", "a variable's name"), "an assignment"),
    (
        (
            *("'VAR'", "'IVAR'", "'FROZENVAR'", "'ASSIGN'", "'DEFINE'", "'MDEFINE'", "'INIT'", "'INVAR'", "'TRANS'"),
            *("'FAIRNESS'", "'JUSTICE'", "'COMPASSION'", "'INVARSPEC'", "'SPEC'", "'CTLSPEC'", "'LTLSPEC'"),
            *("'PSLSPEC'", "'COMPUTE'", "'CONSTANTS'", "'ISA'"),
        ),
        "a section keyword (such as VAR or ASSIGN)",
    ),
    (
        ("'boolean'", "'{'", "'signed'", "'unsigned'", "'word'", "'Word'", "'array'", "'process'", "a name", "a type"),
        "a type (such as boolean, 0..3 or {a, b}) or a module's name",
    ),
    (
        ("'boolean'", "'{'", "'signed'", "'unsigned'", "'word'", "'Word'", "'array'", "a type"),
        "a type (such as boolean, 0..3 or {a, b})",
    ),
)


def _grouped(labels: Sequence[str]) -> list[str]:
    """The labels, in which every complete group is replaced by its text."""
    result = list(labels)
    for group, text in _GROUPS:
        if set(group) <= set(result):
            result.insert(min(map(result.index, group)), text)
            result = [label for label in result if label not in group]
    return result


class FurthestToken:
    """The furthest token that no terminal accepted, and the labels of those that were tried there."""

    def __init__(self) -> None:
        self.index = -1
        self.expected: list[str] = []

    def note(self, index: int, expected: str) -> None:
        """Remembers one refusal."""
        if index > self.index:
            self.index = index
            self.expected = []
        if index == self.index and expected not in self.expected:
            self.expected.append(expected)

    def error(self, tokens: LexedText) -> InputError:
        """The error to report when the whole parse has failed."""
        index = max(self.index, 0)
        choices = _grouped(self.expected)
        shown = " or ".join((", ".join(choices[:-1]), choices[-1])) if len(choices) > 1 else "".join(choices)
        return tokens.unexpected(index, shown)


class Terminal(pp.Token):
    """A pyparsing token that reads the token array."""

    def __init__(self, tokens: LexedText, furthest: FurthestToken, label: str) -> None:
        super().__init__()
        self.tokens = tokens
        self.furthest = furthest
        self.label = label
        self.leave_whitespace()
        self.set_name(label)
        self.mayReturnEmpty = False
        self.mayIndexError = False

    def _generateDefaultName(self) -> str:  # noqa: N802 (pyparsing's name)
        return self.label

    def refuse(self, text: str, location: int, index: int) -> pp.ParseException:
        """The exception that makes pyparsing try its next alternative."""
        self.furthest.note(index, self.label)
        return pp.ParseException(text, location, self.label, self)


class WordTerminal(Terminal):
    """One given reserved word or symbol; yields nothing."""

    def __init__(self, tokens: LexedText, furthest: FurthestToken, word: str) -> None:
        super().__init__(tokens, furthest, f"'{word}'" if word else "end of file")
        self.word = word

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> tuple[int, list[Any]]:  # noqa: N802
        index = self.tokens.at(loc)
        if self.tokens.texts[index] != self.word:
            raise self.refuse(instring, loc, index)
        return self.tokens.starts[index + 1] if self.word else loc, []


class OptionalWord(WordTerminal):
    """One given symbol, or nothing; yields nothing."""

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> tuple[int, list[Any]]:  # noqa: N802
        index = self.tokens.at(loc)
        if self.tokens.texts[index] == self.word:
            return self.tokens.starts[index + 1], []
        self.furthest.note(index, self.label)
        return loc, []


class PositionedWord(WordTerminal):
    """One given reserved word or symbol; yields its position."""

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> tuple[int, list[Any]]:  # noqa: N802
        after, _ = super().parseImpl(instring, loc)
        return after, [self.tokens.starts[self.tokens.at(loc)]]


class PositionTerminal(Terminal):
    """Consumes nothing; yields the position of the next token."""

    def __init__(self, tokens: LexedText, furthest: FurthestToken) -> None:
        super().__init__(tokens, furthest, "position")
        self.mayReturnEmpty = True

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> tuple[int, list[Any]]:  # noqa: N802
        return loc, [self.tokens.starts[self.tokens.at(loc)]]


class Identifier(Terminal):
    """An identifier; yields a Name."""

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> tuple[int, list[Any]]:  # noqa: N802
        index = self.tokens.at(loc)
        text = self.tokens.texts[index]
        if not is_name(text):
            raise self.refuse(instring, loc, index)
        return self.tokens.starts[index + 1], [Name(text, self.tokens.starts[index])]


class MethodTerminal(Terminal):
    """An expression that a method of the expression parser reads; yields one Expression.

    If ``guard`` is false of the next token, pyparsing tries its next alternative; otherwise an error of the expression
    parser is final.
    """

    def __init__(
        self,
        tokens: LexedText,
        furthest: FurthestToken,
        label: str,
        method: Callable[[ExpressionParser, int], tuple[Expression, int]],
        parser: ExpressionParser,
        guard: Callable[[str], bool] | None = None,
    ) -> None:
        super().__init__(tokens, furthest, label)
        self.method = method
        self.parser = parser
        self.guard = guard

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> tuple[int, list[Any]]:  # noqa: N802
        index = self.tokens.at(loc)
        if self.guard is not None and not self.guard(self.tokens.texts[index]):
            raise self.refuse(instring, loc, index)
        expression, after = self.method(self.parser, index)
        return self.tokens.starts[after], [expression]


class Phrase(Terminal):
    """Terminals without parse actions, one after the other; yields what they yield.

    ``pyparsing.And`` would do, but takes five times as long for each of them.
    """

    def __init__(self, tokens: LexedText, furthest: FurthestToken, terminals: Sequence[Terminal]) -> None:
        super().__init__(tokens, furthest, "a phrase")
        self.terminals = terminals

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> tuple[int, list[Any]]:  # noqa: N802
        values: list[Any] = []
        for terminal in self.terminals:
            loc, items = terminal.parseImpl(instring, loc)
            values += items
        return loc, values


def made(make: Callable[[pp.ParseResults], Any]) -> Callable[[str, int, pp.ParseResults], Any]:
    """The parse action for a function of the tokens.

    With fewer than three parameters pyparsing would find out by trial how many there are, from tracebacks.
    """
    return lambda text, location, tokens: make(tokens)


class Elements:
    """What the grammar of one file is built of: terminals over its token array, and sequences.

    The grammar has the alternatives that begin with one of the words ``occurring`` (None: all).
    """

    def __init__(self, tokens: LexedText, furthest: FurthestToken, occurring: Collection[str] | None) -> None:
        self.tokens = tokens
        self.furthest = furthest
        self.occurring = occurring
        self.parser = ExpressionParser(tokens)
        self.expression = self.climber("an expression", ExpressionParser.parse)
        self.path = self.climber("a variable's name", ExpressionParser.parse_path, _starts_path)
        self.bound = self.climber("a type", ExpressionParser.parse_bound, _starts_bound)
        self.identifier = Identifier(tokens, furthest, "a name")
        self.position = PositionTerminal(tokens, furthest)
        self.semicolon = self.word(";")
        self.optional_semicolon = OptionalWord(tokens, furthest, ";")

    def occurs(self, *words: str) -> bool:
        """Whether an alternative that begins with one of these words is part of the grammar."""
        return self.occurring is None or any(word in self.occurring for word in words)

    def word(self, text: str) -> Terminal:
        return WordTerminal(self.tokens, self.furthest, text)

    def placed(self, text: str) -> Terminal:
        """A word that yields its position."""
        return PositionedWord(self.tokens, self.furthest, text)

    def climber(
        self,
        label: str,
        method: Callable[[ExpressionParser, int], tuple[Expression, int]],
        guard: Callable[[str], bool] | None = None,
    ) -> Terminal:
        return MethodTerminal(self.tokens, self.furthest, label, method, self.parser, guard)

    def words(self, *texts: str) -> pp.ParserElement:
        return pp.MatchFirst([self.word(text) for text in texts])

    def rule(self, make: Callable[[pp.ParseResults], Any], *elements: pp.ParserElement) -> pp.ParserElement:
        """A sequence, and what is made of its tokens."""
        return self.sequence(*elements).set_parse_action(made(make))

    def sequence(self, *elements: pp.ParserElement) -> pp.ParserElement:
        """The elements one after the other, in which each run of plain terminals is one phrase."""
        parts: list[pp.ParserElement] = []
        run: list[Terminal] = []
        for element in elements:
            if isinstance(element, Terminal) and not element.parseAction:
                if not run:
                    parts.append(Phrase(self.tokens, self.furthest, run))
                run.append(element)
            else:
                run = []
                parts.append(element)
        return pp.And(parts) if len(parts) > 1 else parts[0]


def _starts_path(text: str) -> bool:
    return text == "self" or is_name(text)


def _starts_bound(text: str) -> bool:
    return text[:1].isdigit() or text in ("-", "+", "(") or is_name(text)
