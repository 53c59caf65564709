"""The outcome of an assume-guarantee method on a safety problem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from symag.core.results import Verdict
from symag.lts.certificates import LabelledCertificate
from symag.lts.lts import Lts


@dataclass(frozen=True, slots=True)
class SafetyOutcome:
    """``holds`` with a certificate, ``violated`` with a word, or ``unknown`` with a reason.

    The word consists of visible actions of the problem's components, with as many of the private ones as the method
    knows, and leads to a violation. ``assumptions`` are the last ones before it was found. ``statistics`` has numbers
    under the names of the papers' tables: assumption_states_max, assumption_states, iterations, membership_queries,
    equivalence_queries, refinements, interface_alphabet, assumption_alphabet, largest_lts_states,
    largest_lts_transitions, and others.
    """

    verdict: Verdict
    word: tuple[str, ...] | None = None
    reason: str | None = None
    certificate: LabelledCertificate | None = None
    statistics: Mapping[str, int | float] = field(default_factory=dict)
    assumptions: tuple[Lts, ...] = ()

    def __post_init__(self) -> None:
        if (self.verdict is Verdict.VIOLATED) != (self.word is not None):
            raise ValueError("a word belongs to a violation and to nothing else")
        if (self.verdict is Verdict.UNKNOWN) != (self.reason is not None):
            raise ValueError("a reason belongs to an unknown verdict and to no other")
        if self.certificate is not None and self.verdict is not Verdict.HOLDS:
            raise ValueError("a certificate belongs to what holds")
