"""And-inverter graphs in the AIGER 1.9 format as a value (Biere, Heljanko, Wieringa, "AIGER 1.9 and beyond", 2011).

Laws of this file: a literal is twice its variable's number, plus one for negation; 0 is FALSE and 1 is TRUE.
An input has any value at any step. A latch has its reset value at step 0 (any value if that is itself) and
then what its ``next`` was one step earlier. A bad literal that is true at step k is a violation if every
constraint is true at steps 0 to k. A justice property is violated by an infinite run on which all
constraints always hold and all its literals, and all fairness literals, are true infinitely often.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

#: The thing that a symbol names: ``(letter, position)``, letters i l o b c j f.
SymbolKey = tuple[str, int]


@dataclass(frozen=True, slots=True)
class AigerLatch:
    """A latch's own literal, what it becomes, and its value at step 0: 0, 1 or its own literal."""

    literal: int
    next: int
    reset: int = 0


@dataclass(frozen=True, slots=True)
class Aiger:
    """A whole file. ``ands`` are ``(left, first, second)``: the positive literal left is first & second.

    ``maximum`` is the largest variable number. Every variable in use is defined once; gates stand in no
    particular order but depend on each other without circles. ``symbols`` are names, ``comments`` lines.
    """

    maximum: int
    inputs: tuple[int, ...]
    latches: tuple[AigerLatch, ...]
    outputs: tuple[int, ...]
    ands: tuple[tuple[int, int, int], ...]
    bad: tuple[int, ...] = ()
    constraints: tuple[int, ...] = ()
    justice: tuple[tuple[int, ...], ...] = ()
    fairness: tuple[int, ...] = ()
    symbols: Mapping[SymbolKey, str] = field(default_factory=dict)
    comments: tuple[str, ...] = ()

    def roots(self) -> Iterator[int]:
        """Every literal that something outside the gates reads."""
        for latch in self.latches:
            yield latch.next
        yield from (*self.outputs, *self.bad, *self.constraints, *self.fairness)
        for literals in self.justice:
            yield from literals
