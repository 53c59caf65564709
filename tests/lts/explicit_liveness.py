"""Progress by its definition: every reachable state and what can be reached from it, one at a time."""

from __future__ import annotations

from collections.abc import Sequence

from symag.lts.lts import ERROR, Lts
from symag.lts.questions import CompositeQuestion
from tests.lts.explicit_safety import Product

State = tuple[int, ...]


def reachable_moves(components: Sequence[Lts]) -> dict[State, list[tuple[str, State]]]:
    """The moves of every state that can be reached; one with a component in ERROR has none."""
    product = Product(components)
    moves: dict[State, list[tuple[str, State]]] = {}
    waiting = [product.start]
    while waiting:
        state = waiting.pop()
        if state not in moves:
            moves[state] = [] if ERROR in state else product.moves(state)
            waiting += [after for _, after in moves[state]]
    return moves


def progresses(components: Sequence[Lts], question: CompositeQuestion) -> bool | None:
    """None if ERROR can be reached."""
    moves = reachable_moves(components)
    if any(ERROR in state for state in moves):
        return None

    def possible(state: State, actions: Sequence[str]) -> bool:
        seen, waiting = {state}, [state]
        while waiting:
            for label, after in moves[waiting.pop()]:
                if label in actions:
                    return True
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
        return False

    def always_possible(state: State, actions: Sequence[str]) -> bool:
        seen, waiting = {state}, [state]
        while waiting:
            before = waiting.pop()
            if not possible(before, actions):
                return False
            fresh = {after for _, after in moves[before]} - seen
            seen |= fresh
            waiting += fresh
        return True

    labels = {label for lts in components for label in lts.alphabet[1:]}
    goals = [(label,) for label in labels] if question.actions is None else [question.actions]
    return not any(
        not possible(state, goal) and (question.condition is None or always_possible(state, question.condition))
        for state in moves
        for goal in goals
    )
