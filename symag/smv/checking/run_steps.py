"""Where the steps of a run come from: BDDs count all choices of a small model, a solver finds one of a large one."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from symag.smv.model.flat import FlatSystem
from symag.smv.model.supports import references
from symag.smv.model.typed import Expression, Operation, subexpressions
from symag.smv.model.types import bit_count
from symag.smv.traversal.simulation import Choices, Simulator, StepChoice, under_constraint
from symag.smv.traversal.trace import Valuation

if TYPE_CHECKING:
    from symag.smv.methods.sat.simulator import SatSimulator

#: Chooses one of the choices for the next state, given the state before (None at the start): of all of them, or of a
#: list, which says whether they are all.
Chooser = Callable[[Choices, Valuation | None], StepChoice]
ListChooser = Callable[[Sequence[StepChoice], bool, Valuation | None], StepChoice]

#: How many choices are listed.
MOST_CHOICES = 20

#: Models with more bits get their steps from a SAT solver. With BDDs alone 17 of 50 AIGER files of the suites, of 100
#: latches and more, and 11 of 16 programs with 32-bit words had no run of 10 steps after 8 s; with the solver all have.
MOST_COUNTED_BITS = 64
#: So do models with a product or quotient of numbers of more bits: with two of 12 bits, BDDs take 12 s for a run.
_MOST_FACTOR_BITS = 8


class RunSteps(Protocol):
    """The initial states and steps of a system under a constraint, one chosen at a time; None if there is none.

    ``given`` are values of some variables that the chosen state has, ``inputs`` those of some inputs.
    """

    def initial(self, given: Valuation) -> StepChoice | None:
        """An initial state."""

    def following(self, state: Valuation, inputs: Valuation, given: Valuation) -> StepChoice | None:
        """A step from a state."""

    def goes_on(self, state: Valuation) -> bool:
        """Whether there is any step from a state."""

    def is_dead_end(self, state: Valuation) -> bool:
        """Whether the state has no successor even without the constraint."""

    def has_initial_state(self) -> bool:
        """Whether there is an initial state without the constraint."""


def is_counted(system: FlatSystem) -> bool:
    """Whether the model is small enough for BDDs to count the choices of every step. Costs a pass over the model."""
    if sum(bit_count(variable.type) for variable in system.variables) > MOST_COUNTED_BITS:
        return False
    relations = [constraint.expression for constraint in (*system.init, *system.invar, *system.trans)]
    relations += [assignment.value for assignment in system.assignments]
    parts = (part for relation in (*relations, *system.defines.values()) for part in subexpressions(relation))
    return not any(isinstance(part, Operation) and _has_wide_factors(system, part) for part in parts)


def _has_wide_factors(system: FlatSystem, operation: Operation) -> bool:
    """Whether an operation is a product or a quotient of numbers that depend on many bits each."""
    return operation.operator in ("*", "/", "mod") and all(
        sum(bit_count(system.by_name[name].type) for name in references(system, operand).variables) > _MOST_FACTOR_BITS
        for operand in operation.operands
    )


class CountedSteps:
    """``RunSteps`` by BDDs, among which ``choose`` chooses. Costs and errors are those of ``Simulator``."""

    def __init__(self, system: FlatSystem, constraint: Expression | None, memory: int | None, choose: Chooser) -> None:
        self._simulator = Simulator(system, constraint, memory)
        self._choose = choose
        self.is_dead_end = self._simulator.is_dead_end
        self.has_initial_state = self._simulator.has_initial_state

    def initial(self, given: Valuation) -> StepChoice | None:
        """See ``RunSteps``."""
        choices = self._simulator.initial(given)
        return self._choose(choices, None) if choices.count else None

    def following(self, state: Valuation, inputs: Valuation, given: Valuation) -> StepChoice | None:
        """See ``RunSteps``."""
        choices = self._simulator.following(state, inputs, given)
        return self._choose(choices, state) if choices.count else None

    def goes_on(self, state: Valuation) -> bool:
        """See ``RunSteps``."""
        return self._simulator.following(state).count > 0


class SolvedSteps:
    """``RunSteps`` by a SAT solver, drawn at random, or by ``choose`` from up to MOST_CHOICES that are.

    Costs and errors are those of ``SatSimulator``.
    """

    def __init__(
        self,
        system: FlatSystem,
        constraint: Expression | None,
        generator: random.Random,
        choose: ListChooser | None = None,
    ) -> None:
        self._system = system
        self._draw = generator
        self._choose = choose
        self._simulator = under_constraint(_simulator, system, constraint)

    def initial(self, given: Valuation) -> StepChoice | None:
        """See ``RunSteps``."""
        if self._choose is not None:
            return self._chosen(None, {}, given, self._choose)
        state = self._simulator.initial(self._draw, given)
        return None if state is None else StepChoice({}, state)

    def following(self, state: Valuation, inputs: Valuation, given: Valuation) -> StepChoice | None:
        """See ``RunSteps``."""
        if self._choose is not None:
            return self._chosen(state, inputs, given, self._choose)
        step = self._simulator.following(state, self._draw, inputs, given)
        return None if step is None else StepChoice(*step)

    def _chosen(
        self, state: Valuation | None, inputs: Valuation, given: Valuation, choose: ListChooser
    ) -> StepChoice | None:
        listed = self._simulator.some(state, self._draw, MOST_CHOICES + 1, inputs, given)
        choices = [StepChoice(*one) for one in listed[:MOST_CHOICES]]
        return choose(choices, len(listed) <= MOST_CHOICES, state) if choices else None

    def goes_on(self, state: Valuation) -> bool:
        """See ``RunSteps``."""
        return self._simulator.following(state, None) is not None

    def is_dead_end(self, state: Valuation) -> bool:
        """See ``RunSteps``."""
        return _simulator(self._system).following(state, None) is None

    def has_initial_state(self) -> bool:
        """See ``RunSteps``."""
        return _simulator(self._system).initial(None) is not None


def _simulator(system: FlatSystem) -> SatSimulator:
    # For start-up: runs of small models need no solver.
    from symag.smv.methods.sat.simulator import SatSimulator

    return SatSimulator(system)
