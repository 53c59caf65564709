"""What the last component of a composition contributes to a tree, and the tree with it replaced.

The last component is an abstraction A, by a partition, of a concrete system. The projection of a tree C on A is
a tree that runs in A: where only the others move, A stays in its node, so one node of the projection stands
for several of C. A strong simulation of the projection by the concrete system gives a tree that simulates C and runs
in the others and the concrete system (agar-lpts-2012, Section 5; there for ASym-N, "we can naturally obtain a tree T
using C|A, via R").
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from symag.lpts.lpts import Numbers
from symag.lpts.methods.concrete import ConcreteSystem, PartitionedSystem
from symag.lpts.methods.factored import FactoredMove, FactoredTree


class ProjectedMove(Struct, frozen=True):
    """A transition of A, and for each class in its support the child."""

    transition: int
    children: dict[int, int]


class Projection(Struct, frozen=True):
    """``classes[d]`` is the state of A that node d stands for; node 0 is the root, children have greater numbers.

    ``node_of[c]`` is the node that node c of the tree is projected to; ``move_of[c, k]`` is the move of that node to
    which its k-th move is projected, None if A stays.
    """

    classes: tuple[int, ...]
    moves: tuple[tuple[ProjectedMove, ...], ...]
    node_of: tuple[int, ...]
    move_of: dict[tuple[int, int], ProjectedMove | None]


def projection(tree: FactoredTree) -> Projection:
    """The tree's projection on the last component."""
    classes: list[int] = [tree.local[0][-1]]
    groups: list[list[int]] = [[0]]
    moves: list[tuple[ProjectedMove, ...]] = []
    node_of = [0] * tree.nodes
    move_of: dict[tuple[int, int], ProjectedMove | None] = {}
    while len(moves) < len(groups):
        here = len(moves)
        mine: list[ProjectedMove] = []
        group = groups[here]
        next_state = 0
        while next_state < len(group):  # the group grows by the targets of moves in which A stays
            node = group[next_state]
            next_state += 1
            node_of[node] = here
            for k, (factors, children) in enumerate(tree.moves[node]):
                if factors[-1] < 0:
                    move_of[node, k] = None
                    group += children
                    continue
                by_class: dict[int, int] = {}
                for child in children:
                    state = tree.local[child][-1]
                    if state not in by_class:
                        by_class[state] = len(groups)
                        classes.append(state)
                        groups.append([])
                    groups[by_class[state]].append(child)
                move = move_of[node, k] = ProjectedMove(factors[-1], by_class)
                mine.append(move)
        moves.append(tuple(mine))
    return Projection(tuple(classes), tuple(moves), tuple(node_of), move_of)


def concretised(
    tree: FactoredTree, view: Projection, concrete: ConcreteSystem, related: Sequence[Numbers | None]
) -> FactoredTree:
    """The tree with the concrete system in the place of A; ``related`` as in ``refinement.RealCounterexample``."""
    # A node of the result: the node of the tree that gives the others' states, the concrete state, and all
    # nodes of the tree that it has to simulate.
    waiting: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, (0,))]
    local: list[tuple[int, ...]] = []
    moves: list[tuple[FactoredMove, ...]] = []
    while len(local) < len(waiting):
        first, state, simulated = waiting[len(local)]
        local.append((*tree.local[first][:-1], *concrete.local_of(state)))
        branches: dict[tuple[tuple[int, ...], int], dict[tuple[tuple[int, ...], int], list[int]]] = {}
        for node in simulated:
            for k, (factors, children) in enumerate(tree.moves[node]):
                move = view.move_of[node, k]
                taken = -1
                if move is not None:
                    taken = concrete.answer(state, move, related)
                targets = [state] if move is None else concrete.support(taken)
                branch = branches.setdefault((factors[:-1], taken), {})
                for child in children:
                    others, its_class = tree.local[child][:-1], tree.local[child][-1]
                    for target in targets:
                        if concrete.class_of(target) == its_class:
                            branch.setdefault((others, target), []).append(child)
        mine: list[FactoredMove] = []
        for (others, taken), branch in branches.items():
            numbers = range(len(waiting), len(waiting) + len(branch))
            waiting += [(nodes[0], target, tuple(nodes)) for (_, target), nodes in branch.items()]
            mine.append(((*others, *concrete.moves_of(taken)), tuple(numbers)))
        moves.append(tuple(mine))
    return FactoredTree(tuple(local), tuple(moves))


def lifted(
    view: Projection, finer: PartitionedSystem, related: Sequence[Numbers | None], most_nodes: int = 10_000
) -> Projection | None:
    """A tree of a finer abstraction that simulates the projection; ``related`` as in ``refinement.RealCounterexample``.

    It is the projection of no tree: ``node_of`` and ``move_of`` are empty. None if it has more than ``most_nodes``.
    """
    # A node of the result: a class of the finer abstraction, and all nodes of the projection that it has to simulate.
    waiting: list[tuple[int, list[int]]] = [(0, [0])]
    moves: list[tuple[ProjectedMove, ...]] = []
    while len(moves) < len(waiting) <= most_nodes:
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
    if len(waiting) > most_nodes:
        return None
    return Projection(tuple(class_ for class_, _ in waiting), tuple(moves), (), {})
