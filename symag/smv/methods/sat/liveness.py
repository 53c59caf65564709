"""LTL as reachability: from liveness to safety (Biere, Artho, Schuppan, FMICS 2002).

The system with the tableau of the negated formula has a fair infinite run exactly if it has a lasso: a state that
comes back after steps on which every fairness condition was met. An input chooses when the current state is saved in
shadow latches. A state is bad if it equals the saved one and all conditions were met since. State variables that are
free in every state have no latch and need not come back: their values on the loop are repeated.
"""

from __future__ import annotations

from symag.core.values import replace
from symag.smv.certificates.formulas import BitClause
from symag.smv.certificates.temporal import NoFairLasso
from symag.smv.circuits.blasting import Blasting
from symag.smv.circuits.failures import refuse_failures
from symag.smv.circuits.transitions import TransitionCircuit, reduced
from symag.smv.methods.sat.lasso_monitor import LoopLatches
from symag.smv.methods.sat.lasso_truth import past_depth
from symag.smv.methods.sat.problem import LassoMonitor, ReachabilityProblem, has_start
from symag.smv.methods.sat.rounds import RoundsOfLoop
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.printer import expression_text
from symag.smv.model.typed import Expression
from symag.smv.temporal.tableau import product

#: The most operators that look back in one another whose rounds stand side by side.
_DEEPEST = 8


def liveness_problem(
    system: FlatSystem, target: Property, claim: tuple[FlatSystem, Expression], coi: bool, shortest: bool = False
) -> ReachabilityProblem:
    """Is there a fair run that violates an LTL formula? Doubles the latches of the system with the formula's tableau.

    ``claim`` is the formula of a property of ``system``, and the system that it is about (see ``linear_claim``). With
    ``shortest`` a shortest run to a bad state is a shortest lasso also where the formula looks back, by at most
    ``_DEEPEST`` operators in one another; such a problem has no proof (see ``rounds``). Raises InputError where
    evaluation can fail.
    """
    whole_system, formula = claim
    if shortest and 0 < past_depth(formula) <= _DEEPEST:
        return _in_rounds(system, target, claim, coi)
    automaton = product(whole_system, formula)
    blasting = Blasting(automaton.system)
    conditions = [blasting.truth(condition.expression) for condition in automaton.system.justice]
    pairs = _compassion(system, blasting)
    refuse_failures(blasting)
    plain = blasting.circuit
    # The tableau constrains every run, so its variables are roots of the cone.
    added = [bit for name in automaton.system.by_name if name not in system.by_name for bit in plain.values[name]]
    cone = reduced(plain, [*conditions, *(side for pair in pairs for side in pair), *added]) if coi else plain
    loop = LoopLatches(blasting.graph)
    loop.require_met(conditions, pairs)
    copied = loop.require_same(cone.latches)
    starts = has_start(plain) or has_start(Blasting(system).circuit)
    whole = loop.beside(plain)
    lasso = LassoMonitor(loop.save, plain, copied, automaton)
    return _problem(system, target, formula, blasting, whole, cone, loop.closed(), lasso, starts)


def _in_rounds(
    system: FlatSystem, target: Property, claim: tuple[FlatSystem, Expression], coi: bool
) -> ReachabilityProblem:
    whole_system, formula = claim
    blasting = Blasting(whole_system)
    loop = LoopLatches(blasting.graph)
    rounds = RoundsOfLoop(blasting, loop)
    rounds.violate(formula)
    conditions = [blasting.truth(condition.expression) for condition in whole_system.justice]
    pairs = _compassion(system, blasting)
    refuse_failures(blasting)
    plain = blasting.circuit
    read = [latch.next for latch in loop.latches]
    read += [*conditions, *(side for pair in pairs for side in pair), *rounds.invariants]
    cone = reduced(plain, read) if coi else plain
    loop.require_met([*conditions, *rounds.conditions], pairs)
    copied = loop.require_same(cone.latches)
    # A formula that is never false gives a constraint that reads nothing of the system.
    cone = replace(cone, invariants=(*cone.invariants, *rounds.invariants))
    whole = loop.beside(plain)
    whole = replace(whole, inputs=(*whole.inputs, *rounds.inputs), invariants=(*plain.invariants, *rounds.invariants))
    lasso = LassoMonitor(loop.save, plain, copied, None)
    return _problem(system, target, formula, blasting, whole, cone, loop.closed(), lasso, has_start(plain))


def _compassion(system: FlatSystem, blasting: Blasting) -> list[tuple[int, int]]:
    return [
        (blasting.truth(often.expression), blasting.truth(answer.expression)) for often, answer in system.compassion
    ]


def _problem(
    system: FlatSystem,
    target: Property,
    formula: Expression,
    blasting: Blasting,
    whole: TransitionCircuit,
    cone: TransitionCircuit,
    bad: int,
    lasso: LassoMonitor,
    starts: bool,
) -> ReachabilityProblem:
    circuit = reduced(whole, [bad, *cone.initial, *cone.invariants, *cone.steps])
    return ReachabilityProblem(
        system, target, blasting, whole, circuit, bad, has_start=starts, read=(formula,), lasso=lasso
    )


def no_fair_lasso(problem: ReachabilityProblem, clauses: tuple[BitClause, ...]) -> NoFairLasso:
    """The proof by clauses over bits of the latches that no lasso is closed."""
    lasso = problem.lasso
    assert lasso is not None
    assert lasso.automaton is not None
    return NoFairLasso(
        lasso.copied,
        tuple((name, expression_text(meaning)) for name, meaning in lasso.automaton.meanings),
        tuple(expression_text(formula) for formula in lasso.automaton.eventualities),
        clauses,
    )
