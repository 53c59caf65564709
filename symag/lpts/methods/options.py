"""The methods for probabilistic systems by name, and the options that they read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

from symag.core.limits import Progress
from symag.core.options import Options, option
from symag.core.tables import AUTO, Methods, SameAs

if TYPE_CHECKING:
    # Only for their names: they need numpy, which takes time to import.
    from symag.lpts.methods.simulation.question import SimulationOutcome
    from symag.lpts.problems import SimulationProblem

_BY_PARTS = ("agar", "agar-n")


class LptsOptions(Options, frozen=True):
    """``group_names`` and ``order_names`` define the parts of the assume-guarantee rules, as the user writes them.

    ``groups``, ``order`` and ``smallest_first`` are their meaning for one problem: numbers of components (see
    ``symag.core.grouping.parts``); without an ``order``, the components with the fewest states come first if
    ``smallest_first``.
    """

    engine: Literal["blocks", "worklist", "textbook", "smt"] = option(
        "blocks", "How simulations are decided; smt needs the extra z3."
    )
    assumptions: Literal["separate", "joint"] = option(
        "separate",
        "An assumption for each part by itself, or as the paper has it: one for all parts, or nested ones.",
        methods=_BY_PARTS,
    )
    conflicts: int = option(
        16,
        "Each check of the first premise gives at most N counterexamples, by which separate assumptions are refined.",
        methods=_BY_PARTS,
        least=1,
        metavar="N",
    )
    groups: tuple[tuple[int, ...], ...] = ()
    order: tuple[int, ...] = ()
    smallest_first: bool = False
    group_names: tuple[str, ...] = option(
        (),
        "Components that are one part, by name or number (A,B,3); others are parts of their own.",
        flag="--group",
        keyword="groups",
        methods=_BY_PARTS,
        metavar="NAMES",
    )
    order_names: str | None = option(
        None,
        "Components, as in --group, whose parts come first; smallest puts those with the fewest states first.",
        flag="--order",
        keyword="order",
        methods=_BY_PARTS,
        metavar="NAMES",
    )


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
