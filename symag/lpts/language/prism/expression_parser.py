"""PRISM's expressions from tokens to the syntax tree, by precedence climbing."""

from __future__ import annotations

import re

from symag.core.source import SourceText
from symag.core.tokens import TokenReader, Tokens, tokens_of
from symag.lpts.language.prism.syntax import Expression, Name, Number, Operation, Truth
from symag.lpts.lpts import fraction_of

KEYWORDS = frozenset(
    (
        *("mdp", "dtmc", "pa", "ctmc", "pta", "pomdp", "popta", "smg", "csg", "idtmc", "imdp"),
        *("nondeterministic", "probabilistic", "stochastic", "const", "int", "double", "bool", "rate", "prob"),
        *("formula", "label", "global", "module", "endmodule", "init", "endinit", "rewards", "endrewards", "system"),
        *("endsystem", "true", "false", "min", "max", "func"),
    )
)

_BLANKS = r"(?P<skip>\s+|//[^\n]*)"
_NUMBERS = r"(?P<real>(?:\d+\.\d+|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)|(?P<number>\d+)"
_NAME = r"(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
#: Actions of explicit files may have dots in their names.
_NAME_IN_PROPERTIES = r"(?P<name>[A-Za-z_][A-Za-z0-9_.]*)"
_STRING = r'(?P<string>"[^"\n]*")'
_COMPOSITION = r"\|\|\||\|\||\|\[|\]\||"
_SYMBOLS = r"->|\.\.|<=>|<=|>=|=>|!=|[-+*/^&|!<>=:;,.()\[\]{}?']"
# Texts, compiled when they are first used: for start-up.
_TOKEN = "|".join((_BLANKS, _NUMBERS, _NAME, _STRING, f"(?P<symbol>{_COMPOSITION}{_SYMBOLS})"))
_TOKEN_IN_PROPERTIES = "|".join((_BLANKS, _NUMBERS, _NAME_IN_PROPERTIES, _STRING, f"(?P<symbol>{_SYMBOLS})"))


def tokens(source: SourceText) -> Tokens:
    """Kinds: ``real``, ``number``, ``name``, ``string``, ``symbol`` (keywords too) and ``end``.

    Raises InputError at a character that begins no token.
    """
    return tokens_of(source, re.compile(_TOKEN), KEYWORDS)


def tokens_of_properties(source: SourceText) -> Tokens:
    """The tokens of a text of properties: names may have dots, and ``|`` may stand beside a bracket."""
    return tokens_of(source, re.compile(_TOKEN_IN_PROPERTIES), KEYWORDS)


# From the weakest to the strongest; "=>" binds to the right, as in PRISM since version 4.9 (earlier ones read it to the
# left), the others to the left. "!" stands between "&" and "=".
# Stronger than these are "^", which binds to the right, and the sign: -2^2 is 4.
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("=>",),
    ("<=>",),
    ("|",),
    ("&",),
    ("=", "!="),
    ("<", "<=", ">", ">="),
    ("+", "-"),
    ("*", "/"),
)
_IMPLICATION = 0
_EQUALITY = 4

#: The functions, each with the least and the largest number of its arguments.
FUNCTIONS = {
    "min": (1, None),
    "max": (1, None),
    "floor": (1, 1),
    "ceil": (1, 1),
    "round": (1, 1),
    "pow": (2, 2),
    "mod": (2, 2),
    "log": (2, 2),
}


class ExpressionParser(TokenReader):
    """The grammar that models and properties share: names and expressions."""

    def name(self, what: str) -> str:
        """Go past a name and return it."""
        return self.word("name", what)

    def quoted(self, what: str) -> str:
        """Go past a name in quotation marks and return it; blanks beside it do not count, as in PRISM."""
        return self.word("string", what)[1:-1].strip()

    # ------------------------------------------------------------------------------- expressions

    def expression(self) -> Expression:
        """Any expression, ``condition ? value : value`` included."""
        condition = self._binary(0)
        position = self.position
        if not self.accept("?"):
            return condition
        then = self.expression()
        self.symbol(":")
        return Operation("?", (condition, then, self.expression()), position)

    def _binary(self, level: int) -> Expression:
        if level == len(_LEVELS):
            return self._power()
        if level == _EQUALITY and self.at("!"):
            position = self.position
            self.advance()
            return Operation("!", (self._binary(level),), position)
        left = self._binary(level + 1)
        if self.kind == "symbol" and self.text in _LEVELS[level] and self.text in ("&", "|"):
            return self._chain(left, level)
        if level == _IMPLICATION:
            position = self.position
            return Operation("=>", (left, self._binary(level)), position) if self.accept("=>") else left
        while self.kind == "symbol" and self.text in _LEVELS[level]:
            operator, position = self.text, self.position
            self.advance()
            left = Operation(operator, (left, self._binary(level + 1)), position)
        return left

    def _chain(self, first: Expression, level: int) -> Expression:
        """All operands of a chain of "&" or "|" as one operation: generated models have thousands."""
        operator, position = self.text, self.position
        operands = [first]
        while self.accept(operator):
            operands.append(self._binary(level + 1))
        return Operation(operator, tuple(operands), position)

    def _power(self) -> Expression:
        base, position = self._signed(), self.position
        return Operation("pow", (base, self._power()), position) if self.accept("^") else base

    def _signed(self) -> Expression:
        position = self.position
        if self.accept("-"):
            return Operation("-", (self._signed(),), position)
        return self._atom()

    def _atom(self) -> Expression:
        position, text = self.position, self.text
        if self.kind == "number":
            self.advance()
            return Number(int(text), position)
        if self.kind == "real":
            self.advance()
            try:
                return Number(fraction_of(text), position)
            except ValueError as error:
                raise self.error(str(error), position) from None
        if self.accept("true"):
            return Truth(True, position)
        if self.accept("false"):
            return Truth(False, position)
        if self.accept("("):
            inside = self.expression()
            self.symbol(")")
            return inside
        if self.accept("func"):
            self.symbol("(")
            called = self.text
            self.advance()
            self.symbol(",")
            return self._call(called, position)
        if text in FUNCTIONS and self.at("(", ahead=1):
            self.index += 2
            return self._call(text, position)
        if self.kind == "name":
            self.advance()
            return Name(text, position)
        raise self.expected("an expression")

    def _call(self, function: str, position: int) -> Expression:
        if function not in FUNCTIONS:
            functions = ", ".join(FUNCTIONS)
            raise self.error(f"'{function}' is not a function; expected one of {functions}", position)
        arguments = self.listed(self.expression, ")")
        least, most = FUNCTIONS[function]
        if len(arguments) < least or (most is not None and len(arguments) > most):
            expected = f"{least}" if most == least else f"at least {least}"
            message = f"{function} has {len(arguments)} arguments, expected {expected}"
            raise self.error(message, position)
        return Operation(function, arguments, position)
