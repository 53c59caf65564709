"""Transition relations that are disjunctions of events, each of which changes few variables.

Petri nets and communicating automata are written so: a TRANS has one operand for each event, which says what
the event changes and that all other variables keep their values. The relation of an event is then over its own
variables only (Burch, Clarke, Long, "Symbolic model checking with partitioned transition relations", VLSI 1991).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from symag.bdd.context import Bdd
from symag.smv.model.flat import VariableKind
from symag.smv.symbolic.system import Conjunct, SymbolicSystem

#: The least average share of the bits of state variables that an event keeps: with less, events are not local.
KEPT_SHARE = 0.3


class Event(Struct, frozen=True, eq=False):
    """Transitions that change no state variables but ``variables``.

    ``conjuncts`` read next bits of these only. They assume, as those of ``transition_relation`` do, that the current
    state satisfies invar; ``invariant`` has the conjuncts of invar that read ``variables``.
    """

    variables: tuple[str, ...]
    conjuncts: tuple[Bdd, ...]
    invariant: Bdd


def events(system: SymbolicSystem, chosen: frozenset[str]) -> tuple[Event, ...]:
    """Events whose disjunction is the transition relation over the chosen variables; empty if there are none.

    There is one event for each set of changed variables. The disjunction is the constraint with the most
    alternatives; all other constraints hold on every event.
    """
    encoding, context = system.encoding, system.context
    trans = [conjunct for conjunct in system.trans if conjunct.current | conjunct.next <= chosen]
    choice = max(trans, key=lambda conjunct: len(conjunct.alternatives), default=None)
    if choice is None or not choice.alternatives:
        return ()
    state = [name for name in encoding.names(VariableKind.STATE) if name in chosen]
    merged: dict[tuple[str, ...], Bdd] = {}
    kept_bits = 0
    for alternative in choice.alternatives:
        changed = tuple(name for name in state if name not in alternative.kept)
        merged[changed] = merged.get(changed, context.false) | alternative.diagram
        kept_bits += len(encoding.current_bits(name for name in state if name in alternative.kept))
    if kept_bits < KEPT_SHARE * len(encoding.current_bits(state)) * len(choice.alternatives):
        return ()
    rest = [constraint for constraint in trans if constraint is not choice]
    invar = [conjunct for conjunct in system.invar if conjunct.current <= chosen]
    return tuple(_event(system, state, changed, merged[changed], rest, invar) for changed in merged)


def _event(
    system: SymbolicSystem,
    state: Iterable[str],
    changed: tuple[str, ...],
    diagram: Bdd,
    rest: list[Conjunct],
    invar: list[Conjunct],
) -> Event:
    encoding, context = system.encoding, system.context
    changing = frozenset(changed)
    keep = encoding.renaming((name for name in state if name not in changing), to_next=False)
    move = encoding.renaming(changed, to_next=True)
    touched = [conjunct.diagram for conjunct in invar if conjunct.current & changing]
    conjuncts = [context.rename(diagram, keep)]
    conjuncts += [
        context.rename(conjunct.diagram, keep) if conjunct.next - changing else conjunct.diagram for conjunct in rest
    ]
    conjuncts += [context.rename(conjunct, move) for conjunct in touched]
    return Event(changed, tuple(conjuncts), context.conjunction(touched))
