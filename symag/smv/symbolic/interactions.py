"""Component systems whose components move together by interactions.

Such a model has a variable that names the interaction of the next step. It is free but for constraints on the state,
and so are the ports of the components, which are defined by their places. No TRANS relates the next values of these
variables to current ones: they are *memoryless*. After the first step the reachable states are then the reachable
values of all other variables, with every value of the memoryless ones that the constraints allow. Under one value of
the selecting variable most components keep their values, though the relation is no disjunction: each component says
itself what it keeps. The relation of an interaction, over what it changes, is a small diagram, and closing the states
under one interaction after the other keeps them small (see ``chaining``).

Source: Basu, Bozga, Sifakis, "Modeling heterogeneous real-time components in BIP" (SEFM 2006), for such systems.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from symag.bdd.context import Bdd
from symag.smv.model.flat import VariableKind
from symag.smv.model.types import code_count
from symag.smv.symbolic.choices import interaction_variable
from symag.smv.symbolic.system import Conjunct, SymbolicSystem

#: The least average share of the bits with memory that an interaction keeps: with less, interactions are not local.
_KEPT_WITH_MEMORY = 0.5


class Interaction(Struct, frozen=True, eq=False):
    """The transitions under one value of the selecting variable.

    ``guard`` is the value, and ``changed`` are the variables with memory that need not keep theirs. ``conjuncts`` are
    those of TRANS, over current values of all variables and next ones of ``changed``; ``possible`` are those on the
    current state, which is not the first one.
    """

    guard: Bdd
    changed: tuple[str, ...]
    conjuncts: tuple[Bdd, ...]
    possible: tuple[Bdd, ...]


class Interactions(Struct, frozen=True, eq=False):
    """All interactions; ``memory`` are the state variables with memory, ``memoryless`` all others, with inputs.

    ``after_a_step`` are the conjuncts of TRANS that read the next state only, over current bits.
    """

    memory: tuple[str, ...]
    memoryless: tuple[str, ...]
    after_a_step: tuple[Bdd, ...]
    by_value: tuple[Interaction, ...]


def interactions_of(system: SymbolicSystem) -> Interactions | None:
    """The interactions of a system; None if no variable selects local ones.

    Costs a cofactor of each conjunct for each value of one variable. Raises MemoryExhausted.
    """
    selector = interaction_variable(system.source)
    if selector is None:
        return None
    encoding = system.encoding
    trans = [conjunct for conjunct in system.trans if conjunct.current]
    after_a_step = tuple(encoding.to_current(conjunct.diagram) for conjunct in system.trans if not conjunct.current)
    read_next = frozenset().union(*(conjunct.next for conjunct in trans))
    state = encoding.names(VariableKind.STATE)
    memory = tuple(name for name in state if name in read_next)
    memoryless = (*(name for name in state if name not in read_next), *encoding.names(VariableKind.INPUT))
    possible = (*(conjunct.diagram for conjunct in system.invar), *after_a_step)
    every = []
    kept_bits, bits = 0, len(encoding.current_bits(memory))
    count = code_count(encoding.variables[selector].type)
    for code in range(count):
        interaction = _interaction(system, selector, code, memory, trans, possible)
        kept_bits += bits - len(encoding.current_bits(interaction.changed))
        every.append(interaction)
    if kept_bits < _KEPT_WITH_MEMORY * bits * count:
        return None
    return Interactions(memory, memoryless, after_a_step, tuple(every))


def _interaction(
    system: SymbolicSystem,
    selector: str,
    code: int,
    memory: Sequence[str],
    trans: Sequence[Conjunct],
    possible: Sequence[Bdd],
) -> Interaction:
    encoding, context = system.encoding, system.context
    selected = {name: bool(code >> index & 1) for index, name in enumerate(encoding.current[selector])}
    conjuncts = [context.cofactor(conjunct.diagram, selected) for conjunct in trans]
    # Assignments come bit by bit, so those of one variable keep its value together only.
    assigning = {name: encoding.valid(name) & encoding.valid(name, True) for name in memory}
    for item, conjunct in zip(trans, conjuncts, strict=True):
        for name in item.next:
            same = _unchanged(system, name)
            if item.owner == name or context.implies(conjunct & assigning[name], same):
                assigning[name] = assigning[name] & conjunct
    kept = {name for name in memory if context.implies(assigning[name], _unchanged(system, name))}
    keep = encoding.renaming(sorted(kept), to_next=False)
    changed = tuple(name for name in memory if name not in kept)
    assigned = {conjunct.owner for conjunct in trans if conjunct.kind == "assignment"}
    domains = (encoding.valid(name, True) for name in changed if name not in assigned)
    moving = [context.rename(conjunct, keep) for conjunct in conjuncts]
    return Interaction(
        encoding.has_code(selector, code),
        changed,
        tuple(conjunct for conjunct in (*moving, *domains) if conjunct != context.true),
        tuple(context.cofactor(condition, selected) for condition in possible),
    )


def _unchanged(system: SymbolicSystem, name: str) -> Bdd:
    encoding, context = system.encoding, system.context
    pairs = zip(encoding.bits(name), encoding.bits(name, True), strict=True)
    return context.conjunction(context.xnor(now, then) for now, then in pairs)
