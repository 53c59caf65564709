"""PSL properties: the boolean layer, temporal operators, sequences and ``forall``, with PSL's own precedences.

A property with ``select`` is kept as text.
"""

from __future__ import annotations

from symag.smv.language.expressions import ExpressionParser
from symag.smv.language.lexer import LexedText, is_name
from symag.smv.language.sequences import PRIMARY, SequenceReader, is_sequence, parse_sequence
from symag.smv.language.syntax import Expression, Name, Operation

#: The operator of a property that is kept as text only; its operand is a Name with that text.
SEQUENCE = "sequence"

_INFIX = {
    "->": 2, "<->": 2, "before": 4, "before_": 4, "before!": 4, "before!_": 4,
    "until": 5, "until_": 5, "until!": 5, "until!_": 5, "abort": 6, "in": 9, "union": 9, "?": 10,
    "||": 11, "&&": 12, "|": 13, "^": 14, "xor": 14, "xnor": 14, "&": 15,
    "=": 16, "==": 16, "!=": 16, ">": 17, ">=": 17, "<": 17, "<=": 17,
    "<<": 18, ">>": 18, "+": 20, "-": 20, "*": 21, "/": 21, "mod": 21, "::": 21,
}  # fmt: skip
_SAME = {"||": "|", "&&": "&", "==": "="}
# Words that form one operator with an exclamation mark directly behind them.
_STRONG = frozenset(
    ("eventually", "next", "X", "until", "before", "next_a", "next_e", "next_event", "next_event_a", "next_event_e",
     "within", "whilenot"),
)  # fmt: skip
# The level of a primary expression of the SMV grammar, without infix operators.
_TIGHTEST = 16
_UNARY = {
    "always": 1, "never": 1, "G": 1, "eventually!": 3, "next": 3, "next!": 3,
    "X!": 8, "X": 8, "F": 8, "EG": 8, "EX": 8, "EF": 8, "AG": 8, "AX": 8, "AF": 8,
}  # fmt: skip
#: The operators that combine properties, in the syntax that ``parse_psl`` gives.
PSL_OPERATORS = frozenset(
    (*_UNARY, *(f"psl {operator}" for operator in ("X", "X!", "next", "?:")), "->", "<->", "&", "|", "^", "!",
     "xor", "xnor", "until", "until_", "until!", "until!_", "before", "before_", "before!", "before!_", "abort",
     "U", "W", "AU", "EU",
     *(f"psl {operator}[]" for operator in ("next", "next!", "X", "X!", "next_a", "next_a!", "next_e", "next_e!")),
     *(f"psl next_event{kind}{strong}()" for kind in ("", "_a", "_e") for strong in ("", "!"))),
)  # fmt: skip
_COUNTED = frozenset(("next", "next!", "X", "X!"))
_RANGED = frozenset(("next_a", "next_a!", "next_e", "next_e!"))
_EVENTS = frozenset(("next_event", "next_event!", "next_event_a", "next_event_a!", "next_event_e", "next_event_e!"))
_ON_SEQUENCES = frozenset(("within", "whilenot"))
_IMPLICATIONS = (("|", "->"), ("|", "=>"), ("|", "=", ">"))


class _UnreadError(Exception):
    """The property has a part that symag does not read."""


def parse_psl(parser: ExpressionParser, index: int) -> tuple[Expression, int]:
    """A PSL property from a token on, and the index of the token after it; raises InputError."""
    psl = _PslParser(parser)
    try:
        return psl.parse(index)
    except _UnreadError:
        return _kept_as_text(parser.tokens, index)


def _kept_as_text(tokens: LexedText, index: int) -> tuple[Expression, int]:
    end = index
    depth = 0
    while tokens.texts[end] and not (tokens.texts[end] in (";", "IN") and depth == 0):
        depth += tokens.texts[end] in ("{", "(", "[")
        depth -= tokens.texts[end] in ("}", ")", "]")
        end += 1
    if not tokens.texts[end]:
        raise tokens.error("a PSL property ends with ';'", end)
    text = " ".join(tokens.source.text[tokens.starts[index] : tokens.starts[end]].split())
    position = tokens.starts[index]
    return Operation(SEQUENCE, (Name(text, position),), position), end


class _PslParser(SequenceReader):
    def parse(self, index: int) -> tuple[Expression, int]:
        self.index = index
        expression = self.expression()
        if self.text() not in (";", "IN"):
            raise self.expected("';' at the end of a PSL property")
        return expression, self.index

    def _operator(self) -> tuple[str, int]:
        """The operator at the next token, which may be several tokens without blanks, and their number."""
        texts, starts, index = self.tokens.texts, self.tokens.starts, self.index
        text = texts[index]
        if text in _STRONG and self.adjacent(index) and texts[index + 1] == "!":
            end = starts[index + 1] + 1
            if self.tokens.source.text[end : end + 1] == "_" and texts[index + 2] == "_":
                return f"{text}!_", 3
            return f"{text}!", 2
        if text in ("|", "&", "=") and self.adjacent(index) and texts[index + 1] == text:
            return text * 2, 2
        return text, 1

    def expression(self, level: int = 1) -> Expression:
        left = self._operand()
        while True:
            operator, length = self._operator()
            if any(self.joined(*symbols) for symbols in _IMPLICATIONS):
                raise self.expected("a sequence in braces before '|->' and '|=>'")
            binding = _INFIX.get(operator, 0)
            if binding < level or binding == 0:
                return left
            position = self.position()
            self.index += length
            if operator in ("in", "union") and self.text() == "{":
                right, self.index = self.parser.parse(self.index, _TIGHTEST)
                left = Operation(operator, (left, right), position)
            elif operator == "?":
                then = self.expression()
                self.take(":")
                left = Operation("psl ?:", (left, then, self.expression(binding)), position)
            else:
                operands = (left, self.expression(binding + 1))
                left = Operation(_SAME.get(operator, operator), operands, position)

    def _operand(self) -> Expression:
        operator, length = self._operator()
        position = self.position()
        if operator == "select":
            raise _UnreadError
        if operator.rstrip("!_") in _ON_SEQUENCES:
            self.index += length
            return self._bounded_sequence(operator, position)
        if operator in _RANGED or operator in _EVENTS:
            self.index += length
            return self._event(operator, position) if operator in _EVENTS else self._counted(operator, position)
        if operator in _UNARY:
            self.index += length
            if operator in _COUNTED and self.text() == "[":
                return self._counted(operator, position)
            operand = self.expression(_UNARY[operator] + 1)
            shown = f"psl {operator}" if operator in ("X", "X!", "next") else operator
            return Operation(shown, (operand,), position)
        if operator in ("forall", "forany"):
            return self._replicated(operator, position)
        if operator in ("A", "E", "["):
            return self._path(operator, position)
        return self._primary(operator, position)

    def _path(self, quantifier: str, position: int) -> Expression:
        if quantifier != "[":
            self.index += 1
        self.take("[")
        left = self.expression()
        operator = self.text()
        if operator not in (("U", "W") if quantifier == "[" else ("U",)):
            raise self.expected("'U'")
        self.index += 1
        right = self.expression()
        self.take("]")
        return Operation(operator if quantifier == "[" else f"{quantifier}U", (left, right), position)

    def _counted(self, operator: str, position: int) -> Expression:
        """``next[n](e)`` and ``next_a[n:m](e)``."""
        bounds = self._bounds()
        return Operation(f"psl {operator}[]", (self._parenthesised(), *bounds), position)

    def _event(self, operator: str, position: int) -> Expression:
        """``next_event(e)(f)`` and ``next_event(e)[n](f)``."""
        event = self._parenthesised()
        bounds = self._bounds() if self.text() == "[" else ()
        return Operation(f"psl {operator}()", (self._parenthesised(), event, *bounds), position)

    def _bounds(self) -> tuple[Expression, ...]:
        self.take("[")
        bounds = [self.expression(PRIMARY)]
        if self.text() == ":":
            self.index += 1
            bounds.append(self.expression(PRIMARY))
        self.take("]")
        return tuple(bounds)

    def _parenthesised(self) -> Expression:
        self.take("(")
        expression = self.expression()
        self.take(")")
        return expression

    def _replicated(self, operator: str, position: int) -> Expression:
        """``forall i in {1, 2:4} : e``; the operands are i, e and the values, ranges as ``..``.

        The values of ``boolean`` are one Name, ``boolean``.
        """
        self.index += 1
        name = self.text()
        if not is_name(name):
            raise self.expected("a name")
        bound = Name(name, self.position())
        self.index += 1
        self.take("in")
        values: list[Expression] = []
        if self.text() == "boolean":
            values.append(Name("boolean", self.position()))
            self.index += 1
        else:
            self._values(values)
        self.take(":")
        return Operation(f"psl {operator}", (bound, self.expression(), *values), position)

    def _values(self, values: list[Expression]) -> None:
        """Append the values between braces."""
        self.take("{")
        while True:
            value = self.expression()
            if self.text() == ":":
                at = self.position()
                self.index += 1
                value = Operation("..", (value, self.expression()), at)
            values.append(value)
            if self.text() != ",":
                break
            self.index += 1
        self.take("}")

    def _primary(self, text: str, position: int) -> Expression:
        if text == "{" and is_sequence(self):
            return self._sequence_property(position)
        if text == "(":
            return self._parenthesised()
        if text in ("!", "-", "+"):
            self.index += 1
            operand = self._primary(*self._at())
            return operand if text == "+" else Operation("negate" if text == "-" else "!", (operand,), position)
        if text == "case":
            return self._case(position)
        expression, self.index = self.parser.parse(self.index, _TIGHTEST)
        return expression

    def _sequence_property(self, position: int) -> Expression:
        """A sequence as a property, or a property of its matches."""
        sequence = parse_sequence(self)
        for symbols in _IMPLICATIONS:
            if self.joined(*symbols):
                self.index += len(symbols)
                right = self.expression(2)
                return Operation("seq |->" if symbols[1] == "->" else "seq |=>", (sequence, right), position)
        if self.text() == "(":
            return Operation("seq ()", (sequence, self._parenthesised()), position)
        if self.text() == "!" and self.adjacent(self.index - 1):
            self.index += 1
            return Operation("seq {}!", (sequence,), position)
        return Operation("seq {}", (sequence,), position)

    def _bounded_sequence(self, operator: str, position: int) -> Expression:
        """``within(start, stop) {...}`` and ``whilenot(stop) {...}``."""
        self.take("(")
        operands: list[Expression] = []
        if operator.startswith("within"):
            starts = self.text() == "{" and is_sequence(self)
            operands.append(parse_sequence(self) if starts else self.expression())
            self.take(",")
        operands.append(self.expression())
        self.take(")")
        return Operation(f"seq {operator}", (*operands, parse_sequence(self)), position)

    def _at(self) -> tuple[str, int]:
        return self.text(), self.position()

    def _case(self, position: int) -> Expression:
        self.index += 1
        branches: list[Expression] = []
        while self.text() != "esac" or not branches:
            branches.append(self.expression())
            self.take(":")
            branches.append(self.expression())
            self.take(";")
        self.index += 1
        return Operation("case", tuple(branches), position)
