"""Executing traces on a model: state by state with decision diagrams, or all states at once with a SAT solver."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from symag.bdd.context import Bdd
from symag.cli.nusmv.reports import unrolled
from symag.core.errors import InputError
from symag.core.trace import Step, Trace, Value
from symag.smv.methods.sat.steps import Steps
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.types import code_of
from symag.smv.symbolic.system import SymbolicSystem
from symag.smv.traversal.trace import SingleTransitions, frozen

_NO_VALUE = "the trace has a value that its variable cannot take"

#: Called after every step with its number, from 1, and whether the step exists.
StepReport = Callable[[int, bool], None]


class Execution(Struct, frozen=True, eq=False):
    """The result of executing a trace: the number of steps that exist, and a run with all values if all exist.

    ``starts`` says whether the first state can be initial.
    """

    starts: bool
    steps: int
    run: Trace | None


def execute_by_solver(system: FlatSystem, trace: Trace, report: StepReport) -> Execution:
    """As ``execute``, by a SAT solver: one query for each step, over all steps so far."""
    given = unrolled(trace).steps
    steps = Steps(system, ())
    try:
        for number, step in enumerate(given):
            steps.extend()
            _require(steps, number, step.state)
            if number:
                _require(steps, number - 1, given[number - 1].inputs)
            exists = steps.solve(())
            if number:
                report(number, exists)
            if not exists:
                return Execution(number > 0, max(0, number - 1), None)
        *before, last = steps.states()
        return Execution(True, len(given) - 1, Trace("finite", (*before, Step(last.state))))
    finally:
        steps.close()


def _require(steps: Steps, number: int, values: Mapping[str, Value]) -> None:
    bits = steps.bits(number)
    for name, value in values.items():
        try:
            code = code_of(steps.system.by_name[name].type, value)
        except (ValueError, KeyError):
            raise InputError(_NO_VALUE) from None
        for index, bit in enumerate(bits[name]):
            steps.require(bit ^ (not code >> index & 1))


def execute(symbolic: SymbolicSystem, trace: Trace, report: StepReport) -> Execution:
    """Searches a run with the values of the trace, forward over sets of states and back along single states.

    Costs one image for each step. Calls ``report`` after each step. Raises InputError for a value
    that its variable cannot take.
    """
    steps = unrolled(trace).steps
    encoding, context = symbolic.encoding, symbolic.context
    transitions = SingleTransitions.of(symbolic)
    reached = [symbolic.initial_states() & _cube(symbolic, steps[0], inputs=False)]
    if reached[0] == context.false:
        return Execution(False, 0, None)
    for number, step in enumerate(steps[1:], 1):
        leaving = reached[-1] & _cube(symbolic, steps[number - 1], inputs=True)
        following = _image(transitions, leaving) & _cube(symbolic, step, inputs=False)
        report(number, following != context.false)
        if following == context.false:
            return Execution(True, number - 1, None)
        reached.append(following)
    names = encoding.state_names()
    states: list[Mapping[str, Value]] = [encoding.decode(context.pick(reached[-1]), names)]
    executed: list[Step] = [Step(states[0])]
    for number in range(len(steps) - 2, -1, -1):
        fixed = transitions.following(states[-1])
        conjuncts = [reached[number], _cube(symbolic, steps[number], inputs=True)]
        conjuncts += [encoding.valuation(frozen(symbolic, states[-1]))]
        conjuncts += [context.cofactor(conjunct, fixed) for conjunct in transitions.conjuncts]
        assignment = context.pick(context.conjunction(conjuncts))
        states.append(encoding.decode(assignment, names))
        executed.append(Step(states[-1], encoding.decode(assignment, transitions.inputs)))
    executed.reverse()
    return Execution(True, len(steps) - 1, Trace("finite", tuple(executed)))


def _image(transitions: SingleTransitions, leaving: Bdd) -> Bdd:
    """The states one step later; ``leaving`` may fix inputs. Frozen variables keep their values."""
    symbolic = transitions.system
    encoding, context = symbolic.encoding, symbolic.context
    image = context.conjunction([leaving, *transitions.conjuncts])
    passing = encoding.names(VariableKind.STATE, VariableKind.INPUT)
    return encoding.to_current(context.exists(encoding.current_bits(passing), image))


def _cube(symbolic: SymbolicSystem, step: Step, inputs: bool) -> Bdd:
    """The states (or the inputs on the transition that leaves them) with the values of a step."""
    encoding = symbolic.encoding
    try:
        return encoding.valuation(step.inputs if inputs else step.state)
    except (ValueError, KeyError):
        raise InputError(_NO_VALUE) from None
