"""PSL's sequences (SEREs) in the syntax: ``{a; b[*2]}``, and the operators between sequences and properties.

Operators of the nodes that this file makes, with their operands:

==================================  =====================================================================
``sere``                            a boolean expression: one letter
``sere ;`` ``sere :``               concatenation, fusion (the last letter of one is the first of the other)
``sere |`` ``sere &&`` ``sere &``   or, and (of equal lengths), and (of any lengths)
``sere within``                     the first somewhere inside the second
``sere [*]`` ``sere [+]``           repetition: a sequence (or nothing: any letters) and up to two bounds
``sere [=]`` ``sere [->]``          a boolean expression and one or two bounds: this many times, not next to
                                    each other; the same, ending with the last of them
``seq |->`` ``seq |=>``             sequence, property: for every match the property at its last letter, or
                                    after it; with ``!`` behind the operator NuSMV's strong right side
``seq ()``                          sequence, property: as ``seq |->``
``seq {}`` ``seq {}!``              a sequence as a property, weak or strong
``seq within`` ``seq whilenot``     start, stop, sequence; stop, sequence; with ``!``, ``_`` as PSL has them
==================================  =====================================================================
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from symag.core.errors import InputError
from symag.smv.language.expressions import ExpressionParser
from symag.smv.language.syntax import Expression, Name, Number, Operation

#: The name that stands for the upper bound of an unbounded repetition.
INFINITE = "inf"

#: The level of an expression without infix operators.
PRIMARY = 22
_COMPOUNDS = ("|", "&&", "&", "within")


class SequenceReader(ABC):
    """Tokens, a position among them, and expressions: for sequences and for the properties that have them."""

    def __init__(self, parser: ExpressionParser) -> None:
        self.parser = parser
        self.tokens = parser.tokens
        self.index = 0

    @abstractmethod
    def expression(self, level: int = 1) -> Expression:
        """An expression or property whose infix operators bind at least as strongly as this level says."""

    def text(self, ahead: int = 0) -> str:
        """The text of a token."""
        index = self.index + ahead
        return self.tokens.texts[index] if index < len(self.tokens.texts) else ""

    def adjacent(self, index: int) -> bool:
        """Whether the next token begins right behind this one."""
        starts, texts = self.tokens.starts, self.tokens.texts
        return bool(texts[index]) and starts[index + 1] == starts[index] + len(texts[index])

    def joined(self, *texts: str) -> bool:
        """Whether the next tokens are these, without blanks between them."""
        indices = range(self.index, self.index + len(texts))
        if any(self.text(k) != text for k, text in enumerate(texts)):
            return False
        return all(self.adjacent(index) for index in indices[:-1])

    def position(self) -> int:
        """The position of the next token."""
        return self.tokens.starts[self.index]

    def take(self, text: str) -> None:
        """Pass over this token; raises InputError for another one."""
        if self.text() != text:
            raise self.expected(f"'{text}'")
        self.index += 1

    def expected(self, what: str) -> InputError:
        """An error at the next token."""
        return self.parser.expected(what, self.index)


def is_sequence(reader: SequenceReader) -> bool:
    """Whether the brace at the next token opens a sequence, not a set: a set of several elements has commas."""
    depth, ahead = 0, 0
    while text := reader.text(ahead):
        depth += text in ("{", "(", "[")
        depth -= text in ("}", ")", "]")
        if depth == 1 and text == ",":
            return False
        if depth == 0:
            return True
        ahead += 1
    return True


def parse_sequence(reader: SequenceReader) -> Expression:
    """``{ ... }``; raises InputError."""
    reader.take("{")
    sequence = _concatenation(reader)
    reader.take("}")
    return sequence


def _concatenation(reader: SequenceReader) -> Expression:
    position = reader.position()
    left = _repeated(reader)
    if reader.text() != ";":
        return left
    reader.take(";")
    return Operation("sere ;", (left, _concatenation(reader)), position)


def _repeated(reader: SequenceReader) -> Expression:
    """A term with the repetitions behind it."""
    position = reader.position()
    if reader.text() == "[":
        sequence = _repetition(reader, None, position)
    elif reader.text() == "{" and is_sequence(reader):
        sequence = _level(reader, 0)
    else:
        sequence = Operation("sere", (reader.expression(),), position)
    while reader.text() == "[":
        sequence = _repetition(reader, sequence, position)
    return sequence


def _level(reader: SequenceReader, level: int) -> Expression:
    """Sequences between ``:``, ``|``, ``&&``, ``&`` and ``within``; the operators bind in NuSMV's order."""
    levels: tuple[Callable[[], str | None], ...] = (
        lambda: ":" if reader.text() == ":" else None,
        lambda: "within" if reader.text() == "within" else None,
        lambda: "&&" if reader.joined("&", "&") else None,
        lambda: "|" if reader.text() == "|" and not reader.joined("|", "->") and not reader.joined("|", "=") else None,
        lambda: "&" if reader.text() == "&" and not reader.joined("&", "&") else None,
    )
    if level == len(levels):
        sequence = parse_sequence(reader)
        while reader.text() == "[":
            sequence = _repetition(reader, sequence, reader.position())
        return sequence
    left = _level(reader, level + 1)
    while (operator := levels[level]()) is not None:
        position = reader.position()
        reader.index += 2 if operator == "&&" else 1
        left = Operation(f"sere {operator}", (left, _level(reader, level + 1)), position)
    return left


def _repetition(reader: SequenceReader, body: Expression | None, position: int) -> Expression:
    reader.take("[")
    if reader.text() == "+":
        reader.take("+")
        reader.take("]")
        return Operation("sere [+]", () if body is None else (body,), position)
    kind = reader.text()
    if kind not in ("*", "=", "->") or (kind != "*" and body is None):
        raise reader.expected("'*', '+', '=' or '->'")
    reader.take(kind)
    if kind != "*":
        if not (isinstance(body, Operation) and body.operator == "sere"):
            raise reader.expected(f"a boolean expression before '[{kind}'")
        body = body.operands[0]
    bounds: list[Expression] = []
    if reader.text() != "]":
        bounds.append(reader.expression(PRIMARY))
        if reader.text() == ":":
            reader.take(":")
            bounds.append(reader.expression(PRIMARY))
    elif kind == "=":
        raise reader.expected("a number")
    reader.take("]")
    operands = (*(() if body is None else (body,)), *bounds)
    return Operation(f"sere [{kind}]" if body is not None else "sere [*] any", operands, position)


def desugared(sequence: Expression) -> Expression:
    """A sequence in ``sere``, ``sere ;``, ``sere :``, ``sere |``, ``sere &&`` and ``sere *`` (body, low, high) only.

    ``high`` is -1 without a bound. Raises ValueError for bounds that are no numbers or an empty range.
    """
    assert isinstance(sequence, Operation)
    operator, operands, position = sequence.operator, sequence.operands, sequence.position
    match operator:
        case "sere" | "sere *":
            return sequence
        case "sere ;" | "sere :" | "sere |" | "sere &&":
            return Operation(operator, tuple(desugared(operand) for operand in operands), position)
        case "sere &":
            left, right = (desugared(operand) for operand in operands)
            first = Operation("sere &&", (left, _then_anything(right)), position)
            second = Operation("sere &&", (_then_anything(left), right), position)
            return Operation("sere |", (first, second), position)
        case "sere within":
            inner, outer = (desugared(operand) for operand in operands)
            around = Operation("sere ;", (_anything(position), _then_anything(inner)), position)
            return Operation("sere &&", (around, outer), position)
        case "sere [+]":
            return _times(desugared(operands[0]) if operands else _any_letter(position), 1, -1, position)
        case "sere [*]":
            return _times(desugared(operands[0]), *_range(operands[1:], (0, -1)), position)
        case "sere [*] any":
            return _times(_any_letter(position), *_range(operands, (0, -1)), position)
        case _:
            return _occurrences(operator, operands, position)


def _occurrences(operator: str, operands: tuple[Expression, ...], position: int) -> Expression:
    """``b[->n:m]`` is ``{b̄[*]; b}[*n:m]``; ``b[=n:m]`` goes on after it with ``b̄[*]``."""
    letter = Operation("sere", (operands[0],), position)
    absent = Operation("sere", (Operation("!", (operands[0],), position),), position)
    without = _times(absent, 0, -1, position)
    low, high = _range(operands[1:], (1, 1))
    sequence = _times(Operation("sere ;", (without, letter), position), low, high, position)
    return Operation("sere ;", (sequence, without), position) if operator == "sere [=]" else sequence


def _range(bounds: tuple[Expression, ...], default: tuple[int, int]) -> tuple[int, int]:
    numbers = [_number(bound) for bound in bounds] or list(default)
    low, high = numbers[0], numbers[-1]
    if low < 0 or -1 < high < low:
        raise ValueError(f"a repetition of {low} to {high} times")
    return low, high


def _number(bound: Expression) -> int:
    match bound:
        case Number(value) if not isinstance(value, bool):
            return value
        case Name(text) if text == INFINITE:
            return -1
    raise ValueError("a repetition whose bound is not a number")


def _times(body: Expression, low: int, high: int, position: int) -> Expression:
    return Operation("sere *", (body, Number(low, position), Number(high, position)), position)


def _any_letter(position: int) -> Expression:
    return Operation("sere", (Number(True, position),), position)


def _anything(position: int) -> Expression:
    return _times(_any_letter(position), 0, -1, position)


def _then_anything(sequence: Expression) -> Expression:
    return Operation("sere ;", (sequence, _anything(sequence.position)), sequence.position)


def core(operator: str, operands: tuple[Expression, ...], position: int) -> Expression:
    """An operator on sequences by ``seq |->``, ``seq {}`` and ``seq {}!`` with desugared sequences.

    Source: IEEE 1850, the definitions of ``|=>``, ``within`` and ``whilenot``. Raises ValueError as ``desugared`` does.
    """
    match operator:
        case "seq {}" | "seq {}!":
            return Operation(operator, (desugared(operands[0]),), position)
        case "seq ()" | "seq |->" | "seq |->!":
            return Operation("seq |->", (desugared(operands[0]), operands[1]), position)
        case "seq |=>" | "seq |=>!":
            shifted = Operation("sere ;", (desugared(operands[0]), _any_letter(position)), position)
            return Operation("seq |->", (shifted, operands[1]), position)
    strong = "!" if "!" in operator else ""
    if operator.startswith("seq whilenot"):
        operands = (_any_letter(position), *operands)
    start, stop, inner = operands
    first = start if isinstance(start, Operation) and start.operator.startswith("sere") else None
    begin = first or Operation("sere", (start,), position)
    absent = Operation("sere", (Operation("!", (stop,), position),), position)
    before = _times(absent, 0, -1, position)
    last = Operation("sere", (stop,), position)
    body = desugared(inner)
    if operator.endswith("_"):
        ended = Operation("sere &&", (body, Operation("sere ;", (before, last), position)), position)
    else:
        ended = Operation("sere ;", (Operation("sere &&", (body, before), position), last), position)
    return Operation("seq |->", (desugared(begin), Operation(f"seq {{}}{strong}", (ended,), position)), position)
