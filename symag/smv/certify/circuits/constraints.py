"""A flat system's constraints as signals, and which of them a question needs.

Every constraint is one signal; leaving some out only allows more runs, so a proof from a selection is a
proof for the system.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.model.flat import Assignment, FlatSystem
from symag.smv.model.typed import DefineReference, Expression, VariableReference, subexpressions

#: When a constraint must hold: in the first state, in every state, or on every transition.
Moment = Literal["initial", "state", "transition"]


@dataclass(frozen=True, slots=True)
class ConstraintReads:
    """One constraint, with the variables it reads now and next.

    ``target`` is the assigned variable (None for INIT, INVAR and TRANS); it is among ``following`` for a
    next assignment and among ``current`` otherwise.
    """

    moment: Moment
    target: str | None
    expression: Expression
    current: frozenset[str]
    following: frozenset[str]

    def signal(self, encoder: Encoder, primed: bool = False) -> int:
        """The constraint as a circuit; a state constraint can be read in the next state."""
        if self.target is None:
            return encoder.truth(self.expression, primed)
        variable = encoder.variable(self.target, primed or self.moment == "transition")
        return encoder.contains(self.expression, variable, primed)


class VariableReads:
    """Which variables an expression reads now and next, through defines; each define is looked at once."""

    def __init__(self, system: FlatSystem) -> None:
        self._system = system
        self._defines: dict[str, tuple[frozenset[str], frozenset[str]]] = {}

    def of(self, expression: Expression) -> tuple[frozenset[str], frozenset[str]]:
        """Names read in the current state, names read in the next state."""
        pending: list[tuple[str | None, Expression]] = [(None, expression)]
        result: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
        while pending:
            name, top = pending[-1]
            nodes = list(subexpressions(top))
            references = [node for node in nodes if isinstance(node, DefineReference)]
            missing = sorted({node.name for node in references} - self._defines.keys())
            if missing:
                pending.extend((item, self._system.defines[item]) for item in missing)
                continue
            pending.pop()
            result = self._combined(nodes)
            if name is not None:
                self._defines[name] = result
        return result

    def _combined(self, nodes: list[Expression]) -> tuple[frozenset[str], frozenset[str]]:
        current: set[str] = set()
        following: set[str] = set()
        for node in nodes:
            if isinstance(node, VariableReference):
                (following if node.primed else current).add(node.name)
            elif isinstance(node, DefineReference):
                now, after = self._defines[node.name]
                (following if node.primed else current).update(now)
                following.update(after)
        return frozenset(current), frozenset(following)


def requirements(system: FlatSystem, reading: VariableReads) -> list[ConstraintReads]:
    """All constraints of a system, in the order of its fields."""
    result = [_requirement(reading, assignment) for assignment in system.assignments]
    moments: list[tuple[Moment, Iterable[Expression]]] = [
        ("initial", [item.expression for item in system.init]),
        ("state", [item.expression for item in system.invar]),
        ("transition", [item.expression for item in system.trans]),
    ]
    for moment, expressions in moments:
        result += [ConstraintReads(moment, None, expression, *reading.of(expression)) for expression in expressions]
    return result


def _requirement(reading: VariableReads, assignment: Assignment) -> ConstraintReads:
    current, following = reading.of(assignment.value)
    target = frozenset((assignment.variable,))
    match assignment.time:
        case "init":
            return ConstraintReads("initial", assignment.variable, assignment.value, current | target, following)
        case "current":
            return ConstraintReads("state", assignment.variable, assignment.value, current | target, following)
        case "next":
            return ConstraintReads("transition", assignment.variable, assignment.value, current, following | target)


def relevant(reads: list[ConstraintReads], start: Iterable[str]) -> list[ConstraintReads]:
    """The constraints in the cone of influence of some variables.

    An assignment to a variable counts once the variable does; INIT, INVAR and TRANS and current
    assignments count once any of their variables does.
    """
    watchers: dict[str, list[int]] = {}
    for number, item in enumerate(reads):
        directed = item.target is not None and item.moment != "state"
        watched = {item.target} if directed and item.target is not None else item.current | item.following
        for name in watched:
            watchers.setdefault(name, []).append(number)
    chosen: set[int] = set()
    reached: set[str] = set()
    pending = list(start)
    while pending:
        name = pending.pop()
        if name in reached:
            continue
        reached.add(name)
        for number in watchers.get(name, ()):
            if number not in chosen:
                chosen.add(number)
                pending.extend(reads[number].current | reads[number].following)
    return [reads[number] for number in sorted(chosen)]


def read_variables(reads: Iterable[ConstraintReads]) -> Iterator[str]:
    """The names of all variables that the constraints mention, sorted."""
    names: set[str] = set()
    for item in reads:
        names |= item.current | item.following
    yield from sorted(names)
