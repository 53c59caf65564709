"""Values of boolean variables along random runs: variables that differ there are not equal."""

from __future__ import annotations

import random
from collections.abc import Mapping

from symag.core.trace import Value
from symag.smv.reduction.expression_graph import GraphNode

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
