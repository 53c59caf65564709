"""Decides one question about deadlock or progress by compositional minimisation; the answer has a run of the whole."""

from __future__ import annotations

import itertools
from dataclasses import replace

from symag.core.errors import CertificationError
from symag.core.limits import MemoryExhausted, Progress
from symag.core.reasons import Reason
from symag.core.results import PropertyResult, Verdict
from symag.core.trace import Step, Trace
from symag.lts.certify.properties import ProductOnDemand
from symag.lts.checking.by_parts.safety import is_run
from symag.lts.language.composites import System
from symag.lts.methods.reduce.states import decide_states
from symag.lts.questions import CompositeQuestion
from symag.lts.words import local_names, run_to

_METHOD = "reduce"


def decide_by_reduction(system: System, question: CompositeQuestion, progress: Progress) -> PropertyResult:
    """The answer, with the chain of steps or with a run, which need not be a shortest one.

    Priorities take moves away but never the last one of a state: without them the same states are deadlocks, and more
    can be reached. So freedom from deadlock is asked without them, and a deadlock counts if its run is one of the
    system. For progress they matter. Raises MemoryExhausted.
    """
    if question.kind == "progress" and system.priority is not None:
        reason = Reason.UNSUPPORTED.text(f"{_METHOD} decides progress only without priorities")
        return PropertyResult(Verdict.UNKNOWN, _METHOD, reason=reason)
    try:
        outcome = decide_states(replace(system, priority=None), question, progress)
    except MemoryError as error:
        raise MemoryExhausted("out of memory") from error
    statistics = {"components": len(system.components), **outcome.statistics}
    if outcome.reason is not None:
        return PropertyResult(Verdict.UNKNOWN, _METHOD, reason=outcome.reason, statistics=statistics)
    if outcome.word is None:
        certificate = outcome.certificate
        return PropertyResult(Verdict.HOLDS, _METHOD, certificate=certificate, statistics=statistics)
    trace = run_to(replace(system, priority=None), outcome.word, outcome.states)
    if trace is None:
        raise CertificationError(f"{_METHOD}: the word {' '.join(outcome.word)} does not lead to its state")
    if question.kind == "progress":
        trace = _going_round(system, trace)
    elif system.priority is not None and not is_run(system, trace):
        reason = Reason.UNSUPPORTED.text("there is a deadlock without priorities; with them only monolithic decides")
        return PropertyResult(Verdict.UNKNOWN, _METHOD, reason=reason, statistics=statistics)
    return PropertyResult(Verdict.VIOLATED, _METHOD, trace=trace, statistics=statistics)


def _going_round(system: System, trace: Trace) -> Trace:
    """The trace with moves from its end on until a state comes again, or nothing is possible.

    Takes the first move of each state; ERROR cannot be reached.
    """
    product, names = ProductOnDemand(system), local_names(system.components)
    state = tuple(int(str(local)) for local in trace.steps[-1].state.values())
    begin = len(trace.steps) - 1
    steps = list(trace.steps[:-1])
    places: dict[tuple[int, ...], int] = {}
    for place in itertools.count(begin):
        values = dict(zip(names, state, strict=True))
        if state in places:
            return Trace("lasso", tuple(steps), places[state])
        moves = sorted(product.moves(state))
        if not moves:
            return Trace("finite", (*steps, Step(values)))
        places[state] = place
        label, after = moves[0]
        steps.append(Step(values, action=label))
        state = after
    raise AssertionError("there are finitely many states")
