"""From the parts of a partition to modules: which conjunct belongs to whom, and what a letter is.

Every conjunct of the system belongs to exactly one module, so the composition of the modules has exactly
the runs of the system (paper, Section 2.2):

- the domain and the assignments of a variable to the part that owns it;
- a constraint over next values to the part that owns the variables it speaks about (the partition keeps
  those together);
- any other constraint to the part that owns one of its variables and needs fewest foreign ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.methods.smv.module import Module
from symag.symbolic.context import Bdd
from symag.symbolic.system import Conjunct, SymbolicSystem


def decompose(system: SymbolicSystem, parts: Sequence[Sequence[str]], safe: Bdd) -> tuple[Module, ...]:
    """One module for each part; ``safe`` is the property over current state bits.

    The I/O variables are those that a foreign module reads, and those of the property.
    """
    part_of = {name: index for index, names in enumerate(parts) for name in names}
    owned: list[dict[str, list[Conjunct]]] = [{"init": [], "invar": [], "trans": []} for _ in parts]
    for kind, conjuncts in (("init", system.init), ("invar", system.invar), ("trans", system.trans)):
        for conjunct in conjuncts:
            owned[_owner(conjunct, part_of)][kind].append(conjunct)
    reads = [{name for group in groups.values() for c in group for name in c.current | c.next} for groups in owned]
    judged = {system.encoding.variable_of_bit[bit][0] for bit in system.context.support(safe)}
    shared = {name for part, names in enumerate(reads) for name in names if part_of[name] != part} | judged
    return tuple(
        _module(system, names, groups, shared & (read | set(names)) | judged, safe)
        for names, groups, read in zip(parts, owned, reads, strict=True)
    )


def composition(system: SymbolicSystem, letters: Sequence[str], safe: Bdd) -> Module:
    """The whole system as one module that shows only these variables; it tells whether a word is real."""
    groups = {"init": list(system.init), "invar": list(system.invar), "trans": list(system.trans)}
    return _module(system, tuple(system.encoding.variables), groups, set(letters), safe)


def _module(
    system: SymbolicSystem, names: Sequence[str], groups: dict[str, list[Conjunct]], letters: set[str], safe: Bdd
) -> Module:
    order = [name for name in system.encoding.variables if name in letters]
    valid = system.encoding.all_valid(order)
    return Module(
        context=system.context,
        encoding=system.encoding,
        variables=tuple(names),
        letters=tuple(order),
        init=tuple(conjunct.diagram for conjunct in groups["init"]),
        invar=tuple(conjunct.diagram for conjunct in groups["invar"]),
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
