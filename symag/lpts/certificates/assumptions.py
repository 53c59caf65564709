"""Proofs by parts and assumptions: the certificates ``strong-simulation`` and ``safety-bounds``."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Struct

from symag.core.evidence.documented import OPTIONAL, Documented
from symag.lpts.certificates.certificate import Classes, Exact, NumberedState, ProbabilisticCertificate, Refutation

_Branch = Annotated[tuple[int, Exact], "a state and a probability"]
_Transition = Annotated[tuple[int, str, tuple[_Branch, ...]], "a state, an action and branches"]


class AbstractSystem(Documented, Struct, frozen=True, eq=False):
    """An assumption, and the partition by which it abstracts a system.

    That system is the composition of one part's components with the assumptions that stand beside it, if any do.
    ``transitions`` are (state, action, branches); a branch is (state, probability). ``classes`` has a row for each
    state of the system: the local states of the components, then of these assumptions; last its class, which is a
    state of this assumption. State 0 is the class of the initial state. Both have the same alphabet.
    """

    states: int
    transitions: tuple[_Transition, ...]
    classes: Classes


class ProofByParts(ProbabilisticCertificate):
    """A proof that the components do as they have to, by parts and assumptions (see ``SimulationProof``)."""

    __slots__ = ()

    parts: tuple[tuple[int, ...], ...]
    assumptions: tuple[AbstractSystem, ...]
    beside: Annotated[tuple[int, ...], OPTIONAL]

    @abstractmethod
    def heading(self) -> str:
        """The size of the last premise, in words."""

    def lines(self, names: Sequence[str]) -> Iterator[str]:
        yield self.heading()
        for number, part in enumerate(self.parts):
            yield f"part {number}: {', '.join(names[k] for k in part) or 'nothing'}"
        beside = self.beside or tuple(range(len(self.assumptions)))
        for number, assumption in enumerate(self.assumptions):
            standing = [str(k) for k, part in enumerate(beside) if part == number + 1]
            yield (
                f"assumption {number}: {assumption.states} states, {len(assumption.transitions)} transitions, "
                f"for {len(assumption.classes)} states of part {number + 1}"
                + (f" with assumption{'s' if len(standing) > 1 else ''} {', '.join(standing)}" if standing else "")
            )


class SafetyProof(ProofByParts, Struct, frozen=True):
    """The components satisfy a weak-safety formula of pCTL; parts and assumptions are those of ``SimulationProof``.

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
    values: tuple[tuple[Exact, ...], ...]
    beside: Annotated[tuple[int, ...], OPTIONAL] = ()
    kind: str = "safety-bounds"

    def heading(self) -> str:
        return f"bounds of {len(self.values)} sub-formulas for {len(self.states)} states"


class SimulationProof(ProofByParts, Struct, frozen=True):
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
    relation: tuple[NumberedState, ...]
    weights: tuple[tuple[tuple[int, int], ...], ...]
    total: int
    beside: Annotated[tuple[int, ...], OPTIONAL] = ()
    kind: str = "strong-simulation"

    def heading(self) -> str:
        return f"strong simulation of {len(self.relation)} pairs, {len(self.weights)} weight functions"


class TreeNode(Documented, Struct, frozen=True):
    """A node of a stochastic tree: reached from ``parent`` by its move number ``move``, with a probability.

    ``local`` are the local states of all components (the execution mapping). The root has parent -1, no action
    and probability 1.
    """

    parent: int
    move: int
    action: str | None
    probability: Exact
    local: tuple[int, ...]


class TreeCounterexample(Refutation, Struct, frozen=True):
    """A tree that the components can run and the specification cannot simulate (agar-lpts-2012, Def. 7, Theorem 2).

    Node 0 is the root, parents stand before their children. To check: each move of a node is a transition of
    the composition of the components from the node's state; no strong simulation relates the root to the
    specification's initial state. Where the specification is a formula: the tree violates it.
    """

    nodes: tuple[TreeNode, ...]
    kind: str = "stochastic-tree"

    def lines(self, names: Sequence[str]) -> Iterator[str]:
        yield f"stochastic tree of {len(self.nodes)} nodes"
