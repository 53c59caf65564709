"""A static order for systems whose TRANS is a disjunction of events (see ``events``).

Variables of one event come near each other: the centres-of-gravity heuristic of Aloul, Markov and Sakallah,
"FORCE: a fast and easy-to-implement variable-ordering heuristic" (GLSVLSI 2003). Variables that are declared first
come to the bottom: in such models they are often servers that all others share, and closures start with the events
at the bottom.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import Expression, VariableReference, references
from symag.smv.symbolic.choices import ConjunctOfTrans, parts_of_trans

#: The largest number of rounds of moving the variables; mostly the order settles earlier.
_ROUNDS = 200


def event_order(system: FlatSystem, trans: Sequence[Sequence[ConjunctOfTrans]] | None = None) -> tuple[str, ...] | None:
    """The variables from the top; None if no TRANS is a disjunction whose operands all keep some variable.

    ``trans`` are the system's ``parts_of_trans``, if they are known.
    """
    for parts in parts_of_trans(system) if trans is None else trans:
        if len(parts) == 1 and parts[0].choices:
            names = [variable.name for variable in system.variables]
            changed: dict[frozenset[str], set[str]] = {}
            for choice in parts[0].choices:
                moving = frozenset(names) - choice.kept
                read = changed.setdefault(moving, set(moving))
                for operand in choice.rest:
                    read |= _reads(system.defines, operand.expression)
            edges = [sorted(edge) for edge in changed.values() if 1 < len(edge) < len(names)]
            return tuple(reversed(_force(names, edges)))
    return None


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


def _force(names: Sequence[str], edges: Sequence[Collection[str]]) -> list[str]:
    """The best of the orders of all rounds, by the sum of the edges' spans."""
    rank = {name: number for number, name in enumerate(names)}
    edges_of: dict[str, list[int]] = {name: [] for name in names}
    for number, edge in enumerate(edges):
        for name in edge:
            edges_of[name].append(number)
    best, best_span = list(names), _span(rank, edges)
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
        span = _span(rank, edges)
        if span < best_span:
            best, best_span = order, span
    return best


def _span(rank: Mapping[str, int], edges: Sequence[Collection[str]]) -> int:
    return sum(max(rank[name] for name in edge) - min(rank[name] for name in edge) for edge in edges)
