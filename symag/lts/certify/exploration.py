"""Re-check of a claim without evidence: all reachable states are explored again."""

from __future__ import annotations

from symag.core.limits import Deadline
from symag.lts.certificates import ExplorationClaim
from symag.lts.certify.properties import check_absence
from symag.lts.language.systems import System
from symag.lts.questions import CompositeQuestion

CERTIFICATE = ExplorationClaim


def check(system: System, question: CompositeQuestion, certificate: ExplorationClaim, deadline: Deadline) -> None:
    """See ``kinds``."""
    check_absence(system, question, deadline)
