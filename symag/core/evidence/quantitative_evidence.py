"""Evidence about probabilities and expected rewards, as plain values: bounds that can be checked state by state.

Rules of this file: states and transitions have the same numbers as in the system; -1 stands for none. A vector has an
entry for every state. A tuple that is not needed is empty.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal


@dataclass(frozen=True, slots=True)
class ExactVector:
    """A fraction for each state, all over one denominator."""

    denominator: int
    numerators: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MeasureBounds:
    """A lower and an upper bound of a measure in every state, and why they are bounds.

    ``choices`` is a scheduler: for each state the number of a transition. It attains the lower bound of a maximum and
    the upper bound of a minimum. ``ranks`` prove that runs end: each state from which they end has a successor of
    smaller rank by the scheduler's transition, or by every transition (see ``certify.quantities``). ``levels`` prove
    that a reward is infinite; states for which this is not claimed have 0 (minima) or -1 (maxima).
    """

    lower: ExactVector
    upper: ExactVector
    choices: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    levels: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class QuantitativeEvidence:
    """Evidence that a formula holds or is violated, or that a value is within bounds.

    ``bounds`` has an entry for each unbounded ``until`` or ``reach`` (operands before their operator, the left one
    first). The re-check computes step-bounded operators again, rounded to multiples of 2 ** -``grid`` where exact
    numbers would be too long. ``value`` has the bounds of the value in question; None stands for infinity.
    """

    verdict: Literal["holds", "violated", "computed"]
    value: tuple[Fraction | None, Fraction | None] | None
    bounds: tuple[MeasureBounds, ...]
    grid: int
    kind: str = "quantitative-bounds"
