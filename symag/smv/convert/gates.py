"""Circuits as and-inverter gates: signals become literals once all inputs that they need have theirs."""

from __future__ import annotations

from collections.abc import Callable

from symag.smv.certify.circuits.circuit import TRUE, Circuit


class AndGates:
    """Literals in the AIGER sense, numbered as they are made; ``ands`` are (left, first, second).

    ``meaning`` says what an input of the circuit is: a signal of the circuit that defines it, or None for
    an input without definition, which then gets a literal of its own or that of ``place``. Definitions
    must not depend on each other in a circle. ``undefined`` says that some input had neither: it stands for the
    value of an evaluation that fails, and became FALSE.
    """

    def __init__(self, circuit: Circuit, meaning: Callable[[int], int | None]) -> None:
        self._circuit = circuit
        self._meaning = meaning
        self._known: dict[int, int] = {TRUE: 1}
        self._shared: dict[tuple[int, int], int] = {}
        self.ands: list[tuple[int, int, int]] = []
        self.next_number = 1
        self.undefined = False

    def place(self, signal: int) -> int:
        """A literal of its own for an input of the circuit."""
        if signal in self._known:
            raise ValueError(f"signal {signal} has a literal")
        literal = self._known[signal] = 2 * self.next_number
        self.next_number += 1
        return literal

    def literal(self, signal: int) -> int:
        """The literal of a signal, negated for a negative one; its gates are made, below before above."""
        stack = [abs(signal)]
        while stack:
            top = stack[-1]
            if top in self._known:
                stack.pop()
                continue
            missing = [abs(operand) for operand in self._operands(top) if abs(operand) not in self._known]
            stack.extend(missing)
            if not missing:
                self._known[top] = self._made(top)
        return self._of(signal)

    def _operands(self, signal: int) -> list[int]:
        gate = self._circuit.gates[signal]
        if len(gate) > 1:
            return [operand for operand in gate[1:] if isinstance(operand, int)]
        meaning = None if signal == TRUE else self._meaning(signal)
        return [] if meaning is None else [meaning]

    def _of(self, signal: int) -> int:
        return self._known[abs(signal)] ^ (signal < 0)

    def _made(self, signal: int) -> int:
        gate = self._circuit.gates[signal]
        operands = [self._of(operand) for operand in self._operands(signal)]
        if gate[0] == "input":
            self.undefined = self.undefined or not operands
            return operands[0] if operands else 0
        if gate[0] == "and":
            return self._and(operands[0], operands[1])
        if gate[0] == "xor":
            return self._choice(operands[0], operands[1] ^ 1, operands[1])
        return self._choice(*operands)

    def _choice(self, condition: int, high: int, low: int) -> int:
        return self._and(self._and(condition, high) ^ 1, self._and(condition ^ 1, low) ^ 1) ^ 1

    def _and(self, first: int, second: int) -> int:
        first, second = max(first, second), min(first, second)
        if second == 0 or first == second ^ 1:
            return 0
        if second == 1 or first == second:
            return first
        if (first, second) not in self._shared:
            self._shared[first, second] = 2 * self.next_number
            self.ands.append((2 * self.next_number, first, second))
            self.next_number += 1
        return self._shared[first, second]
