"""Runs of a system step by step: all choices at a state, counted, numbered and drawn at random."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import TypeVar

from msgspec import Struct

from symag.bdd.context import Bdd, memory_errors
from symag.core.errors import InputError
from symag.core.values import replace
from symag.smv.model.flat import Constraint, FlatSystem, VariableKind
from symag.smv.model.supports import references
from symag.smv.model.typed import Expression
from symag.smv.symbolic.counting import Valuations
from symag.smv.symbolic.encoding import Encoding
from symag.smv.symbolic.system import Conjunct, encode
from symag.smv.traversal.trace import SingleTransitions, Valuation, fixed_bits

_Made = TypeVar("_Made")

#: The position of the run's constraint, which is not in the model's text.
_OUTSIDE = -1


class StepChoice(Struct, frozen=True):
    """Inputs (none for an initial state) and the state that they lead to."""

    inputs: Valuation
    state: Valuation


class Choices:
    """All choices at one position of a run. ``at`` numbers them from 0, ``draw`` gives all the same probability."""

    def __init__(self, encoding: Encoding, diagram: Bdd, fixed: dict[str, bool], start: bool) -> None:
        self._encoding = encoding
        self._start = start
        self._fixed = fixed
        bits = set(encoding.current_bits(encoding.state_names() if start else encoding.names(VariableKind.INPUT)))
        if not start:
            bits |= set(encoding.next_bits(encoding.names(VariableKind.STATE)))
        self._valuations = Valuations(encoding.context, diagram, bits - fixed.keys())
        self.count = self._valuations.count

    def at(self, index: int) -> StepChoice:
        """The choice with a number. Raises IndexError if there is none."""
        encoding = self._encoding
        bits = {**self._fixed, **self._valuations.at(index)}
        inputs = {} if self._start else encoding.decode(bits, encoding.names(VariableKind.INPUT))
        return StepChoice(inputs, encoding.decode(bits, encoding.state_names(), primed=not self._start))

    def draw(self, generator: random.Random) -> StepChoice:
        """One of them at random. Raises ValueError if there is none."""
        return self.at(generator.randrange(self.count))

    def first(self, most: int) -> Iterator[StepChoice]:
        """The first choices, ``most`` at most."""
        return (self.at(index) for index in range(min(most, self.count)))


class Simulator:
    """The choices of a system under a constraint.

    A ``constraint`` that reads neither inputs nor next values holds in every state of the run, any other
    on every step. Making a simulator costs the encoding of the system, each step a cofactor of every
    constraint. Raises InputError as ``encode`` does; MemoryExhausted over ``memory`` MiB.
    """

    def __init__(self, system: FlatSystem, constraint: Expression | None = None, memory: int | None = None) -> None:
        self._symbolic = under_constraint(lambda one: encode(one, memory=memory), system, constraint)
        self._transitions = SingleTransitions.of(self._symbolic)

    def initial(self, given: Valuation | None = None) -> Choices:
        """The initial states with the given values of some variables. Raises ValueError for a value out of range."""
        conjuncts = (*self._symbolic.invar, *self._symbolic.init)
        fixed = fixed_bits(self._symbolic, given or {})
        return self._choices([conjunct.diagram for conjunct in conjuncts], fixed, True)

    def following(self, state: Valuation, inputs: Valuation | None = None, given: Valuation | None = None) -> Choices:
        """The steps from a state with some given inputs to states with some given values.

        Raises ValueError for a value out of range.
        """
        encoding = self._symbolic.encoding
        frozen = {name: value for name, value in (given or {}).items() if name not in self._changing()}
        if any(state[name] != value for name, value in frozen.items()):
            return Choices(encoding, encoding.context.false, {}, False)
        fixed = self._transitions.current({**state, **(inputs or {})}) | self._transitions.following(given or {})
        return self._choices(list(self._transitions.conjuncts), fixed, False)

    def is_dead_end(self, state: Valuation) -> bool:
        """Whether the state has no successor even without the constraint."""
        encoding = self._symbolic.encoding
        conjuncts = [*_model(self._symbolic.trans), *_model(self._symbolic.invar)]
        after = [encoding.to_next(diagram) for diagram in _model(self._symbolic.invar)]
        return self._choices([*conjuncts, *after], self._transitions.current(state), False).count == 0

    def has_initial_state(self) -> bool:
        """Whether there is an initial state without the constraint."""
        return self._choices([*_model(self._symbolic.invar), *_model(self._symbolic.init)], {}, True).count > 0

    def _changing(self) -> frozenset[str]:
        return frozenset(self._symbolic.encoding.names(VariableKind.STATE))

    def _choices(self, diagrams: list[Bdd], fixed: dict[str, bool], start: bool) -> Choices:
        context = self._symbolic.context
        with memory_errors():
            transitions = context.true
            for diagram in diagrams:
                transitions = transitions & context.cofactor(diagram, fixed)
                if transitions == context.false:
                    break
        return Choices(self._symbolic.encoding, transitions, fixed, start)


def _model(conjuncts: tuple[Conjunct, ...]) -> list[Bdd]:
    return [conjunct.diagram for conjunct in conjuncts if conjunct.position != _OUTSIDE]


def under_constraint(make: Callable[[FlatSystem], _Made], system: FlatSystem, constraint: Expression | None) -> _Made:
    """What ``make`` makes of the system under one constraint more: on steps if it reads inputs or next values, else in
    all states. Of its InputErrors those of the system itself come first.
    """
    if constraint is None:
        return make(system)
    try:
        return make(_constrained(system, constraint))
    except InputError as error:
        make(system)  # an error of the model itself says more
        raise InputError(f"the constraint can fail: {error.message}") from None


def _constrained(system: FlatSystem, constraint: Expression) -> FlatSystem:
    read = references(system, constraint)
    added = (Constraint(constraint, _OUTSIDE),)
    if read.next or read.current & system.inputs:
        return replace(system, trans=(*system.trans, *added))
    return replace(system, invar=(*system.invar, *added))
