"""A flat system's constraints as signals, and which of them a question needs.

Every constraint is one signal. A system without some of its constraints has more runs, so a proof from a selection of
the constraints is a proof for the system.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Literal

from msgspec import Struct

from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.model.flat import Assignment, FlatSystem
from symag.smv.model.gates import gates_of
from symag.smv.model.typed import BOOLEAN, DefineReference, Expression, Operation, VariableReference, subexpressions

#: When a constraint must hold: in the first state, in every state, or on every transition.
Moment = Literal["initial", "state", "transition"]


class ConstraintReads(Struct, frozen=True, eq=False, dict=True):
    """One constraint, with the variables that it reads now and next; they are computed when they are used.

    ``target`` is the assigned variable (None for INIT, INVAR and TRANS); it is among ``following`` for a
    next assignment and among ``current`` otherwise.
    """

    moment: Moment
    target: str | None
    expression: Expression
    reading: VariableReads

    @cached_property
    def current(self) -> frozenset[str]:
        """Names read in the current state, and that of a variable assigned there."""
        now = self.reading.of(self.expression)[0]
        return now | {self.target} if self.target is not None and self.moment != "transition" else now

    @cached_property
    def following(self) -> frozenset[str]:
        """Names read in the next state, and that of a variable assigned there."""
        after = self.reading.of(self.expression)[1]
        return after | {self.target} if self.target is not None and self.moment == "transition" else after

    def signal(self, encoder: Encoder, primed: bool = False) -> int:
        """The constraint as a circuit; a state constraint can be read in the next state."""
        if self.target is None:
            return encoder.truth(self.expression, primed)
        variable = encoder.variable(self.target, primed or self.moment == "transition")
        return encoder.contains(self.expression, variable, primed)


class ConstraintSignals(Struct, frozen=True):
    """Selected constraints as signals: of the first state, of a state, of the next state, and of the step to it."""

    initial: list[int]
    state: list[int]
    next_state: list[int]
    step: list[int]

    @property
    def on_steps(self) -> list[int]:
        """Those of the next state, and of the step to it."""
        return [*self.next_state, *self.step]

    @classmethod
    def of(cls, encoder: Encoder, selected: Sequence[ConstraintReads], names: Sequence[str]) -> ConstraintSignals:
        """The constraints of states include that the variables ``names`` have values of their types."""
        states = [item for item in selected if item.moment == "state"]
        return cls(
            [item.signal(encoder) for item in selected if item.moment == "initial"],
            [encoder.in_range(name, False) for name in names] + [item.signal(encoder) for item in states],
            [encoder.in_range(name, True) for name in names] + [item.signal(encoder, primed=True) for item in states],
            [item.signal(encoder) for item in selected if item.moment == "transition"],
        )


class VariableReads:
    """The variables that an expression reads now and next, through defines; each define is looked at once."""

    def __init__(self, system: FlatSystem) -> None:
        self._system = system
        self._defines: dict[str, tuple[frozenset[str], frozenset[str]]] = {}

    def walk(self) -> ReadsTogether:
        """What several expressions read together, which costs less than each by itself."""
        return ReadsTogether(self._system)

    def of(self, expression: Expression) -> tuple[frozenset[str], frozenset[str]]:
        """The names read in the current state, and those read in the next state. Linear in the expression's size."""
        if gates_of(self._system.defines) is not None:
            # Sets for each gate would be quadratic.
            now, after = self.walk().new(expression)
            return frozenset(now), frozenset(after)
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


class ReadsTogether:
    """The variables that expressions read, named once: each define and each gate is walked through once. Linear.

    ``new(expression)`` gives those read now and those read next that no expression before has read.
    """

    def __init__(self, system: FlatSystem) -> None:
        self._system = system
        self._gates = gates_of(system.defines)
        self._marks = {} if self._gates is None else {now: self._gates.fresh_marks() for now in (True, False)}
        self._seen: set[tuple[str, bool, bool]] = set()

    def new(self, expression: Expression) -> tuple[set[str], set[str]]:
        """See above."""
        read: tuple[set[str], set[str]] = (set(), set())
        pending = [(expression, False)]
        while pending:
            top, primed = pending.pop()
            for node in subexpressions(top):
                if not isinstance(node, VariableReference | DefineReference):
                    continue
                later = primed or node.primed
                key = node.name, later, isinstance(node, DefineReference)
                if key in self._seen:
                    continue
                self._seen.add(key)
                gate = None if self._gates is None else self._gates.node(node.name)
                if isinstance(node, VariableReference):
                    read[later].add(node.name)
                elif self._gates is not None and gate is not None:
                    nodes = self._gates.new_nodes([gate], self._marks[not later])
                    read[later].update(self._gates.variable_names(nodes))
                else:
                    pending.append((self._system.defines[node.name], later))
        return read


def requirements(system: FlatSystem, reading: VariableReads) -> list[ConstraintReads]:
    """All constraints of a system, in the order of its fields; each TRANS as the implications of which it consists."""
    result = [_requirement(reading, assignment) for assignment in system.assignments]
    moments: list[tuple[Moment, Iterable[Expression]]] = [
        ("initial", [item.expression for item in system.init]),
        ("state", [item.expression for item in system.invar]),
        ("transition", [part for item in system.trans for part in _implications(item.expression)]),
    ]
    for moment, expressions in moments:
        result += [ConstraintReads(moment, None, expression, reading) for expression in expressions]
    return result


def _implications(constraint: Expression) -> Iterator[Expression]:
    """Expressions that are together what a constraint says: ``p -> (q & r)`` as ``p -> q`` and ``p -> r``.

    A condition is one object wherever it occurs, so it is encoded once.
    """
    pending: list[tuple[Expression, Expression | None]] = [(constraint, None)]
    while pending:
        expression, condition = pending.pop()
        if isinstance(expression, Operation) and expression.type == BOOLEAN:
            if expression.operator == "and":
                pending += [(operand, condition) for operand in reversed(expression.operands)]
                continue
            if expression.operator == "implies":
                premise, conclusion = expression.operands
                if condition is not None:
                    premise = Operation("and", (condition, premise), BOOLEAN, premise.position)
                pending.append((conclusion, premise))
                continue
        if condition is not None:
            expression = Operation("implies", (condition, expression), BOOLEAN, expression.position)
        yield expression


def _requirement(reading: VariableReads, assignment: Assignment) -> ConstraintReads:
    moments: dict[str, Moment] = {"init": "initial", "current": "state", "next": "transition"}
    return ConstraintReads(moments[assignment.time], assignment.variable, assignment.value, reading)


def relevant(reads: list[ConstraintReads], start: Iterable[str]) -> list[ConstraintReads]:
    """The constraints in the cone of influence of the variables ``start``.

    An init or next assignment is in the cone if its variable is; INIT, INVAR, TRANS and current assignments are if any
    of their variables is. Linear.
    """
    by_variable: dict[str, list[int]] = {}
    for number, item in enumerate(reads):
        by_target = item.target is not None and item.moment != "state"
        for name in {item.target} if by_target and item.target is not None else item.current | item.following:
            by_variable.setdefault(name, []).append(number)
    in_cone: set[int] = set()
    reached: set[str] = set()
    pending = list(start)
    together = reads[0].reading.walk() if reads else None
    while pending:
        name = pending.pop()
        if name in reached:
            continue
        reached.add(name)
        for number in by_variable.get(name, ()):
            if number not in in_cone and together is not None:
                in_cone.add(number)
                pending.extend(set().union(*together.new(reads[number].expression)))
                target = reads[number].target
                pending.extend(() if target is None else (target,))
    return [reads[number] for number in sorted(in_cone)]


def with_read_variables(names: set[str], reads: Iterable[ConstraintReads]) -> list[str]:
    """The names and those of all variables that the constraints mention, sorted."""
    result = set(names)
    together = None
    for item in reads:
        together = together or item.reading.walk()
        result.update(*together.new(item.expression))
        if item.target is not None:
            result.add(item.target)
    return sorted(result)
