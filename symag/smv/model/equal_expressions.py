"""One object for all equal expressions, so that what is equal is built once."""

from __future__ import annotations

from dataclasses import dataclass, field

from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference

_Key = tuple[object, ...]


@dataclass(slots=True)
class EqualExpressions:
    """Gives every expression the first one seen that has the same operators, operands, names and types.

    Positions do not count, and defines are not opened. Example: of both ``p`` in ``F p & G p`` it gives the first.
    """

    _first: dict[_Key, Expression] = field(default_factory=dict)
    _by_id: dict[int, Expression] = field(default_factory=dict)
    _kept: list[Expression] = field(default_factory=list)  # expressions whose ids are keys of _by_id

    def of(self, expression: Expression) -> Expression:
        """The first expression that equals this one; all below it are such first ones too. Linear in its size."""
        stack = [expression]
        while stack:
            current = stack[-1]
            below = current.operands if isinstance(current, Operation) else ()
            missing = [operand for operand in below if id(operand) not in self._by_id]
            if missing:
                stack.extend(reversed(missing))
                continue
            stack.pop()
            if id(current) not in self._by_id:
                first = self._first_of(current)
                for known in (current, first):
                    self._by_id[id(known)] = first
                    self._kept.append(known)
        return self._by_id[id(expression)]

    def _first_of(self, expression: Expression) -> Expression:
        match expression:
            case Constant(value, kind):
                # TRUE and 1 are equal values in Python.
                return self._first.setdefault(("constant", type(value), value, kind), expression)
            case VariableReference(name, primed) | DefineReference(name, primed):
                return self._first.setdefault((type(expression), name, primed), expression)
            case Operation(operator, operands, kind, position):
                own = tuple([self._by_id[id(operand)] for operand in operands])
                key = (operator, kind, *map(id, own))
                if key not in self._first:
                    same = all(new is old for new, old in zip(own, operands, strict=True))
                    self._first[key] = expression if same else Operation(operator, own, kind, position)
                return self._first[key]
