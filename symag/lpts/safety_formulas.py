"""The weak-safety fragment of pCTL for LPTSs (agar-lpts-2012, end of Section 5).

    safety    S ::= true | false | !a | S & S | S | S | (S) | P<=q [path]
    liveness  L ::= true | false | a | L & L | L | L | (L) | P>q [path]
    path        ::= X L | F L | L U L

``a`` is an action and means that it is possible, or a label in quotes, such as ``"done"``, and means the states that
have it; q is a probability (0.1, 1/10). ``P<=q [path]`` says that under no scheduler the paths have a probability above
q, ``P>q [path]`` that under some scheduler they have. A scheduler may stop at any time. Simulation preserves safety: a
formula that holds of a system holds of every system that it simulates.

A safety formula is kept as its violation, the liveness formula that is its negation.

A label is the action of a self-loop in each state that has it (see ``symag.lpts.labels``): its name begins with a
quotation mark. Such a loop is not a step: ``X`` and ``U`` do not count it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from symag.core.source import SourceText


class Liveness(Struct, frozen=True):
    """``possible`` has an ``action``; ``next`` and ``until`` a ``bound`` that the probability must exceed.

    Operands: two of ``and``, ``or`` and ``until``; one of ``next``.
    """

    operator: Literal["true", "false", "possible", "and", "or", "next", "until"]
    operands: tuple[Liveness, ...] = ()
    action: str = ""
    bound: Fraction = Fraction(0)


class SafetyFormula(Struct, frozen=True):
    """``violation`` is the negation of the formula; ``names`` are its actions and labels with offsets in ``source``."""

    violation: Liveness
    names: tuple[tuple[str, int], ...]
    source: SourceText

    def labels(self) -> frozenset[str]:
        """The labels that it reads, without quotation marks."""
        return frozenset(name.strip('"') for name, _ in self.names if is_label(name))


def is_label(action: str) -> bool:
    """Whether an action stands for a label of states."""
    return action.startswith('"')


def subformulas(formula: Liveness) -> Iterator[Liveness]:
    """Every occurrence, operands before their operator, the left one first."""
    for operand in formula.operands:
        yield from subformulas(operand)
    yield formula
