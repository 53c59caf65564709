"""The meaning of a PSL property: an LTL or a CTL formula, in the syntax of those.

The translation is that of NuSMV 2.6 (``pslConv.c``): runs are infinite, so a weak ``next`` is a strong one;
``f until g`` and what is built from it is written with ``V``: g V (f | g). OBE formulas are CTL as they stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symag.smv.language import sequences
from symag.smv.language.psl import PSL_OPERATORS, SEQUENCE
from symag.smv.language.syntax import Expression, Name, Number, Operation

_OBE = frozenset("AX EX AG EG AF EF AU EU".split())
_LOGICAL = frozenset(("->", "<->", "&", "|", "!", "xor", "xnor", "^"))
_NEXT = frozenset(("psl X", "psl X!", "psl next", "next!", "X!", "psl next!"))


class UntranslatedError(Exception):
    """The property has no translation; the text says why."""


def replaced(expression: Expression, bound: Mapping[str, Expression]) -> Expression:
    """The expression with values for the names that a ``forall`` binds."""
    match expression:
        case Name(text):
            return bound.get(text, expression)
        case Operation(operator, operands, position) if bound:
            if operator == ".":
                # The name after a dot is that of a component, also if a forall binds the same name.
                return Operation(operator, (replaced(operands[0], bound), *operands[1:]), position)
            return Operation(operator, tuple(replaced(operand, bound) for operand in operands), position)
    return expression


def is_branching(expression: Expression) -> bool:
    """Whether the property is an OBE: one with the path quantifiers of CTL."""
    return any(operator in _OBE for operator in operators(expression))


def meaning(expression: Expression) -> Expression:
    """The formula that a property stands for.

    Operators on sequences become ``seq |->``, ``seq {}`` and ``seq {}!`` (see ``sequences``). Raises UntranslatedError
    for ``abort``, and for bounds that are no numbers.
    """
    match expression:
        case Operation(operator, operands, position) if operator in PSL_OPERATORS or operator == SEQUENCE:
            return _operation(operator, operands, position)
        case Operation(operator, operands, position) if operator.startswith("seq "):
            return _of_sequence(operator, operands, position)
        case Operation("psl forall" | "psl forany" as operator, (Name(name), body, *values), position):
            meanings = [meaning(replaced(body, {name: value})) for value in _values(values)]
            return _joined("&" if operator == "psl forall" else "|", meanings, position)
        case Operation("psl forall" | "psl forany"):
            raise UntranslatedError("PSL with nested foralls over the same name, which NuSMV refuses too")
    return _plain(expression)


def _of_sequence(operator: str, operands: tuple[Expression, ...], position: int) -> Expression:
    try:
        meaning_ = sequences.core(operator, operands, position)
    except ValueError as error:
        raise UntranslatedError(f"PSL with {error}") from None
    assert isinstance(meaning_, Operation)
    sequence = _letters(meaning_.operands[0])
    if meaning_.operator == "seq |->":
        return Operation("seq |->", (sequence, meaning(meaning_.operands[1])), position)
    return Operation(meaning_.operator, (sequence,), position)


def _letters(sequence: Expression) -> Expression:
    """A sequence with its boolean expressions in SMV's own operators."""
    if not isinstance(sequence, Operation):
        return sequence
    if sequence.operator == "sere":
        (letter,) = sequence.operands
        if has_sequences(letter):
            raise UntranslatedError("PSL with a property inside a sequence")
        return Operation("sere", (_plain(letter),), sequence.position)
    return Operation(sequence.operator, tuple(_letters(operand) for operand in sequence.operands), sequence.position)


def has_sequences(expression: Expression) -> bool:
    """Whether an expression has operators on sequences."""
    return any(operator.startswith("seq ") for operator in operators(expression))


def operators(expression: Expression) -> Iterator[str]:
    """The operators in an expression, in no order."""
    pending = [expression]
    while pending:
        part = pending.pop()
        if isinstance(part, Operation):
            yield part.operator
            pending.extend(part.operands)


def _plain(expression: Expression) -> Expression:
    """An expression of the boolean layer in SMV's own operators."""
    if not isinstance(expression, Operation):
        return expression
    operator = {"psl ?:": "?:", "^": "xor"}.get(expression.operator, expression.operator)
    return Operation(operator, tuple(_plain(operand) for operand in expression.operands), expression.position)


def _operation(operator: str, operands: Sequence[Expression], position: int) -> Expression:
    if operator == SEQUENCE:
        raise UntranslatedError("PSL with select")
    if operator == "abort":
        raise UntranslatedError("PSL's abort, which NuSMV does not support either")
    bounded = operator.endswith(("[]", "()"))
    if bounded:
        body, *rest = operands
        if operator.endswith("[]"):
            return _next(operator, meaning(body), [_number(bound) for bound in rest], position)
        return _event(operator, meaning(body), meaning(rest[0]), [_number(bound) for bound in rest[1:]], position)
    only = operands[0]
    if operator in ("never", "eventually!") and isinstance(only, Operation) and only.operator == "seq {}":
        # Of a sequence alone ``never`` means that there is no match, ``eventually!`` that there is a whole one.
        if operator == "never":
            nothing = Operation("seq |->", (*only.operands, Number(False, position)), position)
            return Operation("G", (meaning(nothing),), position)
        return Operation("F", (meaning(Operation("seq {}!", only.operands, position)),), position)
    inner = [meaning(operand) for operand in operands]
    if operator == "psl ?:":
        condition, then, other = inner
        first = _joined("->", [condition, then], position)
        return _joined("&", [first, _joined("->", [_not(condition), other], position)], position)
    if operator in _LOGICAL:
        return Operation("xor" if operator == "^" else operator, tuple(inner), position)
    if operator in _NEXT:
        return Operation("X", tuple(inner), position)
    match operator:
        case "always":
            return Operation("G", tuple(inner), position)
        case "never":
            return Operation("G", (_not(inner[0]),), position)
        case "eventually!":
            return Operation("F", tuple(inner), position)
        case "W":
            return _until("until", inner[0], inner[1], position)
    if operator.startswith("until"):
        return _until(operator, inner[0], inner[1], position)
    if operator.startswith("before"):
        # f before g is !g until (f & !g), with an underscore !g until f
        first, second = inner
        goal = first if operator.endswith("_") else _joined("&", [first, _not(second)], position)
        return _until("until!" if "!" in operator else "until", _not(second), goal, position)
    return Operation(operator, tuple(inner), position)


def _not(expression: Expression) -> Expression:
    return Operation("!", (expression,), expression.position)


def _joined(operator: str, operands: Sequence[Expression], position: int) -> Expression:
    return operands[0] if len(operands) == 1 else Operation(operator, tuple(operands), position)


def _until(operator: str, left: Expression, right: Expression, position: int) -> Expression:
    if operator.endswith("_"):
        right = _joined("&", [left, right], position)
    if "!" in operator:
        return Operation("U", (left, right), position)
    return Operation("V", (right, _joined("|", [left, right], position)), position)


def _steps(body: Expression, count: int, position: int) -> Expression:
    for _ in range(count):
        body = Operation("X", (body,), position)
    return body


def _next(operator: str, body: Expression, bounds: Sequence[int], position: int) -> Expression:
    """``next[n]`` and, with a range, ``next_a`` (everywhere in it) and ``next_e`` (somewhere in it)."""
    low, high = bounds[0], bounds[-1]
    _check_range(low, high, 0)
    joint = "|" if operator.startswith("psl next_e") else "&"
    formula = body
    for _ in range(high - low):
        formula = _joined(joint, [body, _steps(formula, 1, position)], position)
    return _steps(formula, low, position)


def _event(operator: str, body: Expression, event: Expression, bounds: Sequence[int], position: int) -> Expression:
    """``next_event(event)[n](body)``: body where the event happens for the n-th time, from now on."""
    low, high = (bounds[0], bounds[-1]) if bounds else (1, 1)
    _check_range(low, high, 1)
    kind = "until!" if "!" in operator else "until"
    events: list[Expression] = []
    nested = body
    for count in range(1, high + 1):
        if count > 1:
            nested = _steps(nested, 1, position)
        nested = _until(kind, _not(event), _joined("&", [event, nested], position), position)
        if count >= low:
            events.append(nested)
    return _joined("|" if "event_e" in operator else "&", events, position)


def _check_range(low: int, high: int, least: int) -> None:
    if not least <= low <= high:
        raise UntranslatedError(f"PSL with the range {low}:{high}, which is not one from {least} upwards")


def _number(expression: Expression) -> int:
    if isinstance(expression, Number) and not isinstance(expression.value, bool):
        return expression.value
    raise UntranslatedError("PSL with a bound that is not a number")


def _values(values: Sequence[Expression]) -> Sequence[Expression]:
    numbers: list[Expression] = []
    for value in values:
        if isinstance(value, Operation) and value.operator == "..":
            low, high = (_number(bound) for bound in value.operands)
            numbers.extend(Number(number, value.position) for number in range(low, high + 1))
        elif isinstance(value, Name) and value.text == "boolean":
            numbers.extend((Number(False, value.position), Number(True, value.position)))
        else:
            numbers.append(value)
    if not numbers:
        raise UntranslatedError("PSL with a forall over nothing")
    return numbers
