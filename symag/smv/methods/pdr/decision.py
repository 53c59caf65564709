"""Decides invariants by PDR, and by liveness to safety LTL, PSL, and CTL that is LTL.

The choice of the solver: CPU seconds of the search alone, one solver for each frame, 29 Nov 2026, slow host, 2 busy
cores, single runs:

=====================  ==========  =========  ========  ==========
circuit                minisat-gh  minisat22  glucose4  cadical153
=====================  ==========  =========  ========  ==========
pdtvisrethersqo4           33.8        15.6      17.5       > 40
avr_sw_ball2004_2          10.5        10.8      10.1        26.6
Heap (HWMCC 2019)           3.2         4.0       3.6         4.1
avr_AR                      0.6         0.8       1.1         0.9
cal35                       0.2         0.2       0.3         0.3
zipcpu-busdelay             0.4         0.4       0.5         0.3
avr_seq                     0.2         0.2       0.2         0.3
vsaR_p07                    0.3         0.3       0.4         0.3
qspiflash                   0.3         0.2       0.2         0.2
sby_fib                     5.4         5.8       5.1           -
vis_arrays_buf_bug          4.2         4.7      > 40           -
cal185 (AVR)                5.0         4.8       4.4           -
gen49 (AVR)                 3.7         3.5       5.2           -
=====================  ==========  =========  ========  ==========

Lemmas are pushed into a new frame before its bad states are blocked. Without that gen49 takes 8.4, cal185 6.9, AVR's
gen5 9.0 instead of 5.4, but rethersqo4 8.9, 19.0 and 13.2 with the first three solvers.

With counterexamples to generalisation for every cube the first nine, with avr_Heap for Heap, took 1.1 to 20 times as
long on 22 Nov 2026 (vsaR_p07 6.3, avr_Heap 11.8); only sw_ball gained. So they are used for cubes that come back (see
``generalisation``).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

from symag.core.limits import Progress, ProgressFigures
from symag.core.results import PropertyResult
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.formulas import BitLiteral
from symag.smv.certificates.invariants import Induction
from symag.smv.methods import simulation
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr.encoding import Cube, PdrEncoding
from symag.smv.methods.pdr.search import Pdr, PdrProof
from symag.smv.methods.pdr.session import KnownClauses, inductive
from symag.smv.methods.sat.answers import holds, violated
from symag.smv.methods.sat.lemmas import lemmas_for
from symag.smv.methods.sat.liveness import no_fair_lasso
from symag.smv.methods.sat.posing import harder, posed
from symag.smv.methods.sat.problem import ReachabilityProblem, SharedCircuit
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.printer import flat_expression_text
from symag.smv.model.typed import Expression

#: The solver of the frames: see the table above.
SOLVER = "minisat-gh"


def decide(
    system: FlatSystem,
    property: Property,
    options: SmvOptions,
    progress: Progress,
    lemmas: Sequence[Expression] = (),
    solver: str = SOLVER,
) -> PropertyResult:
    """Decide an invariant, ``AG p``, LTL, PSL, or CTL that is LTL (see ``linear_claim``).

    ``lemmas`` are conditions on states that are known to be inductive together; ``options.facts`` adds those that
    ``symag.smv.facts`` finds. They confine the search and become part of the certificate. ``holds`` comes with clauses
    over the model's state bits (and those of a search for lassos), ``violated`` with a trace. Raises InputError, and
    UnsupportedError for other properties.
    """
    return _decide(system, property, options, progress, lemmas, solver, KnownClauses(), SharedCircuit(system))


def session(
    system: FlatSystem, options: SmvOptions, answers: Sequence[tuple[Property, PropertyResult]] = ()
) -> Callable[[Property, Progress], PropertyResult]:
    """``decide`` for the properties of a system one by one; the circuit is made once, and each search begins with the
    clauses of earlier proofs.

    ``answers`` are those of an earlier session to other properties of the system.
    """
    known, shared = KnownClauses(), SharedCircuit(system)
    for _, answer in answers:
        known.learn(answer)

    def decide_next(property: Property, progress: Progress) -> PropertyResult:
        result = _decide(system, property, options, progress, (), SOLVER, known, shared)
        known.learn(result)
        return result

    return decide_next


def _decide(
    system: FlatSystem,
    property: Property,
    options: SmvOptions,
    progress: Progress,
    lemmas: Sequence[Expression],
    solver: str,
    known: KnownClauses,
    shared: SharedCircuit,
) -> PropertyResult:
    started = time.process_time()
    lemmas = (*lemmas, *lemmas_for(property, system, options, progress))
    problem = posed(system, property, lemmas, options.cone_of_influence, shared)
    clauses = known.about(problem)
    # Where earlier proofs help, the search takes hardly longer than the runs.
    if options.simulation_first and not clauses:
        violation = simulation.brief(problem, options.seed, progress)
        if violation is not None:
            return violation
    return solve(problem, lemmas, progress, started, solver, clauses)


def solve(
    problem: ReachabilityProblem,
    lemmas: Sequence[Expression],
    progress: Progress,
    started: float,
    solver: str = SOLVER,
    clauses: Sequence[tuple[BitLiteral, ...]] = (),
) -> PropertyResult:
    """Decide a problem with these ``lemmas``; reported CPU seconds count from ``started``, a time of this process.

    ``clauses`` are over bits of the problem's latches. The search begins with the largest subset of them that is
    inductive together with the lemmas.
    """
    while True:
        encoding = PdrEncoding(problem, solver)
        search = Pdr(encoding, inductive(encoding, cubes_of(problem, encoding, clauses)))

        def report(top: int, search: Pdr = search) -> None:
            frames = search.frames
            count = sum(len(cubes) for cubes in frames.levels)
            figures = {"frames": top, "lemmas": count, "queries": frames.queries}
            progress(ProgressFigures(f"frame {top}, {count:,} lemmas, {frames.queries:,} queries", figures))

        answer = search.run(report)
        figures = {
            "frames": search.frames.top,
            "queries": search.frames.queries,
            "cpu_seconds": round(time.process_time() - started, 3),
        }
        search.close()
        if isinstance(answer, PdrProof):
            proof = clauses_of(problem, encoding, answer.cubes)
            certificate: Certificate
            if problem.lasso is None:
                certificate = Induction(1, proof, tuple(flat_expression_text(lemma) for lemma in lemmas))
            else:
                certificate = no_fair_lasso(problem, proof)
            return holds(problem, "pdr", certificate, {**figures, "clauses": len(answer.cubes)})
        result = violated(problem, "pdr", answer, figures)
        if result is not None:
            return result
        progress("the run is not a counterexample for the whole system yet: searching on")
        problem = harder(problem)


def cubes_of(
    problem: ReachabilityProblem, encoding: PdrEncoding, clauses: Iterable[Sequence[BitLiteral]]
) -> tuple[Cube, ...]:
    """The negations of clauses over bits of the problem's latches."""
    variables = dict(zip((latch.bit for latch in problem.circuit.latches), encoding.latches, strict=True))
    return tuple(
        Cube(-variables[name, index] if value else variables[name, index] for name, index, value in clause)
        for clause in clauses
    )


def clauses_of(
    problem: ReachabilityProblem, encoding: PdrEncoding, cubes: Iterable[Cube]
) -> tuple[tuple[BitLiteral, ...], ...]:
    """The negations of cubes over the model's bits.

    For a property of steps the latch that remembers a violation is FALSE in every reachable state. So a cube in which
    it is TRUE excludes no other state and is left out; in a cube in which it is FALSE, its literal is left out.
    """
    latch_of = {latch.node: latch for latch in problem.circuit.latches}
    clauses = []
    for cube in cubes:
        clause: list[BitLiteral] = []
        for literal in sorted(cube, key=abs):
            latch = latch_of[encoding.node_of[abs(literal)]]
            if latch.bit is None:
                if literal > 0:
                    break
            else:
                clause.append((*latch.bit, literal < 0))
        else:
            clauses.append(tuple(clause))
    return tuple(clauses)
