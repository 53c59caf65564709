"""Uses clauses and formulas of an earlier proof: PDR begins with those that are still inductive together.

Source: Flanagan, Leino, "Houdini, an annotation assistant for ESC/Java" (FME 2001), for the largest inductive subset.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from symag.core.errors import InputError
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.smv.certificates.induction import BitLiteral
from symag.smv.circuits.clauses import GateClauses
from symag.smv.circuits.satisfiability import SatSolver
from symag.smv.circuits.unrolling import Unrolling
from symag.smv.expression_reader import expression
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr import decision as pdr
from symag.smv.methods.sat.problem import ReachabilityProblem, problem_of
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.typed import Expression
from symag.smv.model.types import BooleanType

_SOLVER = "cadical153"


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
    formulas = _readable(system, texts)
    problem = problem_of(system, property, formulas, options.cone_of_influence)
    stated = {clause: literal for clause in clauses if (literal := _literal(problem, clause)) is not None}
    inductive = inductive_subset(problem, (*problem.lemmas, *stated.values()))
    lemmas = [
        (formula, literal) for formula, literal in zip(formulas, problem.lemmas, strict=True) if literal in inductive
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


def inductive_subset(problem: ReachabilityProblem, candidates: Sequence[int]) -> frozenset[int]:
    """The largest set of the candidates, literals of the problem's circuit, that is inductive.

    Costs at most as many rounds as there are candidates, and a query for each candidate in a round.
    """
    circuit = problem.circuit
    start = _Frame(problem, candidates, from_start=True)
    start.require((*circuit.initial, *circuit.invariants), 0)
    literals = [literal for literal in dict.fromkeys(candidates) if not start.solver.solve([-start.signal(literal, 0)])]
    start.solver.close()
    step = _Frame(problem, candidates, from_start=False)
    step.require((*circuit.invariants, *circuit.steps), 0)
    step.require(circuit.invariants, 1)
    dropped = True
    while dropped:
        dropped = False
        for literal in tuple(literals):
            if literal in literals and step.solver.solve(
                [*(step.signal(other, 0) for other in literals), -step.signal(literal, 1)]
            ):
                model = step.solver.model()
                literals = [
                    other for other in literals if model[abs(step.signal(other, 1)) - 1] == step.signal(other, 1)
                ]
                dropped = True
    step.solver.close()
    return frozenset(literals)


class _Frame:
    """Two consecutive states of the circuit, in a solver."""

    def __init__(self, problem: ReachabilityProblem, candidates: Sequence[int], *, from_start: bool) -> None:
        self.solver = SatSolver(_SOLVER)
        self._unrolling = Unrolling(problem.circuit, candidates, from_start=from_start)
        self._clauses = GateClauses(self._unrolling.graph, self.solver.add)
        for literal in candidates:
            # Models give a value to every candidate from the start.
            signals = [self.signal(literal, index) for index in range(1 if from_start else 2)]
            for signal in signals:
                self.solver.add([signal, -signal])

    def signal(self, literal: int, step: int) -> int:
        """The solver's literal for one of the circuit at the first (0) or second (1) state."""
        return self._clauses.literal(self._unrolling.literal(literal, step))

    def require(self, literals: Sequence[int], step: int) -> None:
        """Require literals of the circuit at a state."""
        for literal in literals:
            self.solver.add([self.signal(literal, step)])


def _readable(system: FlatSystem, texts: Sequence[str]) -> list[Expression]:
    """The texts that are boolean expressions of the system."""
    formulas = []
    for text in texts:
        try:
            formula = expression(system, text)
        except InputError:
            continue
        if isinstance(formula.type, BooleanType):
            formulas.append(formula)
    return formulas


def _literal(problem: ReachabilityProblem, clause: Sequence[BitLiteral]) -> int | None:
    """A clause as a literal of the problem's graph; None if one of its bits is not a latch of the circuit."""
    latches = {latch.bit: latch.node for latch in problem.circuit.latches if latch.bit is not None}
    if any((name, index) not in latches for name, index, _ in clause):
        return None
    return problem.blasting.graph.any(2 * latches[name, index] + (not value) for name, index, value in clause)
