"""Variables that keep one value in every reachable state, and variables that are always equal.

Both follow from the assignments alone, without the constraints: constants by the least fixed point of constant
propagation (Kildall, "A unified approach to global program optimization", POPL 1973), equal variables by the coarsest
partition in which the variables of one class have equal initial values and, with every variable replaced by its class,
equal expressions for the next value.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

from msgspec import Struct

from symag.core.trace import Value
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.reduction.expression_graph import COMMUTATIVE, ExpressionGraph, GraphNode, deterministic, folded

#: The classes of equal variables are split in at most this many rounds; then no variables count as equal.
_ROUNDS = 40

#: Initial values that read other initial values are evaluated in at most this many rounds.
_START_ROUNDS = 8


class Redundancy(Struct, frozen=True):
    """``constants``: variables with their only value. ``equal``: variables with the remaining variable that they equal.

    All are state variables; both are so in every reachable state.
    """

    constants: Mapping[str, Value]
    equal: Mapping[str, str]

    def __bool__(self) -> bool:
        return bool(self.constants or self.equal)


class _Rule(Struct, frozen=True):
    """The nodes of a variable's value in initial states, and after a step."""

    start: int
    step: int
    current: bool


def redundancy(system: FlatSystem) -> Redundancy:
    """The constant and the equal variables. Linear in the expressions; equality in some rounds of that."""
    graph = ExpressionGraph(system.defines)
    rules = _rules(system, graph)
    if not rules:
        return Redundancy({}, {})
    certain = deterministic(graph.nodes)
    rules = {name: rule for name, rule in rules.items() if certain[rule.start] and certain[rule.step]}
    constants, values = _constants(graph.nodes, rules)
    varying = {name: rule for name, rule in rules.items() if name not in constants}
    return Redundancy(constants, _equal(system, graph.nodes, varying, values))


def _rules(system: FlatSystem, graph: ExpressionGraph) -> dict[str, _Rule]:
    """The variables whose values are assigned at all times."""
    starts: dict[str, int] = {}
    steps: dict[str, int] = {}
    current: set[str] = set()
    for assignment in system.assignments:
        number = graph.add(assignment.value)
        if assignment.time != "next":
            starts[assignment.variable] = number
        if assignment.time != "init":
            steps[assignment.variable] = number
        if assignment.time == "current":
            current.add(assignment.variable)
    kinds = system.by_name
    return {
        name: _Rule(starts[name], steps[name], name in current)
        for name in starts
        if name in steps and kinds[name].kind is VariableKind.STATE
    }


def _constants(nodes: list[GraphNode], rules: Mapping[str, _Rule]) -> tuple[dict[str, Value], list[Value | None]]:
    """The constant variables, and the value of each node that has one value in all reachable states.

    At first every variable with a constant initial value counts as constant; those whose step may change it are
    removed.
    """
    parents: list[list[int]] = [[] for _ in nodes]
    variables: dict[str, list[int]] = {}
    for number, node in enumerate(nodes):
        for child in node.children:
            parents[child].append(number)
        if node.operator == "variable":
            variables.setdefault(str(node.leaf[0]), []).append(number)
    values: list[Value | None] = []
    for node in nodes:
        values.append(folded(node, values))
    constants: dict[str, Value] = {}
    for _ in range(_START_ROUNDS):
        added = {
            name: value
            for name, rule in rules.items()
            if name not in constants and (value := values[rule.start]) is not None
        }
        if not added:
            break
        constants.update(added)
        for name, value in added.items():
            for number in variables.get(name, ()):
                values[number] = value
        for number, node in enumerate(nodes):
            if node.children:
                values[number] = folded(node, values)
    watching: dict[int, list[str]] = {}
    for name in constants:
        for number in {rules[name].start, rules[name].step}:
            watching.setdefault(number, []).append(name)
    doubtful = list(constants)
    while doubtful:
        name = doubtful.pop()
        if name not in constants:
            continue
        rule, value = rules[name], constants[name]
        if _same(values[rule.start], value) and _same(values[rule.step], value):
            continue
        del constants[name]
        changed = list(variables.get(name, ()))
        for number in changed:
            values[number] = None
        while changed:
            number = changed.pop()
            doubtful.extend(watching.get(number, ()))
            for parent in parents[number]:
                if values[parent] is not None and folded(nodes[parent], values) is None:
                    values[parent] = None
                    changed.append(parent)
    return constants, values


def _same(left: Value | None, right: Value | None) -> bool:
    return type(left) is type(right) and left == right


def _equal(
    system: FlatSystem, nodes: list[GraphNode], rules: Mapping[str, _Rule], values: list[Value | None]
) -> dict[str, str]:
    """Variables with the first one, in the order of the system, that they are equal to."""
    if len(rules) < 2:
        return {}
    order = [variable.name for variable in system.variables if variable.name in rules]
    signature = signatures(nodes, {name: (rules[name].start, rules[name].step) for name in order}, values)
    group: dict[str, object] = {
        name: (system.by_name[name].type, rules[name].current, signature.get(name)) for name in order
    }
    leader = _leaders(order, group)
    for _ in range(_ROUNDS):
        if len(set(leader.values())) == len(order):
            return {}
        canonical = _canonical(nodes, leader, values)
        group = {name: (leader[name], canonical[rules[name].start], canonical[rules[name].step]) for name in order}
        refined = _leaders(order, group)
        if refined == leader:
            return {name: first for name, first in leader.items() if name != first}
        leader = refined
    return {}


def _leaders(order: Iterable[str], group: Mapping[str, object]) -> dict[str, str]:
    """The first member of each variable's group."""
    first: dict[object, str] = {}
    return {name: first.setdefault(group[name], name) for name in order}


def _canonical(nodes: list[GraphNode], leader: Mapping[str, str], values: list[Value | None]) -> list[int]:
    """Numbers for the nodes, equal for equal expressions after each variable is replaced by its leader."""
    numbers: dict[object, int] = {}
    result: list[int] = []
    for number, node in enumerate(nodes):
        value = values[number]
        key: object
        if value is not None:
            key = type(value).__name__, value, node.type
        elif node.operator == "variable":
            name, primed = node.leaf
            key = leader.get(str(name), name), primed
        else:
            children: Iterable[int] = [result[child] for child in node.children]
            if node.operator in COMMUTATIVE:
                children = sorted(children)
            key = node.operator, node.type, tuple(children), node.leaf
        result.append(numbers.setdefault(key, len(numbers)))
    return result


#: The number of runs, one in each bit of a number, and of their steps.
RUNS, STEPS = 128, 12

_OPERATORS = frozenset(("constant", "variable", "not", "and", "or", "xor", "xnor", "iff", "implies", "case"))


def signatures(
    nodes: list[GraphNode], rules: Mapping[str, tuple[int, int]], constants: list[Value | None]
) -> dict[str, tuple[int, ...]]:
    """The values of the variables with rules (start and step) along the same random runs; one number a step.

    ``constants`` are values that nodes have in all reachable states. The result is empty if the nodes have values other
    than truth values, or variables under ``next``. Constraints are ignored, and variables without rules are random.
    """
    if any(
        node.operator not in _OPERATORS
        or node.type is not None
        or (node.leaf[1:] == (True,) and node.operator == "variable")
        for node in nodes
    ):
        return {}
    generator = random.Random(0)
    everything = (1 << RUNS) - 1
    names = sorted({str(node.leaf[0]) for node in nodes if node.operator == "variable"})
    state: dict[str, int] = {}
    history: dict[str, list[int]] = {name: [] for name in rules}
    for step in range(STEPS):
        for name in names:
            if name not in rules:
                state[name] = generator.getrandbits(RUNS)
            elif step == 0:
                state[name] = 0
        if step == 0:
            # Initial values may read others. Longer chains than this are not evaluated fully, which costs precision
            # only.
            for _ in range(3):
                values = _evaluated(nodes, state, everything, constants)
                state.update({name: values[start] for name, (start, _) in rules.items()})
        for name, values_seen in history.items():
            values_seen.append(state.get(name, 0))
        values = _evaluated(nodes, state, everything, constants)
        state.update({name: values[following] for name, (_, following) in rules.items()})
    return {name: tuple(seen) for name, seen in history.items()}


def _evaluated(
    nodes: list[GraphNode], state: Mapping[str, int], everything: int, constants: list[Value | None]
) -> list[int]:
    values: list[int] = []
    for (operator, _, children, leaf), fixed in zip(nodes, constants, strict=True):
        if fixed is not None:
            values.append(everything if fixed else 0)
            continue
        match operator:
            case "and":
                value = everything
                for child in children:
                    value &= values[child]
            case "not":
                value = everything & ~values[children[0]]
            case "variable":
                value = state[str(leaf[0])]
            case "or":
                value = 0
                for child in children:
                    value |= values[child]
            case "xor":
                value = values[children[0]] ^ values[children[1]]
            case "implies":
                value = everything & ~values[children[0]] | values[children[1]]
            case "case":
                value, left = 0, everything
                for condition, chosen in zip(children[::2], children[1::2], strict=True):
                    value |= left & values[condition] & values[chosen]
                    left &= ~values[condition]
            case _:
                value = everything & ~(values[children[0]] ^ values[children[1]])
        values.append(value)
    return values
