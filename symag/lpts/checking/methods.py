"""The methods for probabilistic systems by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from symag.core.limits import Progress
from symag.core.tables import AUTO, Methods, SameAs
from symag.lpts.methods.options import LptsOptions

if TYPE_CHECKING:
    # Only for their names: they need numpy, which takes time to import.
    from symag.lpts.methods.simulation.question import SimulationOutcome
    from symag.lpts.problems import SimulationProblem


class Decide(Protocol):
    """Decides one problem; runs in a child process."""

    def __call__(self, problem: SimulationProblem, options: LptsOptions, progress: Progress) -> SimulationOutcome: ...


MONOLITHIC = "monolithic"
AGAR = "agar"
#: Decides only what is asked of a whole system in a file of triples, by the triples before it.
TRIPLES = "triples"

#: Adding a method is one file and one line here.
METHODS: Methods[Decide] = Methods(
    {
        MONOLITHIC: "symag.lpts.methods.monolithic",
        "cegar": "symag.lpts.methods.agar:cegar",
        AGAR: "symag.lpts.methods.agar:agar",
        "agar-n": "symag.lpts.methods.agar:agar_n",
        TRIPLES: "symag.lpts.methods.triples.deciding:decide_by_rule",
        AUTO: SameAs(MONOLITHIC, rival=AGAR),
    }
)
