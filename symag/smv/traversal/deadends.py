"""Warnings about states without a successor: they make verdicts weaker than they seem."""

from __future__ import annotations

from collections.abc import Collection

from symag.bdd.context import Bdd, memory_errors
from symag.core.trace import Value
from symag.smv.model.flat import FlatSystem
from symag.smv.symbolic.relation import TransitionRelation, transition_relation
from symag.smv.symbolic.system import SymbolicSystem


def is_total(system: FlatSystem) -> bool:
    """Whether every state has a successor because the system has assignments only."""
    return not (system.trans or system.invar)


def dead_ends(
    system: SymbolicSystem,
    relation: TransitionRelation,
    variables: Collection[str],
    reached: Bdd | None,
    *,
    elsewhere: bool = True,
) -> str | None:
    """A warning that names a state without a successor, or None if there is none.

    ``relation`` is that of the conjuncts over ``variables``; ``reached`` are the reachable states there, None if they
    are not known: then any state counts. The variables outside ``variables`` may have any values. Constraints on those
    are looked at with ``elsewhere`` only. Costs a preimage, and nothing for systems of assignments only. Raises
    MemoryExhausted.
    """
    if is_total(system.source):
        return None
    context = system.context
    with memory_errors():
        candidates = system.invariant(frozenset(variables)) if reached is None else reached
        stuck = relation.without_successor(candidates)
        if stuck != context.false:
            where = "a state, perhaps not reachable," if reached is None else "a reachable state"
            return f"{where} has no successor: {state_text(_state(system, stuck, variables))}"
        if not (elsewhere and _constraints_outside(system, variables)):
            return None
        stuck = transition_relation(system).without_successor(system.invariant() & candidates)
        if stuck != context.false:
            state = _state(system, stuck, system.encoding.variables)
            return f"outside the cone of influence a state has no successor: {state_text(state)}"
    return None


def state_text(values: dict[str, Value]) -> str:
    """A state as text, such as ``x = TRUE, y = 3``."""
    return ", ".join(
        f"{name} = {str(value).upper() if isinstance(value, bool) else value}" for name, value in values.items()
    )


def _constraints_outside(system: SymbolicSystem, variables: Collection[str]) -> bool:
    chosen = set(variables)
    return any(
        conjunct.kind == "constraint" and not conjunct.current | conjunct.next <= chosen
        for conjunct in (*system.invar, *system.trans)
    )


def _state(system: SymbolicSystem, states: Bdd, variables: Collection[str]) -> dict[str, Value]:
    chosen = set(variables)
    return system.encoding.pick_values(states, [name for name in system.encoding.state_names() if name in chosen])
