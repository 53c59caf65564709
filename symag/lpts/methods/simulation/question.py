"""What a simulation engine answers: a relation with its weight functions, or the pairs that it removed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from symag.core.limits import Progress
from symag.core.results import Verdict
from symag.lpts.certificates.assumptions import TreeCounterexample
from symag.lpts.certificates.certificate import ProbabilisticCertificate
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.methods.simulation.sides import Sides

#: A pair of a state of the system and a state of the specification.
Pair = tuple[int, int]


class SimulationRelation(Struct, frozen=True):
    """The initial pair is in a strong simulation: ``pairs``.

    ``weights`` has, for every two distributions of two or more states each that the relation needs, a weight
    function: the pairs with their masses, integers over ``total``. Its marginals are the distributions. Where
    one of them is a Dirac distribution there is only one weight function, and it is left out.
    """

    pairs: tuple[Pair, ...]
    weights: tuple[tuple[tuple[Pair, int], ...], ...]
    total: int
    statistics: Mapping[str, int] = field(default_factory=dict)


class RefutedPairs(Struct, frozen=True):
    """The initial pair is in no strong simulation.

    ``removed`` has pairs that are in none, with the time of their refutation: some transition of the system's state
    has no answer by the specification's state with a weight function that avoids all pairs removed before.
    """

    removed: Mapping[Pair, int]
    statistics: Mapping[str, int] = field(default_factory=dict)


class BlockSimulation(Struct, frozen=True, eq=False):
    """The initial pair is in a strong simulation that is shown block by block.

    State s of the system is in block ``blocks[s]``, state 0 in block 0; ``simulation`` is one between the
    system's ``quotient`` by these blocks and the specification.
    """

    blocks: Numbers
    quotient: Lpts
    simulation: SimulationRelation
    statistics: Mapping[str, int] = field(default_factory=dict)


class UnfoundedRefutationError(Exception):
    """A pair was removed for which no transition is a reason, given the pairs that were removed before."""


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
    proof: ProbabilisticCertificate | None = None
    tree: TreeCounterexample | None = None
    statistics: Mapping[str, int] = field(default_factory=dict)
    assumption_runs: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        if (self.verdict is Verdict.HOLDS) != (self.proof is not None):
            raise ValueError("a proof belongs to what holds, and to nothing else")
        if (self.verdict is Verdict.VIOLATED) != (self.tree is not None):
            raise ValueError("a tree belongs to a violation, and to nothing else")
