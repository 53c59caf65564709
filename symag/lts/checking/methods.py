"""The methods for labelled transition systems by name.

``monolithic`` decides every kind of question: ``decide(system, questions, progress)``. The others decide whether ERROR
can be reached: ``decide(problem, options, progress)``. ``reduce`` decides deadlock and progress too, ``agar`` progress
and assertions: see ``symag.lts.checking.by_parts``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from symag.core.limits import Progress
from symag.core.tables import AUTO, Methods, SameAs
from symag.lts.methods.options import LtsOptions

if TYPE_CHECKING:
    # Only for their names: they need numpy, which takes time to import.
    from symag.lts.safety_problem import SafetyOutcome, SafetyProblem

#: Decides one safety problem; it runs in a child process.
Decide = Callable[["SafetyProblem", LtsOptions, Progress], "SafetyOutcome"]

MONOLITHIC = "monolithic"
AGAR = "agar"

#: Adding a method is one file and one line here.
METHODS: Methods[Decide] = Methods(
    {
        MONOLITHIC: "symag.lts.methods.monolithic",
        "lstar": "symag.lts.methods.lstar.method",
        AGAR: "symag.lts.methods.agar",
        "reduce": "symag.lts.methods.reduce.method",
        "quotient": "symag.lts.methods.quotient.method",
        "circular": "symag.lts.methods.circular.method",
        AUTO: SameAs(MONOLITHIC, "reduce"),
    }
)

_SAFETY = ("safety",)
_KINDS = {
    MONOLITHIC: ("deadlock", "safety", "progress", "assert"),
    "reduce": ("deadlock", "safety", "progress"),
    AGAR: ("safety", "progress", "assert"),
}


def kinds_decided(method: str) -> tuple[str, ...]:
    """The kinds of questions that a method decides: its own name, not that of an entry that stands for another."""
    return _KINDS.get(method, _SAFETY)
