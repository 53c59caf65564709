"""The states of LPTSs as the values of their variables, with labels, and several initial states as one.

A label that a formula reads is a self-loop: a state has it exactly if the loop is possible in it. The loop's action is
the label in quotation marks, which no action of PRISM's language has. It is not a step of the system: formulas do not
count it (``symag.lpts.problems``). ``init`` and ``deadlock`` are PRISM's own labels.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction

import numpy as np
from msgspec import Struct

from symag.core.errors import InputError
from symag.core.ranges import missing, ranges
from symag.core.values import replace
from symag.lpts.distributions import Origins
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.problems import SafetyFormula

#: The value of a variable: a number or a truth value.
Value = int | bool


class StateValues(Struct, frozen=True, eq=False):
    """``columns[k][s]`` is the value of the variable ``names[k]`` in state s (0 and 1 where ``is_bool[k]``)."""

    names: tuple[str, ...]
    is_bool: tuple[bool, ...]
    columns: tuple[Numbers, ...]

    @classmethod
    def numbered(cls, name: str, states: int) -> StateValues:
        """For a system without variables: its states are their numbers."""
        return cls((name,), (False,), (np.arange(states),))

    def state(self, number: int) -> dict[str, Value]:
        """The values of all variables in one state."""
        columns = zip(self.names, self.columns, self.is_bool, strict=True)
        return {name: bool(column[number]) if truth else int(column[number]) for name, column, truth in columns}

    def spelled(self, variable: int) -> list[str]:
        """The values of a variable in all states, as PRISM writes them."""
        if self.is_bool[variable]:
            return ["true" if value else "false" for value in self.columns[variable].tolist()]
        return [str(value) for value in self.columns[variable].tolist()]


def together(components: Sequence[str], parts: Sequence[StateValues], local: Origins) -> StateValues:
    """The variables of several components, where component k is in state ``local[s, k]`` in state s.

    A name that several components have gets the component's name before it.
    """
    every = [name for part in parts for name in part.names]
    names: list[str] = []
    truths: list[bool] = []
    columns: list[Numbers] = []
    for index, (component, part) in enumerate(zip(components, parts, strict=True)):
        names += [f"{component}.{name}" if every.count(name) > 1 else name for name in part.names]
        truths += part.is_bool
        columns += [column[local[:, index]] for column in part.columns]
    return StateValues(tuple(names), tuple(truths), tuple(columns))


class NamedStates(Struct, frozen=True, eq=False):
    """``lpts`` with the variables' values in its states; ``labels`` has the states of each label of the model."""

    lpts: Lpts
    values: StateValues
    labels: tuple[tuple[str, Numbers], ...]
    initial_states: int
    warnings: tuple[str, ...]


#: The action that chooses an initial state; no action of PRISM's language has this name.
START = "(init)"


def with_start(lpts: Lpts, initial_states: int) -> Lpts:
    """The system with a state before its first ``initial_states`` states; all others have numbers greater by 1.

    An action leads from it to each of them. All components of a system take that action together, so it comes first and
    chooses an initial state of the whole system. A specification that does not mention it stays in its initial state;
    one with several initial states answers by choosing one of them. So L is simulated by P exactly if each initial
    state of L is by some initial state of P.

    Raises InputError if an action has the name of the one that is added.
    """
    if START in lpts.alphabet:
        raise InputError(f"an action is called {START}, expected another name where there are several initial states")
    one = Fraction(1)
    values = lpts.probabilities if one in lpts.probabilities else (*lpts.probabilities, one)
    zeros, first = np.zeros(initial_states, dtype=np.int64), np.arange(initial_states)
    return Lpts(
        lpts.name,
        (*lpts.alphabet, START),
        lpts.states + 1,
        np.concatenate((zeros, lpts.source + 1)),
        np.concatenate((zeros + len(lpts.alphabet), lpts.action)),
        np.concatenate((first, lpts.begin + initial_states)),
        np.concatenate((first + 1, lpts.target + 1)),
        np.concatenate((zeros + values.index(one), lpts.weight)),
        values,
    )


def values_with_start(values: StateValues) -> StateValues:
    """The values of a system with a start: the state before the initial ones shows those of the first of them."""
    return replace(values, columns=tuple(np.concatenate((column[:1], column)) for column in values.columns))


def starts(lpts: Lpts) -> bool:
    """Whether the system has a state before its initial ones."""
    return START in lpts.alphabet


def started(components: Sequence[Lpts], values: Sequence[StateValues]) -> tuple[list[Lpts], list[StateValues]]:
    """All components with a start; those that have none yet have one initial state."""
    systems = [component if starts(component) else with_start(component, 1) for component in components]
    with_starts = [
        named if starts(component) else values_with_start(named)
        for component, named in zip(components, values, strict=True)
    ]
    return systems, with_starts


#: Labels that every model has.
BUILT_IN = ("init", "deadlock")
#: A message lists this many names.
_LISTED = 12


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


def listed(names: Iterable[str]) -> str:
    """The first names for a message, and how many others there are; "there is none" without any."""
    shown = list(names)
    more = f", and {len(shown) - _LISTED} more" if len(shown) > _LISTED else ""
    return (", ".join(shown[:_LISTED]) or "there is none") + more
