"""Static orders of the bits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from symag.core.grouping import united
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import DefineReference, Expression, Operation, VariableReference, constants_only, references
from symag.smv.model.types import RangeType, VariableType, WordType, bit_count
from symag.smv.symbolic.choices import KEPT_SHARE, ConjunctOfTrans, KeepingOperand, interaction_variable, parts_of_trans

#: The least number of bits of numbers that are interleaved.
INTERLEAVED_BITS = 3

#: Numbers of at most this many bits are not interleaved for an initial value or a property: an equation of them
#: has few enough nodes in any order.
_SMALL_BITS = 12

#: Operators whose result's bits depend on bits of equal significance (for sums: or lower) of their operands.
_BITWISE = frozenset(("+", "-", "negate", "union", "min", "max", "not", "and", "or", "xor", "xnor", "iff", "implies"))
#: Operators whose result has the bits of their first operand, those of shifts some places on.
_OF_FIRST = frozenset(("signed", "unsigned", "extend", "resize", "toint", "<<", ">>"))
#: Those, and the comparisons, which relate their operands' bits too.
_RELATING = _BITWISE | {"=", "!=", "<", "<=", ">", ">=", "in"}


def bits_from_top(variable_type: VariableType) -> range:
    """The bits of one variable as NuSMV orders them.

    A word has its most significant bit on top; any other type the lowest bit of the value's index.
    """
    count = bit_count(variable_type)
    return range(count - 1, -1, -1) if isinstance(variable_type, WordType) else range(count)


def side_by_side(system: FlatSystem, names: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """The variables in this order, each with its bits side by side."""
    return tuple((name, index) for name in names for index in bits_from_top(system.by_name[name].type))


def static_order(
    system: FlatSystem, trans: Sequence[Sequence[ConjunctOfTrans]] | None = None
) -> tuple[tuple[str, int], ...]:
    """The default order of ``encode``: as declared, but the bits of numbers that are copied to each other, compared or
    added are interleaved, at the place of the first of them.

    An equation between two numbers of n bits then has 3n nodes, and about 2^n if one is above the other. Systems of
    events have an order of their own (``event_order``), in which only wide numbers are interleaved: programs with words
    of 32 bits. Costs one pass over the system's expressions. ``trans`` are the system's ``parts_of_trans``, if they are
    known.
    """
    by_events = event_order(system, trans)
    names = [variable.name for variable in system.variables] if by_events is None else by_events
    types = {name: system.by_name[name].type for name in names}
    # Between events the order of the variables matters more than that of the bits of small numbers.
    least = INTERLEAVED_BITS if by_events is None else _SMALL_BITS + 1
    wide = frozenset(
        name for name, kind in types.items() if isinstance(kind, RangeType | WordType) and bit_count(kind) >= least
    )
    # The components of a system with interactions copy numbers to each other; their order matters more than the bits'.
    if len(wide) < 2 or interaction_variable(system) is not None:
        return side_by_side(system, names)
    return tuple(bit for names in united(types, _related(system, wide)) for bit in _interleaved(names, types))


def in_order_of(earlier: Sequence[tuple[str, int]], static: Sequence[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """The bits of ``static`` in the order of ``earlier``; those it lacks follow the bit that they follow in ``static``.

    Linear time.
    """
    bits = set(static)
    known = [bit for bit in earlier if bit in bits]
    following: dict[tuple[str, int] | None, list[tuple[str, int]]] = {None: [], **{bit: [] for bit in known}}
    last = None
    for bit in static:
        if bit in following:
            last = bit
        else:
            following[last].append(bit)
    return (*following[None], *(bit for here in known for bit in (here, *following[here])))


def _interleaved(names: list[str], types: dict[str, VariableType]) -> Iterator[tuple[str, int]]:
    columns = sorted((index for name in names for index in bits_from_top(types[name])), reverse=True)
    indices = list(dict.fromkeys(columns))
    if bits_from_top(types[names[0]])[0] == 0:
        indices.reverse()
    for index in indices:
        for name in names:
            if index < bit_count(types[name]):
                yield name, index


def _related(system: FlatSystem, wide: frozenset[str]) -> Iterator[frozenset[str]]:
    """Sets of two or more wide variables that an assignment, a comparison or a sum relates."""
    flow = _Flow(system, wide)
    for assignment in system.assignments:
        yield from flow.relate(assignment.value)
        together = flow.of(assignment.value)
        initial = assignment.time == "init" and bit_count(system.by_name[assignment.variable].type) <= _SMALL_BITS
        if together and assignment.variable in wide and not initial:
            yield together | {assignment.variable}
    for constraint in (*system.trans, *system.invar, *system.init):
        yield from flow.relate(constraint.expression)
    for checked in system.properties:
        if checked.kind == "INVARSPEC" and checked.expression is not None:
            for together in flow.relate(checked.expression):
                if all(bit_count(system.by_name[name].type) > _SMALL_BITS for name in together):
                    yield together


class _Flow:
    """The wide variables that an expression's bits depend on at equal significance."""

    def __init__(self, system: FlatSystem, wide: frozenset[str]) -> None:
        self._defines = system.defines
        self._wide = wide
        self._known: dict[Expression, frozenset[str]] = {}

    def of(self, expression: Expression) -> frozenset[str]:
        """The variables of an expression; :meth:`relate` must have read it before."""
        return self._known[expression]

    def relate(self, root: Expression) -> list[frozenset[str]]:
        """The sets of variables that the operators of an expression, and of the defines that it reads, relate."""
        known = self._known
        groups: list[frozenset[str]] = []
        stack: list[tuple[Expression, bool]] = [(root, False)]
        while stack:
            expression, ready = stack.pop()
            if expression in known:
                continue
            below = self._below(expression)
            if not ready and below:
                stack.append((expression, True))
                stack.extend((subexpression, False) for subexpression in below)
                continue
            known[expression] = self._joined(expression)
            if below and isinstance(expression, Operation) and expression.operator in _RELATING:
                together = frozenset().union(*(known[operand] for operand in expression.operands))
                if len(together) > 1:
                    groups.append(together)
        return groups

    def _below(self, expression: Expression) -> tuple[Expression, ...]:
        if isinstance(expression, Operation):
            return () if constants_only(expression) else expression.operands
        return (self._defines[expression.name],) if isinstance(expression, DefineReference) else ()

    def _joined(self, expression: Expression) -> frozenset[str]:
        known = self._known
        if isinstance(expression, VariableReference):
            return frozenset((expression.name,)) & self._wide
        if isinstance(expression, DefineReference):
            return known[self._defines[expression.name]]
        if isinstance(expression, Operation):
            if constants_only(expression):
                return frozenset()
            if expression.operator in ("case", "index"):
                return frozenset().union(*(known[value] for value in expression.operands[1::2]))
            if expression.operator in _OF_FIRST:
                return known[expression.operands[0]]
            if expression.operator in _BITWISE or self._is_multiple(expression):
                return frozenset().union(*(known[operand] for operand in expression.operands))
        return frozenset()

    def _is_multiple(self, product: Operation) -> bool:
        """Whether this is a product of which a factor has no wide variables: mostly a constant."""
        return product.operator == "*" and not all(self._known[operand] for operand in product.operands)


#: The largest number of rounds of moving the variables; mostly the order settles earlier.
_ROUNDS = 200


def event_order(system: FlatSystem, trans: Sequence[Sequence[ConjunctOfTrans]] | None = None) -> tuple[str, ...] | None:
    """The variables from the top; None if no TRANS is a disjunction of events, which keep most variables.

    Variables of one event come near each other: the centres-of-gravity heuristic of Aloul, Markov and Sakallah, "FORCE:
    a fast and easy-to-implement variable-ordering heuristic" (GLSVLSI 2003). Variables that are declared first come to
    the bottom: in such models they are often servers that all others share, and closures start with the events at the
    bottom.

    ``trans`` are the system's ``parts_of_trans``, if they are known.
    """
    bits = {variable.name: bit_count(variable.type) for variable in system.variables}
    for parts in parts_of_trans(system) if trans is None else trans:
        if len(parts) == 1 and _is_local(parts[0].choices, bits):
            names = [variable.name for variable in system.variables]
            changed: dict[frozenset[str], set[str]] = {}
            for choice in parts[0].choices:
                moving = frozenset(names) - choice.kept
                read = changed.setdefault(moving, set(moving))
                for operand in choice.rest:
                    read |= _reads(system.defines, operand.expression)
            edges = [sorted(edge) for edge in changed.values() if 1 < len(edge) < len(names)]
            return tuple(reversed(force(names, edges)))
    return None


def _is_local(choices: Sequence[KeepingOperand], bits: Mapping[str, int]) -> bool:
    kept = sum(bits[name] for choice in choices for name in choice.kept)
    return bool(choices) and kept >= KEPT_SHARE * sum(bits.values()) * len(choices)


def _reads(defines: Mapping[str, Expression], root: Expression) -> set[str]:
    """The variables that an expression reads, now or in the next state, through defines."""
    names: set[str] = set()
    seen: set[str] = set()
    stack = [root]
    while stack:
        for reference in references(stack.pop()):
            if isinstance(reference, VariableReference):
                names.add(reference.name)
            elif reference.name not in seen:
                seen.add(reference.name)
                stack.append(defines[reference.name])
    return names


def force(names: Sequence[str], edges: Sequence[Collection[str]]) -> list[str]:
    """The best of the orders of all rounds, by the sum of the edges' spans."""
    rank = {name: number for number, name in enumerate(names)}
    edges_of: dict[str, list[int]] = {name: [] for name in names}
    for number, edge in enumerate(edges):
        for name in edge:
            edges_of[name].append(number)
    best, best_span = list(names), spread(rank, edges)
    for _ in range(_ROUNDS):
        centres = [sum(rank[name] for name in edge) / len(edge) for edge in edges]
        pull = {
            name: sum(centres[number] for number in meeting) / len(meeting) if meeting else float(rank[name])
            for name, meeting in edges_of.items()
        }
        order = sorted(names, key=lambda name: (pull[name], rank[name]))
        moved = {name: number for number, name in enumerate(order)}
        if moved == rank:
            break
        rank = moved
        span = spread(rank, edges)
        if span < best_span:
            best, best_span = order, span
    return best


def spread(rank: Mapping[str, int], edges: Sequence[Collection[str]]) -> int:
    return sum(max(rank[name] for name in edge) - min(rank[name] for name in edge) for edge in edges)
