"""The values of a counterexample that force the violation, by cores of a SAT solver.

Of an invariant: the search goes backwards from the violated state. A core shows the values of that state that make the
property false. For each of them a core over the state before, with the inputs between them and all constraints of the
system, shows the values that force it; without a core it was chosen freely. An assigned variable (``x := e``) is forced
by values of its own state. By induction over the steps, every run of the system with the chosen values at their steps
has all marked values at theirs, and violates the property there.

Of a linear property (LTL; CTL about all runs): the search starts from the truths of its atoms that make it false along
the run (``trace_truths``), each forced by values of its state. A state at which a loop begins follows two others; its
value is forced if both force it. So every run with the chosen values at each visit of their steps has all marked ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from symag.core.limits import Deadline, OutOfTimeError
from symag.core.trace import Trace, Value
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import Circuit
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.constraints import ConstraintSignals, VariableReads, requirements
from symag.smv.certify.properties import invariant, transition_invariant
from symag.smv.certify.runs.runs import outcomes
from symag.smv.checking.reports.trace_truths import false_because, linear_formula
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.typed import Expression
from symag.smv.model.types import code_of
from symag.traces.page.content import Core

#: A variable, and whether it is read in the second of two states.
_Reading = tuple[str, bool]
#: Seconds that a page may wait for its core.
SECONDS = 5.0
#: Larger cores are not reduced, for each attempt is a question to the solver.
_MOST_TRIED = 24
_NOTE = (
    "Every run of the model that has the values marked ◆ at their steps has those marked ◇ at theirs, "
    "and violates the property there: nothing else matters."
)
_NOTE_OF_LASSO = (
    "Every run of the model that goes through these steps for ever and has the values marked ◆ at each visit "
    "has those marked ◇ too, and violates the property: nothing else matters."
)


def core_of(system: FlatSystem, checked: Property, trace: Trace, seconds: float = SECONDS) -> Core | None:
    """The core; None for a property that is not linear, for a tree, or if there is none in this time."""
    if trace.kind == "tree":
        return None
    expression = invariant(system, checked)
    on_transitions = expression is None
    expression = expression or transition_invariant(system, checked)
    deadline = Deadline(seconds)
    try:
        if expression is None:
            return _linear_core(system, checked, trace, deadline, Deadline(seconds / 2))
        step = next((k for k, row in outcomes(system, [expression], trace) if row[0] is False), None)
        if step is None or (on_transitions and step + 1 >= len(trace.steps)):
            return None
        with _Search(system, trace, deadline, None) as search:
            search.has_truth(expression, False, step, on_transitions)
            search.explain(step + on_transitions)
    except OutOfTimeError:
        return None
    return Core(_by_name(search.needed), _by_name(search.chosen), _NOTE)


def _linear_core(
    system: FlatSystem, checked: Property, trace: Trace, deadline: Deadline, for_truths: Deadline
) -> Core | None:
    formula = linear_formula(checked)
    if formula is None:
        return None
    truths = false_because(system, formula, trace, for_truths)
    if truths is None:
        return None
    with _Search(system, trace, deadline, trace.loop) as search:
        for atom, value, step in truths:
            search.has_truth(atom, value, step, False)
        search.explain(len(trace.steps) - 1)
    note = _NOTE if trace.loop is None else _NOTE_OF_LASSO
    return Core(_by_name(search.needed), _by_name(search.chosen), note)


def _by_name(places: Iterable[tuple[str, int]]) -> dict[str, tuple[int, ...]]:
    steps: dict[str, list[int]] = {}
    for name, step in sorted(places):
        steps.setdefault(name, []).append(step)
    return {name: tuple(of) for name, of in steps.items()}


class _Search:
    """``needed`` are (name, step) of values that matter, ``chosen`` those of them that nothing forces.

    Questions are about two states, with the inputs of the step between them; a place in them is a name and whether it
    is read in the second state. The last step is followed by that of the ``loop``, if there is one.
    """

    def __init__(self, system: FlatSystem, trace: Trace, deadline: Deadline, loop: int | None) -> None:
        self._steps = trace.steps
        self._loop = loop
        self._deadline = deadline
        self._inputs = system.inputs
        self._encoder = encoder = Encoder(system, Circuit())
        circuit, names = encoder.circuit, list(system.by_name)
        every = requirements(system, VariableReads(system))
        self._assignments = {item.target: item for item in every if item.moment == "state" and item.target is not None}
        signals = ConstraintSignals.of(encoder, every, names)
        now = circuit.all(signals.state)
        self._step = circuit.all([now, *signals.on_steps])
        self._initial = circuit.all([now, *signals.initial])
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

    def has_truth(self, expression: Expression, truth: bool, step: int, on_transitions: bool) -> None:
        """Marks what gives a condition its truth in a step, or on the transition that leaves it."""
        claim = self._encoder.truth(expression)
        known = self._literals(step, False)
        if on_transitions:
            known |= self._literals(step + 1, True)
        self._mark(self._forcing([-claim if truth else claim], known) or (), step)

    def explain(self, last: int) -> None:
        """Marks what forces the marked values of all steps: in the same one, or in those before it."""
        done: set[tuple[str, int]] = set()
        while not self.needed <= done:  # a second time only round a loop
            for step in range(last, -1, -1):
                self._explain_step(step, done)

    def _explain_step(self, step: int, done: set[tuple[str, int]]) -> None:
        waiting = sorted(name for name, place in self.needed if place == step and (name, step) not in done)
        while waiting:
            name = waiting.pop()
            if (name, step) in done:
                continue
            done.add((name, step))
            if name in self._inputs:
                continue
            self._deadline.check()
            reasons = self._within(name, step)
            if reasons is None:
                self._explain_by_steps_before(name, step)
            else:
                self._mark(reasons, step)
                waiting += [reason for reason, _ in reasons]

    def _explain_by_steps_before(self, name: str, step: int) -> None:
        """Marks what forces a value in each step that this one follows; the value itself if one of them does not."""
        before = [step - 1] if step else []
        if step == self._loop:
            before.append(len(self._steps) - 1)
        if step == 0 and self._solver.is_satisfiable([self._initial, self._differs(name, 0, False)]):
            self.chosen.add((name, 0))
            return
        wrong = [self._step, self._differs(name, step, True)] if before else []
        reasons = [self._forcing(wrong, self._literals(place, False)) for place in before]
        if any(forcing is None for forcing in reasons):
            self.chosen.add((name, step))
            return
        for place, forcing in zip(before, reasons, strict=True):
            self._mark(forcing or (), place)

    def _within(self, name: str, step: int) -> list[_Reading] | None:
        """The values of the same step that force one that ``name := e`` gives; None for other variables."""
        item = self._assignments.get(name)
        if item is None:
            return None
        literals = self._literals(step, False)
        known = {place: literals[place] for place in literals if place[0] in item.current and place[0] != name}
        return self._forcing([item.signal(self._encoder), self._differs(name, step, False)], known)

    def _mark(self, places: Iterable[_Reading], step: int) -> None:
        for name, is_next in places:
            self.needed.add((name, step + is_next))
            if name in self._inputs:
                self.chosen.add((name, step + is_next))

    def _forcing(self, wrong: Sequence[int], known: Mapping[_Reading, tuple[int, ...]]) -> list[_Reading] | None:
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

    def _literals(self, step: int, primed: bool) -> dict[_Reading, tuple[int, ...]]:
        """The values of a step, read in the first or in the second state; inputs in the first one only."""
        values: Mapping[str, Value] = self._steps[step].state
        if not primed:
            values = {**values, **self._steps[step].inputs}
        return {(name, primed): self._value(name, value, primed) for name, value in values.items()}

    def _value(self, name: str, value: Value, primed: bool) -> tuple[int, ...]:
        index = code_of(self._encoder.type_of(name), value)
        bits = self._encoder.bits(name, primed)
        return tuple(bit if index >> number & 1 else -bit for number, bit in enumerate(bits))

    def _differs(self, name: str, step: int, primed: bool) -> int:
        """Whether a variable has another value than in a step of the trace."""
        values = {**self._steps[step].state, **self._steps[step].inputs}
        return -self._encoder.circuit.all(self._value(name, values[name], primed))
