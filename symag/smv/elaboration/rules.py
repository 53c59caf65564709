"""The typing rule of each operator: the typed operation, or an error that names the types that do not fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symag.core.errors import InputError
from symag.core.source import SourceText
from symag.smv.elaboration.kinds import common, comparable, is_boolean, is_integer, is_word, kind, set_of, type_text
from symag.smv.model.typed import BOOLEAN, Constant, Expression, Operation
from symag.smv.model.types import LARGEST_WORD, LARGEST_WORD_OF_NUSMV, BooleanType, IntegerType, SetType, Type, WordType

_LOGICAL = {"&": "and", "|": "or", "xor": "xor", "xnor": "xnor", "->": "implies", "<->": "iff"}
_INTEGER = IntegerType()


class NotBooleanError(InputError):
    """An expression that should be boolean is of another type; the message begins with its ``subject``."""

    def __init__(
        self,
        message: str,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        subject: str = "",
        type_text: str = "",
    ) -> None:
        super().__init__(message, file, line, column)
        self.subject = subject
        self.type_text = type_text

    def of(self, subject: str) -> NotBooleanError:
        """The same error of an expression that is called ``subject``."""
        message = f"{subject} must be boolean, not {self.type_text}"
        return NotBooleanError(message, self.file, self.line, self.column, subject, self.type_text)


class Rules:
    """Builds operations; every method raises InputError for types that NuSMV refuses."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        #: The first word that is wider than NuSMV's: its position and its bits.
        self.wide_word: tuple[int, int] | None = None
        #: The first ``swconst`` of which only the lowest bit counts: its position and its number.
        self.cut_constant: tuple[int, int] | None = None

    def note_width(self, width: int, position: int) -> None:
        """Remembers the first word that NuSMV refuses for its width."""
        if width > LARGEST_WORD_OF_NUSMV and self.wide_word is None:
            self.wide_word = position, width

    def wrong(self, operator: str, operands: Sequence[Expression], position: int) -> Exception:
        """The error that operands do not fit an operator."""
        shown = " and ".join(type_text(operand.type) for operand in operands)
        return self.source.error(f"illegal operand types of '{operator}': {shown}", position)

    def boolean(self, operand: Expression, what: str) -> Expression:
        """The operand itself, if it is boolean."""
        if not is_boolean(operand.type):
            where = (self.source.path, *self.source.location(operand.position))
            raise NotBooleanError("", *where, type_text=type_text(operand.type)).of(what)
        return operand

    def logical(self, symbol: str, operands: list[Expression], position: int) -> Expression:
        """``& | xor xnor -> <->`` over booleans or words of one type; a run of ``&`` or ``|`` is one operation."""
        first = kind(operands[0].type)
        if not isinstance(first, (BooleanType, WordType)) or any(kind(operand.type) != first for operand in operands):
            wrong = next((operand for operand in operands[1:] if kind(operand.type) != first), operands[-1])
            raise self.wrong(symbol, (operands[0], wrong), position)
        operator = _LOGICAL[symbol]
        if operator in ("and", "or"):
            return Operation(operator, tuple(operands), first, position)
        return self.folded(operator, operands, first, position)

    def folded(self, operator: str, operands: list[Expression], result: Type, position: int) -> Expression:
        """A run of operands of a binary operator that associates to the left."""
        left = operands[0]
        for right in operands[1:]:
            left = Operation(operator, (left, right), result, position)
        return left

    def negation(self, operand: Expression, position: int) -> Expression:
        """``!`` of a boolean or a word."""
        if not (is_boolean(operand.type) or is_word(operand.type)):
            raise self.wrong("!", (operand,), position)
        return Operation("not", (operand,), operand.type, position)

    def equality(self, operator: str, left: Expression, right: Expression, position: int) -> Expression:
        """``=`` and ``!=`` of two single values."""
        one, other = kind(left.type), kind(right.type)
        if isinstance(one, SetType) or isinstance(other, SetType) or not (one == other or comparable(one, other)):
            raise self.wrong(operator, (left, right), position)
        return Operation(operator, (left, right), BOOLEAN, position)

    def comparison(self, operator: str, left: Expression, right: Expression, position: int) -> Expression:
        """``< <= > >=`` of integers, or of words of one type."""
        if kind(left.type) != kind(right.type) or not (is_integer(left.type) or is_word(left.type)):
            raise self.wrong(operator, (left, right), position)
        return Operation(operator, (left, right), BOOLEAN, position)

    def arithmetic(self, operator: str, operands: list[Expression], position: int) -> Expression:
        """``+ - * / mod`` of integers, or of words of one type."""
        first = kind(operands[0].type)
        for operand in operands:
            if kind(operand.type) != first or not isinstance(first, (IntegerType, WordType)):
                raise self.wrong(
                    operator, (operands[0], operand if operand is not operands[0] else operands[1]), position
                )
        return self.folded(operator, operands, first, position)

    def minus(self, operand: Expression, position: int) -> Expression:
        """Unary minus of an integer or a word."""
        if not (is_integer(operand.type) or is_word(operand.type)):
            raise self.wrong("-", (operand,), position)
        if isinstance(operand, Constant) and isinstance(operand.type, IntegerType) and isinstance(operand.value, int):
            return Constant(-operand.value, operand.type, position)
        return Operation("negate", (operand,), kind(operand.type), position)

    def shift(self, operator: str, left: Expression, right: Expression, position: int) -> Expression:
        """``<<`` and ``>>`` of a word by an integer or an unsigned word, at most by its width."""
        unsigned = isinstance(right.type, WordType) and not right.type.signed
        if not isinstance(left.type, WordType) or not (is_integer(right.type) or unsigned):
            raise self.wrong(operator, (left, right), position)
        if isinstance(right, Constant) and isinstance(right.value, int) and right.value > left.type.width:
            message = f"shift by {right.value} of a word with {left.type.width} bits"
            raise self.source.error(message, position)
        return Operation(operator, (left, right), left.type, position)

    def pairs(
        self, rule: Callable[[Expression, Expression, int], Expression], operands: list[Expression], position: int
    ) -> Expression:
        """A run of operands of one rule, from left to right."""
        left = operands[0]
        for right in operands[1:]:
            left = rule(left, right, position)
        return left

    def concatenation(self, left: Expression, right: Expression, position: int) -> Expression:
        """``::`` of two words; the result is unsigned."""
        if not (isinstance(left.type, WordType) and isinstance(right.type, WordType)):
            raise self.wrong("::", (left, right), position)
        return Operation("concat", (left, right), WordType(left.type.width + right.type.width, False), position)

    def width(self, width: int, position: int) -> int:
        """The width of a word. Raises InputError for a width out of range."""
        if not 1 <= width <= LARGEST_WORD:
            raise self.source.error(f"word width {width} is out of range 1..{LARGEST_WORD}", position)
        self.note_width(width, position)
        return width

    def selection(self, word: Expression, high: int, low: int, position: int) -> Expression:
        """Bits ``high`` down to ``low`` of a word; the result is unsigned."""
        if not isinstance(word.type, WordType):
            raise self.source.error(f"bits are selected from words, not from {type_text(word.type)}", position)
        if not 0 <= low <= high < word.type.width:
            raise self.source.error(f"no bits {high}:{low} in a word with {word.type.width} bits", position)
        bounds = (Constant(high, _INTEGER, position), Constant(low, _INTEGER, position))
        return Operation("select", (word, *bounds), WordType(high - low + 1, False), position)

    def resized(self, operator: str, word: Expression, number: int, position: int) -> Expression:
        """``extend`` by a number of bits, or ``resize`` to one."""
        if not isinstance(word.type, WordType):
            raise self.wrong(operator, (word,), position)
        if operator == "extend" and number < 0:
            raise self.source.error(f"a word cannot be extended by {number} bits", position)
        width = self.width(number + (word.type.width if operator == "extend" else 0), position)
        operands = (word, Constant(number, _INTEGER, position))
        return Operation(operator, operands, WordType(width, word.type.signed), position)

    def word_constant(self, number: int, width: int, signed: bool, position: int) -> Expression:
        """``uwconst`` and ``swconst``: the word of a number. Raises InputError for a number that does not fit.

        As in NuSMV, a signed word of one bit takes the lowest bit of any number from -1 on.
        """
        if signed and width == 1 and number > 0:
            self.cut_constant = self.cut_constant or (position, number)
            number = -(number % 2)
        low, high = -(1 << (width - 1)), (1 << (width - 1 if signed else width)) - 1
        if not low <= number <= high:
            raise self.source.error(f"{number} does not fit into a word of {width} bits", position)
        # A negative number in an unsigned word stands for its two's complement.
        return Constant(number if signed else number % (1 << width), WordType(width, signed), position)

    def conversion(self, operator: str, operand: Expression, position: int) -> Expression:
        """``signed unsigned bool word1 toint`` of one operand."""
        of = kind(operand.type)
        match operator, of:
            case "signed", WordType(width, False):
                return Operation(operator, (operand,), WordType(width, True), position)
            case "unsigned", WordType(width, True):
                return Operation(operator, (operand,), WordType(width, False), position)
            case "bool", IntegerType() | WordType(1, False):
                return Operation(operator, (operand,), BOOLEAN, position)
            case "word1", BooleanType():
                return Operation(operator, (operand,), WordType(1, False), position)
            case ("toint", IntegerType()) | ("bool", BooleanType()):
                return operand
            case "toint", BooleanType() | WordType():
                return Operation(operator, (operand,), _INTEGER, position)
        raise self.wrong(operator, (operand,), position)

    def count(self, operands: list[Expression], position: int) -> Expression:
        """``count`` of booleans."""
        for operand in operands:
            self.boolean(operand, "an operand of 'count'")
        return Operation("count", tuple(operands), _INTEGER, position)

    def extreme(self, operator: str, operands: list[Expression], position: int) -> Expression:
        """``abs min max`` of integers; ``min`` and ``max`` of words too."""
        first = kind(operands[0].type)
        allowed = IntegerType if operator == "abs" else (IntegerType, WordType)
        if not isinstance(first, allowed) or any(kind(operand.type) != first for operand in operands):
            raise self.wrong(operator, operands, position)
        return Operation(operator, tuple(operands), first, position)

    def union(self, operands: list[Expression], position: int) -> Expression:
        """The set of all values of all operands."""
        result: Type | None = set_of(operands[0].type)
        for operand in operands[1:]:
            of = set_of(operand.type)
            result = None if result is None or of is None else common(result, of)
            if result is None:
                raise self.wrong("union", (operands[0], operand), position)
        assert result is not None
        return Operation("union", tuple(operands), result, position)

    def membership(self, left: Expression, right: Expression, position: int) -> Expression:
        """``in``: whether all values of the left are among those of the right."""
        one, other = set_of(left.type), set_of(right.type)
        if one is None or other is None or not comparable(one, other):
            raise self.wrong("in", (left, right), position)
        return Operation("in", (left, right), BOOLEAN, position)

    def case(self, branches: list[Expression], position: int, operator: str = "case") -> Expression:
        """``case`` (or ``index``) with conditions and values in turn."""
        result: Type | None = None
        for condition, value in zip(branches[::2], branches[1::2], strict=True):
            self.boolean(condition, "a condition of 'case'")
            merged = kind(value.type) if result is None else common(result, value.type)
            if merged is None:
                raise self.wrong(operator, (branches[1], value), value.position)
            result = merged
        assert result is not None
        return Operation(operator, tuple(branches), result, position)
