"""Boolean circuits with shared gates: what expressions and diagrams become before they are decided.

Laws of this file: a signal is a non-zero integer, its negation is the negative one, as in DIMACS; 1 is
TRUE and -1 is FALSE. Gates are simplified and shared as they are built, so equal structure is one signal.
"""

from __future__ import annotations

from collections.abc import Iterable

from symag.smv.certify.circuits.packages import Package

TRUE = 1
FALSE = -1

#: ``("input",)``, ``("and", a, b)``, ``("xor", a, b)`` or ``("ite", condition, a, b)``.
Gate = tuple[str] | tuple[str, int, int] | tuple[str, int, int, int]


class Circuit:
    """A growing set of gates over inputs; every operation costs constant time.

    ``package`` makes the decision diagrams of its signals, where there are any.
    """

    def __init__(self, package: Package = "auto") -> None:
        self.package: Package = package
        self.gates: list[Gate] = [("input",), ("input",)]  # place 0 is unused, 1 is TRUE
        self._known: dict[Gate, int] = {}

    def input(self) -> int:
        """A fresh signal that nothing constrains."""
        self.gates.append(("input",))
        return len(self.gates) - 1

    def conjunction(self, a: int, b: int) -> int:
        """a and b."""
        if a == b or b == TRUE:
            return a
        if a == TRUE:
            return b
        if a == -b or a == FALSE or b == FALSE:
            return FALSE
        return self._gate(("and", a, b) if a < b else ("and", b, a))

    def disjunction(self, a: int, b: int) -> int:
        """a or b."""
        return -self.conjunction(-a, -b)

    def exclusive(self, a: int, b: int) -> int:
        """Exactly one of a and b."""
        sign = 1
        if a < 0:
            a, sign = -a, -sign
        if b < 0:
            b, sign = -b, -sign
        if a == b:
            return sign * FALSE
        if a == TRUE:
            return -sign * b
        if b == TRUE:
            return -sign * a
        return sign * self._gate(("xor", a, b) if a < b else ("xor", b, a))

    def equal(self, a: int, b: int) -> int:
        """a and b, or neither."""
        return -self.exclusive(a, b)

    def choice(self, condition: int, a: int, b: int) -> int:
        """a where the condition is true, b elsewhere."""
        if condition < 0:
            condition, a, b = -condition, b, a
        if condition == TRUE or a == b:
            return a
        if a == -b:
            return self.equal(condition, a)
        if a in (TRUE, condition):
            return self.disjunction(condition, b)
        if a in (FALSE, -condition):
            return self.conjunction(-condition, b)
        if b in (TRUE, -condition):
            return self.disjunction(-condition, a)
        if b in (FALSE, condition):
            return self.conjunction(condition, a)
        if b < 0:
            return -self._gate(("ite", condition, -a, -b))
        return self._gate(("ite", condition, a, b))

    def all(self, signals: Iterable[int]) -> int:
        """The conjunction of any number of signals; TRUE for none."""
        return self._balanced(list(signals))

    def any(self, signals: Iterable[int]) -> int:
        """The disjunction of any number of signals; FALSE for none."""
        return -self._balanced([-signal for signal in signals])

    def _balanced(self, signals: list[int]) -> int:
        while len(signals) > 1:
            paired = [self.conjunction(a, b) for a, b in zip(signals[::2], signals[1::2], strict=False)]
            signals = paired + signals[len(signals) // 2 * 2 :]
        return signals[0] if signals else TRUE

    def _gate(self, gate: Gate) -> int:
        signal = self._known.get(gate)
        if signal is None:
            self.gates.append(gate)
            signal = self._known[gate] = len(self.gates) - 1
        return signal

    def cone(self, roots: Iterable[int], skip: Iterable[int] = ()) -> list[int]:
        """The gates (not inputs, positive signals, children first) that the roots depend on, without ``skip``.

        ``skip`` must contain, with a gate, all gates below it.
        """
        skipped = skip if isinstance(skip, set | frozenset | dict) else set(skip)
        cone: set[int] = set()
        stack = [abs(root) for root in roots]
        while stack:
            signal = stack.pop()
            if signal in cone or signal in skipped or len(self.gates[signal]) == 1:
                continue
            cone.add(signal)
            stack.extend(abs(operand) for operand in self.gates[signal][1:] if isinstance(operand, int))
        return sorted(cone)  # a gate is always younger than its operands
