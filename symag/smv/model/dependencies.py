"""Which variables an assignment or a constraint reads, and the cone of influence.

Why an invariant of the cone is one of the whole system: every relation of the reduced system is one of the whole. So
every run of the whole, restricted to the cone, is a run of the reduced system, and what holds there holds here.

Why a violation in the cone is one of the whole: call a variable outside of the cone *functional* if one of its
assignments reads a variable of the cone, or a functional one, at the same instant. ``x := e`` and ``init(x) := e`` read
everything at the same instant, ``next(x) := e`` what it reads under ``next`` and its inputs, which belong to the step.
A constraint that reads a functional variable or one of the cone is in the cone with all that it reads. So the
relations outside of the cone are assignments of functional variables, and relations over the other outside variables
that read nothing of the cone at the same instant. Take a reached state of the whole whose part in the cone is c, and a
successor d of c in the reduced system. The whole has some successor. Its values of the outside variables that are not
functional fit d as well, for they depend on the reached state alone. The functional variables then get values in the
order of their (acyclic) assignments, each of which denotes at least one value. The same is true of initial states.
Hence every run of the reduced system can be extended to one of the whole, PROVIDED that the whole has an initial state
and no reachable state without a successor. A caller that does not know this replays the trace in the whole system, or
decides the whole.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

from msgspec import Struct

from symag.core.values import replace
from symag.smv.model.flat import Assignment, Constraint, FlatSystem, Property
from symag.smv.model.gates import gates_of
from symag.smv.model.supports import Supports, leaves_of
from symag.smv.model.typed import Expression


def influencing(system: FlatSystem, expressions: Iterable[Expression]) -> frozenset[str]:
    """The variables that expressions, or any constraint of the system, read, and those that influence them by
    assignments: all of the cone of influence of the expressions, perhaps more. Linear.
    """
    assigned: dict[str, list[Expression]] = {}
    for assignment in system.assignments:
        assigned.setdefault(assignment.variable, []).append(assignment.value)
    stack = [*expressions, *(constraint.expression for constraint in (*system.init, *system.invar, *system.trans))]
    names: set[str] = set()
    defines: set[str] = set()
    gates = gates_of(system.defines)
    marks = bytearray() if gates is None else gates.fresh_marks()
    while stack:
        leaves = leaves_of(stack.pop())
        read = leaves.current | leaves.following
        for name in {name for name, _ in leaves.defines} - defines:
            node = None if gates is None else gates.node(name)
            if gates is not None and node is not None:
                read.update(gates.variable_names(gates.new_nodes([node], marks)))
            else:
                defines.add(name)
                stack.append(system.defines[name])
        for name in read - names:
            names.add(name)
            stack.extend(assigned.get(name, ()))
    return frozenset(names)


class Dependency(Struct, frozen=True, eq=False):
    """One assignment or constraint, with the variable that it assigns and the variables that it reads.

    ``kind`` says where it counts: in the initial state, in every state, or on every step. ``current`` and ``next`` are
    the variables that its expression reads; ``assigned`` is the variable of an assignment (in the next state for
    ``trans``), None for a constraint.
    """

    kind: Literal["init", "invar", "trans"]
    current: frozenset[str]
    next: frozenset[str]
    assigned: str | None
    origin: Assignment | Constraint

    @property
    def variables(self) -> frozenset[str]:
        """All variables that it reads or assigns."""
        everything = self.current | self.next
        return everything if self.assigned is None else everything | {self.assigned}

    @property
    def next_variables(self) -> frozenset[str]:
        """The variables whose next value it reads or assigns."""
        return self.next | {self.assigned} if self.kind == "trans" and self.assigned is not None else self.next


def relations(system: FlatSystem, supports: Supports | None = None) -> tuple[Dependency, ...]:
    """All assignments, then the INIT, INVAR and TRANS constraints, each group in the system's order."""
    supports = supports or Supports(system)
    kinds: dict[str, Literal["init", "invar", "trans"]] = {"init": "init", "next": "trans", "current": "invar"}
    result = []
    for assignment in system.assignments:
        support = supports.of(assignment.value)
        result.append(
            Dependency(kinds[assignment.time], support.current, support.next, assignment.variable, assignment)
        )
    groups: tuple[tuple[Literal["init", "invar", "trans"], tuple[Constraint, ...]], ...] = (
        ("init", system.init),
        ("invar", system.invar),
        ("trans", system.trans),
    )
    for kind, constraints in groups:
        for constraint in constraints:
            support = supports.of(constraint.expression)
            result.append(Dependency(kind, support.current, support.next, None, constraint))
    return tuple(result)


def cone_of_influence(system: FlatSystem, expression: Expression, fairness: bool = False) -> FlatSystem:
    """The part of the system that can influence the expression; everything in its old order.

    An invariant over the expression's variables that holds in the result holds in the system. One that is violated
    there is violated here if the system has an initial state and no reachable dead end (see the head of this file). The
    caller warns about dead ends outside of the cone. With ``fairness`` the justice and compassion constraints, and all
    that influences them, are kept too; without it they are left out, which does not change invariants. Of the
    properties only the INVARSPECs over variables of the cone are kept. Linear in the size of the system.
    """
    cones = Cones(system)
    cone = cones.variables(expression, fairness)
    fair = cones.fair
    in_cone = [r for r in cones.relations if (r.assigned in cone if r.assigned is not None else r.variables <= cone)]
    origins = {id(r.origin) for r in in_cone}
    properties = tuple(p for p in system.properties if _inside(p, cones.supports, cone))
    used = [expression, *(r.origin.value if isinstance(r.origin, Assignment) else r.origin.expression for r in in_cone)]
    used += [p.expression for p in properties if p.expression is not None]
    used += fair if fairness else []
    defines = _defines_below(system, used)
    return replace(
        restricted(system, cone, origins),
        defines={name: value for name, value in system.defines.items() if name in defines},
        justice=system.justice if fairness else (),
        compassion=system.compassion if fairness else (),
        properties=properties,
    )


def restricted(system: FlatSystem, variables: Collection[str], kept: Collection[int]) -> FlatSystem:
    """The system of some variables, with the assignments and constraints whose ``id`` is ``kept``."""
    return replace(
        system,
        variables=tuple(variable for variable in system.variables if variable.name in variables),
        assignments=tuple(assignment for assignment in system.assignments if id(assignment) in kept),
        init=tuple(constraint for constraint in system.init if id(constraint) in kept),
        invar=tuple(constraint for constraint in system.invar if id(constraint) in kept),
        trans=tuple(constraint for constraint in system.trans if id(constraint) in kept),
        selector=system.selector if system.selector in variables else None,
    )


def confined(system: FlatSystem, all_relations: Iterable[Dependency], variables: Collection[str]) -> FlatSystem:
    """The system of some variables, with their assignments and the constraints that read no others.

    It has no properties and no fairness, but all DEFINEs, also those that read other variables.
    """
    chosen = frozenset(variables)
    origins = {
        id(relation.origin)
        for relation in all_relations
        if (relation.assigned in chosen if relation.assigned is not None else relation.variables <= chosen)
    }
    return replace(restricted(system, chosen, origins), justice=(), compassion=(), properties=())


class Cones:
    """The cones of influence of many expressions of one system, which is walked through once."""

    def __init__(self, system: FlatSystem) -> None:
        self.supports = Supports(system)
        self.relations = relations(system, self.supports)
        self.fair = system.fairness
        self._closure = _Closure(system, self.relations)
        self._selector = system.selector

    def variables(self, expression: Expression, fairness: bool = False) -> frozenset[str]:
        """The variables of the cone of influence (as in :func:`cone_of_influence`)."""
        roots = set(self.supports.of(expression).variables)
        for condition in self.fair if fairness else ():
            roots |= self.supports.of(condition).variables
        return self._closure.from_variables(sorted(roots))

    def without_other_processes(self, expression: Expression) -> frozenset[str]:
        """The cone of influence of an invariant, if which process runs did not matter to constraints outside of it.

        What holds there holds in the system. A violation may be none: a constraint on other processes may keep a
        process of the cone from running, so the caller extends the trace to the whole system. Without processes it is
        the cone of influence.
        """
        return self._closure.from_variables(sorted(self.supports.of(expression).variables), ignored=self._selector)


def _inside(candidate: Property, supports: Supports, cone: frozenset[str]) -> bool:
    if candidate.kind != "INVARSPEC" or candidate.expression is None:
        return False
    return supports.of(candidate.expression).variables <= cone


def _defines_below(system: FlatSystem, expressions: Iterable[Expression]) -> set[str]:
    defines: set[str] = set()
    stack = list(expressions)
    while stack:
        for name, _ in leaves_of(stack.pop()).defines:
            if name not in defines:
                defines.add(name)
                stack.append(system.defines[name])
    return defines


class _Closure:
    """Computes the cone that the head of this file describes."""

    def __init__(self, system: FlatSystem, all_relations: tuple[Dependency, ...]) -> None:
        self._assigning: dict[str, list[Dependency]] = {}
        self._constraining: dict[str, list[Dependency]] = {}
        self._same_instant: dict[str, list[str]] = {}
        for relation in all_relations:
            if relation.assigned is None:
                for name in relation.variables:
                    self._constraining.setdefault(name, []).append(relation)
                continue
            self._assigning.setdefault(relation.assigned, []).append(relation)
            now = relation.current
            if relation.kind == "trans":
                now &= system.inputs
            for name in now | relation.next:
                self._same_instant.setdefault(name, []).append(relation.assigned)

    def from_variables(self, roots: Iterable[str], ignored: str | None = None) -> frozenset[str]:
        """The cone of these variables; reading ``ignored`` makes no variable functional."""
        assigning, constraining, same_instant = (
            dict(self._assigning),
            dict(self._constraining),
            dict(self._same_instant),
        )
        cone: set[str] = set()
        functional: set[str] = set()
        todo: list[str] = []

        def take_in(names: Iterable[str]) -> None:
            for name in names:
                if name not in cone:
                    cone.add(name)
                    todo.append(name)

        take_in(roots)
        while todo:
            name = todo.pop()
            if name in cone:
                for relation in assigning.pop(name, ()):
                    take_in(relation.variables)
            for relation in constraining.pop(name, ()):
                take_in(relation.variables)
            for reader in same_instant.pop(name, ()) if name != ignored else ():
                if reader not in cone and reader not in functional:
                    functional.add(reader)
                    todo.append(reader)
        return frozenset(cone)
