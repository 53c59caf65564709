"""Evidence for an LTL formula: no run of its negation comes back to a state after all fairness conditions were met."""

from __future__ import annotations

from dataclasses import dataclass

from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.clauses import Clauses
from symag.smv.certificates.diagrams import Bit, NamedText

#: The names of the monitor's bits in clauses: the three last have a number.
SAVED = "LOOP.saved"
MET = "LOOP.met"
PREMISE = "LOOP.premise"
CONCLUSION = "LOOP.conclusion"

#: Before the name of a variable or an observer: the bits of its copy.
COPY = "LOOP.copy."


@dataclass(frozen=True, slots=True)
class NoFairLasso(Certificate):
    """An LTL formula holds: a search for fair lassos of its negation as an invariant (Biere, Artho, Schuppan, 2002).

    ``observers`` and ``eventualities`` are those of ``FairEmptiness``; the conditions are the system's JUSTICE, then
    the eventualities. A monitor runs beside the system and the observers. At one state, which is free to be any, bit
    ``LOOP.saved``, FALSE at first, becomes TRUE for ever after, and the bits ``copied`` (of state variables and
    observers) are copied to bits whose names begin with ``LOOP.copy.``, which keep their values else. From that state
    on, it included, ``LOOP.met`` i remembers that condition i was met, ``LOOP.premise`` j and ``LOOP.conclusion`` j
    that the two sides of COMPASSION j were; they are FALSE at first. A state closes a lasso if ``LOOP.saved`` and all
    of ``LOOP.met`` are TRUE, for every j ``LOOP.premise`` is FALSE or ``LOOP.conclusion`` TRUE, and the copied bits
    have the values of their copies. To check: the ``clauses`` are true where a run that violates the formula begins,
    every transition keeps them true, and no state in which they are true closes a lasso. Then no such run is fair,
    whichever bits are copied: one valuation of them comes back again and again.
    """

    copied: tuple[Bit, ...]
    observers: tuple[NamedText, ...]
    eventualities: tuple[str, ...]
    clauses: Clauses
    kind: str = "no-fair-lasso"

    def summary(self) -> str:
        return "no fair lasso, with"
