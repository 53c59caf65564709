"""Evidence that a composition of LPTSs is, or is not, simulated by a specification, or safe, as plain values.

Rules of this file:

- Components have numbers in the order in which the problem lists them; a state of several components is the
  tuple of their local states.
- Probabilities are exact fractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class AbstractSystem:
    """An assumption, and the partition by which it abstracts a system.

    That system is the composition of one part's components with the assumptions that stand beside it, if any do.
    ``transitions`` are (state, action, branches); a branch is (state, probability). ``classes`` has a row for each
    state of the system: the local states of the components, then of these assumptions; last its class, which is a
    state of this assumption. State 0 is the class of the initial state. Both have the same alphabet.
    """

    states: int
    transitions: tuple[tuple[int, str, tuple[tuple[int, Fraction], ...]], ...]
    classes: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SimulationProof:
    """The components are simulated by the specification (agar-lpts-2012, rules ASym and ASym-N).

    ``parts`` are the numbers of the components of each part, every component in exactly one. There is one assumption
    fewer than there are parts: A_k abstracts part k + 1 composed with the assumptions that stand beside it. A_k stands
    beside part ``beside[k]``, which is none after part k; with an empty ``beside`` it is part k, so that A_k abstracts
    part k + 1 composed with A_k+1. A part may be empty if an assumption stands beside it. Without assumptions this is
    the direct proof.
    To check: (1) for each assumption, every transition of the system that it abstracts, with targets replaced by
    their classes, is a transition of the source's class; (2) ``relation`` is a strong simulation between part 0
    composed with the assumptions beside it and the specification, completed by Dirac self-loops for actions that it
    does not mention, and has the initial pair. A pair is (state, specification's state); the state lists the local
    states of part 0's components, then of these assumptions in their order.
    ``weights`` are the weight functions between distributions of two or more states each: entries (number of
    the pair in ``relation``, mass); masses are integers over ``total``.
    """

    parts: tuple[tuple[int, ...], ...]
    assumptions: tuple[AbstractSystem, ...]
    relation: tuple[tuple[tuple[int, ...], int], ...]
    weights: tuple[tuple[tuple[int, int], ...], ...]
    total: int
    beside: tuple[int, ...] = ()
    kind: str = "strong-simulation"


@dataclass(frozen=True, slots=True)
class SafetyProof:
    """The components satisfy a weak-safety formula of pCTL; parts and assumptions are those of SimulationProof.

    ``states`` are those of part 0 composed with the assumptions beside it. ``values`` has for every occurrence of
    ``U`` or ``F`` (operands before their operator, the left one first) an upper bound for the maximal probability
    from each of them. To check, from the smallest sub-formula up, with sets that may be too large: such a bound is at
    least 1 where the second operand may be true; where the first may be true and the second is not, it is at least
    its expected value after any transition. A state may satisfy ``P>q`` only if its bound is greater than q. State 0
    may not satisfy the negation of the formula.
    """

    parts: tuple[tuple[int, ...], ...]
    assumptions: tuple[AbstractSystem, ...]
    states: tuple[tuple[int, ...], ...]
    values: tuple[tuple[Fraction, ...], ...]
    beside: tuple[int, ...] = ()
    kind: str = "safety-bounds"


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node of a stochastic tree: reached from ``parent`` by its move number ``move``, with a probability.

    ``local`` are the local states of all components (the execution mapping). The root has parent -1, no action
    and probability 1.
    """

    parent: int
    move: int
    action: str | None
    probability: Fraction
    local: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TreeCounterexample:
    """A tree that the components can run and the specification cannot simulate (agar-lpts-2012, Def. 7, Theorem 2).

    Node 0 is the root, parents stand before their children. To check: each move of a node is a transition of
    the composition of the components from the node's state; no strong simulation relates the root to the
    specification's initial state. Where the specification is a formula: the tree violates it.
    """

    nodes: tuple[TreeNode, ...]
    kind: str = "stochastic-tree"


#: Evidence of ``holds``.
Proof = SimulationProof | SafetyProof
#: Evidence of every verdict.
Evidence = SimulationProof | SafetyProof | TreeCounterexample
