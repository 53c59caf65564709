"""From the parts of a partition to modules: which part owns each conjunct, and what a letter is.

Every conjunct of the system belongs to exactly one module, so the composition of the modules has exactly
the runs of the system (paper, Section 2.2):

- the domain and the assignments of a variable to the part that owns it;
- a constraint over next values to the part that owns the variables in it (the partition keeps those together);
- any other constraint to the part that owns one of its variables and reads fewest foreign ones for it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from symag.bdd.context import Bdd
from symag.core.grouping import group_of
from symag.core.values import replace
from symag.smv.methods.by_parts.module import Module
from symag.smv.model.flat import VariableKind
from symag.smv.symbolic.system import Conjunct, SymbolicSystem


def decompose(
    system: SymbolicSystem,
    parts: Sequence[Sequence[str]],
    safe: Bdd,
    hidden: Collection[str] = (),
    look_ahead: bool = False,
    facts: Sequence[Bdd] = (),
) -> tuple[Module, ...]:
    """One module for each part; ``safe`` is the property over current state bits.

    The I/O variables are those that a foreign module reads, and those of the property. Variables in ``hidden`` (none of
    the property's) are kept out of the letters: every module that reads one takes any value for it. Together the
    modules then do more than the system: "holds" stays right, a violation may be spurious. ``facts`` are true in every
    reachable state; each module has those over its own variables, its letters and the hidden ones that it reads, so
    that it shows only letters that can occur. With ``look_ahead`` the endings of bad words are pairs of letters, unless
    letters show frozen variables.
    """
    part_of = group_of(parts)
    owned: list[dict[str, list[Conjunct]]] = [{"init": [], "invar": [], "trans": []} for _ in parts]
    for kind, conjuncts in (("init", system.init), ("invar", system.invar), ("trans", system.trans)):
        for conjunct in conjuncts:
            owned[_owner(conjunct, part_of)][kind].append(conjunct)
    reads = [{name for group in groups.values() for c in group for name in c.current | c.next} for groups in owned]
    judged = {system.encoding.variable_of_bit[bit][0] for bit in system.context.support(safe)}
    shared = {name for part, names in enumerate(reads) for name in names if part_of[name] != part} | judged
    shared -= set(hidden)
    modules = [
        _module(system, names, groups, shared & (read | set(names)) | judged, safe, read & set(hidden) - set(names))
        for names, groups, read in zip(parts, owned, reads, strict=True)
    ]
    modules = [replace(module, invar=(*module.invar, *_visible(module, facts))) for module in modules]
    # The last of two letters is read over next bits, and a frozen variable has none of its own.
    kinds = {system.encoding.variables[name].kind for module in modules for name in module.letters}
    pairs = look_ahead and VariableKind.FROZEN not in kinds
    return tuple(replace(module, look_ahead=pairs) for module in modules)


def _visible(module: Module, facts: Sequence[Bdd]) -> list[Bdd]:
    """The facts that read nothing but what the module reads."""
    names = (*module.variables, *module.letters, *module.hidden)
    bits = frozenset(module.encoding.current_bits(dict.fromkeys(names)))
    return [fact for fact in facts if module.context.support(fact) <= bits]


def free_inputs(system: SymbolicSystem, parts: Sequence[Sequence[str]], safe: Bdd) -> tuple[str, ...]:
    """Variables that nothing but their domain constrains, that several parts read and the property does not."""
    part_of = group_of(parts)
    readers: dict[str, set[int]] = {name: set() for name in part_of}
    bound = {system.encoding.variable_of_bit[bit][0] for bit in system.context.support(safe)}
    for conjunct in (*system.init, *system.invar, *system.trans):
        if conjunct.kind == "domain":
            continue
        part = _owner(conjunct, part_of)
        for name in conjunct.current:
            readers[name].add(part)
        bound |= conjunct.next
        if conjunct.owner is not None:
            bound.add(conjunct.owner)
        elif not conjunct.next:
            bound |= conjunct.current
    return tuple(name for name, parts_reading in readers.items() if len(parts_reading) > 1 and name not in bound)


def composition(system: SymbolicSystem, letters: Sequence[str], safe: Bdd) -> Module:
    """The whole system as one module that shows only these variables: it decides whether a word is real."""
    groups = {"init": list(system.init), "invar": list(system.invar), "trans": list(system.trans)}
    return _module(system, tuple(system.encoding.variables), groups, set(letters), safe)


def _module(
    system: SymbolicSystem,
    names: Sequence[str],
    groups: dict[str, list[Conjunct]],
    letters: set[str],
    safe: Bdd,
    hidden: Collection[str] = (),
) -> Module:
    unseen = tuple(name for name in system.encoding.variables if name in hidden)
    order = [name for name in system.encoding.variables if name in letters]
    valid = system.encoding.all_valid(order)
    return Module(
        context=system.context,
        encoding=system.encoding,
        variables=tuple(names),
        letters=tuple(order),
        hidden=unseen,
        init=tuple(conjunct.diagram for conjunct in groups["init"]),
        invar=(*(c.diagram for c in groups["invar"]), *(system.encoding.valid(name) for name in unseen)),
        trans=tuple(conjunct.diagram for conjunct in groups["trans"]),
        safe=safe & valid,
        unsafe=~safe & valid,
    )


def _owner(conjunct: Conjunct, part_of: dict[str, int]) -> int:
    if conjunct.owner is not None:
        return part_of[conjunct.owner]
    decisive = conjunct.next or conjunct.current
    candidates = sorted({part_of[name] for name in decisive})
    if conjunct.next and len(candidates) > 1:
        raise ValueError(f"the next values of {', '.join(sorted(decisive))} are constrained together")
    everything = conjunct.current | conjunct.next
    return min(candidates, default=0, key=lambda part: (sum(part_of[name] != part for name in everything), part))
