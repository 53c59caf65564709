"""LTL as reachability: from liveness to safety (Biere, Artho, Schuppan, FMICS 2002).

The system with the tableau of the negated formula has a fair infinite run exactly if it has a lasso: a state that
comes back after steps on which every fairness condition was met. An input chooses when the current state is saved in
shadow latches. A state is bad if it equals the saved one and all conditions were met since. State variables that are
free in every state have no latch and need not come back: their values on the loop are repeated.
"""

from __future__ import annotations

from symag.core.trace import Trace
from symag.core.values import replace
from symag.smv.certificates.formulas import BitClause
from symag.smv.certificates.temporal import CONCLUSION, COPY, MET, PREMISE, SAVED, NoFairLasso
from symag.smv.circuits.blasting import Blasting
from symag.smv.circuits.failures import refuse_failures
from symag.smv.circuits.transitions import Latch, reduced
from symag.smv.methods.sat.partial_run import Run
from symag.smv.methods.sat.problem import NO_START, LassoMonitor, ReachabilityProblem, has_start
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.printer import expression_text
from symag.smv.model.typed import Expression
from symag.smv.temporal.tableau import product

#: How often a loop is repeated at most, until the latches outside the cone of influence come back too.
_ROUNDS = 64


def liveness_problem(
    system: FlatSystem, target: Property, claim: tuple[FlatSystem, Expression], coi: bool
) -> ReachabilityProblem:
    """Is there a fair run that violates an LTL formula? Doubles the latches of the system with the formula's tableau.

    ``claim`` is the formula of a property of ``system``, and the system that it is about (see ``linear_claim``). Raises
    InputError where evaluation can fail.
    """
    whole_system, formula = claim
    automaton = product(whole_system, formula)
    blasting = Blasting(automaton.system)
    graph = blasting.graph
    conditions = [blasting.truth(justice_condition.expression) for justice_condition in automaton.system.justice]
    pairs = [
        (blasting.truth(often.expression), blasting.truth(answer.expression)) for often, answer in system.compassion
    ]
    refuse_failures(blasting)
    plain = blasting.circuit
    # The tableau constrains every run, so its variables are roots of the cone.
    added = [bit for name in automaton.system.by_name if name not in system.by_name for bit in plain.values[name]]
    cone = reduced(plain, [*conditions, *(side for pair in pairs for side in pair), *added]) if coi else plain
    save = graph.input()
    saved = graph.input()
    now = graph.conjunction(save, saved ^ 1)
    inside = graph.disjunction(saved, save)
    latches = [Latch(saved >> 1, inside, False, (SAVED, 0))]

    def met(condition: int, name: str, number: int) -> int:
        seen = graph.input()
        following = graph.disjunction(seen, graph.conjunction(inside, condition))
        latches.append(Latch(seen >> 1, following, False, (name, number)))
        return seen

    closed = [saved, *(met(condition, MET, number) for number, condition in enumerate(conditions))]
    for number, (often, answer) in enumerate(pairs):
        closed.append(graph.disjunction(met(often, PREMISE, number) ^ 1, met(answer, CONCLUSION, number)))
    copied = []
    for latch in cone.latches:
        shadow, own = graph.input(), 2 * latch.node
        assert latch.bit is not None
        name, index = latch.bit
        copied.append(latch.bit)
        latches.append(Latch(shadow >> 1, graph.choice(now, own, shadow), None, (COPY + name, index)))
        closed.append(graph.equal(own, shadow))
    bad = graph.all(closed)
    whole = replace(plain, latches=(*plain.latches, *latches), inputs=(*plain.inputs, save >> 1))
    circuit = reduced(whole, [bad, *cone.initial, *cone.invariants, *cone.steps])
    starts = has_start(plain) or has_start(Blasting(system).circuit)
    lasso = LassoMonitor(automaton, save >> 1, plain.latches, tuple(copied))
    warnings = () if starts else (NO_START,)
    return ReachabilityProblem(
        system, target, blasting, whole, circuit, bad, warnings=warnings, read=(formula,), lasso=lasso
    )


def no_fair_lasso(problem: ReachabilityProblem, clauses: tuple[BitClause, ...]) -> NoFairLasso:
    """The proof by clauses over bits of the latches that no lasso is closed."""
    lasso = problem.lasso
    assert lasso is not None
    return NoFairLasso(
        lasso.copied,
        tuple((name, expression_text(meaning)) for name, meaning in lasso.automaton.meanings),
        tuple(expression_text(formula) for formula in lasso.automaton.eventualities),
        clauses,
    )


def as_lasso(problem: ReachabilityProblem, run: Run) -> Trace | None:
    """The run to a state that was saved before, as a lasso of the whole system; None if no lasso agrees with it.

    The loop is repeated until also the latches without a value in the run come back. What the values of automata alone
    made longer is left out.
    """
    # For start-up: numpy is needed only where there is a run.
    from symag.smv.methods.sat.runs import evaluated

    assert problem.lasso is not None
    start = next(step for step, inputs in enumerate(run.inputs) if inputs.get(problem.lasso.save, False))
    steps = run.inputs[:-1]
    loop = steps[start:]
    for rounds in (1, 4, _ROUNDS):
        longer = Run(run.first, (*steps[:start], *(loop * rounds), loop[0]))
        values = evaluated(problem, longer)
        if values is None:
            return None
        last = len(longer.inputs) - 1
        for back in range(last - len(loop), start - 1, -len(loop)):
            if values.same_state(last, back, problem.lasso.closed):
                lasso = tuple(values.step(number, leaves=True) for number in range(last))
                return Trace("lasso", lasso, back).shortened()
    return None
