"""Runs as evidence: from rings to states, and from the cone of influence to the whole system."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from symag.bdd.context import Bdd, memory_errors
from symag.core.trace import Step, Trace, Value
from symag.smv.model.flat import VariableKind
from symag.smv.symbolic.relation import Layer, TransitionRelation, system_conjuncts
from symag.smv.symbolic.relational_product import RelationalProduct
from symag.smv.symbolic.system import SymbolicSystem

#: One value for each variable.
Valuation = Mapping[str, Value]


class SingleTransitions(Struct, frozen=True, eq=False):
    """Single transitions of a symbolic system, or of its conjuncts over some variables.

    ``state`` and ``inputs`` are the variables; ``conjuncts`` relate current, input and next bits and
    contain the invariant of both ends.
    """

    system: SymbolicSystem
    state: tuple[str, ...]
    inputs: tuple[str, ...]
    conjuncts: tuple[Bdd, ...]
    _supports: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, system: SymbolicSystem, variables: Iterable[str] | None = None) -> SingleTransitions:
        """The transitions over ``variables`` (None: all of them)."""
        encoding = system.encoding
        chosen = frozenset(encoding.variables) if variables is None else frozenset(variables)
        with memory_errors():
            conjuncts = system_conjuncts(system, chosen)
            supports = tuple(system.context.support(conjunct) for conjunct in conjuncts)
        state = encoding.names(VariableKind.STATE, VariableKind.FROZEN)
        return cls(
            system,
            tuple(name for name in state if name in chosen),
            tuple(name for name in encoding.names(VariableKind.INPUT) if name in chosen),
            conjuncts,
            supports,
        )

    def under(self, fixed: Mapping[str, bool]) -> tuple[Bdd, ...]:
        """The conjuncts under the values of some bits. Each gets only those that it reads, to save time."""
        cofactor = self.system.context.cofactor
        with memory_errors():
            return tuple(
                cofactor(conjunct, {bit: fixed[bit] for bit in support if bit in fixed})
                for conjunct, support in zip(self.conjuncts, self._supports, strict=True)
            )

    def current(self, state: Valuation) -> dict[str, bool]:
        """Current (and input) bits of a valuation."""
        return fixed_bits(self.system, state)

    def following(self, state: Valuation) -> dict[str, bool]:
        """Next bits of a valuation of state variables."""
        kinds = self.system.encoding.variables
        return fixed_bits(
            self.system, {n: v for n, v in state.items() if kinds[n].kind is VariableKind.STATE}, primed=True
        )

    def successor(
        self, state: Valuation, target: Bdd, constraint: Bdd | None = None
    ) -> tuple[Valuation, Valuation] | None:
        """Inputs and a next state in ``target`` (current bits), or None if no transition leads there.

        ``state`` may fix inputs too; ``constraint`` (current, input and next bits) must hold on the transition.
        """
        with memory_errors():
            return self.leaving(state).into(self.system.encoding.to_next(target), constraint)

    def leaving(self, state: Valuation) -> OutgoingTransitions:
        """The transitions that leave a state; ``state`` may fix inputs too."""
        fixed = self.current(state)
        return OutgoingTransitions(self, fixed, self.under(fixed))

    def inputs_between(self, state: Valuation, following: Valuation) -> Valuation:
        """Inputs of the transition between two states. Where there are inputs and no transition, raises ValueError."""
        if not self.inputs:
            return {}
        context = self.system.context
        fixed = self.current(state) | self.following(following)
        with memory_errors():
            transitions = context.conjunction(self.under(fixed))
            return self.system.encoding.decode(context.pick(transitions), self.inputs)


class OutgoingTransitions(Struct, frozen=True, eq=False):
    """The transitions that leave one state, for several targets."""

    transitions: SingleTransitions
    fixed: Mapping[str, bool]
    conjuncts: tuple[Bdd, ...]

    def into(self, following: Bdd, constraint: Bdd | None = None) -> tuple[Valuation, Valuation] | None:
        """As ``SingleTransitions.successor``, with a target over next bits. Raises MemoryExhausted."""
        system = self.transitions.system
        context, encoding = system.context, system.encoding
        with memory_errors():
            transitions = context.cofactor(following, self.fixed)
            if constraint is not None:
                transitions = transitions & context.cofactor(constraint, self.fixed)
            for conjunct in self.conjuncts:
                transitions = transitions & conjunct
            if transitions == context.false:
                return None
            assignment = {**self.fixed, **context.pick(transitions)}
        inputs = encoding.decode(assignment, self.transitions.inputs)
        return inputs, encoding.decode(assignment, self.transitions.state, primed=True)


def fixed_bits(system: SymbolicSystem, values: Valuation, *, primed: bool = False) -> dict[str, bool]:
    """The bits of a valuation, for ``context.cofactor``."""
    encoding = system.encoding
    names = encoding.next if primed else encoding.current
    result: dict[str, bool] = {}
    for name, value in values.items():
        code = encoding.code(name, value)
        result.update((bit, bool(code >> index & 1)) for index, bit in enumerate(names[name]))
    return result


def path_through_rings(
    transitions: SingleTransitions, relation: TransitionRelation, before: Sequence[Bdd], after: Sequence[Bdd]
) -> list[Valuation]:
    """States from a first ring ``before[0]`` to a last ring ``after[0]``, one in each ring.

    ``before[-1]`` and ``after[-1]`` meet; each state of ``before[k]`` has a predecessor in
    ``before[k - 1]`` and each of ``after[k]`` a successor in ``after[k - 1]``.
    """
    encoding = transitions.system.encoding
    names = transitions.state
    with memory_errors():
        states: list[Valuation] = [encoding.pick_values(before[-1] & after[-1], names)]
        for ring in reversed(before[:-1]):
            predecessors = relation.preimage(encoding.valuation(states[0])) & ring
            states.insert(0, encoding.pick_values(predecessors, names))
        for ring in reversed(after[:-1]):
            successors = relation.image(encoding.valuation(states[-1])) & ring
            states.append(encoding.pick_values(successors, names))
    return states


def path_through_layers(transitions: SingleTransitions, layers: Sequence[Layer], target: Bdd) -> list[Valuation]:
    """States from the first layer to ``target``, which the last layer meets. The path need not be shortest."""
    encoding, context, names = transitions.system.encoding, transitions.system.context, transitions.state
    with memory_errors():
        states: list[Valuation] = [encoding.pick_values(layers[-1].states & target, names)]
        last = len(layers) - 1
        while True:
            here = encoding.valuation(states[0])
            while last > 0 and here & layers[last - 1].states != context.false:
                last -= 1
            if last == 0:
                return states
            relation, earlier = layers[last].relation, layers[last - 1].states
            rings = [here]
            seen = here
            while rings[-1] & earlier == context.false:
                rings.append(relation.preimage(rings[-1]) & layers[last].states & ~seen)
                if rings[-1] == context.false:
                    raise AssertionError("a state of a layer comes from the layer before")
                seen = seen | rings[-1]
            part: list[Valuation] = [encoding.pick_values(rings[-1] & earlier, names)]
            for ring in reversed(rings[1:-1]):
                successors = relation.image(encoding.valuation(part[-1])) & ring
                part.append(encoding.pick_values(successors, names))
            states[:0] = part


def steps_of(transitions: SingleTransitions, states: Sequence[Valuation]) -> tuple[Step, ...]:
    """The states as steps with inputs between them."""
    steps = [
        Step(dict(state), dict(transitions.inputs_between(state, following)))
        for state, following in itertools.pairwise(states)
    ]
    return (*steps, Step(dict(states[-1])))


def extend(whole: SingleTransitions, states: Sequence[Valuation]) -> list[Valuation] | None:
    """A run of the whole system through these states of a part of it; None if there is none.

    Picks one successor after the other. If that leads to a dead end, computes for each position all states of the
    other variables that the run can be in.
    """
    system = whole.system
    encoding = system.encoding
    with memory_errors():
        start = _initial(system, states[0])
        if start == system.context.false:
            return None
        full: list[Valuation] = [{**encoding.pick_values(start, whole.state), **states[0]}]
    for part in states[1:]:
        successor = whole.successor(full[-1], encoding.valuation(part))
        if successor is None:
            return _extend_by_sets(whole, states)
        full.append(successor[1])
    return full


def _initial(system: SymbolicSystem, part: Valuation) -> Bdd:
    """The initial states of the whole with the given values of a part."""
    context = system.context
    fixed = fixed_bits(system, part)
    return context.conjunction(context.cofactor(conjunct.diagram, fixed) for conjunct in (*system.invar, *system.init))


def _extend_by_sets(whole: SingleTransitions, states: Sequence[Valuation]) -> list[Valuation] | None:
    system = whole.system
    context, encoding = system.context, system.encoding
    others = [name for name in whole.state if name not in states[0]]
    changing = [name for name in others if encoding.variables[name].kind is VariableKind.STATE]
    quantified = encoding.current_bits((*changing, *whole.inputs))
    with memory_errors():
        possible = [_initial(system, states[0])]
        for part, following in itertools.pairwise(states):
            fixed = whole.current(part) | whole.following(following)
            image = RelationalProduct.of(context, whole.under(fixed), quantified).apply(possible[-1])
            possible.append(encoding.to_current(image))
            if possible[-1] == context.false:
                return None
        full: list[Valuation] = [{**encoding.pick_values(possible[-1], whole.state), **states[-1]}]
        for part, rest in zip(reversed(states[:-1]), reversed(possible[:-1]), strict=True):
            kept = frozen(system, full[0])
            fixed = whole.current(part) | whole.following(full[0]) | fixed_bits(system, kept)
            predecessors = context.conjunction([context.cofactor(rest, fixed), *whole.under(fixed)])
            full.insert(0, {**encoding.pick_values(predecessors, whole.state), **part, **kept})
    return full


def frozen(system: SymbolicSystem, state: Valuation) -> Valuation:
    """The frozen variables of a state."""
    kinds = system.encoding.variables
    return {name: value for name, value in state.items() if kinds[name].kind is VariableKind.FROZEN}


def finite_trace(whole: SingleTransitions, states: Sequence[Valuation]) -> Trace:
    """A finite trace of the whole system through these states."""
    return Trace("finite", steps_of(whole, states))
