"""LTL on small flat systems without BDDs and without a tableau in the system: the judge of the LTL method.

A position is a transition (state, inputs, target) with a guess of the truth of every temporal sub-formula;
the guesses of neighbouring positions have to fit, and fair cycles are found by strongly connected components.
Use it for some dozen states.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from symag.core.trace import Trace
from symag.smv.certify.runs.interpreter import Program, value_set
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import Constant, Expression, Operation
from symag.smv.model.types import BooleanType
from tests.brute_force import Edge, Explicit, _fair_cores

_TEMPORAL = frozenset("XFGUVYZOHST")
_PAST = frozenset("YZOHST")


def unbounded(formula: Expression) -> Expression:
    """The formula with ``F [a, b] g`` as a disjunction of X ... X g, and so on."""
    if not isinstance(formula, Operation):
        return formula
    operands = tuple(unbounded(operand) for operand in formula.operands)
    if formula.operator not in ("F", "G", "O", "H") or len(operands) == 1:
        return Operation(formula.operator, operands, formula.type, formula.position)
    inner, low, high = operands
    assert isinstance(low, Constant)
    assert isinstance(high, Constant)
    step = "X" if formula.operator in ("F", "G") else "Y"
    cases = []
    for count in range(int(low.value), int(high.value) + 1):
        case = inner
        for _ in range(count):
            case = Operation(step, (case,), BooleanType(), 0)
        cases.append(case)
    if len(cases) == 1:
        return cases[0]
    return Operation("or" if formula.operator in ("F", "O") else "and", tuple(cases), BooleanType(), 0)


class _Formula:
    """Temporal sub-formulas by number, operands first, and the atoms between them."""

    def __init__(self, formula: Expression) -> None:
        self.temporal: list[Operation] = []
        self.atoms: list[Expression] = []
        self.root = self._walk(formula)

    def _walk(self, formula: Expression) -> tuple:
        if isinstance(formula, Operation) and formula.operator in _TEMPORAL:
            operands = tuple(self._walk(operand) for operand in formula.operands)
            self.temporal.append(formula)
            return (formula.operator, len(self.temporal) - 1, *operands)
        if isinstance(formula, Operation) and formula.operator in ("not", "and", "or", "implies", "iff", "xor", "xnor"):
            return (formula.operator, None, *(self._walk(operand) for operand in formula.operands))
        self.atoms.append(formula)
        return ("atom", len(self.atoms) - 1)

    def nodes(self) -> list[tuple]:
        """Temporal nodes by number."""
        found: dict[int, tuple] = {}
        pending = [self.root]
        while pending:
            node = pending.pop()
            if node[0] in _TEMPORAL:
                found[node[1]] = node
            if node[0] != "atom":
                pending.extend(node[2:])
        return [found[number] for number in range(len(found))]


def _truth(node: tuple, atoms: Sequence[bool], guess: Sequence[bool]) -> bool:
    operator = node[0]
    if operator == "atom":
        return atoms[node[1]]
    if operator in _TEMPORAL:
        return guess[node[1]]
    values = [_truth(operand, atoms, guess) for operand in node[2:]]
    match operator:
        case "not":
            return not values[0]
        case "and":
            return all(values)
        case "or":
            return any(values)
        case "implies":
            return not values[0] or values[1]
        case "xor":
            return values[0] != values[1]
        case _:
            return values[0] == values[1]


def _fits(nodes: Sequence[tuple], here: tuple, there: tuple | None, first: bool) -> bool:
    """Past operators of ``here`` at the first position, or all operators between two positions."""
    for node in nodes:
        operator, number, *operands = node
        if operator in _PAST:
            at, before = (here, None) if first else (there, here)
            values = [_truth(operand, *at) for operand in operands]
            last = values[-1]
            earlier = None if before is None else before[1][number]
            if operator in "YZ":
                wanted = operator == "Z" if before is None else _truth(operands[0], *before)
            elif operator == "O":
                wanted = last or bool(earlier)
            elif operator == "H":
                wanted = last and earlier in (None, True)
            elif operator == "S":
                wanted = last or (values[0] and bool(earlier))
            else:
                wanted = last and (values[0] or earlier in (None, True))
            if at[1][number] != wanted:
                return False
        elif not first:
            values = [_truth(operand, *here) for operand in operands]
            later = there[1][number]
            last = values[-1]
            if operator == "X":
                wanted = _truth(operands[0], *there)
            elif operator in "FU":
                wanted = last or ((operator == "F" or values[0]) and later)
            else:
                wanted = last and ((operator == "V" and values[0]) or later)
            if here[1][number] != wanted:
                return False
    return True


def holds(system: FlatSystem, formula: Expression) -> bool:
    """Whether the formula is true on every infinite run that meets JUSTICE and COMPASSION."""
    explicit = Explicit(system)
    parsed = _Formula(unbounded(formula))
    nodes = parsed.nodes()
    program = Program(system, parsed.atoms)
    guesses = list(itertools.product((False, True), repeat=len(nodes)))

    def atoms(edge: Edge) -> tuple[bool, ...]:
        outcomes = program.run(explicit.valuation(edge[0], edge[1]), explicit.valuation(edge[2]))
        return tuple(value_set(outcome) == {True} for outcome in outcomes)

    leaving: dict = {}

    def edges_of(state: tuple) -> list[tuple[Edge, tuple[bool, ...]]]:
        if state not in leaving:
            leaving[state] = [(edge, atoms(edge)) for edge in explicit.edges(state)]
        return leaving[state]

    start = [
        (edge, values, guess)
        for state in explicit.initial_states()
        for edge, values in edges_of(state)
        for guess in guesses
        if _fits(nodes, (values, guess), None, True) and not _truth(parsed.root, values, guess)
    ]
    seen = set(start)
    queue = list(start)
    steps = []
    for position in queue:
        edge, values, guess = position
        for following, more in edges_of(edge[2]):
            for other in guesses:
                if _fits(nodes, (values, guess), (more, other), False):
                    target = (following, more, other)
                    steps.append((position, (), target))
                    if target not in seen:
                        seen.add(target)
                        queue.append(target)
    justice = [_where(explicit, item.expression, steps) for item in system.justice]
    for node in nodes:
        if node[0] in "FGUV":
            eventual = node[0] in "FU"
            justice.append(
                {
                    step
                    for step in steps
                    if step[0][2][node[1]] != eventual or _truth(node[-1], *step[0][1:]) == eventual
                }
            )
    compassion = [
        (_where(explicit, often.expression, steps), _where(explicit, answer.expression, steps))
        for often, answer in system.compassion
    ]
    return not _fair_cores(steps, justice, compassion)


def _where(explicit: Explicit, expression: Expression, steps: Sequence[tuple]) -> set:
    program = Program(explicit.system, [expression])
    known: dict = {}
    found = set()
    for step in steps:
        edge = step[0][0]
        if edge not in known:
            known[edge] = value_set(program.run(explicit.valuation(edge[0], edge[1]))[0]) == {True}
        if known[edge]:
            found.add(step)
    return found


def true_on(system: FlatSystem, formula: Expression, trace: Trace) -> bool:
    """Whether the formula is true at the first position of a lasso, position by position until nothing changes."""
    assert trace.loop is not None
    loop, length = trace.loop, len(trace.steps)
    parsed = _Formula(unbounded(formula))
    program = Program(system, parsed.atoms)
    # Past operators look back along the loop: after as many rounds as there are operators they repeat.
    rounds = len(parsed.temporal) + 2
    order = [*range(length)] + [place for _ in range(rounds) for place in range(loop, length)]
    atoms = []
    for place in order:
        step, following = trace.steps[place], trace.steps[place + 1 if place + 1 < length else loop]
        outcomes = program.run({**step.state, **step.inputs}, following.state)
        atoms.append([value_set(outcome) == {True} for outcome in outcomes])
    start = len(order) - (length - loop)  # from the last position the run goes on here
    truth: dict[int, list[bool]] = {}

    def of(node: tuple) -> list[bool]:
        guess: Mapping[int, list[bool]] = truth
        return [_truth(node, atoms[k], {n: values[k] for n, values in guess.items()}) for k in range(len(order))]

    for operator, number, *operands in parsed.nodes():
        values = [of(operand) for operand in operands]
        last = values[-1]
        default = operator in "GVZHT"
        found = [default] * len(order)
        places = range(len(order)) if operator in _PAST else range(len(order) - 1, -1, -1)
        for _ in range(1 if operator in _PAST else 2):
            for k in places:
                if operator in _PAST:
                    other = found[k - 1] if k else default
                    step = last[k - 1] if k else default
                else:
                    ahead = k + 1 if k + 1 < len(order) else start
                    other, step = found[ahead], last[ahead]
                match operator:
                    case "X" | "Y" | "Z":
                        found[k] = step
                    case "F" | "O":
                        found[k] = last[k] or other
                    case "G" | "H":
                        found[k] = last[k] and other
                    case "U" | "S":
                        found[k] = last[k] or (values[0][k] and other)
                    case _:
                        found[k] = last[k] and (values[0][k] or other)
        truth[number] = found
    return of(parsed.root)[0]
