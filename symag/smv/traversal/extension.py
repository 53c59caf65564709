"""Runs of a part of a system, with inputs and loops, as runs of the whole."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from symag.bdd.context import memory_errors
from symag.core.trace import Step, Trace, Value
from symag.smv.traversal.trace import SingleTransitions, Valuation, fixed_bits

#: The largest number of rounds of a loop until the other variables repeat their values.
_ROUNDS = 500


def extend_trace(whole: SingleTransitions, trace: Trace) -> Trace | None:
    """A run of the whole system with the states and inputs of a run of a part.

    One successor after the other is picked. None if that leads to a state without a successor, or if the variables
    outside the part do not repeat their values within some hundred rounds of the loop.
    """
    with memory_errors():
        first = _initial(whole, trace.steps[0].state)
        if first is None:
            return None
        steps = _follow(whole, first, trace.steps)
        if steps is None or trace.loop is None:
            return None if steps is None else Trace("finite", tuple(steps))
        return _closed(whole, steps, trace.steps[trace.loop :], trace.loop)


def _closed(whole: SingleTransitions, steps: list[Step], loop: Sequence[Step], start: int) -> Trace | None:
    """Continue from the last step round the loop until the state at its start repeats an earlier one."""
    starts = {_key(steps[start].state): start}
    for _ in range(_ROUNDS):
        following = _successor(whole, steps[-1], loop[-1], loop[0])
        if following is None:
            return None
        steps[-1] = Step(steps[-1].state, following.inputs)
        seen = starts.get(_key(following.state))
        if seen is not None:
            return Trace("lasso", tuple(steps), seen)
        starts[_key(following.state)] = len(steps)
        lasso = _follow(whole, following.state, loop)
        if lasso is None:
            return None
        steps.extend(lasso)
    return None


def _follow(whole: SingleTransitions, first: Valuation, part: Sequence[Step]) -> list[Step] | None:
    """Steps of the whole from a state on; the last step has no inputs yet."""
    steps = [Step(first)]
    for here, there in itertools.pairwise(part):
        following = _successor(whole, steps[-1], here, there)
        if following is None:
            return None
        steps[-1] = Step(steps[-1].state, following.inputs)
        steps.append(Step(following.state))
    return steps


def _successor(whole: SingleTransitions, full: Step, here: Step, there: Step) -> Step | None:
    """The inputs of a transition (those of ``here`` among them) and the state that it leads to."""
    encoding = whole.system.encoding
    successor = whole.successor({**full.state, **here.inputs}, encoding.valuation(there.state))
    return None if successor is None else Step(successor[1], successor[0])


def _initial(whole: SingleTransitions, part: Valuation) -> Valuation | None:
    """An initial state of the whole with the values of a part."""
    system = whole.system
    fixed = fixed_bits(system, part)
    conjuncts = (*system.invar, *system.init)
    initial = system.context.conjunction(system.context.cofactor(conjunct.diagram, fixed) for conjunct in conjuncts)
    if initial == system.context.false:
        return None
    return {**system.encoding.pick_values(initial, whole.state), **part}


def _key(state: Valuation) -> tuple[tuple[str, Value], ...]:
    return tuple(state.items())
