"""A growing circuit of shared gates with the operations of a BDD context.

So the encoder of expressions for BDDs builds circuits too. A literal is a non-zero integer, its negation the negative
one, as in DIMACS; 1 is TRUE.
"""

from __future__ import annotations

from collections.abc import Iterable

from symag.core.grouping import pairwise

#: ("input",), ("and", a, b), ("xor", a, b) or ("ite", condition, a, b) over literals.
Gate = tuple[str] | tuple[str, int, int] | tuple[str, int, int, int]

TRUE = 1
FALSE = -1


class CircuitSignal:
    """A literal with its circuit, so that ``&``, ``|`` and ``~`` work on it as on diagrams."""

    __slots__ = ("gates", "literal")

    def __init__(self, gates: GateCircuit, literal: int) -> None:
        self.gates = gates
        self.literal = literal

    def __and__(self, other: CircuitSignal) -> CircuitSignal:
        return CircuitSignal(self.gates, self.gates.both(self.literal, other.literal))

    def __or__(self, other: CircuitSignal) -> CircuitSignal:
        return CircuitSignal(self.gates, -self.gates.both(-self.literal, -other.literal))

    def __invert__(self) -> CircuitSignal:
        return CircuitSignal(self.gates, -self.literal)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CircuitSignal) and self.literal == other.literal

    def __hash__(self) -> int:
        return hash(self.literal)


class GateCircuit:
    """The circuit; an operation costs constant time, and equal structure is one gate."""

    def __init__(self) -> None:
        self.gates: list[Gate] = [("input",), ("input",)]  # number 0 is unused, 1 is TRUE
        self._known: dict[Gate, int] = {}
        self._supports: list[int] = [0, 0]
        self._inputs = 0
        self.true = CircuitSignal(self, TRUE)
        self.false = CircuitSignal(self, FALSE)

    def input(self) -> CircuitSignal:
        """A fresh input."""
        self.gates.append(("input",))
        return CircuitSignal(self, len(self.gates) - 1)

    def constant(self, value: bool) -> CircuitSignal:
        """True or false."""
        return self.true if value else self.false

    def xor(self, left: CircuitSignal, right: CircuitSignal) -> CircuitSignal:
        """Exactly one of two."""
        return CircuitSignal(self, self.either(left.literal, right.literal))

    def xnor(self, left: CircuitSignal, right: CircuitSignal) -> CircuitSignal:
        """Both or neither."""
        return CircuitSignal(self, -self.either(left.literal, right.literal))

    def ite(self, condition: CircuitSignal, high: CircuitSignal, low: CircuitSignal) -> CircuitSignal:
        """``high`` where ``condition`` is true, else ``low``."""
        return CircuitSignal(self, self.choice(condition.literal, high.literal, low.literal))

    def conjunction(self, signals: Iterable[CircuitSignal]) -> CircuitSignal:
        """The conjunction of any number of signals; TRUE for none."""
        return CircuitSignal(self, self.all(signal.literal for signal in signals))

    def disjunction(self, signals: Iterable[CircuitSignal]) -> CircuitSignal:
        """The disjunction of any number of signals; FALSE for none."""
        return CircuitSignal(self, -self.all(-signal.literal for signal in signals))

    def both(self, a: int, b: int) -> int:
        """The literal of a and b."""
        if a == b or b == TRUE:
            return a
        if a == TRUE:
            return b
        if a == -b or a == FALSE or b == FALSE:
            return FALSE
        return self._gate(("and", a, b) if a < b else ("and", b, a))

    def either(self, a: int, b: int) -> int:
        """The literal of exactly one of a and b."""
        sign = 1
        if a < 0:
            a, sign = -a, -sign
        if b < 0:
            b, sign = -b, -sign
        if a == b:
            return -sign
        if a == TRUE:
            return -sign * b
        if b == TRUE:
            return -sign * a
        return sign * self._gate(("xor", a, b) if a < b else ("xor", b, a))

    def choice(self, condition: int, a: int, b: int) -> int:
        """The literal of a where the condition is true, of b elsewhere."""
        if condition < 0:
            condition, a, b = -condition, b, a
        if condition == TRUE or a == b:
            return a
        if a == -b:
            return -self.either(condition, a)
        if a in (TRUE, condition):
            return -self.both(-condition, -b)
        if a in (FALSE, -condition):
            return self.both(-condition, b)
        if b in (TRUE, -condition):
            return -self.both(condition, -a)
        if b in (FALSE, condition):
            return self.both(condition, a)
        if b < 0:
            return -self._gate(("ite", condition, -a, -b))
        return self._gate(("ite", condition, a, b))

    def all(self, literals: Iterable[int]) -> int:
        """The literal of a conjunction, as a balanced tree."""
        left = list(literals)
        return pairwise(self.both, left) if left else TRUE

    def sum(self, terms: Iterable[tuple[int, int]]) -> list[int]:
        """The bits, least significant first, of the sum of positive weights of the true literals."""
        columns: list[list[int]] = []
        for weight, literal in terms:
            shift = 0
            while weight >> shift:
                while len(columns) <= shift:
                    columns.append([])
                if weight >> shift & 1:
                    columns[shift].append(literal)
                shift += 1
        return self._compressed(columns)

    def _compressed(self, columns: list[list[int]]) -> list[int]:
        bits: list[int] = []
        place = 0
        while place < len(columns):
            column = columns[place]
            if len(column) > 1 and place + 1 == len(columns):
                columns.append([])
            while len(column) > 1:
                a, b = column.pop(0), column.pop(0)
                c = column.pop(0) if column else FALSE
                half = self.either(a, b)
                column.append(self.either(half, c))
                columns[place + 1].append(self.choice(half, c, a))
            bits.append(column[0] if column else FALSE)
            place += 1
        return bits

    def equal(self, left: list[int], right: list[int]) -> int:
        """The literal of the equality of two numbers."""
        width = max(len(left), len(right))
        pairs = zip(left + [FALSE] * (width - len(left)), right + [FALSE] * (width - len(right)), strict=True)
        return self.all(-self.either(a, b) for a, b in pairs)

    def at_most(self, left: list[int], right: list[int]) -> int:
        """The literal of left <= right."""
        width = max(len(left), len(right))
        pairs = zip(left + [FALSE] * (width - len(left)), right + [FALSE] * (width - len(right)), strict=True)
        result = TRUE
        for a, b in pairs:
            result = self.choice(self.either(a, b), b, result)
        return result

    def cone(self, roots: Iterable[int]) -> list[int]:
        """The gates (not inputs) that the roots depend on, operands first."""
        cone: set[int] = set()
        stack = [abs(root) for root in roots]
        while stack:
            number = stack.pop()
            if number in cone or len(self.gates[number]) == 1:
                continue
            cone.add(number)
            stack.extend(abs(operand) for operand in self.gates[number][1:] if isinstance(operand, int))
        return sorted(cone)

    def support(self, literal: int) -> int:
        """The inputs that a literal depends on, as a bit set: bit k for the k-th input. Each gate costs time once."""
        supports = self._supports
        for gate in self.gates[len(supports) :]:
            if len(gate) == 1:
                supports.append(1 << self._inputs)
                self._inputs += 1
            else:
                read = 0
                for operand in gate[1:]:
                    read |= supports[abs(operand)]
                supports.append(read)
        return supports[abs(literal)]

    def leaves(self, roots: Iterable[int]) -> set[int]:
        """The inputs that the roots depend on."""
        reached: set[int] = set()
        inputs: set[int] = set()
        stack = [abs(root) for root in roots]
        while stack:
            number = stack.pop()
            if number in reached:
                continue
            reached.add(number)
            gate = self.gates[number]
            if len(gate) == 1:
                if number != TRUE:
                    inputs.add(number)
            else:
                stack.extend(abs(operand) for operand in gate[1:] if isinstance(operand, int))
        return inputs

    def _gate(self, gate: Gate) -> int:
        number = self._known.get(gate)
        if number is None:
            self.gates.append(gate)
            number = self._known[gate] = len(self.gates) - 1
        return number
