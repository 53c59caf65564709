"""The problems about probabilistic systems, which methods decide and certificates are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec import Struct

from symag.lpts.lpts import Lpts
from symag.lpts.quantitative import QuantitativeProblem
from symag.lpts.safety_formulas import Liveness
from symag.lpts.triples import TripleProblem


@dataclass(frozen=True, slots=True)
class SimulationProblem:
    """Is the composition of the components strongly simulated by the specification?

    The specification is completed by Dirac self-loops for the components' actions that it does not mention. A liveness
    formula in its place asks: is it false of the composition, so that its negation, a weak-safety formula, holds?
    """

    components: tuple[Lpts, ...]
    specification: Lpts | Liveness


class EquivalenceProblem(Struct, frozen=True):
    """Is the composition of the components bisimilar to ``other``, or do they simulate each other?

    Strong equivalences of the initial states, by the names of actions; labels and values of states do not count. No
    system is completed for actions that it does not mention.
    """

    components: tuple[Lpts, ...]
    other: Lpts
    relation: Literal["bisimulation", "simulation"]


Problem = SimulationProblem | QuantitativeProblem | EquivalenceProblem | TripleProblem
