"""And-inverter graphs with structural hashing (Kuehlmann, Krohm 1997; Brummayer, Biere, MEMICS 2006).

A literal is twice its node's number, plus one for negation, as in AIGER; node 0 is the constant, so 0 is FALSE and 1
is TRUE. A node is an input or the conjunction of two literals of smaller nodes. Nodes are kept in arrays, 12 bytes
each, and in one dictionary; there is no object for a gate.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from symag.core.grouping import pairwise
from symag.smv.model.gates import new_below

FALSE = 0
TRUE = 1

#: The value of ``left`` and ``right`` for an input.
INPUT = -1


class Graph:
    """A growing graph; every operation costs constant time.

    ``left[n]`` and ``right[n]`` are the operands of node n, or ``INPUT``; ``uses[n]`` is how many gates read it.
    ``known`` has the literals of the conjunctions made so far, by their operands (the smaller shifted by 32 bits).
    """

    true = TRUE
    false = FALSE

    def __init__(self) -> None:
        self.left = array("i", [INPUT])
        self.right = array("i", [INPUT])
        self.uses = array("i", [0])
        self.known: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self.left)

    def input(self) -> int:
        """The positive literal of a new input."""
        self.left.append(INPUT)
        self.right.append(INPUT)
        self.uses.append(0)
        return 2 * len(self.left) - 2

    def is_input(self, literal: int) -> bool:
        """Whether a literal is that of an input, negated or not; the constant is not an input."""
        return literal > 1 and self.left[literal >> 1] == INPUT

    def negation(self, a: int) -> int:
        """Not a."""
        return a ^ 1

    def conjunction(self, a: int, b: int) -> int:
        """a and b."""
        if a > b:
            a, b = b, a
        if a <= 1:
            return b if a else FALSE
        if a == b:
            return a
        if a ^ b == 1:
            return FALSE
        key = a << 32 | b
        literal = self.known.get(key)
        if literal is not None:
            return literal
        simpler = self._simplified(a, b)
        if simpler is None:
            simpler = 2 * len(self.left)
            self.left.append(a)
            self.right.append(b)
            self.uses.append(0)
            self.uses[a >> 1] += 1
            self.uses[b >> 1] += 1
        self.known[key] = simpler
        return simpler

    def _simplified(self, a: int, b: int) -> int | None:
        """An existing literal that equals a & b because of the operands of a and b, or None."""
        left, right = self.left, self.right
        for one, other in ((a, b), (b, a)):
            node = other >> 1
            x, y = left[node], right[node]
            if x == INPUT:
                continue
            if other & 1:  # one & !(x & y)
                if one ^ 1 in (x, y):
                    return one
                if one == x:
                    return self.conjunction(one, y ^ 1)
                if one == y:
                    return self.conjunction(one, x ^ 1)
            else:  # one & (x & y)
                if one ^ 1 in (x, y):
                    return FALSE
                if one in (x, y):
                    return other
        x, y = left[a >> 1], right[a >> 1]
        u, v = left[b >> 1], right[b >> 1]
        if INPUT in (x, u):
            return None
        return self._of_two_gates(a, b, (x, y), (u, v))

    def _of_two_gates(self, a: int, b: int, first: tuple[int, int], second: tuple[int, int]) -> int | None:
        (x, y), (u, v) = first, second
        opposed = x ^ 1 in second or y ^ 1 in second
        if not a & 1 and not b & 1:
            return FALSE if opposed else None
        if a & 1 and b & 1:
            # !(x & y) & !(x & !y) is !x.
            for common, rest in ((x, y), (y, x)):
                if (common == u and rest ^ 1 == v) or (common == v and rest ^ 1 == u):
                    return common ^ 1
            return None
        # x & y & !(u & v): if the operands conflict, the second factor is true.
        return (b if a & 1 else a) if opposed else None

    def disjunction(self, a: int, b: int) -> int:
        """a or b."""
        return self.conjunction(a ^ 1, b ^ 1) ^ 1

    def exclusive(self, a: int, b: int) -> int:
        """Exactly one of a and b."""
        sign = (a ^ b) & 1
        a, b = a & ~1, b & ~1
        both, none = self.conjunction(a, b), self.conjunction(a ^ 1, b ^ 1)
        return self.conjunction(both ^ 1, none ^ 1) ^ sign

    def equal(self, a: int, b: int) -> int:
        """a and b, or neither."""
        return self.exclusive(a, b) ^ 1

    def choice(self, condition: int, a: int, b: int) -> int:
        """a where the condition is true, b elsewhere."""
        if a == b or condition == TRUE:
            return a
        if condition == FALSE:
            return b
        if a ^ b == 1:
            return self.equal(condition, a)
        first, second = self.conjunction(condition, a), self.conjunction(condition ^ 1, b)
        return self.disjunction(first, second)

    def all(self, literals: Iterable[int]) -> int:
        """The conjunction of any number of literals, as a balanced tree; TRUE for none."""
        rest = list(literals)
        return pairwise(self.conjunction, rest) if rest else TRUE

    def any(self, literals: Iterable[int]) -> int:
        """The disjunction of any number of literals; FALSE for none."""
        return self.all([literal ^ 1 for literal in literals]) ^ 1

    def cone(self, roots: Iterable[int]) -> list[int]:
        """The nodes that the roots depend on, with the inputs, without the constant; operands come before gates."""
        seen = bytearray(len(self.left))
        seen[0] = 1
        return new_below(self.left, self.right, 0, [root >> 1 for root in roots], seen)

    def support(self, roots: Iterable[int]) -> list[int]:
        """The input nodes that the roots depend on, in increasing order."""
        return [node for node in self.cone(roots) if self.left[node] == INPUT]
