"""Is a tree of the abstraction one of the concrete system? (agar-lpts-2012, Section 4, analyzeAndRefine)

The coarsest strong simulation between the tree and the concrete system, within the execution mapping, is
computed from the leaves up. It either relates the roots, or shows which classes are too coarse. If runs from the
initial state, with private moves in between, follow the tree only up to some node, the class of this node is split
into the states that can go on and the others. On MER(4) premise 1 becomes half as large as by the paper's choice, a
class further down that no run reaches; on CSN(3) with ASym-N it becomes larger.

The projection of a tree C on the last component, an abstraction A by a partition of a concrete system, is a tree that
runs in A: where only the others move, A stays in its node, so one node of the projection stands for several of C. A
strong simulation of the projection by the concrete system gives a tree that simulates C and runs in the others and the
concrete system (Section 5; there for ASym-N, "we can naturally obtain a tree T using C|A, via R").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from symag.lpts.lpts import Numbers
from symag.lpts.methods.concrete import ConcreteSystem, PartitionedSystem
from symag.lpts.methods.factored import FactoredMove, FactoredTree

#: The states of the others, and that of the concrete system.
_Place = tuple[tuple[int, ...], int]


class ProjectedMove(Struct, frozen=True):
    """A transition of A, and for each class in its support the child."""

    transition: int
    children: dict[int, int]


class Projection(Struct, frozen=True):
    """``classes[d]`` is the state of A that node d stands for; node 0 is the root, children have greater numbers.

    ``move_of[c, k]`` is the move to which the k-th move of node c of the tree is projected, None if A stays.
    """

    classes: tuple[int, ...]
    moves: tuple[tuple[ProjectedMove, ...], ...]
    move_of: dict[tuple[int, int], ProjectedMove | None]


def projection(tree: FactoredTree) -> Projection:
    """The tree's projection on the last component."""
    classes: list[int] = [tree.local[0][-1]]
    groups: list[list[int]] = [[0]]
    moves: list[tuple[ProjectedMove, ...]] = []
    move_of: dict[tuple[int, int], ProjectedMove | None] = {}
    while len(moves) < len(groups):
        mine: list[ProjectedMove] = []
        group = groups[len(moves)]
        next_state = 0
        while next_state < len(group):  # the group grows by the targets of moves in which A stays
            node = group[next_state]
            next_state += 1
            for k, (factors, children) in enumerate(tree.moves[node]):
                if factors[-1] < 0:
                    move_of[node, k] = None
                    group += children
                    continue
                children_of: dict[int, list[int]] = {}
                for child in children:
                    children_of.setdefault(tree.local[child][-1], []).append(child)
                by_class = dict(zip(children_of, range(len(groups), len(groups) + len(children_of)), strict=True))
                classes += children_of
                groups += children_of.values()
                move = move_of[node, k] = ProjectedMove(factors[-1], by_class)
                mine.append(move)
        moves.append(tuple(mine))
    return Projection(tuple(classes), tuple(moves), move_of)


def concretised(
    tree: FactoredTree, view: Projection, concrete: ConcreteSystem, related: Sequence[Numbers | None]
) -> FactoredTree:
    """The tree with the concrete system in the place of A; ``related`` as in ``refinement.RealCounterexample``."""
    # A node of the result: the node of the tree that gives the others' states, the concrete state, and all
    # nodes of the tree that it has to simulate.
    waiting: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, (0,))]
    local: list[tuple[int, ...]] = []
    moves: list[tuple[FactoredMove, ...]] = []

    def reached(children: Sequence[int], targets: Sequence[int]) -> Iterator[tuple[int, _Place]]:
        """Each child with its place for each of these concrete states that is of its class."""
        for child in children:
            *others, its_class = tree.local[child]
            for target in targets:
                if concrete.class_of(target) == its_class:
                    yield child, (tuple(others), target)

    while len(local) < len(waiting):
        first, state, simulated = waiting[len(local)]
        local.append((*tree.local[first][:-1], *concrete.local_of(state)))
        branches: dict[tuple[tuple[int, ...], int], dict[_Place, list[int]]] = {}
        for node in simulated:
            for k, (factors, children) in enumerate(tree.moves[node]):
                move = view.move_of[node, k]
                taken = -1 if move is None else concrete.answer(state, move, related)
                branch = branches.setdefault((factors[:-1], taken), {})
                for child, place in reached(children, [state] if move is None else concrete.support(taken)):
                    branch.setdefault(place, []).append(child)
        mine: list[FactoredMove] = []
        for (others, taken), branch in branches.items():
            numbers = range(len(waiting), len(waiting) + len(branch))
            waiting += [(nodes[0], target, tuple(nodes)) for (_, target), nodes in branch.items()]
            mine.append(((*others, *concrete.moves_of(taken)), tuple(numbers)))
        moves.append(tuple(mine))
    return FactoredTree(tuple(local), tuple(moves))


#: Lifted trees with more nodes are given up.
_MOST_NODES = 10_000


def lifted(view: Projection, finer: PartitionedSystem, related: Sequence[Numbers | None]) -> Projection | None:
    """A tree of a finer abstraction that simulates the projection; ``related`` as in ``refinement.RealCounterexample``.

    It is the projection of no tree: ``node_of`` and ``move_of`` are empty. None if it becomes too large.
    """
    # A node of the result: a class of the finer abstraction, and all nodes of the projection that it has to simulate.
    waiting: list[tuple[int, list[int]]] = [(0, [0])]
    moves: list[tuple[ProjectedMove, ...]] = []
    while len(moves) < len(waiting) <= _MOST_NODES:
        class_, simulated = waiting[len(moves)]
        branches: dict[int, dict[int, list[int]]] = {}
        for node in simulated:
            for move in view.moves[node]:
                taken = finer.answer(class_, move, related)
                branch = branches.setdefault(taken, {})
                for target in finer.support(taken):
                    branch.setdefault(target, []).append(move.children[finer.class_of(target)])
        mine = []
        for taken, branch in branches.items():
            children = dict(zip(branch, range(len(waiting), len(waiting) + len(branch)), strict=True))
            waiting += branch.items()
            mine.append(ProjectedMove(taken, children))
        moves.append(tuple(mine))
    if len(waiting) > _MOST_NODES:
        return None
    return Projection(tuple(class_ for class_, _ in waiting), tuple(moves), {})


class RealCounterexample(Struct, frozen=True):
    """The tree is simulated: ``related[d]`` are the states that node d is related to, None for its whole class."""

    related: tuple[Numbers | None, ...]


class SpuriousCounterexample(Struct, frozen=True):
    """The tree is not simulated within the execution mapping: ``parts`` are states to split off, by class (Lemma 6)."""

    parts: dict[int, Numbers]


def analysed(view: Projection, concrete: ConcreteSystem) -> RealCounterexample | SpuriousCounterexample:
    """The verdict on a projection; at most (moves of the tree) x (transitions of the system) steps."""
    analysis = coarsest(view, concrete)
    if isinstance(analysis, SpuriousCounterexample):
        parts = _not_reached(view, concrete)
        if parts is not None:
            return SpuriousCounterexample(parts)
    return analysis


def still_there(view: Projection, concrete: ConcreteSystem, before: PartitionedSystem) -> Projection | None:
    """The projection on an earlier abstraction as a tree of the present one; None if that cannot run it any more.

    None also for trees that become too large.
    ``before`` is a snapshot of the concrete system with the earlier partition.
    """
    finer = concrete.abstraction_since(before)
    analysis = coarsest(view, finer)
    return None if isinstance(analysis, SpuriousCounterexample) else lifted(view, finer, analysis.related)


def _not_reached(view: Projection, concrete: ConcreteSystem) -> dict[int, Numbers] | None:
    """The states to split off at the first node, from the root down, where no state reached along the tree can go on.

    Between two moves of the tree the system may make private ones. None if runs follow the tree to all leaves, which
    does not make the tree real: different runs may follow different branches.
    """
    reached: list[Numbers] = [np.zeros(1, dtype=np.int64)] * len(view.classes)
    for node, class_ in enumerate(view.classes):
        if not view.moves[node]:
            continue
        states = concrete.drifting(reached[node])
        for move in view.moves[node]:
            able = concrete.able(move.transition)
            states = np.intersect1d(states, able, assume_unique=True)
            if not len(states):
                return {class_: able}
        for move in view.moves[node]:
            targets = concrete.following(states, move.transition)
            classes = concrete.classes[targets]
            for its_class, child in move.children.items():
                reached[child] = targets[classes == its_class]
    return None


def coarsest(view: Projection, concrete: PartitionedSystem) -> RealCounterexample | SpuriousCounterexample:
    """The paper's analysis, from the leaves up.

    Case 2 of the paper asks for state 0 at every node that maps to the initial class. The simulation has to relate it
    only at the root, so it is checked only there.
    """
    related: list[Numbers | None] = [None] * len(view.classes)
    for node in range(len(view.classes) - 1, -1, -1):
        class_ = view.classes[node]
        for move in view.moves[node]:
            before = related[node]
            answering = concrete.answering(move, related)
            if before is not None:
                answering = np.intersect1d(before, answering, assume_unique=True)
            if not len(answering):
                return SpuriousCounterexample(_too_coarse(class_, before, move.children, related))
            states = concrete.members(class_) if before is None else before
            if node == 0 and states[0] == 0 and answering[0] != 0:
                return SpuriousCounterexample({class_: np.setdiff1d(states, answering, assume_unique=True)})
            if len(answering) < len(states):
                related[node] = answering
    return RealCounterexample(tuple(related))


def _too_coarse(
    own_class: int, before: Numbers | None, children: dict[int, int], related: list[Numbers | None]
) -> dict[int, Numbers]:
    """Case 1: no state is left. The node's class is split by what was left before, the children's by theirs."""
    parts: dict[int, Numbers] = {}
    for class_, states in [
        (own_class, before),
        *((its_class, related[child]) for its_class, child in children.items()),
    ]:
        if states is not None and class_ not in parts:
            parts[class_] = states
    assert parts, "some child is related to less than its class: Lemma 6"
    return parts
