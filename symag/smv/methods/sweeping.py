"""Decides invariants by signal correspondence, then PDR on the circuit in which equal signals are merged.

The search for equal signals is given up after a time in proportion to the circuit. What it takes where it ends, CPU
seconds, 27 Nov 2026, AMD EPYC, 2 cores, single runs (``models/TABLES.md`` has what it wins):

=================  ======  =======  =========
AIGER, SMV suites   nodes  seconds  merged
=================  ======  =======  =========
6s54                15216     14.6  394
139454p1            13537      6.5  2448
oc8051gm06iram      12094      3.6  147
139452p6             6318      2.6  1336
b12_p2               1985      0.9  123
histogram_1          1039      0.9  143
pdtpmsgoodbakery     2591      0.4  1069
eijkbs1512           1222      0.2  488
zipcpu-busdelay      3714      0.1  16
miter_d_4             520     0.03  63
=================  ======  =======  =========
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from symag.core.limits import Progress, ProgressFigures
from symag.core.results import PropertyResult, Reason, Verdict
from symag.core.values import replace
from symag.smv.certificates.formulas import BitClause
from symag.smv.certificates.invariants import SignalCorrespondence
from symag.smv.circuits.equivalence.correspondence import equal_signals
from symag.smv.circuits.equivalence.merging import merged
from symag.smv.circuits.graph import INPUT
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr.decision import SOLVER, clauses_of
from symag.smv.methods.pdr.decision import decide as decide_by_pdr
from symag.smv.methods.pdr.encoding import PdrEncoding
from symag.smv.methods.pdr.search import Pdr, PdrProof
from symag.smv.methods.sat.answers import holds, violated
from symag.smv.methods.sat.problem import ReachabilityProblem, problem_of
from symag.smv.model.flat import FlatSystem, Property

#: The CPU seconds after which the search for equal signals is given up: for any circuit, for each node, and at most.
ANY, EACH, MOST = 2.0, 0.001, 60.0


#: With ``brief``: the share of the latches that equal older signals at least, else PDR alone is as good. What sweeping
#: alone decides soon has more: miter_d_4 5 of 63, eijkbs1512 80 of 158, pdtpmsgoodbakery 24 of 92. miter_pipe_6, perm8,
#: hs32 and cal35 have none, zipcpu-busdelay 2 of 294: known after 0.02 s at most.
WORTHWHILE = 1 / 16

#: What a brief search says of a circuit that it leaves to others.
FEW_EQUAL = "few latches are known to be equal to others"


def seconds_for(nodes: int) -> float:
    """The CPU seconds that the search for equal signals may take: see the table above."""
    return min(ANY + EACH * nodes, MOST)


def decide(system: FlatSystem, property: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    """Decide an invariant, of states or transitions, or ``AG p``.

    ``holds`` comes with the equal signals and PDR's clauses, ``violated`` with a trace. Circuits whose search for equal
    signals takes too long are left to PDR alone; with ``options.brief`` they are not searched, nor are those with few
    equal latches: ``unknown`` with the reason ``bound``. Raises InputError, and UnsupportedError for other properties.
    """
    started = time.process_time()
    problem = problem_of(system, property, (), options.cone_of_influence)
    leaves = _leaves(problem)
    roots = [problem.bad]
    fewest = WORTHWHILE * len(problem.circuit.latches) if options.brief else 0.0
    equal = equal_signals(problem.circuit, roots, leaves.keys(), options.seed, seconds_for, fewest)
    if equal is None and options.brief:
        return PropertyResult(Verdict.UNKNOWN, "sweeping", reason=Reason.BOUND.text(FEW_EQUAL))
    if equal is None:
        progress("no equal signals: by PDR alone")
        return replace(decide_by_pdr(system, property, options, progress), method="sweeping")
    smaller = merged(problem.circuit, equal, roots)
    latches = len(smaller.circuit.latches)
    progress(ProgressFigures(f"{len(equal)} signals merged, {latches} latches left", {"merged": len(equal)}))
    encoding = PdrEncoding(replace(problem, circuit=smaller.circuit, bad=smaller.roots[0]), SOLVER)
    search = Pdr(encoding)
    answer = search.run(lambda top: progress(f"frame {top}"))
    search.close()
    figures = {
        "merged": len(equal),
        "latches_left": latches,
        "frames": search.frames.top,
        "cpu_seconds": round(time.process_time() - started, 3),
    }
    if isinstance(answer, PdrProof):
        clauses = clauses_of(problem, encoding, answer.cubes)
        return holds(problem, "sweeping", _certificate(problem, equal, leaves, clauses), figures)
    result = violated(problem, "sweeping", answer, figures)
    if result is not None:
        return result
    progress("the run is not a counterexample for the whole system yet: by PDR alone")
    return replace(decide_by_pdr(system, property, options, progress), method="sweeping")


def _leaves(problem: ReachabilityProblem) -> dict[int, tuple[str, int, int]]:
    """The latches and inputs that are bits of variables: the variable, the bit's number, and 1 for its negation."""
    graph = problem.circuit.graph
    return {
        literal >> 1: (name, index, literal & 1)
        for name, bits in problem.circuit.values.items()
        for index, literal in enumerate(bits)
        if graph.is_input(literal)
    }


def _certificate(
    problem: ReachabilityProblem,
    equal: Mapping[int, int],
    leaves: Mapping[int, tuple[str, int, int]],
    clauses: tuple[BitClause, ...],
) -> SignalCorrespondence:
    graph = problem.circuit.graph
    nodes = graph.cone([*(2 * node for node in equal), *equal.values()])
    bits = [node for node in nodes if graph.left[node] == INPUT]
    image = {0: 0}
    for number, node in enumerate(bits, start=1):
        image[node] = 2 * number + leaves[node][2]
    gates: list[tuple[int, int]] = []

    def of(literal: int) -> int:
        return image[literal >> 1] ^ (literal & 1)

    for node in nodes:
        if graph.left[node] != INPUT:
            gates.append((of(graph.left[node]), of(graph.right[node])))
            image[node] = 2 * (len(bits) + len(gates))
    return SignalCorrespondence(
        tuple(leaves[node][:2] for node in bits),
        tuple(gates),
        tuple((of(2 * node), of(older)) for node, older in equal.items()),
        clauses,
    )
