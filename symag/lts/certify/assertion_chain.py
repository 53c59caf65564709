"""Assertions under fair choice, re-checked without automata: by splitting states until the formula is their label.

Fair choice gives every possible action some probability. Whether such runs almost surely have a property does not
depend on the probabilities, so a graph is enough. For p U q reachability gives three kinds of states: those from
which it is true with probability 1, with probability 0, or neither. Each of the latter becomes two states, one for
the runs on which p U q is true and one for the others. Edges are kept if the truth at both ends agrees with p U q =
q or p and X (p U q). In the new graph the formula is a label. Operands come first, so in the end the whole assertion
is a label. X p is treated the same way, and p R q as the negation of (not p) U (not q).

After a state without a successor comes one, for ever, at which literals and p R q are true and p U q is false: an
eventuality that is open when a run ends never comes, and an invariant that held so far is kept.

Source: C. Courcoubetis and M. Yannakakis, "The complexity of probabilistic verification", JACM 42(4), 1995, section
3.1 (the construction for one operator, Proposition 3.1.1 and after).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

import numpy as np
from msgspec import Struct

from symag.core.limits import Deadline
from symag.lts.certify.packed_components import Truths
from symag.lts.certify.sorted_states import Integers
from symag.lts.language.fluents import ActionOccurs, FluentInstance, Temporal, atoms

Atom: TypeAlias = "FluentInstance | ActionOccurs"
_Ends = tuple[Integers, Integers]


class ChainEdges(Protocol):
    """The edges of a graph with states 0 .. ``count`` - 1, each of which has one. Methods raise OutOfTimeError."""

    @property
    def count(self) -> int:
        """How many states."""

    def leading_to(self, goal: Truths, through: Truths | None) -> Truths:
        """The states in ``goal``, and those from which a path leads there, through states of ``through`` before it."""

    def before(self, goal: Truths) -> Truths:
        """The states with an edge to one in ``goal``."""

    def split(self, both: Truths, keeps: Callable[[Integers, Integers], Truths]) -> None:
        """Copy the states of ``both`` with their edges; the copies get the next numbers, in order.

        Then keep the edges for whose sources and targets ``keeps`` is true.
        """


class Outcomes(Struct, frozen=True):
    """Whether some fair run, or some that ends, violates a formula, and whether some satisfies it."""

    violated: bool
    satisfied: bool


class MomentGraph(Struct, frozen=True, eq=False):
    """Moments, of which ``initial`` comes before a run; every one has an edge. ``true[k]`` are the moments at which
    atom k is true; ``beyond`` is the moment after the end of finite runs (None: no run ends).
    """

    edges: ChainEdges
    initial: int
    atoms: tuple[Atom, ...]
    true: tuple[Truths, ...]
    beyond: int | None


def ordered_atoms(formula: Temporal) -> tuple[Atom, ...]:
    """The formula's atoms in a fixed order."""
    return tuple(sorted(atoms(formula), key=repr))


def rounds_that_count(formula: Temporal) -> int:
    """After this many rounds of a loop of actions, more of them do not change what follows for the formula.

    Fluents repeat after the first round. What p U q says before a round is then what it says after it, or is decided in
    the round: the same in each round from whose end on the truths of p and q are the same. So it is for X p, and each
    nested operator takes one round more.
    """
    return 1 + _depth(formula)


def _depth(formula: Temporal) -> int:
    return (formula.operator in ("X", "U", "R")) + max(map(_depth, formula.operands), default=0)


class Chain:
    """A graph whose states are split until formulas are labels of them."""

    def __init__(self, graph: MomentGraph, deadline: Deadline) -> None:
        self._deadline = deadline
        self._edges = graph.edges
        self._atoms = graph.atoms
        self._initial = np.zeros(graph.edges.count, dtype=bool)
        self._initial[graph.initial] = True
        self._beyond = np.zeros(graph.edges.count, dtype=bool)
        if graph.beyond is not None:
            self._beyond[graph.beyond] = True
        self._true = list(graph.true)
        self._labels: dict[Temporal, Truths] = {}

    def outcomes(self, formula: Temporal) -> Outcomes:
        """What runs do to the formula at their first position, which comes after the initial moment."""
        label = self._label(formula)
        violated, satisfied = (bool((self._edges.before(truth) & self._initial).any()) for truth in (~label, label))
        return Outcomes(violated, satisfied)

    def _label(self, formula: Temporal) -> Truths:
        """The states in which a formula in negation normal form is true. Splits states."""
        for operand in formula.operands:
            self._label(operand)
        if formula not in self._labels:
            self._deadline.check()
            self._labels[formula] = self._new(formula)
        return self._labels[formula]

    def _new(self, formula: Temporal) -> Truths:
        labels = [self._labels[operand] for operand in formula.operands]
        match formula.operator:
            case "true":
                return np.ones(self._edges.count, dtype=bool)
            case "false":
                return np.zeros(self._edges.count, dtype=bool)
            case "atom" | "not atom":
                assert formula.atom is not None
                true = self._true[self._atoms.index(formula.atom)]
                return (true if formula.operator == "atom" else ~true) | self._beyond
            case "and":
                return labels[0] & labels[1]
            case "or":
                return labels[0] | labels[1]
            case "X":
                return self._next(labels[0])
            case "U":
                return self._until(labels[0], labels[1])
            case "R":
                return ~self._until(~labels[0], ~labels[1])
            case _:
                raise ValueError(f"not in negation normal form: {formula.operator}")

    def _next(self, operand: Truths) -> Truths:
        some, other = self._edges.before(operand), self._edges.before(~operand)
        # The truth of a state's copy is that of the operand after it.
        return self._split(some, some & other, lambda label, old, ends: label[ends[0]] == operand[old[ends[1]]])

    def _until(self, first: Truths, last: Truths) -> Truths:
        last = last & ~self._beyond
        waiting = first & ~last & ~self._beyond
        possible = self._edges.leading_to(last, waiting)
        both = possible & self._edges.leading_to(~possible, waiting)
        return self._split(
            possible, both, lambda label, old, ends: ~waiting[old[ends[0]]] | (label[ends[0]] == label[ends[1]])
        )

    def _split(self, label: Truths, both: Truths, agrees: Callable[[Truths, Integers, _Ends], Truths]) -> Truths:
        """Copy the states of ``both`` with the other label, and keep the edges that agree with it; return the label.

        ``agrees`` is asked with that label, the original of each state, and the ends of edges. Where all fair runs from
        a state agree, so do its edges.
        """
        second = np.flatnonzero(both)
        if not len(second):
            return label
        old = np.concatenate([np.arange(self._edges.count), second])
        new = np.concatenate([label, ~label[second]])
        self._edges.split(both, lambda source, target: agrees(new, old, (source, target)))
        self._initial, self._beyond = self._initial[old], self._beyond[old]
        self._true = [column[old] for column in self._true]
        self._labels = {formula: column[old] for formula, column in self._labels.items()}
        return new
