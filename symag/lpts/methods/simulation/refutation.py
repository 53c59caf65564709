"""Tree counterexamples from the pairs that a simulation engine removed (agar-lpts-2012, Theorem 2).

A node stands for a state s and a set X of states of the specification that it refutes, each removed earlier
than what its parent refutes. It keeps transitions of s such that every t in X fails to answer one of them.
Nothing is kept twice: one move serves all states that it refutes, so a reactive system has a reactive tree
(Corollary 1). What turns out to be superfluous is then cut off the first tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from symag.core.limits import MemoryExhausted
from symag.lpts.methods.factored import StochasticTree
from symag.lpts.methods.simulation.question import Pair, RefutedPairs, UnfoundedRefutationError
from symag.lpts.methods.simulation.sides import Sides
from symag.lpts.methods.simulation.textbook import network_of

#: A tree of more nodes explains nothing, and soon does not fit into memory.
_MOST_NODES = 1_000_000
#: Cutting tries every move once; above this many nodes it would take longer than the decision did.
_MOST_NODES_TO_CUT = 2_000
#: Nor is a deeper tree cut, as ``_Judge`` descends by recursion.
_MOST_LEVELS_TO_CUT = 100

#: By state of the system: the states of the specification that it has to refute.
_Blocked = dict[int, set[int]]


class _Node(Struct):
    state: int
    moves: dict[int, dict[int, _Node]] = field(default_factory=dict)


def counterexamples(sides: Sides, removal: RefutedPairs, most: int = 1) -> tuple[StochasticTree, ...]:
    """Trees that the left system can run and the right one cannot simulate; the initial pair must be removed.

    At least one and at most ``most``, all different: a tree takes moves that no earlier one has, if they refute as
    cheaply. Raises MemoryExhausted for trees of more than a million nodes, and UnfoundedRefutationError.
    """
    growing = _Growing(sides, removal.removed)
    trees: dict[StochasticTree, None] = {}
    while len(trees) < most:
        try:
            root = growing.tree()
        except MemoryExhausted:
            if not trees:
                raise
            break
        nodes, levels = _size(root)
        # Only the first may turn out to be real; to cut the others takes longer than it saves.
        if not trees and nodes <= _MOST_NODES_TO_CUT and levels <= _MOST_LEVELS_TO_CUT:
            _cut(sides, root)
        tree = _numbered(sides, root)
        if tree in trees:
            break
        trees[tree] = None
        growing.avoid(root)
    return tuple(trees)


class _Growing:
    """Trees from removed pairs; ``avoid`` says which moves later trees should not take."""

    def __init__(self, sides: Sides, removed: Mapping[Pair, int]) -> None:
        self._sides = sides
        self._removed = removed
        self._avoided: set[tuple[int, int]] = set()
        self._blocked: dict[tuple[int, int, int, int], _Blocked | None] = {}

    def avoid(self, root: _Node) -> None:
        """The moves of a tree, of the states that they leave."""
        waiting = [root]
        while waiting:
            node = waiting.pop()
            self._avoided.update((node.state, move) for move in node.moves)
            waiting += [child for children in node.moves.values() for child in children.values()]

    def tree(self) -> _Node:
        """A tree, which need not be new."""
        sides, root = self._sides, _Node(0)
        waiting = [(root, {0})]
        nodes = 1
        while waiting:
            node, against = waiting.pop()
            blocked: dict[int, _Blocked] = {}
            for t in sorted(against, key=lambda t: self._removed[node.state, t]):
                self._refute(node.state, t, blocked)
            for move, refuted in blocked.items():
                support = sides.left.distributions[sides.left.moves[node.state][move][1]].support
                node.moves[move] = {s: _Node(s) for s in support}
                waiting += [(node.moves[move][s], states) for s, states in sorted(refuted.items()) if states]
                nodes += len(support)
            if nodes > _MOST_NODES:
                raise MemoryExhausted
        return root

    def _refute(self, s: int, t: int, blocked: dict[int, _Blocked]) -> None:
        """Choose the move of s that refutes t and adds the fewest states to refute to those of the moves so far."""
        best: tuple[tuple[int, bool], int, _Blocked] | None = None
        for move, (action, mu) in enumerate(self._sides.left.moves[s]):
            pairs = self._blocked_pairs(action, mu, t, self._removed[s, t])
            if pairs is None:
                continue
            present = blocked.get(move)
            more = sum(len(states - (present or {}).get(state, set())) for state, states in pairs.items())
            cost = more + (0 if present is not None else 1), (s, move) in self._avoided
            if best is None or cost < best[0]:
                best = cost, move, pairs
        if best is None:
            raise UnfoundedRefutationError
        _, move, pairs = best
        mine = blocked.setdefault(move, {})
        for state, states in pairs.items():
            mine.setdefault(state, set()).update(states)

    def _blocked_pairs(self, action: int, mu: int, t: int, before: int) -> _Blocked | None:
        key = action, mu, t, before
        if key not in self._blocked:
            answers = self._sides.answers[t].get(action, ())
            self._blocked[key] = _blocked_pairs(self._sides, self._removed, mu, answers, before)
        return self._blocked[key]


def _blocked_pairs(
    sides: Sides, removed: Mapping[Pair, int], mu: int, answers: Iterable[int], before: int
) -> _Blocked | None:
    """Pairs removed earlier that alone keep mu from being below any answer; None if it is below one."""
    first = sides.left.distributions[mu]
    blocked: _Blocked = {}
    for nu in answers:
        second = sides.right.distributions[nu]
        network = network_of(first, second, lambda s, t: removed.get((s, t), before) >= before)
        if network.maximise():
            return None
        chosen = network.witness()
        images = {j for i in chosen for j in network.related[i]}
        missed = {t for j, t in enumerate(second.support) if j not in images}
        for i in chosen:
            blocked.setdefault(first.support[i], set()).update(missed)
    return blocked


def _size(root: _Node) -> tuple[int, int]:
    """How many nodes and levels a tree has."""
    nodes = levels = 0
    level = [root]
    while level:
        nodes += len(level)
        levels += 1
        level = [child for node in level for children in node.moves.values() for child in children.values()]
    return nodes, levels


def _cut(sides: Sides, root: _Node) -> None:
    """Remove every move without which the root still refutes the specification, those near the root first."""
    judge = _Judge(sides)
    waiting: list[list[_Node]] = [[root]]
    while waiting:
        path = waiting.pop()
        node = path[-1]
        for move in list(node.moves):
            children = node.moves.pop(move)
            for above in path:
                judge.forget(above)
            if not judge.refutes(root, 0):
                node.moves[move] = children
                for above in path:
                    judge.forget(above)
        waiting += [[*path, child] for children in node.moves.values() for child in children.values() if child.moves]


class _Judge:
    """Which nodes refute which states, by the definition, remembered until a node changes."""

    def __init__(self, sides: Sides) -> None:
        self._sides = sides
        self._known: dict[int, dict[int, bool]] = {}

    def forget(self, node: _Node) -> None:
        self._known.pop(id(node), None)

    def refutes(self, node: _Node, t: int) -> bool:
        if not node.moves:
            return False
        refuted = self._known.setdefault(id(node), {})
        if t not in refuted:
            refuted[t] = any(self._fails(node, move, t) for move in node.moves)
        return refuted[t]

    def _fails(self, node: _Node, move: int, t: int) -> bool:
        action, mu = self._sides.left.moves[node.state][move]
        children = node.moves[move]
        first = self._sides.left.distributions[mu]
        return not any(
            network_of(
                first, self._sides.right.distributions[nu], lambda s, u: not self.refutes(children[s], u)
            ).maximise()
            for nu in self._sides.answers[t].get(action, ())
        )


def _numbered(sides: Sides, root: _Node) -> StochasticTree:
    """The tree with its nodes numbered breadth first."""
    order = [root]
    moves: list[tuple[tuple[int, tuple[int, ...]], ...]] = []
    next_node = 0
    while next_node < len(order):
        node = order[next_node]
        next_node += 1
        mine = []
        for move in sorted(node.moves):
            children = [node.moves[move][s] for s in sorted(node.moves[move])]
            mine.append((sides.left.first[node.state] + move, tuple(range(len(order), len(order) + len(children)))))
            order += children
        moves.append(tuple(mine))
    return StochasticTree(tuple(node.state for node in order), tuple(moves))
