"""A system in which a quotient replaces a part."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from symag.core.limits import Progress
from symag.lts.checking.by_parts.safety import resolved_options
from symag.lts.language.composites import System
from symag.lts.lts import ERROR, TAU, Lts
from symag.lts.methods.options import LtsOptions
from symag.lts.methods.quotient.method import replacement
from symag.lts.safety_problem import SafetyProblem, safety_problem


class WithQuotient(Struct, frozen=True, eq=False):
    """``system`` has the quotient as its last component. The replaced part has this many ``states``, the quotient this
    many ``classes``, after this many ``steps``; ``is_exact``: the refinement has reached its end.
    """

    system: System
    states: int
    classes: int
    steps: int
    is_exact: bool


def with_quotient(system: System, options: LtsOptions, seconds: float | None, progress: Progress) -> WithQuotient:
    """The system with a quotient: ERROR can be reached in it exactly if it can be in the given system.

    Nothing else is preserved, so nothing is hidden or minimised in it. Refinement runs to its end, or until
    ``options.steps`` or this many seconds are over. Raises UsageError, UnsupportedError and MemoryError.
    """
    problem = safety_problem(system)
    smaller = replacement(problem, resolved_options(problem, options, progress), progress, seconds)
    replaced = {problem.indices[number] for number in smaller.replaced}
    others = [lts for index, lts in enumerate(system.components) if index not in replaced]
    result = System(
        f"{system.name}_with_quotient",
        (*others, _failing(problem, smaller.quotient)),
        priority=None,
        hidden=None,
        expose=False,
        kinds=frozenset(),
    )
    return WithQuotient(result, smaller.n.states, smaller.quotient.states, smaller.steps, smaller.is_exact)


def _failing(problem: SafetyProblem, quotient: Lts) -> Lts:
    """The quotient with silent moves to ERROR instead of the fresh actions that replaced ERROR in components."""
    alphabet = [label for label in quotient.alphabet if label not in problem.failures]
    fails = np.array([label in problem.failures for label in quotient.alphabet])[quotient.action]
    number = {label: action for action, label in enumerate(alphabet)}
    action = np.array([number.get(label, TAU) for label in quotient.alphabet], dtype=np.int64)[quotient.action]
    target = np.where(fails, ERROR, quotient.target)
    return Lts.of_arrays("QUOTIENT", alphabet, quotient.states, quotient.source, action, target)
