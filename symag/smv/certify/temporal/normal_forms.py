"""Normal forms of expressions, so that a formula of a certificate is found again in the model."""

from __future__ import annotations

from dataclasses import dataclass, field

from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import BooleanType, IntegerType, SetType, WordType

_CHAINS = frozenset(("and", "or", "union"))
_Key = tuple[object, ...]


@dataclass(slots=True)
class NormalForms:
    """Gives every expression its normal form: one object for all expressions of the same structure and meaning, whether
    they come from a model or from the text of a certificate.

    - A chain of ``and``, of ``or`` or of ``union`` is one operation, whatever its brackets.
    - ``index`` is ``case``, from which it differs in the message of its error only.
    - ``min``, ``max`` and ``abs`` are the ``case`` that their text is, as NuSMV writes them.
    - Bounded operators are expanded as in NuSMV: ``F [a, b] g`` is X^a (g | X (g | ... X g)) with b - a inner
      X's, ``G [a, b] g`` the same with ``&``; ``O`` and ``H`` likewise with Y.
    """

    _known: dict[_Key, Expression] = field(default_factory=dict)
    _forms: dict[int, Expression] = field(default_factory=dict)
    _kept: list[Expression] = field(default_factory=list)  # expressions whose ids are keys of _forms

    def of(self, expression: Expression) -> Expression:
        """The normal form; defines are not expanded. Linear in the expression and in the bounds of its operators."""
        stack = [expression]
        while stack:
            current = stack[-1]
            below = current.operands if isinstance(current, Operation) else ()
            missing = [operand for operand in below if id(operand) not in self._forms]
            if missing:
                stack.extend(reversed(missing))
                continue
            stack.pop()
            if id(current) not in self._forms:
                self._forms[id(current)] = self._normal(current)
                self._kept.append(current)
        return self._forms[id(expression)]

    def _normal(self, expression: Expression) -> Expression:
        match expression:
            case Constant(value, kind):
                # TRUE and 1 are equal values in Python.
                return self._shared(("constant", type(value), value, _shape(kind)), expression)
            case VariableReference(name, primed) | DefineReference(name, primed):
                return self._shared((type(expression), name, primed), expression)
            case Operation(operator, operands):
                forms = tuple([self._forms[id(operand)] for operand in operands])
                if operator in ("F", "G", "O", "H") and len(operands) == 3:
                    return self._bounded(expression, forms)
                if operator in ("min", "max", "abs"):
                    return self._extreme(expression, forms)
                return self._operation("case" if operator == "index" else operator, forms, expression)

    def _operation(self, operator: str, operands: tuple[Expression, ...], like: Operation) -> Expression:
        if operator in _CHAINS:
            flat: list[Expression] = []
            for operand in operands:
                same = isinstance(operand, Operation) and operand.operator == operator
                flat.extend(operand.operands if same and isinstance(operand, Operation) else (operand,))
            operands = tuple(flat)
        key = (operator, _shape(like.type), *map(id, operands))
        return self._shared(key, Operation(operator, operands, like.type, like.position))

    def _extreme(self, extreme: Operation, operands: tuple[Expression, ...]) -> Expression:
        first, last, position = operands[0], operands[-1], extreme.position
        compared, operator = operands, "<"
        if extreme.operator == "abs":
            compared, operator = (first, self._normal(Constant(0, IntegerType(), position))), ">="
            last = self._operation("negate", (first,), extreme)
            if isinstance(first, Constant) and isinstance(first.value, int):
                last = self._normal(Constant(-first.value, IntegerType(), position))
        elif extreme.operator == "max":
            first, last = last, first
        condition = self._operation(operator, compared, Operation(operator, compared, BooleanType(), position))
        always = self._normal(Constant(True, BooleanType(), position))
        return self._operation("case", (condition, first, always, last), extreme)

    def _bounded(self, formula: Operation, operands: tuple[Expression, ...]) -> Expression:
        inner, low, high = operands[0], _bound(operands[1]), _bound(operands[2])
        step = "X" if formula.operator in ("F", "G") else "Y"
        joined = "or" if formula.operator in ("F", "O") else "and"
        if low > high:
            return self._normal(Constant(joined == "and", BooleanType(), formula.position))
        like = Operation(step, (inner,), BooleanType(), formula.position)
        form = inner
        for count in range(high):
            form = self._operation(step, (form,), like)
            if count < high - low:
                form = self._operation(joined, (inner, form), like)
        return form

    def _shared(self, key: _Key, form: Expression) -> Expression:
        return self._known.setdefault(key, form)


def _shape(kind: object) -> object:
    """What an operator's meaning depends on besides its operands: the width and sign of words, or a set."""
    if isinstance(kind, WordType | BooleanType):
        return kind
    return SetType if isinstance(kind, SetType) else None


def _bound(expression: Expression) -> int:
    assert isinstance(expression, Constant)
    assert isinstance(expression.value, int)
    return expression.value
