"""The outcome of a method on a problem of simulation."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from symag.core.limits import Progress
from symag.core.results import Verdict
from symag.lpts.certificates.assumptions import ProofByParts
from symag.lpts.certificates.stochastic_tree import TreeCounterexample
from symag.lpts.methods.simulation.question import RefutedPairs, SimulationRelation
from symag.lpts.methods.simulation.sides import Sides

#: Decides a simulation between two systems.
Engine = Callable[[Sides, Progress], SimulationRelation | RefutedPairs]


class SimulationOutcome(Struct, frozen=True):
    """``holds`` with a proof, or ``violated`` with a tree. The statistics have these names:

    specification_states |P|; system_states |L| (monolithic, cegar); first_states |L1| and second_states |L2| (of two
    parts); largest_component_states |Lc|; largest_composition_states |LM|; assumption_states_max |AM|;
    refinements; pairs and flow_calls (sums over all simulation checks); tree_nodes. ``assumption_runs`` has for each
    assumption the state that stands for each node of the tree, as text.
    """

    verdict: Verdict
    proof: ProofByParts | None = None
    tree: TreeCounterexample | None = None
    statistics: Mapping[str, int] = field(default_factory=dict)
    assumption_runs: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        if (self.verdict is Verdict.HOLDS) != (self.proof is not None):
            raise ValueError("a proof belongs to what holds, and to nothing else")
        if (self.verdict is Verdict.VIOLATED) != (self.tree is not None):
            raise ValueError("a tree belongs to a violation, and to nothing else")
