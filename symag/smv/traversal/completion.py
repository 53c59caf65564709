"""Runs of a part of a system as runs of the whole."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from msgspec import Struct

from symag.bdd.context import Bdd, memory_errors
from symag.bdd.engines import Engine, new_context
from symag.core.trace import Step, Trace, Value
from symag.smv.model.flat import Assignment, FlatSystem, VariableKind
from symag.smv.model.supports import Supports
from symag.smv.model.types import code_of
from symag.smv.symbolic.encoding import Encoding, bit_names, current_bit, next_bit
from symag.smv.symbolic.expressions import ExpressionEncoder
from symag.smv.symbolic.order import bits_from_top
from symag.smv.traversal.trace import SingleTransitions, Valuation, fixed_bits

#: Up to this many assignments their diagrams are kept from step to step; the supports that this takes cost time in the
#: square of their number.
_MOST_KEPT = 300


class _PartlyKnown(Encoding, Struct, frozen=True, eq=False):
    """An encoding in which some bits are constants."""

    known: Mapping[str, bool]

    def bits(self, variable: str, primed: bool = False) -> tuple[Bdd, ...]:
        names = self.next[variable] if primed else self.current[variable]
        return tuple(self.bit(name) for name in names)

    def bit(self, name: str) -> Bdd:
        """A bit's diagram."""
        value = self.known.get(name)
        return self.context.bit(name) if value is None else self.context.constant(value)

    def has_code(self, variable: str, code: int, primed: bool = False) -> Bdd:
        result = self.context.true
        for index, bit in enumerate(self.bits(variable, primed)):
            result = result & (bit if code >> index & 1 else ~bit)
        return result


def completed(system: FlatSystem, part: Trace, engine: Engine = "auto") -> Trace:
    """A run of the system that has the values of the given run.

    The other variables have assignments only. The whole system is never encoded at once: at each step these assignments
    are evaluated under the values that are known. If they allow several values, the first one is taken.

    ``part`` is a finite run over some variables; all constraints read only these. Costs one evaluation of the other
    assignments for each step. Raises MemoryExhausted.
    """
    with memory_errors():
        return _Completion(system, part, engine).run()


class _Completion:
    def __init__(self, system: FlatSystem, part: Trace, engine: Engine) -> None:
        self._system = system
        self._part = part
        inside = {*part.steps[0].state, *(name for step in part.steps for name in step.inputs)}
        self._outside = [variable for variable in system.variables if variable.name not in inside]
        outside = {variable.name for variable in self._outside}
        assigned = [assignment for assignment in system.assignments if assignment.variable in outside]
        self._start = [assignment for assignment in assigned if assignment.time == "init"]
        self._always = [assignment for assignment in assigned if assignment.time == "current"]
        self._moves = [assignment for assignment in assigned if assignment.time == "next"]
        self._states = [variable.name for variable in self._outside if variable.kind is not VariableKind.INPUT]
        context = new_context(engine)
        bits = [(variable, index) for variable in self._outside for index in bits_from_top(variable.type)]
        context.declare(
            [(current_bit(variable.name, index), next_bit(variable.name, index)) for variable, index in bits]
        )
        self._context = context
        self._current, self._next, self._owner = bit_names(system.variables)
        supports = Supports(system)
        few = len(assigned) <= _MOST_KEPT
        self._reads = {one: self._bits_read(supports, one) for one in assigned} if few else {}
        self._kept: dict[tuple[object, ...] | None, Bdd] = {}
        self._nothing = context.renaming({})
        self._rename = context.renaming(
            {
                now: context.bit(then)
                for name in self._states
                for now, then in zip(self._current[name], self._next[name], strict=True)
                if now != then
            }
        )

    def run(self) -> Trace:
        steps: list[Step] = []
        state = self._initial(self._part.steps[0].state)
        for here, there in zip(self._part.steps, self._part.steps[1:], strict=False):
            inputs = {**self._inputs(), **here.inputs}
            steps.append(Step(state, inputs))
            state = self._following(state, inputs, there.state)
        return Trace("finite", (*steps, Step(state, self._part.steps[-1].inputs)))

    def _inputs(self) -> dict[str, Value]:
        """The first values of the inputs outside the part, which are free."""
        encoding = self._encoding({})
        inputs = [variable.name for variable in self._outside if variable.kind is VariableKind.INPUT]
        return encoding.decode({}, inputs)

    def _initial(self, part: Mapping[str, Value]) -> dict[str, Value]:
        encoding = self._encoding(self._bits(part, self._current))
        states = self._relations(encoding, [*self._start, *self._always], primed=False)
        states = states & encoding.all_valid(self._states)
        return self._ordered({**part, **encoding.pick_values(states, self._states)})

    def _following(
        self, state: Mapping[str, Value], inputs: Mapping[str, Value], part: Mapping[str, Value]
    ) -> dict[str, Value]:
        bits = self._bits({**state, **inputs}, self._current)
        encoding = self._encoding({**bits, **self._bits(part, self._next)})
        successors = self._relations(encoding, self._moves, primed=True)
        frozen = {name: state[name] for name in self._states if self._system.by_name[name].kind is VariableKind.FROZEN}
        there = self._encoding(self._bits({**part, **frozen}, self._current))
        after = self._relations(there, self._always, primed=False)
        after = after & there.all_valid(self._states)
        successors = successors & self._context.rename(after, self._rename)
        values = encoding.decode(
            {**bits, **self._context.pick(successors)},
            [name for name in self._states if name not in frozen],
            primed=True,
        )
        return self._ordered({**part, **frozen, **values})

    def _ordered(self, state: Mapping[str, Value]) -> dict[str, Value]:
        """The values in the order of declaration."""
        return {variable.name: state[variable.name] for variable in self._system.variables if variable.name in state}

    def _relations(self, encoding: _PartlyKnown, assignments: list[Assignment], *, primed: bool) -> Bdd:
        encoder = ExpressionEncoder(encoding, self._system.defines, self._system.source, trusted=True)
        result = self._context.true
        for assignment in assignments:
            read = self._reads.get(assignment)
            key = None if read is None else (assignment, *map(encoding.known.get, read))
            diagram = self._kept.get(key)
            if diagram is None:
                diagram = encoder.assignment(assignment.variable, primed, assignment.value)
                if key is not None:
                    self._kept[key] = diagram
            result = result & diagram
        return result

    def _bits_read(self, supports: Supports, assignment: Assignment) -> list[str]:
        """All bits whose values decide what the diagram of an assignment is."""
        read = supports.of(assignment.value)
        assigned = (self._next if assignment.time == "next" else self._current)[assignment.variable]
        bits = (*(self._current[name] for name in read.current), *(self._next[name] for name in read.next), assigned)
        return [bit for names in bits for bit in names]

    def _bits(self, values: Mapping[str, Value], names: Mapping[str, tuple[str, ...]]) -> dict[str, bool]:
        bits: dict[str, bool] = {}
        for name, value in values.items():
            if name in names:
                code = code_of(self._system.by_name[name].type, value)
                bits.update((bit, bool(code >> index & 1)) for index, bit in enumerate(names[name]))
        return bits

    def _encoding(self, bits: Mapping[str, bool]) -> _PartlyKnown:
        return _PartlyKnown(
            self._context,
            self._system.by_name,
            self._current,
            self._next,
            self._owner,
            self._nothing,
            self._nothing,
            bits,
        )


#: The largest number of rounds of a loop until the other variables repeat their values.
_ROUNDS = 500


def extend_trace(whole: SingleTransitions, trace: Trace) -> Trace | None:
    """A run of the whole system with the states and inputs of a run of a part.

    One successor after the other is picked. None if that leads to a state without a successor, or if the variables
    outside the part do not repeat their values within some hundred rounds of the loop.
    """
    with memory_errors():
        first = _initial(whole, trace.steps[0].state)
        if first is None:
            return None
        steps = _follow(whole, first, trace.steps)
        if steps is None or trace.loop is None:
            return None if steps is None else Trace("finite", tuple(steps))
        return _closed(whole, steps, trace.steps[trace.loop :], trace.loop)


def _closed(whole: SingleTransitions, steps: list[Step], loop: Sequence[Step], start: int) -> Trace | None:
    """Continue from the last step round the loop until the state at its start repeats an earlier one."""
    starts = {_key(steps[start].state): start}
    for _ in range(_ROUNDS):
        following = _successor(whole, steps[-1], loop[-1], loop[0])
        if following is None:
            return None
        steps[-1] = Step(steps[-1].state, following.inputs)
        seen = starts.get(_key(following.state))
        if seen is not None:
            return Trace("lasso", tuple(steps), seen)
        starts[_key(following.state)] = len(steps)
        lasso = _follow(whole, following.state, loop)
        if lasso is None:
            return None
        steps.extend(lasso)
    return None


def _follow(whole: SingleTransitions, first: Valuation, part: Sequence[Step]) -> list[Step] | None:
    """Steps of the whole from a state on; the last step has no inputs yet."""
    steps = [Step(first)]
    for here, there in itertools.pairwise(part):
        following = _successor(whole, steps[-1], here, there)
        if following is None:
            return None
        steps[-1] = Step(steps[-1].state, following.inputs)
        steps.append(Step(following.state))
    return steps


def _successor(whole: SingleTransitions, full: Step, here: Step, there: Step) -> Step | None:
    """The inputs of a transition (those of ``here`` among them) and the state that it leads to."""
    encoding = whole.system.encoding
    successor = whole.successor({**full.state, **here.inputs}, encoding.valuation(there.state))
    return None if successor is None else Step(successor[1], successor[0])


def _initial(whole: SingleTransitions, part: Valuation) -> Valuation | None:
    """An initial state of the whole with the values of a part."""
    system = whole.system
    fixed = fixed_bits(system, part)
    conjuncts = (*system.invar, *system.init)
    initial = system.context.conjunction(system.context.cofactor(conjunct.diagram, fixed) for conjunct in conjuncts)
    if initial == system.context.false:
        return None
    return {**system.encoding.pick_values(initial, whole.state), **part}


def _key(state: Valuation) -> tuple[tuple[str, Value], ...]:
    return tuple(state.items())
