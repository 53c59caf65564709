"""k-liveness: LTL, PSL, and CTL that is LTL by PDR, with a count of the times that a run is fair.

Source: Claessen, Sorensson, "A liveness checking algorithm that counts" (FMCAD 2012).

The system with the tableau of the negated formula has no fair run exactly if, for some k, none of its runs meets all
fairness conditions more than k times, as it has finitely many states. That is an invariant of the product with a
monitor (see ``BoundedFairness``). It doubles no latches, as liveness to safety does, but it only proves: for a violated
formula there is no such k.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from symag.core.errors import UnsupportedError
from symag.core.limits import Progress
from symag.core.results import PropertyResult
from symag.core.values import replace
from symag.smv.certificates.temporal import COUNT, SEEN, BoundedFairness
from symag.smv.circuits.blasting import Blasting
from symag.smv.circuits.failures import refuse_failures
from symag.smv.circuits.transitions import Latch, reduced
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr.decision import SOLVER, clauses_of
from symag.smv.methods.pdr.encoding import PdrEncoding
from symag.smv.methods.pdr.search import Pdr, PdrProof
from symag.smv.methods.sat.answers import holds, unknown
from symag.smv.methods.sat.problem import ReachabilityProblem, has_start
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.printer import expression_text
from symag.smv.model.properties import in_its_logic
from symag.smv.model.typed import Expression
from symag.smv.temporal.claims import linear_claim
from symag.smv.temporal.tableau import LinearProduct, product

#: The numbers k that are tried.
BOUNDS = (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32)


def decide(
    system: FlatSystem,
    property: Property,
    options: SmvOptions,
    progress: Progress,
    lemmas: Sequence[Expression] = (),
) -> PropertyResult:
    """Prove LTL, PSL, or CTL that is LTL (see ``linear_claim``); ``unknown`` with the reason ``bound`` if no number in
    ``BOUNDS`` is enough, as for violated formulas.

    Raises InputError, and UnsupportedError for other properties.
    """
    started = time.process_time()
    claim = linear_claim(system, property)
    if claim is None:
        stated = in_its_logic(property)
        raise UnsupportedError(property.unsupported or f"{stated.kind} by k-liveness")
    automaton = product(*claim)
    queries = 0
    for bound in BOUNDS:
        problem = _problem(system, property, automaton, bound, options.cone_of_influence)
        encoding = PdrEncoding(problem, SOLVER)
        search = Pdr(encoding)

        def report(top: int, bound: int = bound) -> None:
            progress(f"fair at most {bound} times: frame {top}")

        answer = search.run(report)
        queries += search.frames.queries
        search.close()
        figures = {"bound": bound, "queries": queries, "cpu_seconds": round(time.process_time() - started, 3)}
        if isinstance(answer, PdrProof):
            certificate = BoundedFairness(
                bound,
                tuple((name, expression_text(meaning)) for name, meaning in automaton.meanings),
                tuple(expression_text(formula) for formula in automaton.eventualities),
                clauses_of(problem, encoding, answer.cubes),
            )
            return holds(problem, "k-liveness", certificate, {**figures, "clauses": len(answer.cubes)})
    return unknown(problem, "k-liveness", f"bound: some runs are fair {BOUNDS[-1] + 1} times", figures)


def _problem(
    system: FlatSystem, target: Property, automaton: LinearProduct, bound: int, coi: bool
) -> ReachabilityProblem:
    """Does some run of the product meet all conditions more than ``bound`` times?"""
    blasting = Blasting(automaton.system)
    graph = blasting.graph
    conditions = [blasting.truth(condition.expression) for condition in automaton.system.justice]
    refuse_failures(blasting)
    plain = blasting.circuit
    seen = [graph.input() for _ in conditions]
    count = [graph.input() for _ in range(bound + 1)]
    since = [graph.disjunction(before, met) for before, met in zip(seen, conditions, strict=True)]
    every = graph.all(since)
    latches = [
        Latch(own >> 1, graph.conjunction(every ^ 1, met), False, (SEEN, index))
        for index, (own, met) in enumerate(zip(seen, since, strict=True))
    ]
    for index, own in enumerate(count):
        counted = every if index == 0 else graph.conjunction(every, count[index - 1])
        latches.append(Latch(own >> 1, graph.disjunction(own, counted), False, (COUNT, index)))
    whole = replace(plain, latches=(*plain.latches, *latches))
    bad = count[-1]
    # The tableau constrains every run, so its variables are roots of the cone.
    added = [bit for name in automaton.system.by_name if name not in system.by_name for bit in plain.values[name]]
    circuit = reduced(whole, [bad, *added]) if coi else whole
    starts = has_start(plain) or has_start(Blasting(system).circuit)
    return ReachabilityProblem(system, target, blasting, whole, circuit, bad, has_start=starts)
