"""Verdicts and results, which every method returns and every front end shows."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct, field

from symag.core.trace import Trace

if TYPE_CHECKING:
    # It imports fractions and decimals, which only answers with bounds need.
    from symag.core.value_bounds import ValueBounds


class Reason(enum.Enum):
    """Why an answer is unknown. ``OTHER`` stands for a text that a method words itself.

    In results and in JSON a reason is the text ``KIND`` or ``KIND: DETAIL``; scripts read the kind, people the detail.
    """

    TIMEOUT = "timeout"
    MEMORY = "memory"
    DISK = "disk"
    BOUND = "bound"
    INTERRUPTED = "interrupted"
    OVERTAKEN = "overtaken"
    UNSUPPORTED = "unsupported"
    BAD_INPUT = "bad input"
    REFUSED = "re-check refused"
    CRASHED = "crashed"
    INTERNAL_ERROR = "internal error"
    OTHER = ""

    def text(self, detail: str = "") -> str:
        """The reason as a text of results and JSON."""
        return f"{self.value}: {detail}" if detail else self.value


def kind_of(reason: str | None) -> Reason | None:
    """The kind of a reason; None for None."""
    if reason is None:
        return None
    word = word_of(reason)
    return next((kind for kind in Reason if kind.value == word), Reason.OTHER)


def word_of(reason: str) -> str:
    """The text before the detail: the ``reason`` of the JSON contract."""
    return reason.partition(":")[0]


class Evidence(Protocol):
    """A plain value that separate code can re-check; ``kind`` names its form."""

    @property
    def kind(self) -> str:
        """The form, such as ``inductive-set``."""


class Verdict(enum.Enum):
    """The answer to one property. ``UNKNOWN`` always comes with a reason."""

    HOLDS = "holds"
    VIOLATED = "violated"
    UNKNOWN = "unknown"
    COMPUTED = "computed"


class RaceEntry(Struct, frozen=True):
    """What one method of a race did about one property.

    ``outcome`` is ``decided`` for the winner, else the reason why it gave no answer (``overtaken``, ``timeout``,
    ``bound: ...``). ``seconds`` is wall-clock time since its start. ``figures`` say how far it was: frames, depth,
    nodes, by the names that statistics have; ``last_progress`` is its last line of progress.
    """

    method: str
    outcome: str
    seconds: float
    cpu_seconds: float
    figures: Mapping[str, int | float] = field(default_factory=dict)
    last_progress: str = ""

    def to_json(self) -> dict[str, Any]:
        """The entry of ``race`` in the JSON contract."""
        return {
            "method": self.method,
            "outcome": self.outcome,
            "seconds": round(self.seconds, 4),
            "cpu_seconds": round(self.cpu_seconds, 4),
            "figures": dict(self.figures),
            "last_progress": self.last_progress,
        }


class PropertyResult(Struct, frozen=True):
    """The result of one method for one property.

    ``method`` names the method that decided. ``reason`` is given exactly when the verdict is unknown
    (``timeout``, ``memory``, ``unsupported: ...``). ``certificate`` is the evidence of ``holds`` (for a
    probabilistic system that of ``violated`` too), ``trace`` that of ``violated``; ``certified`` says that separate
    code has accepted it.
    ``statistics`` maps names such as ``bdd_nodes_peak`` or ``assumption_states`` to numbers.
    ``notes`` are lines with facts beyond the evidence: which component violates, which proof is reused.
    ``refused_evidence`` is the file with evidence that a re-check refused (see ``symag.core.evidence.refusals``).
    ``race`` are the methods that ran, in the order in which they ended, if several could.
    ``constants`` are the values in this result of constants for which several values were given.
    ``bounds`` are those of a computed probability or reward, which has no ``value``.
    ``curve`` are the corners of a computed curve, as texts: the bound of an assumption, and the best of the guarantee.
    ``assumption_runs`` gives, for each assumption that was learned before the violation appeared, its state before each
    step of the trace, as text; the steps after the violation may be missing.
    ``others`` is the evidence that other properties hold, by their indices, if the same search has it; None for one
    that it knows to be violated, without a trace.
    """

    verdict: Verdict
    method: str
    reason: str | None = None
    value: int | str | None = None
    trace: Trace | None = None
    certificate: Evidence | None = None
    certified: bool = False
    warnings: tuple[str, ...] = ()
    statistics: Mapping[str, Any] = field(default_factory=dict)
    refused_evidence: str | None = None
    notes: tuple[str, ...] = ()
    race: tuple[RaceEntry, ...] = ()
    bounds: ValueBounds | None = None
    constants: tuple[tuple[str, str], ...] = ()
    assumption_runs: tuple[tuple[str, ...], ...] = ()
    curve: tuple[tuple[str, str], ...] = ()
    others: Mapping[int, Evidence | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (self.verdict is Verdict.UNKNOWN) != (self.reason is not None):
            raise ValueError("a reason belongs to an unknown verdict and to no other")
