"""Chooses how a proof of an earlier version of a model is used again, by the kind of its certificate."""

from __future__ import annotations

from symag.core.errors import UnsupportedError
from symag.core.limits import Progress
from symag.core.results import PropertyResult
from symag.smv.certificates.assume_guarantee import AssumeGuarantee
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.invariants import Induction, InductiveFacts, InductiveSet
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.reuse import assumptions, clauses, sets
from symag.smv.model.flat import FlatSystem, Property


class EarlierEvidence:
    """Decides properties of one system from certificates of an earlier version; their common work is done once."""

    def __init__(self, system: FlatSystem, options: SmvOptions) -> None:
        self._system = system
        self._options = options
        self._sets = sets.EnlargedSets(system, options)

    def decide(self, property: Property, earlier: Certificate, progress: Progress) -> PropertyResult | None:
        """Decide an invariant from a certificate of an earlier version of the system; None if it does not help.

        Nothing of the certificate is trusted: what no longer holds is dropped or enlarged, and the result has a
        certificate of its own. ``notes`` say what was used. Raises InputError and MemoryExhausted, and
        UnsupportedError for other properties and other kinds of certificates.
        """
        system, options = self._system, self._options
        match earlier:
            case Induction():
                return clauses.decide(system, property, earlier.clauses, earlier.lemmas, options, progress)
            case InductiveFacts():
                return clauses.decide(system, property, (), earlier.facts, options, progress)
            case InductiveSet():
                return self._sets.decide(property, earlier, progress)
            case AssumeGuarantee():
                return assumptions.decide(system, property, earlier, options, progress)
        raise UnsupportedError(f"the proof is of the kind {earlier.kind}, which is only re-checked as it is")


def decide(
    system: FlatSystem, property: Property, earlier: Certificate, options: SmvOptions, progress: Progress
) -> PropertyResult | None:
    """``EarlierEvidence.decide`` for one property."""
    return EarlierEvidence(system, options).decide(property, earlier, progress)
