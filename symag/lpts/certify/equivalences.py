"""Re-check of classes of two systems: these are a bisimulation, or carry two simulations.

Both systems are explored state by state, with exact fractions; the code shares nothing with the search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from symag.core.limits import Deadline
from symag.lpts.certificates.equivalences import EquivalenceClasses
from symag.lpts.certify.simulations import can_be_matched, masses_of_classes
from symag.lpts.certify.weights import ProbabilisticProduct, State, of_another_kind, product_of, refused, start_of
from symag.lpts.problems import EquivalenceProblem, Problem

#: A move to classes: the action, and the mass of each class.
_ClassMove = tuple[str, tuple[tuple[int, Fraction], ...]]
_Moves = Mapping[int, frozenset[_ClassMove]]

CERTIFICATE = EquivalenceClasses


def check(problem: Problem, certificate: EquivalenceClasses, deadline: Deadline) -> None:
    """See ``symag.lpts.certify.kinds``. Linear in the transitions for a bisimulation."""
    if not isinstance(problem, EquivalenceProblem) or certificate.relation != problem.relation:
        raise of_another_kind()
    sides = product_of(problem.components), product_of([problem.other])
    if problem.relation == "bisimulation":
        _check_bisimulation(sides, certificate, deadline)
    else:
        _check_simulations(sides, certificate, deadline)


def _moves_of_classes(
    product: ProbabilisticProduct, rows: NDArray[np.int64], deadline: Deadline
) -> tuple[dict[State, int], _Moves]:
    """The class of each listed state, and the moves of each class, which all of its states have."""
    class_of: dict[State, int] = {tuple(row): class_ for *row, class_ in rows.tolist()}
    if len(class_of) < len(rows):
        raise refused("a state is in two classes")
    moves: dict[int, frozenset[_ClassMove]] = {}
    for number, (state, class_) in enumerate(class_of.items()):
        if number % 1000 == 0:
            deadline.check()
        if not product.knows(state):
            raise refused("a class has a state that does not exist")
        mine = frozenset((action, masses_of_classes(mu, class_of)) for action, mu in product.moves(state))
        if moves.setdefault(class_, mine) != mine:
            raise refused(f"two states of class {class_} have different moves")
    if start_of(product) not in class_of:
        raise refused("an initial state has no class")
    return class_of, moves


def _check_bisimulation(
    sides: tuple[ProbabilisticProduct, ProbabilisticProduct], evidence: EquivalenceClasses, deadline: Deadline
) -> None:
    left_class, left = _moves_of_classes(sides[0], evidence.left, deadline)
    right_class, right = _moves_of_classes(sides[1], evidence.right, deadline)
    if left_class[start_of(sides[0])] != right_class[start_of(sides[1])]:
        raise refused("the initial states are in different classes")
    different = [class_ for class_ in left.keys() & right.keys() if left[class_] != right[class_]]
    if different:
        raise refused(f"the systems' states of class {different[0]} have different moves")


def _check_simulations(
    sides: tuple[ProbabilisticProduct, ProbabilisticProduct], evidence: EquivalenceClasses, deadline: Deadline
) -> None:
    left_class, left = _moves_of_classes(sides[0], evidence.left, deadline)
    right_class, right = _moves_of_classes(sides[1], evidence.right, deadline)
    starts = left_class[start_of(sides[0])], right_class[start_of(sides[1])]
    _check_pairs(left, right, evidence.forth, starts, deadline)
    _check_pairs(right, left, evidence.back, starts[::-1], deadline)


def _check_pairs(
    one: _Moves, other: _Moves, pairs: Sequence[tuple[int, int]], start: tuple[int, ...], deadline: Deadline
) -> None:
    relation = set(pairs)
    if start not in relation:
        raise refused("the initial pair is not in the relation")
    for s, t in pairs:
        deadline.check()
        if s not in one or t not in other:
            raise refused("a pair has a class that does not exist")
        for action, mu in one[s]:
            answers = (dict(nu) for label, nu in other[t] if label == action)
            if not any(can_be_matched(dict(mu), nu, lambda a, b: (a, b) in relation) for nu in answers):
                raise refused(f"no answer to {action or 'a move without label'} from class {s} in class {t}")
