"""Trees that run in a composition, with the transition of each component in each move.

Composition multiplies probabilities, so what one component contributes cannot be read off the product
distributions: the moves remember their factors (agar-lpts-2012, Section 5, "Analysis and Refinement").
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from symag.lpts.composition import Composition
from symag.lpts.lpts import Lpts

#: A transition of the system, and a child for each target of its distribution, in the order of the targets.
Move = tuple[int, tuple[int, ...]]


class StochasticTree(Struct, frozen=True):
    """A finite tree; node 0 is the root and every child has a greater number than its parent.

    ``states[n]`` is the state of the system that node n stands for (the execution mapping); ``moves[n]`` are
    the transitions of that state that the tree keeps.
    """

    states: tuple[int, ...]
    moves: tuple[tuple[Move, ...], ...]

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.states)


#: For each component its transition, -1 if it stays where it is; and a child for each target.
FactoredMove = tuple[tuple[int, ...], tuple[int, ...]]


class FactoredTree(Struct, frozen=True):
    """Node 0 is the root, children have greater numbers; ``local[n]`` are the states of the components."""

    local: tuple[tuple[int, ...], ...]
    moves: tuple[tuple[FactoredMove, ...], ...]

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.local)


def factored(tree: StochasticTree, composition: Composition) -> FactoredTree:
    """A tree that runs in a composition, by components."""
    local = tuple(tuple(composition.local[state].tolist()) for state in tree.states)
    moves = tuple(
        tuple((tuple(composition.moves[transition].tolist()), children) for transition, children in mine)
        for mine in tree.moves
    )
    return FactoredTree(local, moves)


def label_of(factors: Sequence[int], components: Sequence[Lpts]) -> str:
    """The action of a move."""
    return next(
        component.alphabet[int(component.action[k])] for component, k in zip(components, factors, strict=True) if k >= 0
    )


def probabilities_of(tree: FactoredTree, move: FactoredMove, components: Sequence[Lpts]) -> dict[int, Fraction]:
    """The probability of each child: the product of what the components that move contribute."""
    factors, children = move
    moving = [(index, components[index].distribution(k)) for index, k in enumerate(factors) if k >= 0]
    probabilities = {}
    for child in children:
        probability = Fraction(1)
        for factor, distribution in moving:
            probability *= distribution[tree.local[child][factor]]
        probabilities[child] = probability
    return probabilities


def as_lpts(tree: FactoredTree, components: Sequence[Lpts]) -> Lpts:
    """The tree as a system whose states are the nodes; its alphabet is that of all components."""
    alphabet = ("", *sorted({label for component in components for label in component.alphabet[1:]}))
    number = {label: index for index, label in enumerate(alphabet)}
    triples = [
        (node, number[label_of(move[0], components)], probabilities_of(tree, move, components))
        for node, moves in enumerate(tree.moves)
        for move in moves
    ]
    return Lpts.of("tree", alphabet, tree.nodes, triples)


def selected(tree: FactoredTree, shape: Lpts, part: StochasticTree) -> FactoredTree:
    """The part of the tree that a tree running in ``shape = as_lpts(tree)`` keeps."""
    factors = {(node, tuple(sorted(children))): k for node, moves in enumerate(tree.moves) for k, children in moves}
    moves = []
    for state, mine in zip(part.states, part.moves, strict=True):
        pairs = []
        for transition, children in mine:
            targets = tuple(sorted(shape.distribution(transition)))
            pairs.append((factors[state, targets], children))
        moves.append(tuple(pairs))
    return FactoredTree(tuple(tree.local[state] for state in part.states), tuple(moves))
