"""Expressions: a precedence climber over the token array, with NuSMV 2.6's precedences."""

from __future__ import annotations

from symag.core.errors import InputError
from symag.smv.language.lexer import RESERVED, LexedText, word_literal
from symag.smv.language.operators import (
    BOUNDED_CTL,
    BOUNDED_LTL,
    FUNCTIONS,
    IMPLIES,
    INFIX,
    INFIX_IN_PATH_BRACKETS,
    ITE,
    RELATION,
    SET,
    SHIFT,
    TEMPORAL,
    TEMPORAL_UNARY,
)
from symag.smv.language.syntax import Expression, Name, Number, Operation

#: Brackets, unary operators and right-associative operators may be nested this deep (bison's own limit in NuSMV).
DEPTH_LIMIT = 10_000
_LARGEST_INTEGER = 2**31 - 1


class ExpressionParser:
    """Parses expressions of one text. Every method starts at the token ``self.index`` and moves it behind what it
    reads.
    """

    def __init__(self, tokens: LexedText) -> None:
        self.tokens = tokens
        self.texts = tokens.texts
        self.starts = tokens.starts
        self.index = 0
        self.depth = 0
        self.infix = INFIX

    def parse(self, index: int, level: int = IMPLIES) -> tuple[Expression, int]:
        """An expression from a token on, and the index of the token after it; raises InputError."""
        self.index = index
        expression = self._infix(level)
        return expression, self.index

    def parse_bound(self, index: int) -> tuple[Expression, int]:
        """A bound of a range type: no operator weaker than a shift."""
        return self.parse(index, SHIFT)

    def parse_path(self, index: int) -> tuple[Expression, int]:
        """A variable's name: identifiers, dots and indices."""
        text = self.texts[index]
        if text != "self" and not self._is_name(text):
            raise self.expected("a variable's name", index)
        self.index = index
        expression = self._primary()
        return expression, self.index

    def expected(self, what: str, index: int | None = None) -> InputError:
        """The error for a token that the grammar does not allow here."""
        return self.tokens.unexpected(self.index if index is None else index, what)

    def _is_name(self, text: str) -> bool:
        return bool(text) and (text[0].isalpha() or text[0] in '_"') and text not in RESERVED

    def _take(self, text: str) -> None:
        if self.texts[self.index] != text:
            raise self.expected(f"'{text}'")
        self.index += 1

    def _infix(self, level: int) -> Expression:
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            raise self.tokens.error(f"expression nested more than {DEPTH_LIMIT:,} levels deep", self.index)
        texts, infix = self.texts, self.infix
        left = self._operand(level)
        while True:
            text = texts[self.index]
            binding = infix.get(text, 0)
            if binding < level or binding == 0:
                break
            position = self.starts[self.index]
            self.index += 1
            if binding == IMPLIES:
                left = Operation(text, (left, self._infix(IMPLIES)), position)
            elif binding == ITE:
                left = self._if_then_else(left, position)
            else:
                operands = [left, self._infix(binding + 1)]
                while texts[self.index] == text and binding != RELATION:
                    self.index += 1
                    operands.append(self._infix(binding + 1))
                left = Operation(text, tuple(operands), position)
        self.depth -= 1
        return left

    def _if_then_else(self, condition: Expression, position: int) -> Expression:
        then = self._infix(IMPLIES)
        self._take(":")
        return Operation("?:", (condition, then, self._infix(ITE)), position)

    def _operand(self, level: int) -> Expression:
        text = self.texts[self.index]
        if text in TEMPORAL_UNARY:
            if level > TEMPORAL:
                raise self.tokens.error(
                    f"temporal operator '{text}' needs parentheses here ('{text}' is a reserved word)", self.index
                )
            return self._temporal()
        if text == "{":
            if level > SET:
                raise self.expected("an expression (put the set in parentheses)")
            return self._set()
        operand = self._primary()
        if self.texts[self.index] == ".." and level <= SET:
            return self._range(operand)
        return operand

    def _range(self, low: Expression) -> Expression:
        position = self.starts[self.index]
        self.index += 1
        high = self._primary()
        if isinstance(high, Operation) and high.operator == "negate":
            high = _negative(high)
        for bound in (low, high):
            if not isinstance(bound, Number) or isinstance(bound.value, bool):
                raise self.tokens.source.error("the bounds of a range must be integer constants", bound.position)
        return Operation("..", (low, high), position)

    def _set(self) -> Expression:
        position = self.starts[self.index]
        elements = []
        while True:
            self.index += 1
            elements.append(self._nested())
            if self.texts[self.index] != ",":
                break
        if self.texts[self.index] != "}":
            raise self.expected("',' or '}'")
        self.index += 1
        return elements[0] if len(elements) == 1 else Operation("{}", tuple(elements), position)

    def _nested(self) -> Expression:
        """An expression with any operator, as inside parentheses."""
        outer, self.infix = self.infix, INFIX
        expression = self._infix(IMPLIES)
        self.infix = outer
        return expression

    def _temporal(self) -> Expression:
        text = self.texts[self.index]
        position = self.starts[self.index]
        self.index += 1
        if text in ("A", "E"):
            return self._path_quantifier(text, position)
        bounds: tuple[Expression, ...] = ()
        if text in BOUNDED_CTL:
            bounds = self._bounds("..")
        elif text in BOUNDED_LTL and self.texts[self.index] == "[":
            self.index += 1
            bounds = self._bounds(",")
            self._take("]")
        operand = self._infix(TEMPORAL)
        return Operation(text, (operand, *bounds), position)

    def _bounds(self, separator: str) -> tuple[Expression, ...]:
        low = self._number()
        self._take(separator)
        return low, self._number()

    def _number(self) -> Expression:
        text = self.texts[self.index]
        if not text.isdigit():
            raise self.expected("a number")
        return self._literal()

    def _path_quantifier(self, quantifier: str, position: int) -> Expression:
        self._take("[")
        outer, self.infix = self.infix, INFIX_IN_PATH_BRACKETS
        left = self._infix(IMPLIES)
        bounds: tuple[Expression, ...] = ()
        operator = f"{quantifier}U"
        if self.texts[self.index] == "BU":
            self.index += 1
            operator = f"{quantifier}BU"
            bounds = self._bounds("..")
        elif self.texts[self.index] == "U":
            self.index += 1
        else:
            raise self.expected("'U' or 'BU'")
        right = self._infix(IMPLIES)
        self.infix = outer
        self._take("]")
        return Operation(operator, (left, right, *bounds), position)

    def _primary(self) -> Expression:
        text = self.texts[self.index]
        position = self.starts[self.index]
        if text == "(":
            self.index += 1
            expression = self._nested()
            self._take(")")
        elif text == "!":
            return self._not(position)
        elif text in ("-", "+"):
            return self._sign(text, position)
        elif text in RESERVED:
            expression = self._reserved(text, position)
        elif text[:1].isdigit():
            expression = self._literal()
        elif self._is_name(text):
            self.index += 1
            expression = Name(text, position)
        else:
            raise self.expected("an expression")
        if self.texts[self.index] in (".", "["):
            return self._selections(expression)
        return expression

    def _selections(self, base: Expression) -> Expression:
        while True:
            text = self.texts[self.index]
            position = self.starts[self.index]
            if text == ".":
                field = self.texts[self.index + 1]
                if not (self._is_name(field) or field.isdigit()):
                    raise self.expected("a name after '.'", self.index + 1)
                base = Operation(".", (base, Name(field, self.starts[self.index + 1])), position)
                self.index += 2
            elif text == "[" and not self._repeats():
                self.index += 1
                index = self._nested()
                if self.texts[self.index] == ":":
                    self.index += 1
                    base = Operation("[:]", (base, index, self._nested()), position)
                else:
                    base = Operation("[]", (base, index), position)
                self._take("]")
            else:
                return base

    def _repeats(self) -> bool:
        """Whether the bracket at the next token repeats a sequence of PSL: ``[*``, ``[=``, ``[->``, ``[+]``."""
        first = self.texts[self.index + 1]
        return first in ("*", "=", "->") or (first == "+" and self.texts[self.index + 2] == "]")

    def _not(self, position: int) -> Expression:
        positions = []
        while self.texts[self.index] == "!":
            positions.append(self.starts[self.index])
            self.index += 1
            if len(positions) > DEPTH_LIMIT:
                raise self.tokens.error(f"expression nested more than {DEPTH_LIMIT:,} levels deep", self.index)
        operand = self._temporal() if self.texts[self.index] in TEMPORAL_UNARY else self._primary()
        for at in reversed(positions):
            operand = Operation("!", (operand,), at)
        return operand

    def _sign(self, sign: str, position: int) -> Expression:
        self.index += 1
        if sign == "+":
            if not self.texts[self.index].isdigit():
                raise self.expected("a number after '+'")
            return self._literal()
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            raise self.tokens.error(f"expression nested more than {DEPTH_LIMIT:,} levels deep", self.index)
        operand = self._primary()
        self.depth -= 1
        negated = Operation("negate", (operand,), position)
        return _negative(negated) if self.texts[self.index] == ".." else negated

    def _literal(self) -> Expression:
        text = self.texts[self.index]
        position = self.starts[self.index]
        self.index += 1
        if text.isdigit():
            value = int(text) if len(text) < 12 else _LARGEST_INTEGER + 1
            if value > _LARGEST_INTEGER:
                raise self.tokens.source.error(f"integer {text[:40]} is too large (at most 2147483647)", position)
            return Number(value, position)
        return word_literal(self.tokens.source, text, position)

    def _reserved(self, text: str, position: int) -> Expression:
        self.index += 1
        if text in ("TRUE", "FALSE"):
            return Number(text == "TRUE", position)
        if text == "case":
            return self._case(position)
        if text == "self":
            return Operation("self", (), position)
        if text in FUNCTIONS or text == "count":
            return self._function(text, position)
        self.index -= 1
        raise self.expected("an expression")

    def _function(self, text: str, position: int) -> Expression:
        self._take("(")
        if text == "CONSTARRAY" and self.texts[self.index] != "typeof":
            raise self.expected("'typeof'")
        arguments = [self._nested()]
        while self.texts[self.index] == ",":
            self.index += 1
            arguments.append(self._nested())
        self._take(")")
        count = FUNCTIONS.get(text, len(arguments))
        if len(arguments) != count:
            raise self.tokens.source.error(f"'{text}' takes {count} arguments, not {len(arguments)}", position)
        return Operation(text, tuple(arguments), position)

    def _case(self, position: int) -> Expression:
        branches: list[Expression] = []
        while self.texts[self.index] != "esac" or not branches:
            branches.append(self._nested())
            self._take(":")
            branches.append(self._nested())
            self._take(";")
        self.index += 1
        return Operation("case", tuple(branches), position)


def _negative(negated: Operation) -> Expression:
    """The negative number of a number behind a minus; any other operation as it is."""
    (operand,) = negated.operands
    if isinstance(operand, Number) and not isinstance(operand.value, bool):
        return Number(-operand.value, negated.position)
    return negated
