"""Evaluations of a blasted system that fail for some values of the variables: errors of the model."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from symag.smv.circuits import values
from symag.smv.circuits.blasting import Blasting
from symag.smv.circuits.clauses import GateClauses, SatSolver
from symag.smv.circuits.expressions import Failure
from symag.smv.circuits.graph import FALSE, Graph
from symag.smv.circuits.values import Interval, Number, Symbol
from symag.smv.circuits.vectors import Vector
from symag.smv.model.types import IntegerType

#: The solver for single questions about the model.
_SOLVER = "cadical153"

#: Of the values that an assignment can give outside a type at most this many are compared, to name the first of them.
_MOST_VALUES = 100


def refuse_failures(blasting: Blasting, of_model: int | None = None) -> None:
    """Raise InputError, with the position, if some evaluation can fail under values of the variables' types.

    Of several properties on one circuit one may fail and others not: with ``of_model``, the number of failures that the
    circuit had before it read a property, those of the property are forgotten then, for it is what is refused.

    Costs a SAT query for each evaluation that the structure of the circuit does not exclude from failing, and that was
    not asked about before.
    """
    failures = [failure for failure in blasting.failures if failure.condition != FALSE]
    if not failures:
        return
    solver = SatSolver(_SOLVER)
    clauses = GateClauses(blasting.graph, solver.add)
    for domain in blasting.free_domains():
        solver.add([clauses.literal(domain)])
    for failure in failures:
        if solver.solve([clauses.literal(failure.condition)]):
            outside = min(map(str, _values(blasting.graph, solver, clauses, failure)), default="")
            if of_model is not None:
                del blasting.failures[of_model:]
            raise blasting.system.source.error(failure.message.replace("{value}", outside), failure.position)
    blasting.failures.clear()
    solver.close()


def _values(graph: Graph, solver: SatSolver, clauses: GateClauses, failure: Failure) -> Iterator[int | str]:
    """Values outside the type that a failing assignment can give; none for other failures."""
    for condition, element in failure.outside:
        here = clauses.literal(condition)
        if isinstance(element, Interval):
            if solver.solve([here]):
                yield from range(element.low, min(element.high + 1, element.low + _MOST_VALUES))
            continue
        assert isinstance(element, Number | Symbol)  # truth values and words are never outside their types
        names = element.names if isinstance(element, Symbol) else {}
        bits = element.number if isinstance(element, Symbol) else element.bits
        signals = {literal: clauses.literal(literal) for literal in (*bits, *names.values())}
        for _ in range(_MOST_VALUES):
            if not solver.solve([here]):
                break
            model = set(solver.model())
            true = {literal for literal, signal in signals.items() if signal in model}
            value = next((name for name, literal in names.items() if literal in true), None) or _number(bits, true)
            yield value
            same = values.constant(graph, value, IntegerType())
            solver.add([-here, -clauses.literal(values.equal(graph, element, same))])


def _number(bits: Vector, true: Collection[int]) -> int:
    powers = [1 << index for index, bit in enumerate(bits) if bit in true]
    return sum(powers) - (2 << len(bits) - 1 if bits[-1] in true else 0)
