"""Decides LTL on the product with the tableau of the negated property: it holds iff no fair run starts there."""

from __future__ import annotations

from symag.limits import Progress
from symag.methods.smv.options import Options
from symag.results import PropertyResult, Verdict
from symag.smv.flat import FlatSystem, Property
from symag.smv.tableau import product
from symag.symbolic.enlarge import enlarged
from symag.symbolic.fairness import FairRuns
from symag.symbolic.relation import transition_relation
from symag.symbolic.system import encode
from symag.traces import Step, Trace


def decide(system: FlatSystem, property: Property, options: Options, progress: Progress) -> PropertyResult:
    assert property.expression is not None
    symbolic = encode(system)
    whole = enlarged(symbolic, product(system, property.expression))
    relation = transition_relation(whole)
    initial = whole.initial_states()
    reached = relation.forward_closure(initial)
    runs = FairRuns.of(whole, reached, relation=relation)
    start = initial & runs.states
    if start == symbolic.context.false:
        return PropertyResult(Verdict.HOLDS, "ltl")
    trace = runs.lasso_from(start)
    return PropertyResult(Verdict.VIOLATED, "ltl", trace=projected(trace, system))


def projected(trace: Trace, system: FlatSystem) -> Trace:
    steps = (Step({n: v for n, v in s.state.items() if n in system.by_name}, s.inputs) for s in trace.steps)
    return Trace(trace.kind, tuple(steps), trace.loop)
