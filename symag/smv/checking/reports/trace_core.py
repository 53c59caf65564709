"""Only what matters: values of a counterexample to an invariant that force the violation, by cores of a SAT solver.

From the violated state backwards. There a core says which of its values make the property false. For each of these a
core over the state before, with the inputs between them and all constraints of the system, says which values force it;
if none do, it was chosen freely. An assigned variable (``x := e``) is forced by values of its own state. So every run
of the system that has the chosen values at their steps has all marked values at theirs, and violates the property
there: by induction over the steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from symag.core.deadlines import Deadline, OutOfTimeError
from symag.core.trace import Trace, Value
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import Circuit
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.constraints import VariableReads, requirements
from symag.smv.certify.properties import invariant, transition_invariant
from symag.smv.certify.runs.runs import outcomes
from symag.smv.model.flat import FlatSystem, Property, VariableKind
from symag.smv.model.typed import Expression
from symag.smv.model.types import EnumerationType, RangeType
from symag.traces.page.content import Core

#: A variable, and whether it is read in the second of two states.
_Place = tuple[str, bool]
#: How long a page may wait for its core.
SECONDS = 5.0
#: Larger cores are not made smaller: each try is a question to the solver.
_MOST_TRIED = 24
_NOTE = (
    "Every run of the model that has the values marked ◆ at their steps has those marked ◇ at theirs, "
    "and violates the property there: nothing else matters."
)


def core_of(system: FlatSystem, checked: Property, trace: Trace, seconds: float = SECONDS) -> Core | None:
    """The core, None for a property that is no invariant, or if there is none in this time."""
    expression = invariant(system, checked)
    on_transitions = expression is None
    expression = expression or transition_invariant(system, checked)
    if expression is None or trace.kind == "tree":
        return None
    step = next((k for k, row in outcomes(system, [expression], trace) if row[0] is False), None)
    if step is None or (on_transitions and step + 1 >= len(trace.steps)):
        return None
    try:
        with _Search(system, trace, Deadline(seconds)) as search:
            search.property_is_false(expression, step, on_transitions)
            for index in range(step + on_transitions, -1, -1):
                search.explain(index)
    except OutOfTimeError:
        return None
    return Core(_by_name(search.needed), _by_name(search.chosen), _NOTE)


def _by_name(places: Iterable[tuple[str, int]]) -> dict[str, tuple[int, ...]]:
    steps: dict[str, list[int]] = {}
    for name, step in sorted(places):
        steps.setdefault(name, []).append(step)
    return {name: tuple(of) for name, of in steps.items()}


class _Search:
    """``needed`` are (name, step) of values that matter, ``chosen`` those of them that nothing forces.

    Questions are about two states, with the inputs of the step between them; a place in them is a name and whether it
    is read in the second state.
    """

    def __init__(self, system: FlatSystem, trace: Trace, deadline: Deadline) -> None:
        self._steps = trace.steps
        self._deadline = deadline
        self._inputs = {variable.name for variable in system.variables if variable.kind is VariableKind.INPUT}
        self._encoder = encoder = Encoder(system, Circuit())
        circuit, names = encoder.circuit, list(system.by_name)
        every = requirements(system, VariableReads(system))
        states = [item for item in every if item.moment == "state"]
        self._assignments = {item.target: item for item in states if item.target is not None}
        now = [*(encoder.in_range(name, False) for name in names), *(item.signal(encoder) for item in states)]
        following = [encoder.in_range(name, True) for name in names]
        following += [item.signal(encoder, primed=True) for item in states]
        following += [item.signal(encoder) for item in every if item.moment == "transition"]
        self._now = circuit.all(now)
        self._step = circuit.all([self._now, *following])
        self._initial = circuit.all([self._now, *(item.signal(encoder) for item in every if item.moment == "initial")])
        # The current bits of a frozen variable are its next ones.
        places = [(name, primed) for primed in (True, False) for name in names]
        self._places = {bit: place for place in places for bit in encoder.bits(*place)}
        self._solver = Satisfiability(circuit, deadline)
        self.needed: set[tuple[str, int]] = set()
        self.chosen: set[tuple[str, int]] = set()

    def __enter__(self) -> _Search:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.__exit__()

    def property_is_false(self, expression: Expression, step: int, on_transitions: bool) -> None:
        """Marks what makes the property false in a step, or on the transition that leaves it."""
        claim = self._encoder.truth(expression)
        known = self._literals(step, False)
        if on_transitions:
            known |= self._literals(step + 1, True)
        self._mark(self._forcing([claim], known) or (), step)

    def explain(self, step: int) -> None:
        """Marks what forces the marked values of a step: in it, or in the step before."""
        waiting = sorted(name for name, place in self.needed if place == step and name not in self._inputs)
        done: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in done:
                continue
            done.add(name)
            self._deadline.check()
            reasons = self._within(name, step)
            if reasons is not None:
                self._mark(reasons, step)
                waiting += [reason for reason, _ in reasons]
            elif step == 0:
                if self._solver.is_satisfiable([self._initial, self._differs(name, 0, False)]):
                    self.chosen.add((name, 0))
            else:
                wrong = [self._step, self._differs(name, step, True)]
                reasons = self._forcing(wrong, self._literals(step - 1, False))
                if reasons is None:
                    self.chosen.add((name, step))
                else:
                    self._mark(reasons, step - 1)

    def _within(self, name: str, step: int) -> list[_Place] | None:
        """The values of the same step that force one that ``name := e`` gives; None for other variables."""
        item = self._assignments.get(name)
        if item is None:
            return None
        literals = self._literals(step, False)
        known = {place: literals[place] for place in literals if place[0] in item.current and place[0] != name}
        return self._forcing([item.signal(self._encoder), self._differs(name, step, False)], known)

    def _mark(self, places: Iterable[_Place], step: int) -> None:
        for name, is_next in places:
            self.needed.add((name, step + is_next))
            if name in self._inputs:
                self.chosen.add((name, step + is_next))

    def _forcing(self, wrong: Sequence[int], known: Mapping[_Place, tuple[int, ...]]) -> list[_Place] | None:
        """Few of the known values with which not all of ``wrong`` can be true; None if it can with all of them."""
        literals = [literal for of in known.values() for literal in of]
        core = self._solver.conflict([*wrong, *literals])
        if core is None:
            return None
        steps = sorted({self._places[abs(literal)] for literal in core if abs(literal) in self._places} & known.keys())
        if len(steps) > _MOST_TRIED:
            return steps
        for place in list(steps):
            rest = [literal for other in steps if other != place for literal in known[other]]
            if not self._solver.is_satisfiable([*wrong, *rest]):
                steps.remove(place)
        return steps

    def _literals(self, step: int, primed: bool) -> dict[_Place, tuple[int, ...]]:
        """The values of a step, read in the first or in the second state; inputs in the first one only."""
        values: Mapping[str, Value] = self._steps[step].state
        if not primed:
            values = {**values, **self._steps[step].inputs}
        return {(name, primed): self._value(name, value, primed) for name, value in values.items()}

    def _value(self, name: str, value: Value, primed: bool) -> tuple[int, ...]:
        match self._encoder.type_of(name):
            case EnumerationType(constants):
                index = constants.index(value)
            case RangeType(low, _):
                index = int(value) - low
            case _:
                index = int(value)
        bits = self._encoder.bits(name, primed)
        return tuple(bit if index >> number & 1 else -bit for number, bit in enumerate(bits))

    def _differs(self, name: str, step: int, primed: bool) -> int:
        """Whether a variable has another value than in a step of the trace."""
        values = {**self._steps[step].state, **self._steps[step].inputs}
        return -self._encoder.circuit.all(self._value(name, values[name], primed))
