"""The parts that all of FSP's grammar is made of: tokens, expressions and labels."""

from __future__ import annotations

import re
from collections.abc import Callable

from symag.core.source import SourceText
from symag.core.tokens import TokenReader, Tokens, tokens_of
from symag.core.values import replace
from symag.lts.language.syntax import (
    Binary,
    Expression,
    Label,
    LabelChoice,
    LabelConstant,
    LabelIndex,
    LabelPart,
    LabelRange,
    LabelSet,
    LabelText,
    Name,
    Number,
    Parameter,
    SetElement,
    SetSize,
    Unary,
)

KEYWORDS = frozenset(
    (
        *("const", "range", "set", "if", "then", "else", "when", "forall", "exists", "property", "progress", "menu"),
        *("fluent", "predicate", "assert", "constraint", "animation", "actions", "controls", "minimal"),
        *("deterministic", "compose", "target", "import", "initially", "rigid"),
    )
)

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)
      | (?P<unclosed>/\*)
      | (?P<number>\d+)
      | (?P<lower>[a-z_][A-Za-z0-9_?]*)
      | (?P<upper>[A-Z][A-Za-z0-9_?]*)
      | (?P<string>"[^"\n]*")
      | (?P<symbol><->|->|\.\.|::|\|\||<<|>>|<=|>=|==|!=|&&|\[\]|<>|[-+*/%!|&^<>=:;,.()\[\]{}@\\'\#~])""",
    re.VERBOSE | re.DOTALL,
)


def tokens(source: SourceText) -> Tokens:
    """Kinds: ``number``, ``lower``, ``upper``, ``string``, ``symbol`` (keywords too) and ``end``.

    Raises InputError at a character that begins no token, and at a comment without an end.
    """
    return tokens_of(source, _TOKEN, KEYWORDS)


_LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_SUM = 8


class FspReader(TokenReader):
    """The parts that FSP's grammar is made of: names in upper case, expressions and labels."""

    def __init__(self, tokens: Tokens) -> None:
        super().__init__(tokens)
        pairs = zip(tokens.texts, tokens.texts[1:], strict=False)
        self.sets = frozenset(name for word, name in pairs if word == "set")
        self._defined: set[tuple[str, str]] = set()

    def upper(self, what: str) -> str:
        """Go past a name in upper case and return it."""
        return self.word("upper", what)

    def new_name(self, kind: str) -> str:
        """Go past the name of what is defined here and return it. Raises InputError for the name of one before it."""
        position = self.position
        name = self.upper(f"the name of {'an' if kind[0] == 'a' else 'a'} {kind}")
        if (kind, name) in self._defined:
            raise self.error(f"the {kind} {name} is defined twice", position)
        self._defined.add((kind, name))
        return name

    # ------------------------------------------------------------------------------- expressions

    def expression(self, level: int = 0) -> Expression:
        """An expression with C's operators and precedences, from this level of precedence on."""
        if level == len(_LEVELS):
            return self._unary()
        left = self.expression(level + 1)
        while self.kind == "symbol" and self.text in _LEVELS[level]:
            operator, position = self.text, self.position
            self.advance()
            left = Binary(operator, left, self.expression(level + 1), position)
        return left

    def sum(self) -> Expression:
        """An expression without operators of a lower precedence than ``+``: those may belong to the next construct."""
        return self.expression(_SUM)

    def _unary(self) -> Expression:
        position = self.position
        for operator in ("+", "-", "!"):
            if self.accept(operator):
                return Unary(operator, self._unary(), position)
        if self.kind == "number":
            self.advance()
            return Number(int(self.tokens.texts[self.index - 1]), position)
        if self.kind in ("lower", "upper"):
            self.advance()
            return Name(self.tokens.texts[self.index - 1], position)
        if self.accept("("):
            inner = self.expression()
            self.symbol(")")
            return inner
        if self.accept("'"):
            return LabelConstant(self.label(), position)
        if self.accept("#"):
            return SetSize(self.label(), position)
        if self.accept("@"):
            self.symbol("(")
            label = self.label()
            self.symbol(",")
            index = self.expression()
            self.symbol(")")
            return SetElement(label, index, position)
        raise self.expected("an expression")

    def parameter(self, value: Callable[[], Expression]) -> Parameter:
        """A name with the value that ``value`` reads."""
        position = self.position
        name = self.upper("a name in upper case")
        self.symbol("=")
        return Parameter(name, value(), position)

    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of a definition with their defaults, if there are any."""
        if not self.accept("("):
            return ()
        parameters: dict[str, Parameter] = {}
        for parameter in self.listed(lambda: self.parameter(self.expression), ")"):
            if parameter.name in parameters:
                raise self.error(f"the parameter {parameter.name} is defined twice", parameter.position)
            parameters[parameter.name] = parameter
        return tuple(parameters.values())

    def arguments(self) -> tuple[Expression, ...] | None:
        """The arguments in parentheses; None without parentheses."""
        return self.listed(self.expression, ")") if self.accept("(") else None

    # ------------------------------------------------------------------------------------- labels

    def _begins_set(self) -> bool:
        return self.text == "{" or (self.kind == "upper" and self.text in self.sets)

    def begins_label(self) -> bool:
        """Whether the next token can begin a label."""
        return self.kind == "lower" or self.text == "[" or self._begins_set()

    def label(self) -> Label:
        """A label pattern such as ``a.b[i].{c,d}``, which may mean several labels."""
        parts = [self._part()]
        while self.text in (".", "["):
            if self.text == "." and not self._label_after_dot():
                break
            self.accept(".")
            parts.append(self._part())
        return tuple(parts)

    def _label_after_dot(self) -> bool:
        """Whether a label continues after the dot; a dot may also end the definition."""
        kind, text = self.tokens.kinds[self.index + 1], self.tokens.texts[self.index + 1]
        return kind == "lower" or text in ("[", "{") or (kind == "upper" and text in self.sets)

    def _part(self) -> LabelPart:
        position = self.position
        if self.kind == "lower":
            if self.text == "tau":
                raise self.error("tau cannot be used as a label", position)
            self.advance()
            return LabelText(self.tokens.texts[self.index - 1], position)
        if self._begins_set():
            labels = self.label_set()
            return replace(labels, without=self.label_set()) if self.accept("\\") else labels
        if self.text == "[":
            return self._index()
        raise self.expected("a label")

    def label_set(self) -> LabelSet:
        """A set such as ``{a, b}``, or the name of a set."""
        position = self.position
        elements: tuple[Label, ...] | str
        if self.kind == "upper":
            elements = self.upper("a set")
        else:
            self.symbol("{")
            elements = self.listed(self.label, "}")
        return LabelSet(elements, None, position)

    def index_ranges(self) -> Label:
        """Index ranges such as ``[i:R][j:0..2]``, at least one."""
        parts = [self._index()]
        while self.text == "[":
            parts.append(self._index())
        return tuple(parts)

    def _index(self) -> LabelPart:
        position = self.position
        self.symbol("[")
        variable = None
        if self.kind == "lower" and self.tokens.texts[self.index + 1] == ":":
            variable = self.text
            self.index += 2
        part: LabelPart
        if self._begins_set():
            part = LabelChoice(variable, self.label_set(), position)
        else:
            low = self.expression()
            if self.accept(".."):
                part = LabelRange(variable, low, self.expression(), position)
            elif isinstance(low, Name) and low.text[0].isupper():
                part = LabelChoice(variable, low, position)
            elif variable is None:
                part = LabelIndex(low, position)
            else:
                raise self.expected("'..'")
        self.symbol("]")
        return part
