"""Re-check of trees: the components can run them, and they violate the property."""

from __future__ import annotations

from symag.core.limits import Deadline
from symag.lpts.certificates.assumptions import TreeCounterexample
from symag.lpts.certify.safety_formulas import check_violation
from symag.lpts.certify.simulations import check_tree
from symag.lpts.certify.weights import of_another_kind
from symag.lpts.lpts import Lpts
from symag.lpts.problems import Problem, SimulationProblem

CERTIFICATE = TreeCounterexample


def check(problem: Problem, certificate: TreeCounterexample, deadline: Deadline) -> None:
    """See ``symag.lpts.certify.kinds``."""
    if not isinstance(problem, SimulationProblem):
        raise of_another_kind()
    if isinstance(problem.specification, Lpts):
        check_tree(problem.components, problem.specification, certificate, deadline)
    else:
        check_violation(problem.components, problem.specification, certificate, deadline)
