"""The problems about probabilistic systems, which methods decide and certificates are about.

**Simulation and weak safety.** A specification is a system, or a formula of the weak-safety fragment of pCTL for LPTSs
(agar-lpts-2012, end of Section 5).

    safety    S ::= true | false | !a | S & S | S | S | (S) | P<=q [path]
    liveness  L ::= true | false | a | L & L | L | L | (L) | P>q [path]
    path        ::= X L | F L | L U L

``a`` is an action and means that it is possible, or a label in quotes, such as ``"done"``, and means the states that
have it; q is a probability (0.1, 1/10). ``P<=q [path]`` says that under no scheduler the paths have a probability above
q, ``P>q [path]`` that under some scheduler they have. A scheduler may stop at any time. Simulation preserves safety: a
formula that holds of a system holds of every system that it simulates.

A safety formula is kept as its violation, the liveness formula that is its negation.

A label is the action of a self-loop in each state that has it (see ``symag.lpts.state_values``): its name begins with a
quotation mark. Such a loop is not a step: ``X`` and ``U`` do not count it.

**Probabilities and rewards**, in PRISM's terms: a formula of pCTL with rewards, over conditions on states.

A scheduler chooses a transition in every state, for ever: each state has one
(``symag.lpts.state_values.without_deadlocks`` gives deadlocks a self-loop, as PRISM does). Bounds quantify over all
schedulers, so ``P<=p`` is about the greatest probability and ``P>=p`` about the least.

**Assume-guarantee triples** about expected costs, and what follows from several of them.
M. Kwiatkowska, G. Norman, D. Parker, H. Qu: *Compositional probabilistic verification through multi-objective model
checking*. Information and Computation 232, 2013 (TACAS 2010 for safety alone). A triple ``<A>=p> M <G>=q>`` says:
every scheduler of M under which A has a probability of at least p gives G a probability of at least q.

Rules and side conditions of triples:

- A property is a *monitor*: a complete deterministic automaton over actions, which never blocks, with a cost of each of
  its transitions. A safety property costs 1 when it is violated for the first time, so that its expected cost is the
  probability of the violation: ``<A>=p`` is the limit 1 - p. Expected costs in general are the paper's rewards.
- Limits are upper bounds that are not strict. A scheduler here may stop at any time (the paper's *partial* schedulers,
  which the projection of a scheduler of a composition on a component is). Stopping never raises a cost, so it loses
  nothing in bounds of the whole system.
- A lower bound is the limit of a *negated* monitor, whose costs and limits are at most 0. A scheduler that stops keeps
  none, so these are problems about *fair* schedulers, under which surely every component takes part in infinitely many
  transitions (the paper's unconditional process fairness). Of a fair scheduler of the whole system the projection on
  some components is one that never stops and is fair to each of these: so fair triples may be chained as the others.
- M is extended by self-loops for all actions of the monitors that it does not have (the paper's M[alpha_A]). So no
  inclusion of alphabets has to be checked: the paper's "alpha_G is a subset of alpha_A and alpha_M" only keeps the user
  from asking in vain. A monitor has no action "", which is M's own.
- M's probabilities must not depend on other components, as everywhere in this family.

Why a chain of triples is sound: every scheduler of the whole system gives each property the same expected cost as its
projection on the components of a triple (extended), which is a scheduler of these. So a limit that the first triples
prove of all schedulers of the whole system may be assumed in the later ones. ASym (one component proves the
assumption, one uses it), ASym-N (a chain), ASym-Mult (several assumptions) and Circ (the first component proves an
assumption for the second, and uses what the second proves) are chains; nothing is assumed before it is proven.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symag.core.source import SourceText
from symag.core.value_bounds import ValueBounds
from symag.lpts.lpts import Lpts


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


class QuantitativeProblem(Struct, frozen=True, eq=False):
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


class Monitor(Struct, frozen=True, eq=False):
    """A property as an automaton: in each state of ``system`` each of its actions has one transition, to one state.

    ``costs[k]`` is the cost of transition k, at least 0. A ``probability`` is a cost of 1 that occurs once at most. Of
    a monitor that is ``negated`` all costs have the other sign.
    """

    name: str
    system: Lpts
    costs: tuple[Fraction, ...]
    probability: bool
    negated: bool = False

    def cost_of(self) -> dict[tuple[int, str], Fraction]:
        """The cost of each state and action where it is not 0."""
        alphabet = self.system.alphabet
        rows = zip(self.system.source.tolist(), self.system.action.tolist(), self.costs, strict=True)
        return {(state, alphabet[action]): cost for state, action, cost in rows if cost}


class Limit(Struct, frozen=True):
    """The expected cost of the monitor with this number is at most ``most``."""

    monitor: int
    most: Fraction


class Triple(Struct, frozen=True):
    """What these components may prove of the monitor ``guarantee`` if limits of the monitors ``assumed`` are known."""

    components: tuple[int, ...]
    assumed: tuple[int, ...]
    guarantee: int


class TripleProblem(Struct, frozen=True, eq=False):
    """Does every scheduler that keeps the limits ``assumed`` keep ``most`` for the monitor ``guarantee``?

    Schedulers of the composition of the components, extended. Without ``most``: what is the greatest expected cost?
    With ``curve`` it is asked for as a function of the limit of the only assumption, which then does not count, from
    the least limit that a scheduler keeps.
    ``complement``: the user asks for 1 minus the cost. ``plan`` has the triples by which a proof may go. ``fair``: only
    schedulers count that are fair to every component; else no monitor is negated.
    """

    components: tuple[Lpts, ...]
    monitors: tuple[Monitor, ...]
    assumed: tuple[Limit, ...]
    guarantee: int
    most: Fraction | None
    complement: bool = False
    curve: bool = False
    plan: tuple[Triple, ...] = ()
    fair: bool = False

    def asked(self, cost: Fraction) -> Fraction:
        """What the user asks for, of a cost of the guarantee."""
        positive = -cost if self.monitors[self.guarantee].negated else cost
        return 1 - positive if self.complement else positive

    def asked_bounds(self, low: Fraction | None, high: Fraction | None) -> ValueBounds:
        """The bounds of what the user asks for, of those of a cost; None is infinity."""
        bounds = [None if bound is None else self.asked(bound) for bound in (low, high)]
        if self.complement != self.monitors[self.guarantee].negated:
            bounds.reverse()
        return ValueBounds(*bounds)


class SimulationProblem(Struct, frozen=True):
    """Is the composition of the components strongly simulated by the specification?

    The specification is completed by Dirac self-loops for the components' actions that it does not mention. A liveness
    formula in its place asks: is it false of the composition, so that its negation, a weak-safety formula, holds?
    """

    components: tuple[Lpts, ...]
    specification: Lpts | Liveness


class EquivalenceProblem(Struct, frozen=True):
    """Is the composition of the components bisimilar to ``other``, or do they simulate each other?

    Strong equivalences of the initial states, by the names of actions; labels and values of states do not count. No
    system is completed for actions that it does not mention.
    """

    components: tuple[Lpts, ...]
    other: Lpts
    relation: Literal["bisimulation", "simulation"]


Problem = SimulationProblem | QuantitativeProblem | EquivalenceProblem | TripleProblem
