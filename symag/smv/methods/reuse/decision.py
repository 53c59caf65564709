"""Chooses how a proof of an earlier version of a model is used again, by the kind of its certificate."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from symag.core.errors import UnsupportedError
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.smv.certificates.assume_guarantee import AssumeGuarantee
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.formulas import BitLiteral
from symag.smv.certificates.invariants import Induction, InductiveFacts, InductiveSet
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr import decision as pdr
from symag.smv.methods.reuse import assumptions, sets
from symag.smv.methods.reuse.together import clause_literals, inductive_subset, readable
from symag.smv.methods.sat.problem import problem_of
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
                return _from_facts(system, property, earlier.clauses, earlier.lemmas, options, progress)
            case InductiveFacts():
                return _from_facts(system, property, (), earlier.facts, options, progress)
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


def _from_facts(
    system: FlatSystem,
    property: Property,
    clauses: Sequence[tuple[BitLiteral, ...]],
    texts: Sequence[str],
    options: SmvOptions,
    progress: Progress,
) -> PropertyResult | None:
    """Decide an invariant by PDR, which begins with the facts that are inductive together; None if none is.

    ``clauses`` are over bits of variables, ``texts`` are boolean expressions over states. Those that name a variable
    or constant that the system does not have are dropped. Raises InputError, and UnsupportedError for other properties.
    """
    started = time.process_time()
    readings = readable(system, texts)
    problem = problem_of(system, property, list(readings.values()), options.cone_of_influence)
    stated = clause_literals(problem.circuit, clauses)
    inductive = inductive_subset(problem.circuit, (*problem.lemmas, *stated.values()))
    lemmas = [
        (formula, literal)
        for formula, literal in zip(readings.values(), problem.lemmas, strict=True)
        if literal in inductive
    ]
    still = [clause for clause, literal in stated.items() if literal in inductive]
    if not lemmas and not still:
        return None
    progress(f"{len(lemmas) + len(still)} of {len(texts) + len(clauses)} facts of the earlier proof are inductive")
    with_lemmas = replace(problem, lemmas=tuple(literal for _, literal in lemmas))
    result = pdr.solve(with_lemmas, [formula for formula, _ in lemmas], progress, started, clauses=still)
    if result.verdict is not Verdict.HOLDS:
        return result
    used = f"{len(lemmas) + len(still)} of its {len(texts) + len(clauses)} clauses and formulas are inductive"
    return replace(result, notes=(*result.notes, used))
