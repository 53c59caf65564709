"""What is asked of a probabilistic system in PRISM's terms: a formula of pCTL with rewards, over conditions on states.

A scheduler chooses a transition in every state, for ever: each state has one (``symag.lpts.labels.without_deadlocks``
gives deadlocks a self-loop, as PRISM does). Bounds quantify over all schedulers, so ``P<=p`` is about the greatest
probability and ``P>=p`` about the least.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symag.lpts.lpts import Lpts

Mask = NDArray[np.bool_]
#: Integers: int64, or Python's where 64 bits may be too few.
Whole = NDArray[Any]

Relation = Literal["<", "<=", ">", ">="]


class Atom(Struct, frozen=True):
    """The states of the problem's condition with this number."""

    number: int


class Boolean(Struct, frozen=True):
    """``not`` has one operand, ``and`` and ``or`` any number: without operands they are true and false."""

    operator: Literal["not", "and", "or"]
    operands: tuple[StateFormula, ...]


class Measure(Struct, frozen=True):
    """A probability or an expected reward of each state: the greatest or the least of all schedulers.

    ``next`` and ``until`` are probabilities; ``until`` has two operands, and a number of ``steps`` if it is bounded.
    ``reach`` is the reward until the operand is true, infinite if it may never be (for ``min``: under every
    scheduler); ``cumulative`` that of the first ``steps`` steps; ``instantaneous`` that of the state after them.
    """

    kind: Literal["next", "until", "reach", "cumulative", "instantaneous"]
    optimum: Literal["max", "min"]
    operands: tuple[StateFormula, ...] = ()
    steps: int | None = None
    rewards: int | None = None


class Comparison(Struct, frozen=True):
    """Whether a measure has this relation to a bound."""

    measure: Measure
    relation: Relation
    bound: Fraction


StateFormula = Atom | Boolean | Comparison


class Query(Struct, frozen=True):
    """The value of a measure in the initial state; if ``complement``, 1 minus it."""

    measure: Measure
    complement: bool = False


class RewardStructure(Struct, frozen=True, eq=False):
    """The reward of each state and of each transition, as numerators over ``denominator``; none is negative.

    A step from a state earns the state's reward and the transition's.
    """

    name: str
    state: Whole
    transition: Whole
    denominator: int


@dataclass(frozen=True, slots=True, eq=False)
class QuantitativeProblem:
    """The question about a system whose first ``initial_states`` states are initial; every state has a transition.

    ``conditions[k]`` says of every state whether atom k is true in it.
    """

    system: Lpts
    initial_states: int
    conditions: tuple[Mask, ...]
    rewards: tuple[RewardStructure, ...]
    formula: StateFormula | Query


def measures(formula: StateFormula | Query | Measure) -> Iterator[Measure]:
    """Every occurrence of a measure, operands before their operator, the left one first."""
    match formula:
        case Comparison(measure, _, _) | Query(measure, _):
            yield from measures(measure)
        case Boolean(_, operands):
            for operand in operands:
                yield from measures(operand)
        case Measure(_, _, operands, _, _):
            for operand in operands:
                yield from measures(operand)
            yield formula
        case Atom():
            pass
