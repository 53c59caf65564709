"""A static order for systems whose TRANS is a disjunction of events (see ``events``).

Variables that meet in an event come near each other: the centres-of-gravity heuristic of Aloul, Markov and
Sakallah, "FORCE: a fast and easy-to-implement variable-ordering heuristic" (GLSVLSI 2003). What is declared
first ends at the bottom: in such models these are often the servers that all others share, and closures
start with the events at the bottom.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from symag.smv.flat import FlatSystem
from symag.smv.typed import DefineReference, Expression, Operation, VariableReference, references

#: Rounds of moving the variables; it mostly settles earlier.
_ROUNDS = 200

#: What an expression says: the variables that it keeps by equations, and those that it reads beside.
_Reads = tuple[frozenset[str], frozenset[str]]


def event_order(system: FlatSystem) -> tuple[str, ...] | None:
    """The variables from the top; None if no TRANS is a disjunction whose operands all keep some variable."""
    for constraint in system.trans:
        events = _events(system.defines, constraint.expression)
        if events:
            names = [variable.name for variable in system.variables]
            changed: dict[frozenset[str], set[str]] = {}
            for kept, read in events:
                moving = frozenset(names) - kept
                changed.setdefault(moving, set(moving)).update(read)
            edges = [sorted(edge) for edge in changed.values() if 1 < len(edge) < len(names)]
            return tuple(reversed(_force(names, edges)))
    return None


def _events(defines: Mapping[str, Expression], root: Expression) -> list[_Reads]:
    """What each operand of the disjunction keeps and reads; empty if it is none, or one keeps nothing."""
    known: dict[str, _Reads] = {}
    found: list[_Reads] = []
    for operand in _operands(defines, root):
        reads = _reads(defines, operand, known)
        if not reads[0]:
            return []
        found.append(reads)
    return found if len(found) > 1 else []


def _operands(defines: Mapping[str, Expression], root: Expression) -> list[Expression]:
    """The operands of a disjunction, also inside defines."""
    found: list[Expression] = []
    stack = [root]
    while stack:
        one = stack.pop()
        inner = defines[one.name] if isinstance(one, DefineReference) and not one.primed else one
        if isinstance(inner, Operation) and inner.operator == "or":
            stack.extend(reversed(inner.operands))
        else:
            found.append(one)
    return found


def _reads(defines: Mapping[str, Expression], root: Expression, known: dict[str, _Reads]) -> _Reads:
    kept: set[str] = set()
    read: set[str] = set()
    stack = [root]
    while stack:
        one = stack.pop()
        if isinstance(one, DefineReference) and not one.primed:
            if one.name not in known:
                known[one.name] = _reads(defines, defines[one.name], known)
            kept |= known[one.name][0]
            read |= known[one.name][1]
        elif isinstance(one, Operation) and one.operator == "and":
            stack.extend(one.operands)
        elif isinstance(one, Operation) and one.operator in ("=", "iff", "xnor") and _keeps(one) is not None:
            kept.add(_keeps(one) or "")
        else:
            read |= {each.name for each in references(one) if isinstance(each, VariableReference)}
    return frozenset(kept), frozenset(read)


def _keeps(equation: Operation) -> str | None:
    left, right = equation.operands
    if not isinstance(left, VariableReference) or not isinstance(right, VariableReference):
        return None
    return left.name if left.name == right.name and left.primed != right.primed else None


def _force(names: Sequence[str], edges: Sequence[Collection[str]]) -> list[str]:
    """The best order that was met, by the sum of the edges' spans."""
    place = {name: number for number, name in enumerate(names)}
    edges_of: dict[str, list[int]] = {name: [] for name in names}
    for number, edge in enumerate(edges):
        for name in edge:
            edges_of[name].append(number)
    best, best_span = list(names), _span(place, edges)
    for _ in range(_ROUNDS):
        centres = [sum(place[name] for name in edge) / len(edge) for edge in edges]
        pull = {
            name: sum(centres[number] for number in meeting) / len(meeting) if meeting else float(place[name])
            for name, meeting in edges_of.items()
        }
        order = sorted(names, key=lambda name: (pull[name], place[name]))
        moved = {name: number for number, name in enumerate(order)}
        if moved == place:
            break
        place = moved
        span = _span(place, edges)
        if span < best_span:
            best, best_span = order, span
    return best


def _span(place: Mapping[str, int], edges: Sequence[Collection[str]]) -> int:
    return sum(max(place[name] for name in edge) - min(place[name] for name in edge) for edge in edges)
