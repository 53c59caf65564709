"""Whether a trace is a run of the system, and whether its loop is fair: evaluated step by step by the interpreter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symag.core.errors import CertificationError
from symag.core.trace import Step, Trace, Value
from symag.smv.certify.runs.interpreter import EvaluationError, Program, value_set
from symag.smv.certify.runs.operators import Denotation, Failure, word
from symag.smv.model.flat import Assignment, Constraint, FlatSystem, VariableKind
from symag.smv.model.typed import Expression
from symag.smv.model.types import BooleanType, EnumerationType, RangeType, VariableType, WordType


def check_run(system: FlatSystem, trace: Trace) -> None:
    """Accept a trace that is a run of the system; raises CertificationError otherwise."""
    if trace.kind not in ("finite", "lasso"):
        raise CertificationError(f"a {trace.kind} trace is not a run")
    if not trace.steps:
        raise CertificationError("the trace has no states")
    if trace.kind == "lasso" and (trace.loop is None or not 0 <= trace.loop < len(trace.steps)):
        raise CertificationError(f"the loop of the trace starts at step {trace.loop}, which does not exist")
    for number, step in enumerate(trace.steps):
        _check_valuation(system, step, number, is_last=trace.kind == "finite" and number == len(trace.steps) - 1)
    _check_states(system, trace)
    _check_transitions(system, trace)


def valuation(step: Step) -> dict[str, Value]:
    """State, frozen and input variables of a step together."""
    return {**step.state, **step.inputs}


def in_range(value: Value, variable_type: VariableType) -> bool:
    """Whether the value belongs to the type. TRUE is not 1 here, although they are equal in Python."""
    match variable_type:
        case BooleanType():
            return isinstance(value, bool)
        case EnumerationType(constants):
            return not isinstance(value, bool) and value in constants
        case RangeType(low, high):
            return type(value) is int and low <= value <= high
        case WordType():
            return type(value) is int and word(value, variable_type) == value


def _check_valuation(system: FlatSystem, step: Step, number: int, *, is_last: bool) -> None:
    where = f"state {number + 1}"
    for values, kinds in (
        (step.state, (VariableKind.STATE, VariableKind.FROZEN)),
        (step.inputs, (VariableKind.INPUT,)),
    ):
        if is_last and kinds == (VariableKind.INPUT,) and not values:
            continue
        for variable in system.variables:
            if variable.kind in kinds and variable.name not in values:
                raise CertificationError(f"{where}: {variable.name} has no value")
        for name, value in values.items():
            declared = system.by_name.get(name)
            if declared is None or declared.kind not in kinds:
                raise CertificationError(f"{where}: the system has no such variable: {name}")
            if not in_range(value, declared.type):
                raise CertificationError(f"{where}: {value!r} is not a value of {name}")


def _check_states(system: FlatSystem, trace: Trace) -> None:
    first = trace.steps[:1]
    starts = [assignment for assignment in system.assignments if assignment.time == "init"]
    _check_steps(system, system.init, starts, "INIT", first, [None])
    always = [assignment for assignment in system.assignments if assignment.time == "current"]
    _check_steps(system, system.invar, always, "INVAR", trace.steps, [None] * len(trace.steps))


def _check_transitions(system: FlatSystem, trace: Trace) -> None:
    sources = list(trace.steps)
    targets = list(trace.steps[1:])
    if trace.loop is not None and trace.kind == "lasso":
        targets.append(trace.steps[trace.loop])
    else:
        sources.pop()
    for number, (source, target) in enumerate(zip(sources, targets, strict=True)):
        for variable in system.variables:
            if variable.kind is VariableKind.FROZEN and source.state[variable.name] != target.state[variable.name]:
                raise CertificationError(f"state {number + 1}: the frozen variable {variable.name} changes")
    moves = [assignment for assignment in system.assignments if assignment.time == "next"]
    _check_steps(system, system.trans, moves, "TRANS", sources, targets)


def _check_steps(
    system: FlatSystem,
    constraints: Sequence[Constraint],
    assignments: Sequence[Assignment],
    keyword: str,
    sources: Sequence[Step],
    targets: Sequence[Step | None],
) -> None:
    program = Program(
        system, [constraint.expression for constraint in constraints] + [assignment.value for assignment in assignments]
    )
    for number, (source, target) in enumerate(zip(sources, targets, strict=True)):
        current, following = valuation(source), None if target is None else valuation(target)
        outcomes = program.run(current, following)
        for constraint, outcome in zip(constraints, outcomes, strict=False):
            what = f"the {keyword} of line {system.source.location(constraint.position)[0]}"
            if not truth(system, outcome, what, number):
                raise CertificationError(f"state {number + 1}: {what} is violated")
        for assignment, outcome in zip(assignments, outcomes[len(constraints) :], strict=True):
            _check_assignment(system, assignment, outcome, number, current if following is None else following)


def _check_assignment(
    system: FlatSystem, assignment: Assignment, outcome: Denotation, number: int, values: Mapping[str, Value]
) -> None:
    text = assignment.variable if assignment.time == "current" else f"{assignment.time}({assignment.variable})"
    if assignment.variable not in values:  # an input at the last state of a finite trace
        return
    try:
        allowed = value_set(outcome)
    except EvaluationError as error:
        raise _refusal(system, error, f"the assignment to {text}", number) from None
    if values[assignment.variable] not in allowed:
        line = system.source.location(assignment.position)[0]
        raise CertificationError(
            f"state {number + 1}: the assignment to {text} of line {line} forbids {values[assignment.variable]!r}"
        )


def check_fair_loop(system: FlatSystem, trace: Trace) -> None:
    """Accept a lasso that is a run if its loop meets every justice constraint, and q of every compassion pair
    whose p it meets; raises CertificationError otherwise.
    """
    loop = range(trace.loop or 0, len(trace.steps))
    expressions = [constraint.expression for constraint in system.justice]
    expressions += [side.expression for pair in system.compassion for side in pair]
    met = [False] * len(expressions)
    for number, outcome in outcomes(system, expressions, trace):
        if number in loop:
            truths = [truth(system, value, "a fairness constraint", number) for value in outcome]
            met = [old or new for old, new in zip(met, truths, strict=True)]
    for constraint, visited in zip(system.justice, met, strict=False):
        if not visited:
            line = system.source.location(constraint.position)[0]
            raise CertificationError(f"the loop never satisfies the fairness constraint of line {line}")
    for index, (condition, _) in enumerate(system.compassion):
        often, answered = met[len(system.justice) + 2 * index :][:2]
        if often and not answered:
            line = system.source.location(condition.position)[0]
            raise CertificationError(f"the loop violates the COMPASSION of line {line}")


def outcomes(
    system: FlatSystem, expressions: Sequence[Expression], trace: Trace
) -> Iterator[tuple[int, list[Denotation]]]:
    """The number of each step, from 0, with the denotations of expressions there, which may read inputs and the next
    state.
    """
    program = Program(system, expressions)
    for number, step in enumerate(trace.steps):
        after = trace.after(number)
        yield number, program.run(valuation(step), None if after is None else valuation(trace.steps[after]))


def truths(system: FlatSystem, expressions: Sequence[Expression], trace: Trace) -> list[list[bool]]:
    """The truths of parts of a property in each step. Raises CertificationError if one has no value."""
    return [
        [truth(system, value, "the property", number) for value in row]
        for number, row in outcomes(system, expressions, trace)
    ]


def truth(system: FlatSystem, outcome: Denotation, what: str, number: int) -> bool:
    """The truth value denoted at a state (from 0); raises CertificationError for anything else."""
    if isinstance(outcome, Failure):
        raise _refusal(system, EvaluationError(outcome), what, number)
    if not isinstance(outcome, bool):
        raise CertificationError(f"state {number + 1}: {what} is not a truth value")
    return outcome


def _refusal(system: FlatSystem, error: EvaluationError, what: str, number: int) -> CertificationError:
    line = system.source.location(error.position)[0]
    return CertificationError(f"state {number + 1}: {what} has no value: {error.message} (line {line})")
