"""Uses clauses and formulas of an earlier proof: PDR begins with those that are still inductive together."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.smv.certificates.formulas import BitLiteral
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr import decision as pdr
from symag.smv.methods.reuse.together import clause_literals, inductive_subset, readable
from symag.smv.methods.sat.problem import problem_of
from symag.smv.model.flat import FlatSystem, Property


def decide(
    system: FlatSystem,
    property: Property,
    clauses: Sequence[tuple[BitLiteral, ...]],
    texts: Sequence[str],
    options: SmvOptions,
    progress: Progress,
) -> PropertyResult | None:
    """Decide an invariant by PDR, which begins with the inductive ones of these facts; None if none is inductive.

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
