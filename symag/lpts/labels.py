"""Labels of states that a formula reads, as self-loops: a state has a label exactly if the loop is possible in it.

The loop's action is the label in quotation marks, which no action of PRISM's language has. The loop is not a step of
the system: formulas do not count it (``symag.lpts.problems``). ``init`` and ``deadlock`` are PRISM's own labels.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction

import numpy as np

from symag.core.ranges import missing, ranges
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.problems import SafetyFormula

#: Labels that every model has.
BUILT_IN = ("init", "deadlock")


def with_labels(lpts: Lpts, states_of: Mapping[str, Numbers]) -> Lpts:
    """The system with a self-loop in each state of each label (ascending numbers). Linear, with arrays."""
    names = tuple(f'"{name}"' for name in states_of)
    looping = np.concatenate([np.zeros(0, dtype=np.int64), *states_of.values()])
    loops = np.repeat(np.arange(len(names)) + len(lpts.alphabet), [len(states) for states in states_of.values()])
    return _with_loops(lpts, (*lpts.alphabet, *names), looping, loops)


def without_deadlocks(lpts: Lpts) -> Lpts:
    """The system with a self-loop, whose action is "", in each state without a transition. Linear, with arrays."""
    ends = built_in(lpts, "deadlock", 1)
    return _with_loops(lpts, lpts.alphabet, ends, np.zeros(len(ends), dtype=np.int64)) if len(ends) else lpts


def _with_loops(lpts: Lpts, alphabet: tuple[str, ...], looping: Numbers, loops: Numbers) -> Lpts:
    """The system over a larger alphabet, in which each state ``looping[k]`` also has a self-loop by ``loops[k]``."""
    one = Fraction(1)
    values = lpts.probabilities if one in lpts.probabilities else (*lpts.probabilities, one)
    source = np.concatenate((lpts.source, looping))
    action = np.concatenate((lpts.action, loops))
    size = np.concatenate((np.diff(lpts.begin), np.ones(len(looping), dtype=np.int64)))
    target = np.concatenate((lpts.target, looping))
    weight = np.concatenate((lpts.weight, np.full(len(looping), values.index(one))))
    order = np.lexsort((action, source))
    starts = np.concatenate(([0], np.cumsum(size)))[:-1][order]
    begin = np.concatenate(([0], np.cumsum(size[order]))).astype(np.int64)
    entries = ranges(starts, starts + size[order])
    ordered = source[order], action[order], begin, target[entries], weight[entries]
    return Lpts(lpts.name, alphabet, lpts.states, *ordered, values)


def built_in(lpts: Lpts, name: str, initial_states: int) -> Numbers:
    """The states with ``init`` or ``deadlock`` (those without a transition), ascending."""
    if name == "init":
        return np.arange(initial_states)
    return missing(lpts.source, lpts.states)


def check_names(
    formula: SafetyFormula,
    components: Iterable[Lpts],
    labels: Collection[str],
    variables: Collection[str],
) -> None:
    """Raises InputError at a name that no component has as an action, or the model as a label."""
    actions = sorted(
        {action for component in components for action in component.alphabet if action and action[0] not in '"('}
    )
    for name, position in formula.names:
        if name in actions or (name.strip('"') in labels and name.startswith('"')):
            continue
        if name.startswith('"'):
            known = listed(map(_quoted, labels))
            raise formula.source.error(f"there is no label {name}, expected {known}", position)
        hint = ""
        if name in labels:
            hint = f"; the label is written {_quoted(name)}"
        elif name in variables:
            hint = f"; {name} is a variable, and a formula reads a label of its values"
        expected = f"an action ({listed(actions)}) or a label ({listed(map(_quoted, labels))})"
        raise formula.source.error(f"there is no action {name}, expected {expected}{hint}", position)


def _quoted(name: str) -> str:
    return f'"{name}"'


def listed(names: Iterable[str], most: int = 12) -> str:
    """The first names for a message, and how many others there are; "there is none" without any."""
    shown = list(names)
    more = f", and {len(shown) - most} more" if len(shown) > most else ""
    return (", ".join(shown[:most]) or "there is none") + more
