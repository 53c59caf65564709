"""Small flat systems for the partition tests: built by hand or drawn, and explored state by state."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from symag.core.source import SourceText
from symag.core.trace import Value
from symag.smv.model.flat import Assignment, Constraint, FlatSystem, Variable, VariableKind
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import BooleanType, SetType, VariableType, values

BOOLEAN = BooleanType()
TRUE = Constant(True, BOOLEAN, 0)
FALSE = Constant(False, BOOLEAN, 0)
ANY = Operation("union", (FALSE, TRUE), SetType(BOOLEAN), 0)


def var(name: str, primed: bool = False) -> Expression:
    return VariableReference(name, primed, BOOLEAN, 0)


def define(name: str, primed: bool = False) -> Expression:
    return DefineReference(name, primed, BOOLEAN, 0)


def op(operator: str, *operands: Expression) -> Expression:
    return Operation(operator, operands, BOOLEAN, 0)


def system(
    state: Iterable[str] = (),
    inputs: Iterable[str] = (),
    frozen: Iterable[str] = (),
    types: Mapping[str, VariableType] | None = None,
    defines: Mapping[str, Expression] | None = None,
    assign: Sequence[tuple[str, str, Expression]] = (),
    init: Sequence[Expression] = (),
    invar: Sequence[Expression] = (),
    trans: Sequence[Expression] = (),
    selector: str | None = None,
) -> FlatSystem:
    """A flat system; ``assign`` holds (variable, time, value)."""
    types = types or {}
    kinds = ((state, VariableKind.STATE), (inputs, VariableKind.INPUT), (frozen, VariableKind.FROZEN))
    return FlatSystem(
        source=SourceText.of("<test>", ""),
        variables=tuple(Variable(n, types.get(n, BOOLEAN), kind, 0) for names, kind in kinds for n in names),
        defines=dict(defines or {}),
        assignments=tuple(Assignment(name, time, value, 0) for name, time, value in assign),  # type: ignore[arg-type]
        init=tuple(Constraint(e, 0) for e in init),
        invar=tuple(Constraint(e, 0) for e in invar),
        trans=tuple(Constraint(e, 0) for e in trans),
        justice=(),
        compassion=(),
        properties=(),
        selector=selector,
    )


Valuation = Mapping[str, Value]


def denotes(flat: FlatSystem, expression: Expression, now: Valuation, then: Valuation | None) -> frozenset[Value]:
    """The values of an expression at a state with its inputs, and its successor."""
    match expression:
        case Constant(value):
            return frozenset([value])
        case VariableReference(name, primed):
            source = then if primed else now
            assert source is not None
            return frozenset([source[name]])
        case DefineReference(name, primed):
            return (
                denotes(flat, flat.defines[name], then, None)
                if primed and then
                else denotes(flat, flat.defines[name], now, then)
            )
        case Operation("union", operands):
            return frozenset().union(*(denotes(flat, o, now, then) for o in operands))
        case Operation("case", operands):
            for condition, value in zip(operands[::2], operands[1::2], strict=True):
                if denotes(flat, condition, now, then) == {True}:
                    return denotes(flat, value, now, then)
            raise AssertionError("case conditions are not exhaustive")
        case Operation("in", (left, right)):
            return frozenset([denotes(flat, left, now, then) <= denotes(flat, right, now, then)])
        case Operation(operator, operands):
            (arguments,) = itertools.product(*(denotes(flat, o, now, then) for o in operands))
            return frozenset([_apply(operator, arguments)])


def _apply(operator: str, arguments: tuple[Value, ...]) -> Value:
    match operator, arguments:
        case "not", (a,):
            return not a
        case "and", _:
            return all(arguments)
        case "or", _:
            return any(arguments)
        case "xor", (a, b):
            return a != b
        case "=", (a, b):
            return a == b
    raise AssertionError(operator)


@dataclass(frozen=True)
class Explored:
    """Reachable states (tuples in the order of ``names``), the steps between them, and dead ends."""

    names: tuple[str, ...]
    initial: frozenset[tuple[Value, ...]]
    reachable: frozenset[tuple[Value, ...]]
    steps: frozenset[tuple[tuple[Value, ...], tuple[Value, ...], tuple[Value, ...]]]
    dead_ends: frozenset[tuple[Value, ...]]


def explore(flat: FlatSystem) -> Explored:
    """All reachable states and steps (state, inputs, successor)."""
    stateful = [v for v in flat.variables if v.kind is not VariableKind.INPUT]
    inputs = [v for v in flat.variables if v.kind is VariableKind.INPUT]
    names = tuple(v.name for v in stateful)
    input_names = tuple(v.name for v in inputs)
    frozen = [i for i, v in enumerate(stateful) if v.kind is VariableKind.FROZEN]

    def satisfied(constraints: Iterable[Constraint], now: Valuation, then: Valuation | None) -> bool:
        return all(denotes(flat, c.expression, now, then) == {True} for c in constraints)

    def assigned(time: str, now: Valuation, then: Valuation | None) -> bool:
        target = then if time == "next" else now
        assert target is not None
        return all(target[a.variable] in denotes(flat, a.value, now, then) for a in flat.assignments if a.time == time)

    states = []
    for valuation in itertools.product(*(values(v.type) for v in stateful)):
        now = dict(zip(names, valuation, strict=True))
        if assigned("current", now, None) and satisfied(flat.invar, now, None):
            states.append((valuation, now))
    letters = [
        (valuation, dict(zip(input_names, valuation, strict=True)))
        for valuation in itertools.product(*(values(v.type) for v in inputs))
    ]
    initial = [s for s, now in states if assigned("init", now, None) and satisfied(flat.init, now, None)]
    reachable, todo, steps, dead_ends = set(initial), list(initial), set(), set()
    while todo:
        state = todo.pop()
        count = len(steps)
        for letter, chosen in letters:
            now = {**dict(zip(names, state, strict=True)), **chosen}
            for successor, then in states:
                if any(state[i] != successor[i] for i in frozen):
                    continue
                if assigned("next", now, then) and satisfied(flat.trans, now, then):
                    steps.add((state, letter, successor))
                    if successor not in reachable:
                        reachable.add(successor)
                        todo.append(successor)
        if len(steps) == count:
            dead_ends.add(state)
    return Explored(names, frozenset(initial), frozenset(reachable), frozenset(steps), frozenset(dead_ends))


def projections(explored: Explored, names: Sequence[str]) -> frozenset[tuple[Value, ...]]:
    """The reachable states, restricted to some variables."""
    places = [explored.names.index(n) for n in names]
    return frozenset(tuple(s[p] for p in places) for s in explored.reachable)


@st.composite
def small_systems(draw: st.DrawFn, constraints: bool = True) -> FlatSystem:
    """At most five boolean variables of all kinds, two defines, all kinds of relations, no circularity."""
    state = [f"x{i}" for i in range(draw(st.integers(2, 4)))]
    inputs = ["i"] if draw(st.booleans()) else []
    frozen = ["f"] if len(state) < 4 and draw(st.booleans()) else []
    stateful = state + frozen

    def formula(leaves: Sequence[Expression], depth: int = 2) -> Expression:
        if depth == 0 or draw(st.integers(0, 3)) == 0:
            return draw(st.sampled_from([*leaves, TRUE, FALSE] if not leaves or depth == 2 else list(leaves)))
        kind = draw(st.sampled_from(["not", "and", "or", "xor"]))
        return op(kind, *(formula(leaves, depth - 1) for _ in range(1 if kind == "not" else 2)))

    def value(leaves: Sequence[Expression]) -> Expression:
        plain = formula(leaves)
        if draw(st.integers(0, 3)):
            return plain
        return Operation("case", (plain, ANY, TRUE, formula(leaves)), SetType(BOOLEAN), 0)

    assign: list[tuple[str, str, Expression]] = []
    # A variable reads, at the same instant, only those before it: nothing is circular.
    for place, name in enumerate(state):
        before = [var(n) for n in state[:place] + frozen]
        choice = draw(st.integers(0, 5))
        if choice == 0:
            assign.append((name, "current", value(before)))
            continue
        if draw(st.booleans()):
            assign.append((name, "init", value(before)))
        if choice > 1:
            primed = [var(n, True) for n in state[:place]] if draw(st.booleans()) else []
            assign.append((name, "next", value([*map(var, stateful + inputs), *primed])))
    states_only = [var(n) for n in stateful]
    defines = {"d0": formula(states_only), "d1": formula([*states_only, define("d0")])}
    assign = [
        (
            n,
            t,
            op("xor", v, define("d1"))
            if t == "next" and draw(st.integers(0, 4)) == 0 and isinstance(v, Operation) and v.operator != "case"
            else v,
        )
        for n, t, v in assign
    ]
    init, invar, trans = [], [], []
    if constraints:
        both = [*states_only, *map(var, inputs), *(var(n, True) for n in state), define("d0"), define("d0", True)]
        for group, leaves in ((init, [*states_only, define("d0")]), (invar, states_only), (trans, both)):
            if draw(st.integers(0, 2)) == 0:
                pair = [draw(st.sampled_from(leaves)), draw(st.sampled_from(leaves))]
                group.append(op(draw(st.sampled_from(["or", "xor"])), *pair))
    return system(state, inputs, frozen, defines=defines, assign=assign, init=init, invar=invar, trans=trans)
