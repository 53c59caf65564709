"""Next values that depend on themselves through variables that are assigned in every state.

In ``next(x) := next(y); y := x & z;`` the next value of y is that of ``x & z``, so that of x is a condition on itself:
one that a step satisfies or not. NuSMV reads such models, and refuses only circles of next assignments alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from symag.smv.model.typed import Expression, VariableReference, references

#: A variable at the next state, or a define (True: its whole body there; False: what it reads under ``next``).
_Node = tuple[str, bool | None]


def circular_variables(
    defines: Mapping[str, Expression], always: Mapping[str, Expression], moves: Mapping[str, Expression]
) -> frozenset[str]:
    """The variables of ``moves``, the next assignments, whose values depend on themselves; all of each circle.

    ``always`` are the assignments for every state. Linear in the size of the expressions.
    """

    def read(expression: Expression, shifted: bool) -> Iterator[_Node]:
        for reference in references(expression):
            after = shifted or reference.primed
            if not isinstance(reference, VariableReference):
                yield reference.name, after
            elif after:
                yield reference.name, None

    def successors(node: _Node) -> Iterator[_Node]:
        name, shifted = node
        if shifted is not None:
            return read(defines[name], shifted)
        if name in always:
            return read(always[name], True)
        return read(moves[name], False) if name in moves else iter(())

    circles = _circles([(name, None) for name in moves], successors)
    return frozenset(name for name, shifted in circles if shifted is None and name in moves and name not in always)


def _circles(starts: list[_Node], successors: Callable[[_Node], Iterator[_Node]]) -> Iterator[_Node]:
    """The nodes that reach themselves: of components with several nodes or an edge to itself (Tarjan, 1972)."""
    number: dict[_Node, int] = {}
    lowest: dict[_Node, int] = {}
    open_nodes: dict[_Node, None] = {}
    for start in starts:
        if start in number:
            continue
        path = [(start, successors(start))]
        number[start] = lowest[start] = len(number)
        open_nodes[start] = None
        own: set[_Node] = set()
        while path:
            node, rest = path[-1]
            following = next(rest, None)
            if following is None:
                path.pop()
                if path:
                    before = path[-1][0]
                    lowest[before] = min(lowest[before], lowest[node])
                if lowest[node] == number[node]:
                    component: list[_Node] = []
                    while not component or component[-1] != node:
                        component.append(open_nodes.popitem()[0])
                    if len(component) > 1 or node in own:
                        yield from component
            elif following not in number:
                number[following] = lowest[following] = len(number)
                open_nodes[following] = None
                path.append((following, successors(following)))
            elif following in open_nodes:
                lowest[node] = min(lowest[node], number[following])
                if following == node:
                    own.add(node)
