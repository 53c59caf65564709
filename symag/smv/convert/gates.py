"""Circuits as and-inverter gates: signals become literals once all inputs that they need have theirs."""

from __future__ import annotations

from array import array
from collections.abc import Callable

import numpy as np

from symag.smv.aiger.format import Ands
from symag.smv.certify.circuits.circuit import AND, TRUE, Circuit


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
        #: By signal, its literal; -1 for those that have none yet.
        self._known = array("i", [-1, 1])
        self._shared: dict[int, int] = {}
        self._ands = array("q")
        self.next_number = 1
        self.undefined = False

    @property
    def ands(self) -> Ands:
        """The gates made so far."""
        return Ands(np.array(self._ands, dtype=np.int64).reshape(-1, 3))

    def place(self, signal: int) -> int:
        """A literal of its own for an input of the circuit."""
        self._extend()
        if self._known[signal] >= 0:
            raise ValueError(f"signal {signal} has a literal")
        literal = self._known[signal] = 2 * self.next_number
        self.next_number += 1
        return literal

    def literal(self, signal: int) -> int:
        """The literal of a signal, negated for a negative one; its gates are made, below before above."""
        self._extend()
        known, gates = self._known, self._circuit.gates
        kinds, first, second, conjunction = gates.kinds, gates.first, gates.second, self._and
        stack = [abs(signal)]
        while stack:
            top = stack[-1]
            if known[top] >= 0:
                stack.pop()
                continue
            if kinds[top] == AND:  # nearly all gates of a netlist
                a, b = first[top], second[top]
                x, y = known[a] if a > 0 else known[-a], known[b] if b > 0 else known[-b]
                if x < 0 or y < 0:
                    stack += [abs(operand) for operand, of in ((a, x), (b, y)) if of < 0]
                else:
                    known[top] = conjunction(x ^ (a < 0), y ^ (b < 0))
                    stack.pop()
                continue
            operands = self._operands(top)
            missing = [abs(operand) for operand in operands if known[abs(operand)] < 0]
            if missing:
                stack.extend(missing)
            else:
                known[top] = self._made(top, operands)
        return self._of(signal)

    def _extend(self) -> None:
        """Give every signal of the circuit a place; 1 is TRUE."""
        self._known.extend([-1] * (len(self._circuit.gates) - len(self._known)))

    def _operands(self, signal: int) -> list[int]:
        gate = self._circuit.gates[signal]
        if len(gate) > 1:
            return [operand for operand in gate[1:] if isinstance(operand, int)]
        meaning = None if signal == TRUE else self._meaning(signal)
        return [] if meaning is None else [meaning]

    def _of(self, signal: int) -> int:
        return self._known[abs(signal)] ^ (signal < 0)

    def _made(self, signal: int, signals: list[int]) -> int:
        gate = self._circuit.gates[signal]
        operands = [self._of(operand) for operand in signals]
        if gate[0] == "input":
            self.undefined = self.undefined or not operands
            return operands[0] if operands else 0
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
        key = first << 32 | second
        literal = self._shared.get(key)
        if literal is None:
            literal = self._shared[key] = 2 * self.next_number
            self._ands.extend((literal, first, second))
            self.next_number += 1
        return literal
