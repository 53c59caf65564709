"""An explicit-state model checker for small flat systems: the judge of every symbolic method's verdict.

States are tuples of values in the order of ``Explicit.names`` (state and frozen variables). It enumerates
what ``tests.evaluator`` says, in the plainest way; do not use it beyond some thousand states.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from symag.core.trace import Step, Trace, Value
from symag.smv.certify.properties import invariant
from symag.smv.model.flat import Assignment, Constraint, FlatSystem, Property, VariableKind
from symag.smv.model.typed import DefineReference, Expression, VariableReference, subexpressions
from symag.smv.model.types import values
from tests.evaluator import EvaluationError, Evaluator, in_type

State = tuple[Value, ...]
Edge = tuple[State, tuple[Value, ...], State]


class Explicit:
    """The state graph of a flat system, explored on demand. Evaluation errors surface as EvaluationError."""

    def __init__(self, system: FlatSystem) -> None:
        self.system = system
        states = [variable for variable in system.variables if variable.kind is not VariableKind.INPUT]
        inputs = [variable for variable in system.variables if variable.kind is VariableKind.INPUT]
        self.names = tuple(variable.name for variable in states)
        self.input_names = tuple(variable.name for variable in inputs)
        self._state_values = [tuple(values(variable.type)) for variable in states]
        self._input_values = [tuple(values(variable.type)) for variable in inputs]
        self._frozen = [place for place, variable in enumerate(states) if variable.kind is VariableKind.FROZEN]
        assignments = system.assignments
        self._always = [item for item in assignments if item.time == "current"]
        self._starts = [item for item in assignments if item.time == "init"]
        moves = [item for item in assignments if item.time == "next"]
        self._plain_moves = [item for item in moves if not reads_next(system, item.value)]
        self._paired_moves = [item for item in moves if reads_next(system, item.value)]
        self._allowed: dict[State, bool] = {}

    def valuation(self, state: State, inputs: Sequence[Value] = ()) -> dict[str, Value]:
        """The values by name."""
        return dict(zip(self.names + self.input_names, (*state, *inputs), strict=False))

    def all_states(self) -> Iterator[State]:
        """Every type-correct valuation of state and frozen variables."""
        return itertools.product(*self._state_values)

    def all_inputs(self) -> Iterator[tuple[Value, ...]]:
        """Every valuation of the input variables (one empty valuation if there are none)."""
        return itertools.product(*self._input_values)

    def is_allowed(self, state: State) -> bool:
        """Whether the state satisfies INVAR and the current assignments."""
        if state not in self._allowed:
            valuation = self.valuation(state)
            self._allowed[state] = self._satisfied(self.system.invar, self._always, valuation, valuation)
        return self._allowed[state]

    def initial_states(self) -> list[State]:
        """All initial states, in enumeration order."""
        found = []
        for state in self.all_states():
            valuation = self.valuation(state)
            if self.is_allowed(state) and self._satisfied(self.system.init, self._starts, valuation, valuation):
                found.append(state)
        return found

    def successors(self, state: State, inputs: tuple[Value, ...]) -> Iterator[State]:
        """All successors of an allowed state under given inputs."""
        current = self.valuation(state, inputs)
        domains = [list(domain) for domain in self._state_values]
        for place in self._frozen:
            domains[place] = [state[place]]
        evaluator = Evaluator(self.system, current)
        for item in self._plain_moves:
            place = self.names.index(item.variable)
            allowed = evaluator.values(item.value)
            domains[place] = [value for value in domains[place] if value in allowed]
        for target in itertools.product(*domains):
            if self.is_allowed(target):
                following = self.valuation(target)
                if self._satisfied(self.system.trans, self._paired_moves, following, current, following):
                    yield target

    def edges(self, state: State) -> Iterator[Edge]:
        """All transitions that leave a state."""
        for inputs in self.all_inputs():
            for target in self.successors(state, inputs):
                yield state, inputs, target

    def reachable(self) -> dict[State, int]:
        """Every reachable state with its least distance from an initial state, in breadth-first order."""
        distance = dict.fromkeys(self.initial_states(), 0)
        frontier = list(distance)
        while frontier:
            following = []
            for state in frontier:
                for _, _, target in self.edges(state):
                    if target not in distance:
                        distance[target] = distance[state] + 1
                        following.append(target)
            frontier = following
        return distance

    def satisfying(self, expression: Expression, states: Sequence[State]) -> set[State]:
        """The given states in which a boolean expression over state variables is true."""
        return {state for state in states if self._values(expression, state) == {True}}

    def _values(self, expression: Expression, state: State, inputs: Sequence[Value] = ()) -> frozenset[Value]:
        return Evaluator(self.system, self.valuation(state, inputs)).values(expression)

    def _satisfied(
        self,
        constraints: Sequence[Constraint],
        assignments: Sequence[Assignment],
        assigned: Mapping[str, Value],
        current: Mapping[str, Value],
        following: Mapping[str, Value] | None = None,
    ) -> bool:
        evaluator = Evaluator(self.system, current, following)
        return all(evaluator.values(item.expression) == {True} for item in constraints) and all(
            assigned[item.variable] in evaluator.values(item.value) for item in assignments
        )

    def fair_states(self, states: Sequence[State], *, compassion: bool = True) -> set[State]:
        """The given states (closed under successors) from which an infinite fair path starts."""
        edges = [edge for state in states for edge in self.edges(state)]
        justice = [self._edges_where(item.expression, edges) for item in self.system.justice]
        pairs = [
            (self._edges_where(condition.expression, edges), self._edges_where(answer.expression, edges))
            for condition, answer in (self.system.compassion if compassion else ())
        ]
        fair = _fair_cores(edges, justice, pairs)
        while True:
            grown = fair | {source for source, _, target in edges if target in fair}
            if grown == fair:
                return fair
            fair = grown

    def _edges_where(self, expression: Expression, edges: Sequence[Edge]) -> set[Edge]:
        return {edge for edge in edges if self._values(expression, edge[0], edge[1]) == {True}}

    def holds(self, checked: Property, *, compassion: bool = False) -> bool:
        """NuSMV's verdict on INVARSPEC p or SPEC AG p (fair-path semantics; NuSMV ignores COMPASSION in CTL)."""
        expression = invariant(self.system, checked)
        assert expression is not None
        reachable = list(self.reachable())
        bad = set(reachable) - self.satisfying(expression, reachable)
        if checked.kind == "INVARSPEC" or not bad:
            return not bad
        return not bad & self.fair_states(reachable, compassion=compassion)

    def shortest_violation(self, checked: Property) -> Trace | None:
        """A shortest finite trace to a state that violates the property's invariant, or None."""
        expression = invariant(self.system, checked)
        assert expression is not None
        parents: dict[State, Edge | None] = dict.fromkeys(self.initial_states())
        queue = list(parents)
        for state in queue:
            if self._values(expression, state) == {False}:
                return self._trace(parents, state)
            for edge in self.edges(state):
                if edge[2] not in parents:
                    parents[edge[2]] = edge
                    queue.append(edge[2])
        return None

    def _trace(self, parents: Mapping[State, Edge | None], last: State) -> Trace:
        steps = [Step(dict(zip(self.names, last, strict=True)))]
        edge = parents[last]
        while edge is not None:
            source, inputs, _ = edge
            steps.append(
                Step(dict(zip(self.names, source, strict=True)), dict(zip(self.input_names, inputs, strict=True)))
            )
            edge = parents[source]
        return Trace("finite", tuple(reversed(steps)))


def find_error(system: FlatSystem) -> str | None:
    """The first evaluation error or out-of-range assignment over ALL type-correct valuations, or None."""
    explicit = Explicit(system)
    items = [(item.expression, None) for item in (*system.init, *system.invar, *system.trans, *system.justice)]
    items += [(side.expression, None) for pair in system.compassion for side in pair]
    items += [(item.value, item.variable) for item in system.assignments]
    items += [(found, None) for item in system.properties if (found := invariant(system, item)) is not None]
    paired = [item for item in items if reads_next(system, item[0])]
    single = [item for item in items if not reads_next(system, item[0])]
    for state in explicit.all_states():
        for inputs in explicit.all_inputs():
            current = explicit.valuation(state, inputs)
            found = _first_error(system, single, current, None)
            if found is None and paired:
                followings = map(explicit.valuation, explicit.all_states())
                errors = (_first_error(system, paired, current, following) for following in followings)
                found = next(filter(None, errors), None)
            if found is not None:
                return found
    return None


def reads_next(system: FlatSystem, expression: Expression) -> bool:
    """Whether the expression mentions ``next``, also through defines."""
    for node in subexpressions(expression):
        if isinstance(node, VariableReference | DefineReference) and node.primed:
            return True
        if isinstance(node, DefineReference) and reads_next(system, system.defines[node.name]):
            return True
    return False


def _first_error(
    system: FlatSystem,
    items: Sequence[tuple[Expression, str | None]],
    current: Mapping[str, Value],
    following: Mapping[str, Value] | None,
) -> str | None:
    evaluator = Evaluator(system, current, following)
    for expression, variable in items:
        try:
            outcome = evaluator.values(expression)
        except EvaluationError as error:
            return error.message
        if variable is not None:
            for value in sorted(outcome, key=str):
                if not in_type(value, system.by_name[variable].type):
                    return f"cannot assign value {value} to variable {variable}"
    return None


def _fair_cores(
    edges: Sequence[Edge], justice: Sequence[set[Edge]], pairs: Sequence[tuple[set[Edge], set[Edge]]]
) -> set[State]:
    fair: set[State] = set()
    for component in _components(edges):
        inner = [edge for edge in edges if edge[0] in component and edge[2] in component]
        if not inner or any(not goal & set(inner) for goal in justice):
            continue
        unanswered = [condition for condition, answer in pairs if condition & set(inner) and not answer & set(inner)]
        if not unanswered:
            fair |= component
        else:
            forbidden = set().union(*unanswered)
            fair |= _fair_cores([edge for edge in inner if edge not in forbidden], justice, pairs)
    return fair


def _components(edges: Sequence[Edge]) -> list[set[State]]:
    forward: dict[State, list[State]] = {}
    backward: dict[State, list[State]] = {}
    for source, _, target in edges:
        for state in (source, target):
            forward.setdefault(state, [])
            backward.setdefault(state, [])
        forward[source].append(target)
        backward[target].append(source)
    order: list[State] = []
    seen: set[State] = set()
    for root in forward:
        stack: list[tuple[State, bool]] = [(root, False)]
        while stack:
            state, done = stack.pop()
            if done:
                order.append(state)
            elif state not in seen:
                seen.add(state)
                stack.append((state, True))
                stack.extend((target, False) for target in forward[state])
    components = []
    placed: set[State] = set()
    for root in reversed(order):
        if root in placed:
            continue
        component: set[State] = set()
        pending = [root]
        while pending:
            state = pending.pop()
            if state not in placed:
                placed.add(state)
                component.add(state)
                pending.extend(backward[state])
        components.append(component)
    return components


__all__ = ["EvaluationError", "Explicit", "find_error", "reads_next"]
