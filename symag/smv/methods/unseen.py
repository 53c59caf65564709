"""Dead ends that a property is meant to exclude and CTL does not see.

``AG (EX TRUE | final)`` is meant to say that there is no deadlock; but CTL is about infinite runs, on which EX TRUE
always holds. So dead ends are looked for beside the verdict, for a limited time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from symag.bdd.context import memory_errors
from symag.smv.methods.state_space import StateSpace
from symag.smv.model.temporal_operators import CTL_OPERATORS
from symag.smv.model.typed import Expression, Operation, subexpressions
from symag.smv.traversal.deadends import state_text

#: The limit of the search in wall-clock seconds.
SECONDS = 15.0


def unseen_dead_ends(space: StateSpace, expression: Expression) -> Iterator[str]:
    """Warnings: a reachable state without a successor, preferably one that the property does not except; or that
    the search was given up. Raises MemoryExhausted.
    """
    symbolic, context = space.symbolic, space.symbolic.context
    end = time.monotonic() + SECONDS
    reached = space.relation.forward_closure(space.initial, stop=lambda: time.monotonic() > end)
    with memory_errors():
        stuck = space.relation.without_successor(reached)
        excepted = context.disjunction(symbolic.predicate(exception) for exception in _exceptions(expression))
        unexpected = stuck & ~excepted
    if stuck != context.false:
        chosen = stuck if unexpected == context.false else unexpected
        state = state_text(symbolic.encoding.pick_values(chosen, symbolic.encoding.state_names()))
        which = "that the property allows for " if unexpected == context.false else ""
        yield f"a reachable state {which}has no successor: {state}"
    if unexpected == context.false and time.monotonic() > end:
        yield "the search for further states without a successor was given up: more may be reachable"


def _exceptions(expression: Expression) -> list[Expression]:
    """``p`` and ``q`` of ``AG (EX ... | p | q)``: in their states the property is true without a successor too."""
    if not isinstance(expression, Operation) or expression.operator != "AG":
        return []
    operands: list[Expression] = []
    stack = [expression.operands[0]]
    while stack:
        part = stack.pop()
        if isinstance(part, Operation) and part.operator == "or":
            stack.extend(part.operands)
        elif not any(
            isinstance(subexpression, Operation) and subexpression.operator in CTL_OPERATORS
            for subexpression in subexpressions(part)
        ):
            operands.append(part)
    return operands
