"""Boolean circuits with shared gates, as which expressions and diagrams are decided.

Laws of this file: a signal is a non-zero integer, its negation is the negative one, as in DIMACS; 1 is
TRUE and -1 is FALSE. Gates are simplified and shared as they are built, so equal structure is one signal.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import overload

from symag.smv.certify.circuits.packages import Package

TRUE = 1
FALSE = -1

#: ``("input",)``, ``("and", a, b)``, ``("xor", a, b)`` or ``("ite", condition, a, b)``.
Gate = tuple[str] | tuple[str, int, int] | tuple[str, int, int, int]


_KINDS = ("input", "and", "xor", "ite")

#: Kinds by number.
INPUT, AND, XOR, ITE = range(4)

#: The bits of a signal in a key.
_SIGNAL = 0xFFFF_FFFF


class GateTable(Sequence[Gate]):
    """The gates by signal, in arrays of 13 bytes a gate; tuples are made of those that are asked for."""

    __slots__ = ("first", "kinds", "second", "third")

    def __init__(self) -> None:
        self.kinds = bytearray()
        self.first, self.second, self.third = array("i"), array("i"), array("i")

    def append(self, kind: int, a: int = 0, b: int = 0, c: int = 0) -> int:
        """A gate more, by its number in ``_KINDS``; its signal."""
        self.kinds.append(kind)
        self.first.append(a)
        self.second.append(b)
        self.third.append(c)
        return len(self.kinds) - 1

    def append_conjunctions(self, first: array[int], second: array[int]) -> int:
        """Conjunctions of pairs, which may be of each other; the signal of the first one."""
        start = len(self.kinds)
        self.kinds.extend(bytes([AND]) * len(first))
        self.first.extend(first)
        self.second.extend(second)
        self.third.extend(array("i", bytes(4 * len(first))))
        return start

    def __len__(self) -> int:
        return len(self.kinds)

    @overload
    def __getitem__(self, index: int) -> Gate: ...
    @overload
    def __getitem__(self, index: slice) -> list[Gate]: ...
    def __getitem__(self, index: int | slice) -> Gate | list[Gate]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        kind = self.kinds[index]
        if kind == INPUT:
            return ("input",)
        if kind == ITE:
            return "ite", self.first[index], self.second[index], self.third[index]
        return _KINDS[kind], self.first[index], self.second[index]


class Circuit:
    """A growing set of gates over inputs; every operation costs constant time.

    ``package`` makes the decision diagrams of its signals, if they are needed.
    """

    def __init__(self, package: Package = "auto") -> None:
        self.package: Package = package
        self.gates = GateTable()
        self.gates.append(INPUT)  # gate 0 is unused, gate 1 is TRUE
        self.gates.append(INPUT)
        self._known: dict[int, int] = {}
        self._known_xor: dict[int, int] = {}
        self._known_choice: dict[tuple[int, int, int], int] = {}

    def input(self) -> int:
        """A fresh signal that nothing constrains."""
        return self.gates.append(INPUT)

    def conjunction(self, a: int, b: int) -> int:
        """a and b."""
        if a == b or b == TRUE:
            return a
        if a == TRUE:
            return b
        if a == -b or a == FALSE or b == FALSE:
            return FALSE
        if a > b:
            a, b = b, a
        key = (a & _SIGNAL) << 32 | b & _SIGNAL
        signal = self._known.get(key)
        if signal is None:
            signal = self._known[key] = self.gates.append(AND, a, b)
        return signal

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
        if a > b:
            a, b = b, a
        key = a << 32 | b
        if key not in self._known_xor:
            self._known_xor[key] = self.gates.append(XOR, a, b)
        return sign * self._known_xor[key]

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
            return -self._choice(condition, -a, -b)
        return self._choice(condition, a, b)

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

    def _choice(self, condition: int, a: int, b: int) -> int:
        key = condition, a, b
        if key not in self._known_choice:
            self._known_choice[key] = self.gates.append(ITE, condition, a, b)
        return self._known_choice[key]

    def cone(self, roots: Iterable[int], skip: Iterable[int] = ()) -> list[int]:
        """The gates that the roots depend on, operands first, as positive signals; without inputs and ``skip``.

        ``skip`` contains with every gate all gates that it depends on.
        """
        skipped = skip if isinstance(skip, set | frozenset | dict) else set(skip)
        kinds, first, second, third = self.gates.kinds, self.gates.first, self.gates.second, self.gates.third
        cone: set[int] = set()
        stack = [abs(root) for root in roots]
        while stack:
            signal = stack.pop()
            if signal in cone or kinds[signal] == INPUT or signal in skipped:
                continue
            cone.add(signal)
            stack.append(abs(first[signal]))
            stack.append(abs(second[signal]))
            if kinds[signal] == ITE:
                stack.append(abs(third[signal]))
        return sorted(cone)  # a gate is always younger than its operands
