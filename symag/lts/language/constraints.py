"""FSP's constraints: safety formulas as the processes that do what the formula allows.

A state of the process is what is owed by the actions to come, and the fluents that are true. What is owed is a set of
alternatives, each of which is a set of formulas. A state from which every run comes to one without alternatives has
broken the formula, and is left out: in the process each action is one after which the formula can still be kept. As
in LTSA actions that the formula does not name are left to the other processes, and must not matter to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np
from msgspec import Struct

from symag.core.errors import InputError
from symag.core.ranges import distinct
from symag.lts.determinisation import strongly_minimised
from symag.lts.language.fluents import ActionOccurs, FluentInstance, Temporal, atoms, mentioned
from symag.lts.lts import Lts, reachable

#: The largest number of states before those that broke the formula are left out.
MOST_STATES = 20_000
#: The label of all actions that the formula does not name, as in LTSA.
_OTHER = "*"

_Owed = frozenset[frozenset[Temporal]]
_KEPT: _Owed = frozenset((frozenset(),))
_BROKEN: _Owed = frozenset()


class _State(Struct, frozen=True):
    owed: _Owed
    fluents: frozenset[FluentInstance]


def constraint_process(name: str, formula: Temporal, further: Collection[str]) -> Lts:
    """The process of a formula in negation normal form over its actions and ``further`` ones.

    Raises InputError, without a place, for a formula that is not a safety formula, that no run keeps, for which other
    actions matter, or that needs too many states.
    """
    if _has_until(formula):
        raise InputError(f"the constraint {name} is not a safety formula: it says that something happens")
    labels = (*sorted(mentioned(formula).union(further)), _OTHER)
    fluents = [atom for atom in atoms(formula) if isinstance(atom, FluentInstance)]
    start = _State(frozenset((frozenset((formula,)),)), frozenset(fluent for fluent in fluents if fluent.initially))
    number = {start: 0}
    states = [start]
    targets: list[list[int]] = []
    for state in states:
        following = [_following(state, label, fluents) for label in labels]
        for after in following:
            if after not in number:
                number[after] = len(states)
                states.append(after)
        if len(states) > MOST_STATES:
            raise InputError(f"the constraint {name} has more than {MOST_STATES} states")
        targets.append([number[after] for after in following])
    kept = _kept(targets, [state.owed != _BROKEN for state in states])
    if not kept[0]:
        raise InputError(f"no run keeps the constraint {name}")
    triples = [
        (source, action, after)
        for source, row in enumerate(targets)
        for action, after in enumerate(row, 1)
        if kept[source] and kept[after]
    ]
    whole = strongly_minimised(reachable(Lts.of(name, ("tau", *labels), len(states), triples)))
    is_other = whole.action == len(labels)
    if not np.array_equal(distinct(whole.source[is_other & (whole.source == whole.target)]), np.arange(whole.states)):
        raise InputError(f"actions that the constraint {name} does not name matter to it, which is not supported")
    columns = whole.source[~is_other], whole.action[~is_other], whole.target[~is_other]
    return reachable(Lts.of_arrays(name, ("tau", *labels[:-1]), whole.states, *columns))


def _has_until(formula: Temporal) -> bool:
    return formula.operator == "U" or any(map(_has_until, formula.operands))


def _following(state: _State, label: str, fluents: Sequence[FluentInstance]) -> _State:
    """The state after an action, which is one of a run's positions."""
    holding = frozenset(
        fluent
        for fluent in fluents
        if label in fluent.initiating or (fluent in state.fluents and label not in fluent.terminating)
    )
    owed: set[frozenset[Temporal]] = set()
    for alternative in state.owed:
        owed |= _all(_after(formula, label, holding) for formula in alternative)
    # What owes more than another alternative says nothing.
    least = frozenset(one for one in owed if not any(other < one for other in owed))
    return _State(least, holding if least else frozenset())


def _all(owed: Iterable[_Owed]) -> _Owed:
    """What is owed together."""
    together = _KEPT
    for one in owed:
        together = frozenset(left | right for left in together for right in one)
    return together


def _after(formula: Temporal, label: str, holding: Collection[FluentInstance]) -> _Owed:
    """What a formula owes from the next position on."""
    match formula.operator, formula.operands:
        case "true" | "false", _:
            return _KEPT if formula.operator == "true" else _BROKEN
        case "and", operands:
            return _all(_after(operand, label, holding) for operand in operands)
        case "or", operands:
            return frozenset[frozenset[Temporal]]().union(*(_after(operand, label, holding) for operand in operands))
        case "X", operands:
            return frozenset((frozenset(operands),))
        case "R", (released, kept):
            now = _after(released, label, holding) | frozenset((frozenset((formula,)),))
            return _all((_after(kept, label, holding), now))
        case _:
            atom = formula.atom
            is_true = label in atom.actions if isinstance(atom, ActionOccurs) else atom in holding
            return _KEPT if is_true == (formula.operator == "atom") else _BROKEN


def _kept(targets: Sequence[Sequence[int]], allowed: list[bool]) -> list[bool]:
    """The states from which a run stays in allowed states for ever."""
    into: list[list[int]] = [[] for _ in targets]
    left = [sum(allowed[after] for after in row) for row in targets]
    for source, row in enumerate(targets):
        for after in row:
            into[after].append(source)
    kept = [allowed[state] and left[state] > 0 for state in range(len(targets))]
    waiting = [state for state in range(len(targets)) if allowed[state] and not left[state]]
    while waiting:
        for source in into[waiting.pop()]:
            left[source] -= 1
            if kept[source] and not left[source]:
                kept[source] = False
                waiting.append(source)
    return kept
