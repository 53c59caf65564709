"""Groups of variables that can move while all other variables keep their values, and events that change few variables.

In a system of processes one process moves at a time; in a speed-independent circuit every gate may wait.
Such systems reach all their states, or nearly all, by moves of one group at a time. Closing the reached set
under one group after the other ("chaining": Roig, Cortadella, Pastor 1995, and NuSMV's disjunctive
partitioning) keeps the diagrams small where breadth-first search mixes many unfinished moves.

A group's moves are transitions of the whole system, so chaining finds reachable states only. An image of the
whole relation shows whether it has found them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from symag.bdd.context import Bdd
from symag.smv.elaboration.declared import SELECTOR
from symag.smv.model.flat import VariableKind
from symag.smv.model.types import EnumerationType
from symag.smv.symbolic.choices import KEPT_SHARE
from symag.smv.symbolic.system import Conjunct, SymbolicSystem

#: Variables that are declared next to each other form a group of at most this number of bits.
GROUP_BITS = 40


class Group(Struct, frozen=True):
    """State variables that move together; ``process``: only while the selector has this value."""

    variables: tuple[str, ...]
    process: str | None = None


def independent_groups(system: SymbolicSystem, chosen: frozenset[str]) -> tuple[Group, ...]:
    """Groups of the chosen variables such that, by the next assignments, all other variables may keep their values.

    With processes, there is a group for each: the variables that change only if that process is selected. Otherwise
    every variable must be able to keep its value, and variables declared next to each other form the groups. Empty if
    there are fewer than two groups, if a variable has a current assignment, or if only TRANS determines it.
    """
    encoding = system.encoding
    state = [name for name in encoding.names(VariableKind.STATE) if name in chosen]
    if any(conjunct.kind == "assignment" for conjunct in system.invar_over(chosen)):
        return ()
    trans = system.trans_over(chosen)
    assigned = {conjunct.owner for conjunct in trans if conjunct.kind == "assignment"}
    if not assigned or any(not conjunct.next <= assigned for conjunct in trans if conjunct.kind == "constraint"):
        return ()
    assignments = [conjunct for conjunct in trans if conjunct.kind == "assignment"]
    processes = _processes(system, chosen)
    if processes:
        groups = [
            Group(
                tuple(
                    assignment.owner
                    for assignment in assignments
                    if assignment.owner and _moves_in(system, assignment, process)
                ),
                process,
            )
            for process in processes
        ]
        groups = [group for group in groups if group.variables]
    elif all(_may_wait(system, assignment) for assignment in assignments):
        groups = [Group(names) for names in _neighbours(system, state)]
    else:
        groups = []
    return tuple(groups) if len(groups) > 1 else ()


def moves(system: SymbolicSystem, chosen: frozenset[str], group: Group) -> list[Bdd]:
    """Conjuncts of the relation over the chosen variables in which only the group's variables move.

    They read the next bits of the group only, and assume (like ``transition_relation``) that the current state
    satisfies invar.
    """
    encoding = system.encoding
    moving = frozenset(group.variables)
    others = [name for name in encoding.names(VariableKind.STATE) if name in chosen and name not in moving]
    keep = encoding.renaming(others, to_next=False)
    move = encoding.renaming(group.variables, to_next=True)

    def restricted(conjunct: Conjunct) -> Bdd:
        diagram = conjunct.diagram
        if conjunct.next - moving:
            diagram = system.context.rename(diagram, keep)
        if group.process is not None and SELECTOR in conjunct.current:
            diagram = _selected(system, diagram, group.process)
        return diagram

    trans = system.trans_over(chosen)
    assigned = {conjunct.owner for conjunct in trans if conjunct.kind == "assignment"}
    invar = [
        system.context.rename(conjunct.diagram, move)
        for conjunct in system.invar_over(chosen)
        if conjunct.current & moving and not (conjunct.kind == "domain" and conjunct.owner in assigned)
    ]
    return [*(restricted(constraint) for constraint in trans), *invar]


def _processes(system: SymbolicSystem, chosen: frozenset[str]) -> tuple[str, ...]:
    variable = system.encoding.variables.get(SELECTOR)
    if variable is None or SELECTOR not in chosen or not isinstance(variable.type, EnumerationType):
        return ()
    return tuple(str(constant) for constant in variable.type.constants)


def _moves_in(system: SymbolicSystem, assignment: Conjunct, process: str) -> bool:
    """Whether the assigned variable can change while a process is selected."""
    encoding, context = system.encoding, system.context
    owner = assignment.owner
    assert owner is not None
    same = context.conjunction(
        context.xnor(now, then) for now, then in zip(encoding.bits(owner), encoding.bits(owner, True), strict=True)
    )
    return bool(_selected(system, assignment.diagram, process) & _valid(system, assignment) & ~same != context.false)


def _may_wait(system: SymbolicSystem, assignment: Conjunct) -> bool:
    """Whether the assigned variable can keep its value in every state and under every input."""
    encoding, context = system.encoding, system.context
    assert assignment.owner is not None
    waits = context.rename(assignment.diagram, encoding.renaming([assignment.owner], to_next=False))
    return context.implies(_valid(system, assignment), waits)


def _valid(system: SymbolicSystem, conjunct: Conjunct) -> Bdd:
    return system.encoding.all_valid(sorted(conjunct.current | conjunct.next))


def _selected(system: SymbolicSystem, diagram: Bdd, process: str) -> Bdd:
    encoding = system.encoding
    code = encoding.code(SELECTOR, process)
    bits = {name: bool(code >> index & 1) for index, name in enumerate(encoding.current[SELECTOR])}
    return system.context.cofactor(diagram, bits)


def _neighbours(system: SymbolicSystem, names: list[str]) -> Iterator[tuple[str, ...]]:
    group: list[str] = []
    width = 0
    for name in names:
        bits = len(system.encoding.current[name])
        if group and width + bits > GROUP_BITS:
            yield tuple(group)
            group, width = [], 0
        group.append(name)
        width += bits
    if group:
        yield tuple(group)


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

    Petri nets and communicating automata are written so: a TRANS has one operand for each event, which says what the
    event changes and that all other variables keep their values. The relation of an event is then over its own
    variables only (Burch, Clarke, Long, "Symbolic model checking with partitioned transition relations", VLSI 1991).

    There is one event for each set of changed variables. The disjunction is the constraint with the most
    alternatives; all other constraints hold on every event.
    """
    encoding, context = system.encoding, system.context
    trans = system.trans_over(chosen)
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
    invar = system.invar_over(chosen)
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
