"""The method ``circular``: circular assume-guarantee reasoning with n parts, whose assumptions a SAT solver finds.

Every part gives a guarantee as long as the others keep theirs; no order of the parts is needed.

Reference: K. A. Elkader, O. Grumberg, C. S. Pasareanu and S. Shoham, "Automated Circular Assume-Guarantee
Reasoning with N-way Decomposition and Alphabet Refinement" (CAV 2016). Two groups make the rule of two parts, of
the same authors (FM 2015).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from symag.core.errors import UsageError
from symag.core.grouping import parts
from symag.core.limits import Progress
from symag.core.results import Verdict
from symag.lts.certificates import LabelledAssumption, LabelledAssumptions
from symag.lts.composition import composed
from symag.lts.lts import Lts
from symag.lts.methods.circular.premises import GuaranteeSets, maximal_sets, minimal_sets
from symag.lts.methods.circular.projected_component import TableAutomaton
from symag.lts.methods.circular.search import CircularProof, CircularSearch, interfaces
from symag.lts.methods.options import LtsOptions
from symag.lts.safety_problem import SafetyOutcome, SafetyProblem
from symag.lts.view import universal


def decide(problem: SafetyProblem, options: LtsOptions, progress: Progress) -> SafetyOutcome:
    """Whether the composition satisfies the property. Raises UsageError and MemoryError."""
    chosen = parts(len(problem.components), options.groups, options.order)
    made = []
    for part in chosen:
        members = [problem.components[k] for k in part]
        made.append(members[0] if len(members) == 1 else composed(members, " || ".join(m.name for m in members)).lts)
    sets = _guarantee_sets(options, interfaces(made, problem.property))
    search = CircularSearch(
        made,
        problem.property,
        sets,
        progress,
        refine=options.alphabet_refinement,
        selectors=options.selectors,
    )
    decision = search.decided()
    statistics = {
        "parts": len(made),
        "part_states_max": max(component.states for component in made),
        **asdict(search.figures),
    }
    if isinstance(decision, CircularProof):
        return SafetyOutcome(Verdict.HOLDS, certificate=_certificate(chosen, decision), statistics=statistics)
    last = tuple(_assumption_of(search.assumptions, k) for k in range(len(chosen)))
    return SafetyOutcome(Verdict.VIOLATED, word=decision, statistics=statistics, assumptions=last)


def _guarantee_sets(options: LtsOptions, alphabets: tuple[frozenset[str], ...]) -> GuaranteeSets:
    if options.guarantee_sets == "maximal":
        return maximal_sets(len(alphabets))
    if options.guarantee_sets == "minimal":
        return minimal_sets(alphabets)
    sets = options.guarantee_sets
    if len(sets) != len(alphabets):
        raise UsageError(f"guarantees are given for {len(sets)} parts; there are {len(alphabets)}")
    for index, members in enumerate(sets):
        if index in members or not set(members) <= set(range(len(alphabets))):
            raise UsageError(f"part {index} may rely on others of the {len(alphabets)} parts only, not on {members}")
    return tuple(frozenset(members) for members in sets)


def _certificate(chosen: tuple[tuple[int, ...], ...], proof: CircularProof) -> LabelledAssumptions:
    places = range(len(chosen))
    return LabelledAssumptions(
        "circular",
        chosen,
        tuple(LabelledAssumption.of(_assumption_of(proof.assumptions, k)) for k in places),
        tuple(tuple(sorted(proof.used.get(k, ()))) for k in places),
    )


def _assumption_of(assumptions: Mapping[int, TableAutomaton], part: int) -> Lts:
    """The assumption of a part; one over no action if the simplified rule does not use any."""
    return assumptions[part].as_lts() if part in assumptions else universal(())
