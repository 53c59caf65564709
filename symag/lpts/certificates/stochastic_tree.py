"""The certificate ``stochastic-tree``: a tree that violates the property."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from symag.core.evidence.documented import Documented
from symag.lpts.certificates.certificate import Exact, Refutation


@dataclass(frozen=True, slots=True)
class TreeNode(Documented):
    """A node of a stochastic tree: reached from ``parent`` by its move number ``move``, with a probability.

    ``local`` are the local states of all components (the execution mapping). The root has parent -1, no action
    and probability 1.
    """

    parent: int
    move: int
    action: str | None
    probability: Exact
    local: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TreeCounterexample(Refutation):
    """A tree that the components can run and the specification cannot simulate (agar-lpts-2012, Def. 7, Theorem 2).

    Node 0 is the root, parents stand before their children. To check: each move of a node is a transition of
    the composition of the components from the node's state; no strong simulation relates the root to the
    specification's initial state. Where the specification is a formula: the tree violates it.
    """

    nodes: tuple[TreeNode, ...]
    kind: str = "stochastic-tree"

    def lines(self, names: Sequence[str]) -> Iterator[str]:
        yield f"stochastic tree of {len(self.nodes)} nodes"
